"""Score each candidate, keep the best few, and say of every other why it was left out."""

import math
from typing import Any

from langgraph.runtime import Runtime

from nodes.language.grounding import overlap
from nodes.language.tokens import count, cut
from nodes.prompts.excerpt import shares
from nodes.ranking.detail import with_details
from nodes.ranking.profiles import PROFILES, STALE_DAYS, age_days
from nodes.ranking.versions import newer_first
from nodes.run import context_of
from state.context import Context
from state.ports import Journal
from state.records import Memory, Turn
from state.schema import HitRow, RankedRow, State

NEAR_COPY = 0.9
FADED = 0.01
# Of a memory that is shown at all, so many tokens are.
LEAST_TOKENS = 50


async def rerank(state: State, runtime: Runtime[Context], *, journal: Journal) -> dict[str, Any]:
    """Rank the hits by the run's profile and keep the top few above the floor, without near-copies."""
    context, question = context_of(runtime), Turn.model_validate(state["turn"])
    time = state["named_time"]
    memories = [Memory.model_validate(hit["memory"]) for hit in state["hits"]]
    scored = sorted(
        (
            _ranked(hit, memory, context, question.at_ms, time.get("confidence", 1.0) if time else 0.0)
            for hit, memory in zip(state["hits"], memories, strict=True)
        ),
        key=_by_score,
    )
    ranked = scored if context.profile == "classic" else newer_first(scored)
    # The known formula has a floor of its own: what it has faded to nothing.
    bears = context.profile != "classic"
    against = {hit["memory"]["memory_id"]: hit["against"] if bears else None for hit in state["hits"]}
    kept: list[RankedRow] = []
    suppressed: list[RankedRow] = []
    for row in ranked:
        if reason := against[row["memory_id"]] or _why_not(row, kept, context):
            suppressed.append({**row, "reason": reason})
        else:
            kept.append({**row, "number": len(kept) + 1})
    fitting = _fitted(kept, context.recall_tokens)
    evidence = {memory.memory_id: memory.evidence for memory in memories}
    return {"recalled": await with_details(fitting, evidence, question, journal=journal), "suppressed": suppressed}


def _ranked(hit: HitRow, memory: Memory, context: Context, now_ms: int, named: float) -> RankedRow:
    parts = PROFILES[context.profile](hit, memory, now_ms, named)
    days = age_days(memory, now_ms)
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
        "score": math.prod(parts.values()),
        "parts": {
            **hit["parts"],
            **parts,
            "cosine": hit["similarity"] or 0.0,
            "bm25": hit["lexical"] or 0.0,
            "age_days": days,
        },
        "stale": days >= STALE_DAYS,
        "provisional": memory.receipt is not None and memory.receipt.provisional,
        "detail": None,
        "reason": None,
    }


def _by_score(row: RankedRow) -> tuple[float, int]:
    return (-row["score"], -row["mentioned_ms"])


def _fitted(kept: list[RankedRow], tokens: int) -> list[RankedRow]:
    """Shorten the longest memories until all take at most so many tokens: none is left out for its length."""
    granted = shares([count(row["text"]) for row in kept], tokens)
    return [{**row, "text": cut(row["text"], room)} for row, room in zip(kept, granted, strict=True)]


def _why_not(row: RankedRow, kept: list[RankedRow], context: Context) -> str | None:
    if context.profile == "classic" and row["score"] < FADED:
        return f"its score of {row['score']:.3f} is under {FADED}"
    # What held at another time is no copy, however alike the words: "my number is ...1" and then "...2".
    twins = (other for other in kept if (other["status"], other["valid_to_ms"]) == (row["status"], row["valid_to_ms"]))
    twin = next((other for other in twins if overlap(row["text"], other["text"]) >= NEAR_COPY), None)
    if twin is not None:
        return f"a near-copy of [{twin['number']}]"
    keep = min(context.recall_keep, context.recall_tokens // LEAST_TOKENS)
    return f"only the best {keep} are kept" if len(kept) >= keep else None
