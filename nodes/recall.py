"""Find the memories that may bear on the question, by meaning, by words and by the time it names."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.language.past import asks_about_change, asks_about_past, past_slot
from nodes.language.statements import asked_slot
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
    # What is superseded was true once: it comes back for a time it covers, or where what was before is asked for.
    past = asks_about_past(question.text) or asks_about_change(question.text)
    statuses: list[Status] = ["active", "superseded"] if window or past else ["active"]
    depth = max(POOL, context.recall_depth)
    try:
        hits = await long_term_memory.search(
            question.user_id, question.text, statuses=statuses, depth=depth, window=window
        )
        slot = past_slot(question.text) if past else asked_slot(question.text)
        answers = await journal.in_slot(question.user_id, slot, statuses=statuses) if slot else []
        rows = await journal.memories(question.user_id, [hit.memory_id for hit in hits])
    except StoreUnavailable as outage:
        return {**found, "degraded": degrade(state["degraded"], outage)}
    standing = {memory.memory_id: memory for memory in [*rows, *answers] if _holds(memory, window, past=past)}
    in_slot = {memory.memory_id for memory in answers}
    missed = [Hit(memory_id=memory_id) for memory_id in in_slot - {hit.memory_id for hit in hits}]
    fused = sorted(
        (
            _hit_row(hit, standing[hit.memory_id], hit.memory_id in in_slot)
            for hit in [*placed(hits, depth), *missed]
            if hit.memory_id in standing
        ),
        key=lambda row: row["fused"],
        reverse=True,
    )
    best = fused[: context.recall_depth]
    inside = [row for row in fused[context.recall_depth :] if row["in_window"]]
    return {**found, "hits": best + inside[: context.recall_depth]}


def _holds(memory: Memory, window: TimeWindow | None, *, past: bool) -> bool:
    """Say whether a memory may be recalled: active; or superseded, and the past is asked for or a time it covers."""
    if memory.status == "active":
        return True
    if memory.status != "superseded":
        return False
    since = memory.valid_from_ms or memory.mentioned_ms
    covered = (
        window is not None
        and since < window.end_ms
        and (memory.valid_to_ms is None or memory.valid_to_ms > window.start_ms)
    )
    return past or covered


def placed(hits: Sequence[Hit], depth: int) -> list[Hit]:
    """Give a rank by meaning to hits that only the named time brought: behind the `depth` that meaning brought."""
    brought = sorted(
        (hit for hit in hits if hit.similarity_rank is None and hit.lexical_rank is None),
        key=lambda hit: -(hit.similarity or 0.0),
    )
    ranks = {hit.memory_id: depth + place for place, hit in enumerate(brought, start=1)}
    return [hit.model_copy(update={"similarity_rank": ranks.get(hit.memory_id, hit.similarity_rank)}) for hit in hits]


def fuse(hit: Hit, *, in_slot: bool = False) -> float:
    """Return the reciprocal rank fusion of a hit's ranks, scaled so that first by meaning and by words is 1.

    score = sum of 1 / (k + rank) with k = 60 (Cormack, Clarke and Buettcher, SIGIR 2009). What stands in the slot that
    the question asks for ("where do I live" asks for user.home_city) is first in a third list, of its own.
    """
    ranks = [rank for rank in (hit.similarity_rank, hit.lexical_rank, 1 if in_slot else None) if rank is not None]
    return sum(1 / (RRF_K + rank) for rank in ranks) * (RRF_K + 1) / 2


def _hit_row(hit: Hit, memory: Memory, in_slot: bool) -> HitRow:
    return {
        "memory": memory.row(),
        "similarity": hit.similarity,
        "similarity_rank": hit.similarity_rank,
        "lexical": hit.lexical,
        "lexical_rank": hit.lexical_rank,
        "in_window": hit.in_window,
        "in_slot": in_slot,
        "fused": fuse(hit, in_slot=in_slot),
    }
