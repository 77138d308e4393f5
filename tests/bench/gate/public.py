"""Public sets of contradictions: OCNLI and CDConv in Chinese, ProSeCCo in English.

Each row is a standing memory and a new statement; found is what the verifier calls a conflict. The verifier is asked in
this process with the neighbour built directly, since full stores would take an hour for thousands of pairs: screen's
and the journal's part is measured by the own set. Of CDConv the rows without contradiction and those that contradict
what was said before (label 3) are used; `b1` stands as a memory, which holds no question, and `b2` is said in answer to
`u2`. The rows' authors labelled open talk, not facts about a user's life.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nodes.language.statements import read
from state.errors import ModelError
from state.ports import Neighbour
from state.records import Candidate, Evidence, Memory, Relation, Turn
from state.slots import is_single_valued
from tests.bench.figures import Figures, rate
from tests.bench.gate.place import Place
from tests.bench.gate.scoring import binary, cross_fitted, sample
from tests.bench.place import standing_receipt

AT_ONCE = 4
DAY_MS = 86_400_000
NOW_MS = 1_781_841_600_000  # 2026-06-19 12:00 in Shanghai
ZONES = {"ocnli": "Asia/Shanghai", "cdconv": "Asia/Shanghai", "prosecco": "America/New_York"}
BATCH = 32
COMPARED = 300
"""So many pairs of a set are embedded: it takes the time of a hundred verdicts each, and serves a baseline alone."""

JsonRow = Mapping[str, Any]


@dataclass(frozen=True)
class Pair:
    """What stands, what is said, whether the two contradict each other, and what was asked right before."""

    id: str
    stands: str
    said: str
    contradicts: bool
    asked: str | None = None


def pairs(name: str, data: Path, limit: int) -> list[Pair] | None:
    """Return a set's pairs, at most `limit` (0: all), chosen by hash; None where the data is not there."""
    files = {"ocnli": "ocnli/dev.jsonl", "cdconv": "cdconv/dev.jsonl", "prosecco": "prosecco_en/pairs.jsonl"}
    path = data / files[name]
    if not path.is_file():
        return None
    readers: dict[str, Callable[[JsonRow], Pair]] = {
        "ocnli": lambda row: Pair(row["id"], row["premise"], row["hypothesis"], row["label"] == "contradiction"),
        "cdconv": lambda row: Pair(row["id"], row["b1"], row["b2"], row["label"] == 3, asked=row["u2"]),
        "prosecco": lambda row: Pair(row["id"], row["a"], row["b"], bool(row["contradiction"])),
    }
    rows = [row for row in rows_of(path) if name != "cdconv" or row["label"] in (0, 3)]
    return [readers[name](row) for row in sample(rows, limit, lambda row: str(row["id"]))]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


async def run(
    place: Place, name: str, found: Sequence[Pair], *, done: Callable[[int], object] = lambda count: None
) -> tuple[Figures, dict[str, Figures]]:
    """Have the pairs judged; return the figures of the verifier and of the baselines. `done` is told the progress.

    A baseline comes with the number of pairs it was measured on and the verifier's F1 (`gate_f1`) on the same ones.
    """
    place.clock.set(NOW_MS)
    compared = found[:COMPARED]
    cosines: list[float] = []
    for start in range(0, len(compared), BATCH):
        batch = compared[start : start + BATCH]
        cosines += await asyncio.to_thread(_cosines, place, batch)
        done(len(batch))
    similarity = dict(zip((pair.id for pair in compared), cosines, strict=True))
    places = asyncio.Semaphore(AT_ONCE)

    async def judged(pair: Pair) -> Relation | None:
        async with places:
            relation = await _relation(place, name, pair, similarity.get(pair.id))
            done(1)
            return relation

    relations = await asyncio.gather(*map(judged, found))
    truth = [pair.contradicts for pair in found]
    figures = _figures(truth, relations)
    guesses = {
        "never": [False] * len(truth),
        "always": [True] * len(truth),
        "cosine": cross_fitted([pair.id for pair in compared], cosines, truth[:COMPARED]),
    }
    baselines = {}
    for way, guess in guesses.items():
        size = len(guess)
        ours = _figures(truth[:size], relations[:size])["f1"]
        baselines[way] = {**_scored(truth[:size], guess), "pairs": size, "gate_f1": ours}
    return figures, baselines


def _figures(truth: Sequence[bool], relations: Sequence[Relation | None]) -> Figures:
    conflicts = [relation == "conflict" for relation in relations]
    return {
        **_scored(truth, conflicts),
        "undecided": rate(relations, lambda relation: relation in (None, "undecided")),
        "update": rate(relations, lambda relation: relation == "update"),
        "duplicate": rate(relations, lambda relation: relation == "duplicate"),
    }


def _scored(truth: Sequence[bool], guess: Sequence[bool]) -> Figures:
    precision, recall, f1, positives = binary(truth, guess)
    accuracy = rate(zip(truth, guess, strict=True), lambda pair: pair[0] == pair[1])
    return {"precision": precision, "recall": recall, "f1": f1, "accuracy": accuracy, "positives": positives}


def _cosines(place: Place, batch: Sequence[Pair]) -> list[float]:
    vectors = place.services.embeddings.embed_documents([text for pair in batch for text in (pair.stands, pair.said)])
    return [
        sum(one * other for one, other in zip(first, second, strict=True))
        for first, second in zip(vectors[::2], vectors[1::2], strict=True)
    ]


async def _relation(place: Place, name: str, pair: Pair, similarity: float | None) -> Relation | None:
    """Return what the verifier says of a pair, None where no verdict comes."""
    zone = ZONES[name]
    slot, stands_in = read(pair.said).slot, read(pair.stands).slot
    said = _turn(pair.id, "user", pair.said, zone)
    candidate = Candidate(
        kind="fact",
        text=pair.said,
        evidence=(Evidence(turn_id=said.turn_id, span=pair.said),),
        slot=slot,
        mentioned_ms=NOW_MS,
        time_zone=zone,
    )
    company = [
        Neighbour(
            memory=_standing(pair, stands_in, zone),
            similarity=similarity,
            same_slot=slot is not None and slot == stands_in,
        )
    ]
    context = [_turn(f"{pair.id} asked", "assistant", pair.asked, zone)] if pair.asked else []
    try:
        judgement = await place.watched.verify(candidate, [said], company, context=context, seconds=place.seconds)
    except ModelError:
        return None
    return judgement.verdict.relation


def _turn(turn_id: str, role: str, text: str, zone: str) -> Turn:
    fields = {"user_id": "bench", "session_id": "bench", "turn_id": turn_id, "role": role, "text": text}
    return Turn.model_validate({**fields, "time_zone": zone, "at_ms": NOW_MS})


def _standing(pair: Pair, slot: str | None, zone: str) -> Memory:
    said_ms = NOW_MS - 30 * DAY_MS
    return Memory(
        memory_id=f"{pair.id} stands",
        user_id="bench",
        session_id="before",
        kind="fact",
        text=pair.stands,
        status="active",
        evidence=(Evidence(turn_id=f"{pair.id} before", span=pair.stands),),
        mentioned_ms=said_ms,
        time_zone=zone,
        slot=slot,
        single_valued=is_single_valued(slot),
        valid_from_ms=said_ms,
        receipt=standing_receipt("new", said_ms),
    )
