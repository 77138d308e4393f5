"""The questions that were not answered, with what came instead: for those who look for causes."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from tests.bench.recall.answers import Answer
from tests.bench.recall.beliefs import Judged
from tests.bench.recall.run import Asked
from tests.bench.recall.scoring import measures

INSTEAD = 8


def of_set(asked: Sequence[Asked], profile: str) -> Iterator[str]:
    """Yield a JSON line for each question without a hit among the first five."""
    for store, question, answers in asked:
        answer = answers[profile]
        if measures(answer.ranking, answer.shown, question.evidence)["hit@5"]:
            continue
        said = {each.id: each for session in store.sessions for each in session}
        ranks = {name: place for place, name in enumerate(answer.ranking, start=1)}
        yield _line(
            set=store.set,
            profile=profile,
            id=question.id,
            category=question.category,
            asked=_day(question.at_ms),
            question=question.text,
            named_time=answer.named_time,
            evidence=[
                {"id": name, "rank": ranks.get(name), "said": _day(said[name].at_ms), "text": said[name].text}
                for name in question.evidence
            ],
            instead=_instead(answer),
        )


def of_beliefs(judged: Sequence[Judged], profile: str) -> Iterator[str]:
    """Yield a JSON line for each case that did not pass."""
    for each in judged:
        if each.scores[profile].passed:
            continue
        answer = each.answers.get(profile)
        yield _line(
            set="precisionmem",
            profile=profile,
            id=each.case.name,
            category=each.case.category,
            question=each.case.query,
            only=each.case.only,
            relevant=each.relevant[profile],
            instead=_instead(answer) if answer else [],
        )


def _instead(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": name,
            "shown": place <= answer.shown,
            "score": round(row["score"], 4),
            "said": _day(row["mentioned_ms"]),
            "kind": row["kind"],
            "text": row["text"],
            "parts": {part: round(value, 4) for part, value in row["parts"].items()},
            "reason": row["reason"],
        }
        for place, (name, row) in enumerate(zip(answer.ranking, answer.rows, strict=True), start=1)
        if place <= INSTEAD
    ]


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="minutes")


def _line(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)
