"""How a memory fades: by its kind, never below a floor, and not at all where time is what the question is about."""

from state.records import Kind, Memory

DAY_MS = 86_400_000
HALF_LIFE_DAYS = 30
SHARE: dict[Kind, float] = {
    "preference": 0.0,
    "decision": 0.0,
    "fact": 0.1,
    "event": 0.15,
    "task": 0.15,
    "episode": 0.15,
}


def halving(age_days: float) -> float:
    """Return 0.5^(days/30) for an age in days; what lies ahead does not fade."""
    return float(0.5 ** (max(age_days, 0.0) / HALF_LIFE_DAYS))


def decay(kind: Kind, age_days: float) -> float:
    """Return how much of a memory of a kind is left at an age in days: at least 1 less the share that fades at all."""
    share = SHARE[kind]
    return 1 - share + share * halving(age_days)


def lies_ahead(memory: Memory, now_ms: int) -> bool:
    """Say whether what the memory tells of is not over yet."""
    return memory.event_end_ms is not None and now_ms < memory.event_end_ms
