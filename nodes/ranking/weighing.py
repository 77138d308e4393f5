"""What recall hands on: each candidate with what speaks for it and what speaks against it."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from nodes.language.sentences import is_instruction, is_small_talk, sentences
from nodes.ranking.floor import BEHIND, Bearing, bearings
from nodes.ranking.relevance import parts_of, relevance
from nodes.ranking.terms import coverage
from state.languages import language
from state.records import Calibration, Hit, Memory
from state.schema import HitRow

# So many of the most relevant are compared with one another: a term is rare, a cosine stands out, among these.
COMPARED = 50

# Where nothing bears on a question about the asker's own life, so many that stand out a little are told: a small
# embedder hardly tells "who is my partner?" and "I married Tom" from the unrelated, and silence would be worse.
GUESSES = 3
GUESSED_APART = 0.8

_PERSONAL = re.compile(r"我|\b(?:i|my|me|mine|myself|i'm|i've)\b", re.IGNORECASE)


class _Candidate(NamedTuple):
    hit: Hit
    memory: Memory
    close: float
    parts: dict[str, float]
    relevance: float


def weighed(
    question: str,
    hits: Sequence[Hit],
    standing: Mapping[str, Memory],
    *,
    in_slot: Collection[str] = (),
    calibration: Calibration,
    time_alone: bool = False,
    depth: int = COMPARED,
) -> list[HitRow]:
    """Return a row for each of the `depth` most relevant hits, then for as many others inside the named window.

    `standing` has the memory of each hit, `in_slot` the ids of those in the slot the question asks for; `time_alone`
    says that the question names nothing but a time.
    """
    asked = language(question)
    best = max((hit.lexical or 0.0 for hit in hits), default=0.0)
    candidates = []
    for hit in hits:
        memory = standing[hit.memory_id]
        close = calibration.closeness(hit.similarity, asked, language(memory.text)) if hit.similarity else 0.0
        parts = parts_of(hit, memory.text, question, close=close, best=best, in_slot=hit.memory_id in in_slot)
        candidates.append(_Candidate(hit, memory, close, parts, relevance(parts)))
    candidates.sort(key=lambda candidate: -candidate.relevance)
    most = max(COMPARED, depth)
    compared = [each for place, each in enumerate(candidates) if place < most or each.hit.in_window]
    held = coverage(question, [each.memory.text for each in compared])
    found = bearings([each.close for each in compared], held)
    idle = all(is_small_talk(sentence) for sentence in sentences(question))
    # What took the place of a memory is told with it.
    spared = {each.memory.superseded_by for each in compared if each.memory.superseded_by is not None}
    spared |= {
        each.memory.memory_id
        for each, bearing in zip(compared, found, strict=True)
        if _is_named(each, bearing, time_alone=time_alone)
    }
    if not idle and not spared and all(bearing.against for bearing in found) and _is_personal(question):
        spared = _guesses(compared, found)
    weighed_up = [
        (each, bearing, None if each.memory.memory_id in spared else "nothing is asked" if idle else bearing.against)
        for each, bearing in zip(compared, found, strict=True)
    ]
    inside = [row for row in weighed_up[depth:] if row[0].hit.in_window]
    return [_row(*row) for row in weighed_up[:depth] + inside[:depth]]


def _is_personal(question: str) -> bool:
    return _PERSONAL.search(question) is not None and not all(map(is_instruction, sentences(question)))


def _guesses(compared: Sequence[_Candidate], found: Sequence[Bearing]) -> set[str]:
    """Return the ids of the few that have the most evidence and stand out from the others at all."""
    apart = [pair for pair in zip(found, compared, strict=True) if pair[0].apart >= GUESSED_APART]
    best = sorted(apart, key=lambda pair: -pair[0].evidence)[:GUESSES]
    return {candidate.memory.memory_id for _, candidate in best}


def _is_named(candidate: _Candidate, bearing: Bearing, *, time_alone: bool) -> bool:
    """Say whether the question names a memory by its slot or by its time: then it needs no words in common with it."""
    if candidate.parts["slot"] > 0:
        return True
    return candidate.hit.in_window and (time_alone or (candidate.close >= 0 and bearing.behind <= BEHIND))


def _row(candidate: _Candidate, bearing: Bearing, against: str | None) -> HitRow:
    hit, parts = candidate.hit, candidate.parts
    return {
        "memory": candidate.memory.row(),
        "similarity": hit.similarity,
        "similarity_rank": hit.similarity_rank,
        "lexical": hit.lexical,
        "lexical_rank": hit.lexical_rank,
        "in_window": hit.in_window,
        "parts": {**parts, "share": bearing.share, "evidence": bearing.evidence, "apart": bearing.apart},
        "relevance": candidate.relevance,
        "against": against,
    }
