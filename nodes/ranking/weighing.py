"""What recall hands on: each candidate with what speaks for it and what speaks against it."""

import functools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from nodes.language.sentences import CJK, is_small_talk, sentences
from nodes.ranking.floor import Bearing, bearings
from nodes.ranking.relevance import parts_of, relevance
from nodes.ranking.terms import shares
from state.records import Calibration, Hit, Language, Memory
from state.schema import HitRow

# So many of the most relevant are compared with one another: a term is rare, a cosine stands out, among these.
COMPARED = 50

_CHINESE = re.compile(f"[{CJK}]")
_LETTER = re.compile(r"[^\W\d_]")


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
    in_slot: Collection[str],
    calibration: Calibration,
) -> list[HitRow]:
    """Return a row for each of the most relevant hits, and for those inside the named window; the best first.

    `standing` has the memory of each hit, `in_slot` the ids of those in the slot the question asks for.
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
    compared = [each for place, each in enumerate(candidates) if place < COMPARED or each.hit.in_window]
    held = shares(question, [each.memory.text for each in compared])
    found = bearings([each.close for each in compared], held)
    idle = all(is_small_talk(sentence) for sentence in sentences(question))
    # What took the place of a memory is told with it.
    successors = {each.memory.superseded_by for each in compared}
    return [
        _row(each, bearing, idle, spared=each.memory.memory_id in successors)
        for each, bearing in zip(compared, found, strict=True)
    ]


@functools.lru_cache(maxsize=8192)
def language(text: str) -> Language:
    """Return whether a text is Chinese, by a third of its letters, or another language, which counts as English."""
    chinese = len(_CHINESE.findall(text))
    return "zh" if chinese and 3 * chinese >= len(_LETTER.findall(text)) else "en"


def _row(candidate: _Candidate, bearing: Bearing, idle: bool, *, spared: bool) -> HitRow:
    hit, parts = candidate.hit, candidate.parts
    # What the question names by its time or by its slot needs no words in common with it.
    spared = spared or parts["slot"] > 0 or (hit.in_window and candidate.close >= 0)
    against = None if spared else "nothing is asked" if idle else bearing.against
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
