"""Find the memories that may bear on the question, by meaning, by words and by the time it names."""

import asyncio
import heapq
import math
from typing import Any

from langgraph.runtime import Runtime

from nodes.language.past import asks_about_change, asks_about_past, past_slot
from nodes.language.statements import asked_slot
from nodes.language.timex import asked_side, asked_time, names_only_time
from nodes.ranking.profiles import known_formula
from nodes.ranking.weighing import weighed
from nodes.run import context_of, degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Journal, LongTermMemory
from state.records import Calibration, Hit, Memory, Status, TimeWindow, Turn
from state.schema import HitRow, State

# As deep as each list is asked. On LoCoMo recall@20 is 0.83 with 20 and 0.85 with 50 or more; time grows with it.
POOL = 50


async def recall(
    state: State, runtime: Runtime[Context], *, journal: Journal, long_term_memory: LongTermMemory
) -> dict[str, Any]:
    """Ask the index for candidates and fetch their rows from the journal, the most relevant first."""
    context, question = context_of(runtime), Turn.model_validate(state["turn"])
    window = await asyncio.to_thread(asked_time, question.text, now_ms=question.at_ms, time_zone=question.time_zone)
    found: dict[str, Any] = {"named_time": window.row() if window else None, "hits": []}
    if context.recall_keep == 0:
        return found
    # What is superseded was true once: it comes back for a time it covers, or where what was before is asked for.
    past = asks_about_past(question.text) or asks_about_change(question.text)
    statuses: list[Status] = ["active", "superseded"] if window or past else ["active"]
    try:
        hits = await long_term_memory.search(
            question.user_id, question.text, statuses=statuses, depth=max(POOL, context.recall_depth), window=window
        )
        slot = past_slot(question.text) if past else asked_slot(question.text)
        answers = await journal.in_slot(question.user_id, slot, statuses=statuses) if slot else []
        rows = await journal.memories(question.user_id, [hit.memory_id for hit in hits])
        calibration = await long_term_memory.calibration()
    except StoreUnavailable as outage:
        return {**found, "degraded": degrade(state["degraded"], outage)}
    standing = {memory.memory_id: memory for memory in [*rows, *answers] if _holds(memory, window, past=past)}
    in_slot = frozenset(memory.memory_id for memory in answers)
    missed = [Hit(memory_id=memory_id) for memory_id in in_slot - {hit.memory_id for hit in hits}]
    candidates = [hit for hit in [*hits, *missed] if hit.memory_id in standing]
    # In a thread: a long question, or many long memories, take a while to read.
    rows_on = await asyncio.to_thread(_handed_on, question, context, window, candidates, standing, in_slot, calibration)
    return {**found, "hits": rows_on}


def _handed_on(
    question: Turn,
    context: Context,
    window: TimeWindow | None,
    candidates: list[Hit],
    standing: dict[str, Memory],
    in_slot: frozenset[str],
    calibration: Calibration,
) -> list[HitRow]:
    """Return the rows for rerank: the best by the run's profile, and as many inside the named window."""
    depth = context.recall_depth
    if context.profile == "classic":
        candidates = heapq.nlargest(
            depth, candidates, key=lambda hit: _by_formula(hit, standing[hit.memory_id], question.at_ms)
        )
    if window is not None and asked_side(question.text, window.text) == "future":
        candidates = [_by_event(hit, standing[hit.memory_id], window) for hit in candidates]
    return weighed(
        question.text,
        candidates,
        standing,
        in_slot=in_slot,
        calibration=calibration,
        time_alone=window is not None and names_only_time(question.text, window.text),
        depth=depth,
    )


def _by_formula(hit: Hit, memory: Memory, now_ms: int) -> float:
    return math.prod(known_formula(hit.similarity or 0.0, memory, now_ms).values())


def _by_event(hit: Hit, memory: Memory, window: TimeWindow) -> Hit:
    """Return a hit inside the window only where its event is: what is planned for a day may be said on any."""
    return hit.model_copy(update={"in_window": window.meets(memory.event_start_ms, memory.event_end_ms)})


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
