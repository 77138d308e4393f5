"""Check by code what needs no model, and gather the memories a candidate must be judged beside."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from nodes.fact_check.refusal import refusal
from nodes.run import degrade, seconds_left
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Journal, LongTermMemory, Neighbour
from state.records import Candidate
from state.schema import CandidateRow, State

NEAREST = 5


async def screen(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    journal: Journal,
    long_term_memory: LongTermMemory,
    clock: Clock,
) -> dict[str, Any]:
    """Refuse what its source does not say; fetch the same slot and the nearest neighbours of the rest.

    Where the index does not answer in time, the company is not known: such candidates wait, unjudged.
    """
    user_id = state["session"]["user_id"]
    seconds = seconds_left(state["deadline_ms"], clock)
    outages: list[StoreUnavailable | str] = []

    async def screened(row: CandidateRow) -> CandidateRow:
        candidate = Candidate.model_validate(row["candidate"])
        if reason := refusal(candidate, {turn["turn_id"]: turn["text"] for turn in row["source"]}):
            return {**row, "refused": reason}
        try:
            async with asyncio.timeout(seconds):
                company = await _company(user_id, row["memory_id"], candidate, journal, long_term_memory)
        except (StoreUnavailable, TimeoutError) as trouble:
            outages.append(trouble if isinstance(trouble, StoreUnavailable) else "qdrant")
            return {**row, "company": None}
        return {**row, "company": [neighbour.row() for neighbour in company]}

    rows = await asyncio.gather(*(screened(row) for row in state["gate"]["candidates"]))
    degraded = degrade(state["degraded"], outages[0]) if outages else state["degraded"]
    return {"gate": {**state["gate"], "candidates": rows}, "degraded": degraded}


async def _company(
    user_id: str, own_id: str, candidate: Candidate, journal: Journal, long_term_memory: LongTermMemory
) -> list[Neighbour]:
    if candidate.kind == "episode":
        return []
    same_slot = await journal.in_slot(user_id, candidate.slot) if candidate.slot else []
    hits = await long_term_memory.search(user_id, candidate.text, statuses=["active"], depth=NEAREST)
    similarity = {hit.memory_id: hit.similarity for hit in hits}
    near = await journal.memories(user_id, list(similarity))
    slot_ids = {memory.memory_id for memory in same_slot}
    beside = same_slot + [memory for memory in near if memory.memory_id not in slot_ids]
    return [
        Neighbour(memory=memory, similarity=similarity.get(memory.memory_id), same_slot=memory.memory_id in slot_ids)
        for memory in beside
        if memory.memory_id != own_id and memory.status == "active" and memory.kind != "episode"
    ]
