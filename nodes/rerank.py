"""Score each candidate, keep the best few, and say of every other why it was left out."""

from collections.abc import Callable
from typing import Any, Literal

from langgraph.runtime import Runtime

from nodes.language.grounding import overlap
from nodes.run import context_of
from state.context import Context
from state.records import Memory
from state.schema import HitRow, RankedRow, State

DAY_MS = 86_400_000
HALF_LIFE_DAYS = 30
STALE_DAYS = 30
STALE_FACTOR = 0.5
DECAY_SHARE = 0.15
# Lifts hit@5 on MemoryBank zh from 0.90 to 1.00, on two talks of LoCoMo from 0.55 to 0.58; 1.25 to 3 do alike.
WINDOW_BOOST = 1.5
# What the user marked outranks its twin; at its full weight of 2 it would outrank whatever the question is about.
MARK_SHARE = 0.25
NEAR_COPY = 0.9
FLOORS: dict[Literal["balanced", "classic"], float] = {"balanced": 0.25, "classic": 0.01}


async def rerank(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Rank the hits by the run's profile and keep the top few above the floor, without near-copies."""
    context = context_of(runtime)
    score = classic if context.profile == "classic" else balanced
    now_ms, named = state["turn"]["at_ms"], state["named_time"] is not None
    ranked = sorted((_ranked(hit, score, now_ms, named) for hit in state["hits"]), key=_by_score)
    kept: list[RankedRow] = []
    suppressed: list[RankedRow] = []
    for row in ranked:
        if reason := _why_not(row, kept, FLOORS[context.profile], context.recall_keep):
            suppressed.append({**row, "reason": reason})
        else:
            kept.append({**row, "number": len(kept) + 1})
    return {"recalled": kept, "suppressed": suppressed}


def decay(age_days: float) -> float:
    """Return 0.5^(days/30) for an age in days; what lies ahead does not fade."""
    return float(0.5 ** (max(age_days, 0.0) / HALF_LIFE_DAYS))


def classic(hit: HitRow, memory: Memory, age_days: float, named: bool) -> dict[str, float]:  # noqa: ARG001
    """Return the parts of cosine x 0.5^(days/30) x weight, halved once more from day 30 on; they multiply to the score.

    The raw cosine, days since it was said, no notion of a named time: the formula as it is known.
    """
    return {
        "similarity": hit["similarity"] or 0.0,
        "decay": decay(age_days),
        "importance": memory.weight,
        "stale": STALE_FACTOR if age_days >= STALE_DAYS else 1.0,
    }


def balanced(hit: HitRow, memory: Memory, age_days: float, named: bool) -> dict[str, float]:
    """Return the parts of fused rank x (0.85 + 0.15 x decay) x importance x window; they multiply to the score.

    Importance is bounded: 1.0, or 1.25 for a memory of weight 2.0.

    Decay is bounded below so that it orders equals and buries nothing, is off where the question names a time, and
    never touches what still lies ahead. A named time boosts and never filters: people err about dates.
    """
    ahead = memory.event_end_ms is not None and age_days * DAY_MS + memory.mentioned_ms < memory.event_end_ms
    fading = 1.0 if named or ahead else decay(age_days)
    return {
        "fused": hit["fused"],
        "decay": 1 - DECAY_SHARE + DECAY_SHARE * fading,
        "importance": 1 + MARK_SHARE * (memory.weight - 1),
        "window": WINDOW_BOOST if named and hit["in_window"] else 1.0,
    }


Profile = Callable[[HitRow, Memory, float, bool], dict[str, float]]


def _ranked(hit: HitRow, profile: Profile, now_ms: int, named: bool) -> RankedRow:
    memory = Memory.model_validate(hit["memory"])
    age_days = max(now_ms - memory.mentioned_ms, 0) / DAY_MS
    parts = profile(hit, memory, age_days, named)
    score = 1.0
    for part in parts.values():
        score *= part
    return {
        "number": None,
        "memory_id": memory.memory_id,
        "text": memory.text,
        "kind": memory.kind,
        "status": memory.status,
        "session_id": memory.session_id,
        "mentioned_ms": memory.mentioned_ms,
        "event_start_ms": memory.event_start_ms,
        "event_end_ms": memory.event_end_ms,
        "valid_from_ms": memory.valid_from_ms,
        "valid_to_ms": memory.valid_to_ms,
        "time_zone": memory.time_zone,
        "score": score,
        "parts": {
            **parts,
            "cosine": hit["similarity"] or 0.0,
            "words": hit["lexical"] or 0.0,
            "age_days": age_days,
        },
        "stale": age_days >= STALE_DAYS,
        "provisional": memory.receipt is not None and memory.receipt.provisional,
        "reason": None,
    }


def _by_score(row: RankedRow) -> tuple[float, int]:
    return (-row["score"], -row["mentioned_ms"])


def _why_not(row: RankedRow, kept: list[RankedRow], floor: float, keep: int) -> str | None:
    if row["score"] < floor:
        return f"score {row['score']:.3f} is under the floor of {floor}"
    # What held at another time is no copy, however alike the words: "my number is ...1" and then "...2".
    twins = (other for other in kept if (other["status"], other["valid_to_ms"]) == (row["status"], row["valid_to_ms"]))
    twin = next((other for other in twins if overlap(row["text"], other["text"]) >= NEAR_COPY), None)
    if twin is not None:
        return f"a near-copy of [{twin['number']}]"
    return f"only the best {keep} are kept" if len(kept) >= keep else None
