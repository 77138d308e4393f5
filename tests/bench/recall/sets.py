"""The sets: who said what when, and what is asked of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from tests.bench.gate.scoring import sample

Row = Mapping[str, Any]


class Said(NamedTuple):
    """One memory of a set, when it was said (epoch ms, in the user's zone) and in which words."""

    id: str
    at_ms: int
    text: str


class Question(NamedTuple):
    """A question, the ids of the memories that answer it, and after how many sessions it is asked."""

    id: str
    text: str
    at_ms: int
    category: str
    evidence: tuple[str, ...]
    after: int


class Store(NamedTuple):
    """All that one user has said, session by session, with what is asked of it in the order of asking."""

    set: str
    name: str
    zone: str
    sessions: tuple[tuple[Said, ...], ...]
    questions: tuple[Question, ...]


class Set(NamedTuple):
    """How a set is read: its folder, its zone, what makes a session, and the categories that count apart."""

    name: str
    folder: str
    zone: str
    session: Callable[[Row], Any]
    apart: tuple[str, ...] = ()


SETS = {
    each.name: each
    for each in (
        Set("locomo", "locomo", "UTC", lambda row: row["session"], apart=("adversarial",)),
        Set("memorybank", "memorybank_zh", "Asia/Shanghai", lambda row: row["time"][:10]),
        Set("realmem", "realmem_en", "UTC", lambda row: row["seq"]),
        Set("longmemeval", "longmemeval_s20", "UTC", lambda row: row["id"]),
    )
}


def load(name: str, data: Path, limit: int) -> list[Store] | None:
    """Read a set, None where it is not there; of its questions those with evidence, at most `limit` (0: all).

    A store of which nothing is asked is left out.
    """
    made = SETS[name]
    folder = data / made.folder
    if not (folder / "queries.jsonl").exists():
        return None
    questions = [row for row in _rows(folder / "queries.jsonl") if row["evidence"]]
    asked = {row["qid"] for row in sample(questions, limit, lambda row: str(row["qid"]))}
    memories = _rows(folder / "memories.jsonl")
    stores = []
    for conv in dict.fromkeys(row["conv"] for row in memories):
        own = [row for row in questions if row["conv"] == conv and row["qid"] in asked]
        if own:
            stores.append(_store(made, conv, [row for row in memories if row["conv"] == conv], own))
    return stores


def _store(made: Set, conv: str, memories: Sequence[Row], questions: Sequence[Row]) -> Store:
    # As lived: what was said first is written first, also where a set lists it otherwise.
    ordered = sorted(memories, key=lambda row: (row.get("seq", 0), row["time"]))
    sessions = [(key, list(rows)) for key, rows in groupby(ordered, made.session)]
    asked = [
        Question(
            id=row["qid"],
            text=row["question"],
            at_ms=_ms(row["asked_at"], made.zone),
            category=row["category_name"],
            evidence=tuple(row["evidence"]),
            after=sum(key < row["seq"] for key, _ in sessions) if "seq" in row else len(sessions),
        )
        for row in questions
    ]
    said = tuple(
        tuple(Said(row["id"], _ms(row["time"], made.zone), row["text"]) for row in rows) for _, rows in sessions
    )
    return Store(made.name, conv, made.zone, said, tuple(sorted(asked, key=lambda question: question.after)))


def _ms(time: str, zone: str) -> int:
    return int(datetime.fromisoformat(time).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
