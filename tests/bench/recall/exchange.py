"""What goes to the peers and what comes back: stores as JSON lines, rankings by question."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from tests.bench.figures import Figures
from tests.bench.recall.answers import Answer
from tests.bench.recall.peers import stores as exchanged
from tests.bench.recall.run import Asked
from tests.bench.recall.sets import Store


class Peer(NamedTuple):
    """What a peer made of a set: rankings by question, and its own times in milliseconds."""

    name: str
    rankings: Mapping[str, Sequence[str]]
    times: Figures


def export(folder: Path, stores: Sequence[Store]) -> Path:
    """Write stores as the peers read them; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "stores.jsonl"
    exchanged.write(path, (_exported(store) for store in stores))
    return path


def _exported(store: Store) -> exchanged.Store:
    said = [each for session in store.sessions for each in session]
    counts = [0]
    for session in store.sessions:
        counts.append(counts[-1] + len(session))
    return exchanged.Store(
        set=store.set,
        store=store.name,
        memories=tuple(
            exchanged.StoredMemory(id=each.id, time=_iso(each.at_ms, store.zone), text=each.text) for each in said
        ),
        queries=tuple(
            exchanged.Query(
                qid=question.id,
                question=question.text,
                asked_at=_iso(question.at_ms, store.zone),
                evidence=question.evidence,
                category=question.category,
                after=counts[question.after] if question.after < len(store.sessions) else None,
            )
            for question in store.questions
        ),
    )


def _iso(at_ms: int, zone: str) -> str:
    return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone)).replace(tzinfo=None).isoformat()


def peers(folder: Path, name: str) -> Iterator[Peer]:
    """Yield what each peer's file in a folder says of a set; nothing of a file that does not name it."""
    for path in sorted(folder.glob("*.json")):
        told: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if name in told["rankings"]:
            times = {"ms": told["ms"][name]["search"], "ms_add": told["ms"][name]["add"]}
            known = {key: float(value) for key, value in times.items() if value is not None}
            yield Peer(path.stem, told["rankings"][name], known)


def joined(asked: Sequence[Asked], peer: Peer) -> list[Asked]:
    """Return the questions with the answers of a peer beside the others; it need not have been asked all of them."""
    return [
        each._replace(
            answers={
                **each.answers,
                peer.name: Answer(
                    ranking=tuple(peer.rankings[each.question.id]), shown=len(peer.rankings[each.question.id])
                ),
            }
        )
        if each.question.id in peer.rankings
        else each
        for each in asked
    ]
