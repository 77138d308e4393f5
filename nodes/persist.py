"""Write what this run learnt: the journal first, then the index, then the working memory."""

from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime

from nodes.fact_check.fates import fate
from nodes.load_context import OPEN_DISPUTES, dispute_row
from nodes.outbox import drain
from nodes.run import degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Committed, Journal, LongTermMemory, TurnCommit, WorkingMemory
from state.records import LedgerEntry, Memory, Relation, TaskChange, Turn
from state.schema import DisputeRow, State


async def persist(
    state: State,
    runtime: Runtime[Context],
    *,
    journal: Journal,
    long_term_memory: LongTermMemory,
    working_memory: WorkingMemory,
    clock: Clock,
    actor: Literal["gate", "curator"],
) -> dict[str, Any]:
    """Commit the reply, the memories and all that belongs to them in one transaction, then bring the copies up.

    A store that fails here never takes back a reply that was given: the curator finishes what is left. Only the user's
    own run announces what it stored: the curator works on everybody's memories.
    """
    degraded = state["degraded"]
    commit = _commit(state, clock.now_ms(), actor)
    try:
        done = await journal.commit(commit)
        raised = [
            dispute_row(memory, await journal.memories(commit.user_id, memory.opposes))
            for memory in done.memories
            if memory.status == "disputed"
        ]
    except StoreUnavailable as outage:
        return {"stored": [], "degraded": degrade(degraded, outage)}
    stored = _stored(done, commit)
    if actor == "gate":
        _announce(runtime, stored, raised, commit)

    for refresh in (
        drain(commit.user_id, journal=journal, long_term_memory=long_term_memory),
        _refresh(state, done, commit, working_memory),
    ):
        try:
            await refresh
        except StoreUnavailable as outage:
            degraded = degrade(degraded, outage)
    held = {message.id for message in state.get("messages", [])}
    return {
        "messages": [RemoveMessage(id=turn_id) for turn_id in commit.archived if turn_id in held],
        "stored": stored,
        "disputes": _foremost(raised, state.get("disputes", [])),
        "degraded": degraded,
    }


def _announce(
    runtime: Runtime[Context], stored: Sequence[dict[str, Any]], raised: Sequence[DisputeRow], commit: TurnCommit
) -> None:
    for memory in stored:
        runtime.stream_writer({"event": "memory", **memory})
    for dispute in raised:
        runtime.stream_writer({"event": "dispute", **dispute})
    for change in commit.task_changes:
        told = change.model_dump(include={"title", "state", "step", "steps"})
        runtime.stream_writer({"event": "task", **told})


def _stored(done: Committed, commit: TurnCommit) -> list[dict[str, Any]]:
    """Return what a client is told of each memory that was just judged; a duplicate is told as what it repeats."""
    relations = {
        write.mention_of or write.memory.memory_id: write.memory.receipt.relation if write.memory.receipt else None
        for write in commit.writes
    }
    return [stored_row(memory, relations.get(memory.memory_id)) for memory in done.memories]


def stored_row(memory: Memory, relation: Relation | None) -> dict[str, Any]:
    """Return what a client is told of a memory: as it now stands, and how what was said relates to what stood."""
    return {
        "memory_id": memory.memory_id,
        "text": memory.text,
        "status": memory.status,
        "kind": memory.kind,
        "slot": memory.slot,
        "relation": relation,
        "provisional": memory.receipt is not None and memory.receipt.provisional,
        "reason": memory.receipt.reason if memory.receipt else "not judged yet",
    }


def _commit(state: State, now_ms: int, actor: str) -> TurnCommit:
    session, gate, reply = state["session"], state["gate"], state.get("reply")
    usage = [*(reply["usage"] if reply else []), *gate["usage"]]
    writes = [fate(row, session, now_ms) for row in gate["candidates"]]
    # Turns leave the session only once their episode is written, if only as pending.
    refused = {
        part.turn_id
        for write in writes
        if write.memory.kind == "episode" and write.memory.status == "rejected"
        for part in write.memory.evidence
    }
    return TurnCommit(
        user_id=session["user_id"],
        session_id=session["session_id"],
        actor=actor,
        at_ms=now_ms,
        reply=Turn.model_validate(reply["turn"]) if reply else None,
        writes=tuple(writes),
        task_changes=tuple(TaskChange.model_validate(change) for change in gate["task_changes"]),
        ledger=tuple(LedgerEntry.model_validate(entry) for entry in usage),
        cited=tuple(reply["cited"]) if reply else (),
        distilled=tuple(gate["distilled"]),
        archived=tuple(turn_id for turn_id in gate["archived"] if turn_id not in refused),
        idle_since_ms=state.get("idle_since_ms"),
    )


async def _refresh(state: State, done: Committed, commit: TurnCommit, working_memory: WorkingMemory) -> None:
    session = state["session"]
    if done.reply is not None:
        asked = [
            Turn.model_validate(row)
            for source in state["sources"]
            if source["kind"] == "turn"
            for row in source["turns"]
        ]
        await working_memory.push(session["user_id"], session["session_id"], [*asked, done.reply])
    if done.applied and commit.archived:
        await working_memory.trim(session["user_id"], session["session_id"], commit.archived)


def _foremost(raised: list[DisputeRow], known: list[DisputeRow]) -> list[DisputeRow]:
    new = {dispute["memory_id"] for dispute in raised}
    return (raised + [dispute for dispute in known if dispute["memory_id"] not in new])[:OPEN_DISPUTES]
