"""Write what this run learnt: the journal first, then the index, then the working memory."""

from typing import Any

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime

from nodes.fact_check.fates import fate
from nodes.load_context import OPEN_DISPUTES, dispute_row
from nodes.outbox import drain
from nodes.run import degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Committed, Journal, LongTermMemory, TurnCommit, WorkingMemory
from state.records import LedgerEntry, Memory, TaskChange, Turn
from state.schema import DisputeRow, State


async def persist(
    state: State,
    runtime: Runtime[Context],
    *,
    journal: Journal,
    long_term_memory: LongTermMemory,
    working_memory: WorkingMemory,
    clock: Clock,
    actor: str,
) -> dict[str, Any]:
    """Commit the reply, the memories and all that belongs to them in one transaction, then bring the copies up.

    A store that fails here never takes back a reply that was given: the curator finishes what is left.
    """
    degraded = state["degraded"]
    try:
        done = await journal.commit(_commit(state, clock.now_ms(), actor))
    except StoreUnavailable as outage:
        return {"stored": [], "degraded": degrade(degraded, outage)}
    user_id = state["session"]["user_id"]
    raised = [
        dispute_row(memory, await journal.memories(user_id, memory.opposes))
        for memory in done.memories
        if memory.status == "disputed"
    ]
    for memory in done.memories:
        runtime.stream_writer({"event": "memory", **stored_row(memory)})
    for dispute in raised:
        runtime.stream_writer({"event": "dispute", **dispute})

    try:
        await drain(user_id, journal=journal, long_term_memory=long_term_memory)
    except StoreUnavailable as outage:
        degraded = degrade(degraded, outage)
    try:
        await _refresh(state, done, working_memory)
    except StoreUnavailable as outage:
        degraded = degrade(degraded, outage)
    held = {message.id for message in state.get("messages", [])}
    return {
        "messages": [RemoveMessage(id=turn_id) for turn_id in state["gate"]["archived"] if turn_id in held],
        "stored": [stored_row(memory) for memory in done.memories],
        "disputes": _foremost(raised, state.get("disputes", [])),
        "degraded": degraded,
    }


def stored_row(memory: Memory) -> dict[str, Any]:
    """Return what a client is told of a memory that was just judged."""
    return {
        "memory_id": memory.memory_id,
        "text": memory.text,
        "status": memory.status,
        "kind": memory.kind,
        "slot": memory.slot,
        "provisional": memory.receipt is not None and memory.receipt.provisional,
        "reason": memory.receipt.reason if memory.receipt else "not judged yet",
    }


def _commit(state: State, now_ms: int, actor: str) -> TurnCommit:
    session, gate, reply = state["session"], state["gate"], state.get("reply")
    usage = [*(reply["usage"] if reply else []), *gate["usage"]]
    return TurnCommit(
        user_id=session["user_id"],
        session_id=session["session_id"],
        actor=actor,
        at_ms=now_ms,
        reply=Turn.model_validate(reply["turn"]) if reply else None,
        writes=tuple(fate(row, session, now_ms) for row in gate["candidates"]),
        task_changes=tuple(TaskChange.model_validate(change) for change in gate["task_changes"]),
        ledger=tuple(LedgerEntry.model_validate(entry) for entry in usage),
        cited=tuple(reply["cited"]) if reply else (),
        distilled=tuple(gate["distilled"]),
        archived=tuple(gate["archived"]),
    )


async def _refresh(state: State, done: Committed, working_memory: WorkingMemory) -> None:
    session = state["session"]
    if done.reply is not None:
        asked = [
            Turn.model_validate(row)
            for source in state["sources"]
            if source["kind"] == "turn"
            for row in source["turns"]
        ]
        await working_memory.push(session["user_id"], session["session_id"], [*asked, done.reply])
    if archived := state["gate"]["archived"]:
        await working_memory.trim(session["user_id"], session["session_id"], archived)


def _foremost(raised: list[DisputeRow], known: list[DisputeRow]) -> list[DisputeRow]:
    new = {dispute["memory_id"] for dispute in raised}
    return (raised + [dispute for dispute in known if dispute["memory_id"] not in new])[:OPEN_DISPUTES]
