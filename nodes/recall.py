"""Find the memories that may bear on the question, by meaning, by words and by the time it names."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.language.timex import named_time
from nodes.run import context_of, degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Journal, LongTermMemory
from state.records import Hit, Memory, Status, TimeWindow, Turn
from state.schema import HitRow, State

POOL = 50
RRF_K = 60


async def recall(
    state: State, runtime: Runtime[Context], *, journal: Journal, long_term_memory: LongTermMemory
) -> dict[str, Any]:
    """Ask the index for candidates and fetch their rows from the journal, best first."""
    context, question = context_of(runtime), Turn.model_validate(state["turn"])
    window = named_time(question.text, now_ms=question.at_ms, time_zone=question.time_zone)
    found: dict[str, Any] = {"named_time": window.row() if window else None, "hits": []}
    if context.recall_keep == 0:
        return found
    # What is superseded was true once: it may come back only for a time it covers.
    statuses: list[Status] = ["active", "superseded"] if window else ["active"]
    try:
        hits = await long_term_memory.search(
            question.user_id, question.text, statuses=statuses, depth=max(POOL, context.recall_depth), window=window
        )
    except StoreUnavailable as outage:
        return {**found, "degraded": degrade(state["degraded"], outage)}
    rows = await journal.memories(question.user_id, [hit.memory_id for hit in hits])
    standing = {memory.memory_id: memory for memory in rows if _holds(memory, window)}
    fused = sorted(
        (_hit_row(hit, standing[hit.memory_id]) for hit in hits if hit.memory_id in standing),
        key=lambda row: row["fused"],
        reverse=True,
    )
    best = fused[: context.recall_depth]
    inside = [row for row in fused[context.recall_depth :] if row["in_window"]]
    return {**found, "hits": best + inside[: context.recall_depth]}


def _holds(memory: Memory, window: TimeWindow | None) -> bool:
    """Say whether a memory may be recalled: active, or superseded but true at some moment of the named window."""
    if memory.status == "active":
        return True
    if memory.status != "superseded" or window is None:
        return False
    since = memory.valid_from_ms or memory.mentioned_ms
    return since < window.end_ms and (memory.valid_to_ms is None or memory.valid_to_ms > window.start_ms)


def fuse(hit: Hit) -> float:
    """Return the reciprocal rank fusion of a hit's two ranks, scaled so that first in both is 1.

    score = sum of 1 / (k + rank) with k = 60 (Cormack, Clarke and Buettcher, SIGIR 2009).
    """
    ranks = [rank for rank in (hit.similarity_rank, hit.lexical_rank) if rank is not None]
    return sum(1 / (RRF_K + rank) for rank in ranks) * (RRF_K + 1) / 2


def _hit_row(hit: Hit, memory: Memory) -> HitRow:
    return {
        "memory": memory.row(),
        "similarity": hit.similarity,
        "similarity_rank": hit.similarity_rank,
        "lexical": hit.lexical,
        "lexical_rank": hit.lexical_rank,
        "in_window": hit.in_window,
        "fused": fuse(hit),
    }
