"""When a memory bears on a question at all: what does not is left out, however few are left.

An order has a first even where nothing fits. So whether a memory is shown at all rests on evidence with a scale of its
own: how many standard deviations its cosine lies above that of unrelated pairs, and how much of the question's words it
holds. The figures were chosen on PrecisionMemBench, LoCoMo and MemoryBank: see docs/benchmarks.md.
"""

import statistics
from collections.abc import Sequence
from typing import NamedTuple

# In standard deviations: what a memory that holds all of the question's words gains; what it must reach; how far it may
# be behind the best; how far it must stand out from the middle of the candidates where it shares no word.
WORDS = 2.0
LEAST = 2.5
BEHIND = 4.0
APART = 1.9
FEW = 6


class Bearing(NamedTuple):
    """How a memory bears on a question: the share of its words, the evidence in all, and what speaks against it.

    `behind` is how far its evidence is from the best, `apart` how much nearer in meaning it is than the middle of the
    candidates.
    """

    share: float
    evidence: float
    behind: float
    apart: float
    against: str | None


def bearings(closeness: Sequence[float], shares: Sequence[float]) -> list[Bearing]:
    """Return how each candidate bears on the question; `closeness` in standard deviations, `shares` from 0 to 1."""
    if not closeness:
        return []
    evidence = [close + WORDS * share for close, share in zip(closeness, shares, strict=True)]
    # Of a few memories the middle may be an answer: unrelated ones, whose closeness is 0, fill them up.
    best, middle = max(evidence), statistics.median([*closeness, *[0.0] * (FEW - len(closeness))])
    return [
        Bearing(share, weight, best - weight, close - middle, _against(share, weight, best - weight, close - middle))
        for close, share, weight in zip(closeness, shares, evidence, strict=True)
    ]


def _against(share: float, evidence: float, behind: float, apart: float) -> str | None:
    if evidence < LEAST:
        return f"its evidence of {evidence:.1f} is under the floor of {LEAST}"
    if behind > BEHIND:
        return f"its evidence of {evidence:.1f} is more than {BEHIND} behind the best"
    if not share and apart < APART:
        return f"it shares no word, and in meaning it is only {apart:.1f} apart from the others"
    return None
