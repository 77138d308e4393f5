"""Check by code what needs no model, and gather the memories a candidate must be judged beside."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.language.grounding import occurs, ungrounded
from nodes.language.sentences import is_instruction
from nodes.run import degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Journal, LongTermMemory, Neighbour
from state.records import Candidate
from state.schema import CandidateRow, State

NEAREST = 5


async def screen(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    journal: Journal,
    long_term_memory: LongTermMemory,
) -> dict[str, Any]:
    """Refuse what its source does not say; fetch the same slot and the nearest neighbours of the rest.

    Where the index does not answer, the company is not known: such candidates wait, unjudged.
    """
    user_id = state["session"]["user_id"]
    screened: list[CandidateRow] = []
    degraded = state["degraded"]
    for row in state["gate"]["candidates"]:
        candidate = Candidate.model_validate(row["candidate"])
        if reason := refusal(candidate, {turn["turn_id"]: turn["text"] for turn in row["source"]}):
            screened.append({**row, "refused": reason})
            continue
        try:
            company = await _company(user_id, row["memory_id"], candidate, journal, long_term_memory)
            screened.append({**row, "company": [neighbour.row() for neighbour in company]})
        except StoreUnavailable as outage:
            degraded = degrade(degraded, outage)
            screened.append({**row, "company": None})
    return {"gate": {**state["gate"], "candidates": screened}, "degraded": degraded}


def refusal(candidate: Candidate, said: dict[str, str]) -> str | None:
    """Return why a candidate is refused without asking a model, or None.

    `said` maps turn ids to their texts. A span must occur in its turn; of an episode every number, name and date must
    occur in one of its turns.
    """
    sources = [said.get(part.turn_id, "") for part in candidate.evidence]
    if candidate.kind == "episode":
        strange = ungrounded(candidate.text, sources)
        return f"not in the conversation: {', '.join(strange)}" if strange else None
    if not candidate.evidence or not all(
        part.span.strip() and occurs(part.span, source)
        for part, source in zip(candidate.evidence, sources, strict=True)
    ):
        return "the words it rests on do not occur in the message"
    if is_instruction(candidate.text) or any(is_instruction(part.span) for part in candidate.evidence):
        return "it instructs the assistant instead of telling something"
    return None


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
