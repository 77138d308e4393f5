"""Write what this run learnt: the journal first, then the index, then the working memory."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime

from nodes.fact_check.answers import answers_first
from nodes.fact_check.fates import fate
from nodes.load_context import OPEN_DISPUTES, dispute_row
from nodes.outbox import drain
from nodes.run import degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Committed, Journal, LongTermMemory, TurnCommit, WorkingMemory
from state.records import LedgerEntry, Memory, MemoryWrite, Relation, TaskChange, Turn
from state.schema import DisputeRow, GateRow, State


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
    now_ms = clock.now_ms()
    commit = _commit(state, now_ms, actor)
    try:
        done = await journal.commit(commit)
        outcome = await _outcome(done, commit, state, journal)
    except StoreUnavailable as outage:
        return {"stored": [], "degraded": degrade(degraded, outage)}
    if actor == "gate":
        _announce(runtime, outcome, commit)

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
        "stored": [*outcome.stored, *outcome.resolved],
        "disputes": (outcome.raised + outcome.still_open)[:OPEN_DISPUTES],
        "degraded": degraded,
    }


class _Outcome(NamedTuple):
    """What a client is told: memories stored, disputes ended with what now stands, disputes raised or still open."""

    stored: list[dict[str, Any]]
    resolved: list[dict[str, Any]]
    raised: list[DisputeRow]
    still_open: list[DisputeRow]


async def _outcome(done: Committed, commit: TurnCommit, state: State, journal: Journal) -> _Outcome:
    """Read what became of the writes, of the disputes they were to end, and of those that were open before."""
    relations = {
        write.mention_of or write.memory.memory_id: write.memory.receipt.relation if write.memory.receipt else None
        for write in commit.writes
    }
    new = {write.memory.memory_id for write in commit.writes if write.mention_of is None}
    known = state.get("disputes", [])
    ending = {write.resolves: write for write in commit.writes if write.resolves is not None}
    ending |= {dispute: write for write in commit.writes for dispute in write.settles}
    ids = list(dict.fromkeys([*ending, *(dispute["memory_id"] for dispute in known)]))
    now = {memory.memory_id: memory for memory in (await journal.memories(commit.user_id, ids) if ids else [])}
    resolved = [
        _resolved(now[dispute], write, done, _sides(state).get(dispute, ()))
        for dispute, write in ending.items()
        if dispute in now and now[dispute].status != "disputed"
    ]
    answered = {row["memory_id"] for row in resolved} - relations.keys()
    raised = [memory for memory in done.memories if memory.status == "disputed" and memory.memory_id in new]
    raised_ids = {memory.memory_id for memory in raised}
    return _Outcome(
        stored=[
            {**stored_row(memory, relations.get(memory.memory_id)), "replaced": _replaced(memory, commit, state)}
            for memory in done.memories
            if memory.memory_id not in answered
        ],
        resolved=resolved,
        raised=[
            dispute_row(memory, await journal.memories(commit.user_id, memory.opposes), ask=False) for memory in raised
        ],
        still_open=[
            dispute
            for dispute in known
            if (row := now.get(dispute["memory_id"])) is not None
            and row.status == "disputed"
            and row.memory_id not in raised_ids
        ],
    )


def _resolved(dispute: Memory, write: MemoryWrite, done: Committed, opposed: Sequence[str]) -> dict[str, Any]:
    """Return what now stands of an ended dispute, with the dispute and how the user ended it.

    `resolution` is None where a newer word of the user left the dispute without an object.
    """
    holding = [*opposed, *([write.memory.memory_id] if write.settles else [])]
    stands = next((memory for memory in done.memories if memory.memory_id in holding), dispute)
    return {
        **stored_row(dispute if dispute.status == "active" else stands, "resolves"),
        "dispute_id": dispute.memory_id,
        "dispute_text": dispute.text,
        "resolution": write.resolution,
    }


def _replaced(memory: Memory, commit: TurnCommit, state: State) -> list[str]:
    """Return the words of what a memory has just replaced."""
    if memory.status != "active":
        return []
    gone = {old for write in commit.writes if write.memory.memory_id == memory.memory_id for old in write.supersedes}
    beside = [neighbour["memory"] for row in state["gate"]["candidates"] for neighbour in row["company"] or []]
    return list(dict.fromkeys(old["text"] for old in beside if old["memory_id"] in gone))


def _announce(runtime: Runtime[Context], outcome: _Outcome, commit: TurnCommit) -> None:
    for memory in outcome.stored:
        runtime.stream_writer({"event": "memory", **memory})
    for memory in outcome.resolved:
        runtime.stream_writer({"event": "resolved", **memory})
    for dispute in outcome.raised:
        runtime.stream_writer({"event": "dispute", **dispute})
    for change in commit.task_changes:
        told = change.model_dump(include={"title", "state", "step", "steps"})
        runtime.stream_writer({"event": "task", **told})


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
    writes = answers_first([fate(row, session, now_ms) for row in gate["candidates"]], _sides(state))
    # Turns leave the session only once their episode is written, if only as pending.
    refused = {
        part.turn_id
        for write in writes
        if write.memory.kind == "episode" and write.memory.status == "rejected"
        for part in write.memory.evidence
    }
    unread = _unread(gate)
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
        raised=_raised(state),
        distilled=tuple(turn_id for turn_id in gate["distilled"] if turn_id not in unread),
        archived=tuple(turn_id for turn_id in gate["archived"] if turn_id not in refused),
        idle_since_ms=state.get("idle_since_ms"),
    )


def _unread(gate: GateRow) -> set[str]:
    """Return the turns whose answer to a dispute nobody has judged: the curator comes back to read it."""
    return {
        part["turn_id"]
        for row in gate["candidates"]
        if row["candidate"]["answers"] is not None and row["judgement"] is None and row["refused"] is None
        for part in row["candidate"]["evidence"]
    }


def _raised(state: State) -> tuple[str, ...]:
    """Return the disputes the reply was to ask about; a model that failed has asked nothing."""
    if state.get("reply") is None or "chat" in state["degraded"]:
        return ()
    return tuple(dispute["memory_id"] for dispute in state.get("disputes", []) if dispute["ask"])


def _sides(state: State) -> dict[str, list[str]]:
    """Return the open disputes beside this run's candidates, each with the memories it opposes."""
    beside = [neighbour["memory"] for row in state["gate"]["candidates"] for neighbour in row["company"] or []]
    return {memory["memory_id"]: memory["opposes"] for memory in beside if memory["status"] == "disputed"}


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
