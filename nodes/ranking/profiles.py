"""The two ways to score a memory. Each returns parts that multiply to the score."""

from collections.abc import Callable
from typing import Literal

from nodes.ranking.decay import DAY_MS, decay, halving, lies_ahead
from nodes.ranking.importance import importance
from state.records import Memory
from state.schema import HitRow

STALE_DAYS = 30
STALE_FACTOR = 0.5
WINDOW_BOOST = 0.5

Profile = Callable[[HitRow, Memory, int, float], dict[str, float]]


def age_days(memory: Memory, now_ms: int) -> float:
    """Return how many days ago a memory was last said, 0 for what was said later than `now_ms`."""
    return max(now_ms - memory.mentioned_ms, 0) / DAY_MS


def known_formula(cosine: float, memory: Memory, now_ms: int) -> dict[str, float]:
    """Return the parts of cosine x 0.5^(days/30) x weight, halved once more from day 30 on.

    The raw cosine, days since it was said, no notion of a named time: the formula as it is known.
    """
    days = age_days(memory, now_ms)
    return {
        "similarity": cosine,
        "decay": halving(days),
        "importance": memory.weight,
        "stale": STALE_FACTOR if days >= STALE_DAYS else 1.0,
    }


def classic(hit: HitRow, memory: Memory, now_ms: int, named: float) -> dict[str, float]:  # noqa: ARG001
    """Return the parts of the known formula."""
    return known_formula(hit["similarity"] or 0.0, memory, now_ms)


def balanced(hit: HitRow, memory: Memory, now_ms: int, named: float) -> dict[str, float]:
    """Return the parts of relevance x decay by kind x importance x window.

    `named` is how sure it is that the question names a time, 0 where it names none. There decay is off, and what was
    said or happens inside gains up to a half; nothing outside is filtered: people err about dates. What still lies
    ahead does not fade.
    """
    fades = not named and not lies_ahead(memory, now_ms)
    return {
        "relevance": hit["relevance"],
        "decay": decay(memory.kind, age_days(memory, now_ms)) if fades else 1.0,
        "importance": importance(memory.weight, memory.mentions, memory.citations),
        "window": 1 + WINDOW_BOOST * named if hit["in_window"] else 1.0,
    }


PROFILES: dict[Literal["balanced", "classic"], Profile] = {"balanced": balanced, "classic": classic}
