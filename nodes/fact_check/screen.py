"""Check by code what needs no model, and gather the memories a candidate must be judged beside."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.fact_check.refusal import refusal
from nodes.language.invisible import clean
from nodes.run import degrade, seconds_left
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Dispute, Journal, LongTermMemory, Neighbour
from state.records import Candidate, Evidence, Memory, Turn
from state.schema import CandidateRow, State

NEAREST = 5
MOST_DISPUTES = 200


async def screen(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    journal: Journal,
    long_term_memory: LongTermMemory,
    clock: Clock,
) -> dict[str, Any]:
    """Refuse what its source does not say, what instructs and what is secret; gather the company of the rest.

    What is kept is kept without invisible characters. Where the index or the journal does not answer in time, the
    company is not known: such candidates wait, unjudged.
    """
    user_id = state["session"]["user_id"]
    seconds = seconds_left(state["deadline_ms"], clock)
    outages: list[StoreUnavailable | str] = []

    async def accompanied(row: CandidateRow) -> CandidateRow:
        if row["refused"] is not None:
            return row
        try:
            async with asyncio.timeout(seconds):
                company = await _company(user_id, row, journal, long_term_memory)
        except (StoreUnavailable, TimeoutError) as trouble:
            outages.append(trouble if isinstance(trouble, StoreUnavailable) else "qdrant")
            return {**row, "company": None}
        return {**row, "company": [neighbour.row() for neighbour in company]}

    # In a thread: the rules for keys are loaded at their first use, and that takes seconds.
    screened = await asyncio.to_thread(lambda: [_screened(row) for row in state["gate"]["candidates"]])
    rows = await asyncio.gather(*map(accompanied, screened))
    degraded = degrade(state["degraded"], outages[0]) if outages else state["degraded"]
    return {"gate": {**state["gate"], "candidates": rows}, "degraded": degraded}


def _screened(row: CandidateRow) -> CandidateRow:
    given = Candidate.model_validate(row["candidate"])
    said = {turn["turn_id"]: turn["text"] for turn in row["source"]}
    reason = refusal(given, said, [Turn.model_validate(turn) for turn in row["context"]])
    evidence = tuple(Evidence(turn_id=part.turn_id, span=clean(part.span)) for part in given.evidence)
    cleaned = given.model_copy(update={"text": clean(given.text), "evidence": evidence})
    return {**row, "candidate": cleaned.row(), "refused": reason}


async def _company(
    user_id: str, row: CandidateRow, journal: Journal, long_term_memory: LongTermMemory
) -> list[Neighbour]:
    """Return the memories to judge a candidate beside, each once.

    First its slot, then the nearest, then what a memory judged again opposes and had replaced, or what a correction
    corrects, then open disputes that touch any of these, its slot or its turn. An answer has the sides of its dispute
    alone, an episode nobody.
    """
    candidate = Candidate.model_validate(row["candidate"])
    if candidate.kind == "episode":
        return []
    if candidate.answers is not None:
        return await _sides(user_id, candidate.answers, journal)
    same_slot = await journal.in_slot(user_id, candidate.slot) if candidate.slot else []
    hits = await long_term_memory.search(user_id, candidate.text, statuses=["active"], depth=NEAREST)
    similarity = {hit.memory_id: hit.similarity for hit in hits}
    near = await journal.memories(user_id, list(similarity))
    opposed, replaced = await _involved(user_id, row, journal)
    corrected = await journal.memories(user_id, [candidate.corrects]) if candidate.corrects else []
    beside = (*same_slot, *near, *opposed, *corrected)
    standing = [memory for memory in beside if memory.status == "active" and memory.kind != "episode"]
    disputes = await journal.open_disputes(user_id, MOST_DISPUTES)
    present = {memory.memory_id for memory in standing}
    touching = [dispute for dispute in disputes if _touches(dispute, candidate.slot, row["asked"], present)]
    company = {memory.memory_id: memory for memory in (*standing, *replaced)}
    for dispute in touching:
        for side in (dispute.memory, *dispute.against):
            company.setdefault(side.memory_id, side)
    return [
        Neighbour(
            memory=memory,
            similarity=similarity.get(memory.memory_id),
            same_slot=candidate.slot is not None and memory.slot == candidate.slot,
            asked=memory.status == "disputed" and memory.memory_id in row["asked"],
        )
        for memory in company.values()
        if memory.memory_id != row["memory_id"]
    ]


async def _sides(user_id: str, dispute_id: str, journal: Journal) -> list[Neighbour]:
    """Return the memory held back and the standing ones it contradicts; nothing where the dispute is over."""
    found = [memory for memory in await journal.memories(user_id, [dispute_id]) if memory.status == "disputed"]
    against = await journal.memories(user_id, list(found[0].opposes)) if found else []
    return [
        *(Neighbour(memory=memory, asked=True) for memory in found),
        *(Neighbour(memory=memory) for memory in against if memory.status == "active"),
    ]


async def _involved(user_id: str, row: CandidateRow, journal: Journal) -> tuple[list[Memory], list[Memory]]:
    """Return what a memory judged again opposes, and what it had replaced; nothing for a new candidate."""
    if row["standing"] is None:
        return [], []
    standing = Memory.model_validate(row["standing"])
    opposed = await journal.memories(user_id, list(standing.opposes)) if standing.opposes else []
    return opposed, await journal.replaced_by(user_id, standing.memory_id)


def _touches(dispute: Dispute, slot: str | None, asked: Sequence[str], present: Iterable[str]) -> bool:
    sides = (dispute.memory, *dispute.against)
    return dispute.memory.memory_id in asked or any(
        side.memory_id in present or (slot is not None and side.slot == slot) for side in sides
    )
