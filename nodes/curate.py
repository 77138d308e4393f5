"""Find the work that conversations left behind, and hand it out one job at a time."""

from collections import Counter
from typing import Any, Literal

from langgraph.runtime import Runtime

from nodes.load_context import DISPUTES_READ
from nodes.outbox import drain
from nodes.provenance import before, resting_on, source_row
from nodes.run import degrade
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Journal, LongTermMemory, Maintenance
from state.records import Memory, Turn
from state.schema import CuratorState, JobRow, SessionRow

LEASE = "curator"
LEASE_MS = 600_000
BATCH = 100


async def plan_work(
    state: CuratorState,
    runtime: Runtime[Context],
    *,
    journal: Journal,
    maintenance: Maintenance,
    long_term_memory: LongTermMemory,
    clock: Clock,
    session_seconds: int,
    turn_seconds: float,
    rejudge: bool,
) -> dict[str, Any]:
    """Apply index writes that are left, then list what is to be distilled, archived or judged again.

    One curator works at a time: where another one holds the lease, there are no jobs. A turn younger than
    `turn_seconds` is left to its own run. With `rejudge`, memories that only the offline verifier judged come too.
    """
    now_ms = clock.now_ms()
    if not await maintenance.lease(LEASE, state["owner"], now_ms=now_ms, until_ms=now_ms + LEASE_MS):
        runtime.stream_writer({"event": "curator", "note": "another curator is at work"})
        return {"jobs": [], "done": 0, "tally": {}, "degraded": []}
    degraded: list[str] = []
    for user_id in await maintenance.users_with_outbox():
        try:
            applied = await drain(user_id, journal=journal, long_term_memory=long_term_memory)
            runtime.stream_writer({"event": "curator", "note": f"index writes applied: {applied}"})
        except StoreUnavailable as outage:
            degraded = degrade(degraded, outage)
    settled_ms = now_ms - int(turn_seconds * 1000)
    turns = await maintenance.undistilled(before_ms=settled_ms, limit=BATCH)
    waiting = await maintenance.pending(before_ms=now_ms, limit=BATCH, provisional=rejudge)
    idle_since_ms = now_ms - session_seconds * 1000
    idle = await maintenance.idle_sessions(before_ms=idle_since_ms, limit=BATCH)
    jobs = [
        *[await _turn_job(turn, journal) for turn in turns],
        *[await _memory_job(memory, journal) for memory in waiting],
        *[_episode_job(session.turns, idle_since_ms) for session in idle],
    ]
    runtime.stream_writer({"event": "curator", "note": f"jobs: {len(jobs)}", "done": 0, "of": len(jobs)})
    return {"jobs": jobs, "done": 0, "tally": {}, "stored": [], "degraded": degraded}


async def take_job(
    state: CuratorState, runtime: Runtime[Context], *, maintenance: Maintenance, clock: Clock
) -> dict[str, Any]:
    """Put the next job before fact_check, or give the lease back when none is left or another curator has it."""
    tally = Counter(state["tally"]) + Counter(memory["status"] for memory in state.get("stored", []))
    now_ms = clock.now_ms()
    if not state["jobs"] or not await maintenance.lease(
        LEASE, state["owner"], now_ms=now_ms, until_ms=now_ms + LEASE_MS
    ):
        await maintenance.release(LEASE, state["owner"])
        runtime.stream_writer({"event": "curator", "note": "finished", "stored": dict(tally)})
        return {"jobs": [], "sources": [], "stored": [], "tally": dict(tally)}
    job, *rest = state["jobs"]
    done = state["done"] + 1
    runtime.stream_writer({"event": "curator", "note": job["what"], "done": done, "of": done + len(rest)})
    return {
        "jobs": rest,
        "done": done,
        "stored": [],
        "tally": dict(tally),
        "session": job["session"],
        "sources": [job["source"]],
        "idle_since_ms": job["idle_since_ms"],
    }


def next_step(state: CuratorState) -> Literal["fact_check", "__end__"]:
    """Say where a pass goes on: to the job taken, or to its end."""
    return "fact_check" if state["sources"] else "__end__"


async def _turn_job(turn: Turn, journal: Journal) -> JobRow:
    said = await journal.transcript(turn.user_id, turn.session_id)
    context = before([turn], said)
    reply = next((earlier.turn_id for earlier in reversed(context) if earlier.role == "assistant"), None)
    asked = [
        dispute.memory.memory_id
        for dispute in await journal.open_disputes(turn.user_id, DISPUTES_READ)
        if reply is not None and reply in dispute.raised_by
    ]
    return {
        "what": "distil a turn",
        "session": _session(turn),
        "source": source_row("turn", [turn], context=context, asked=asked),
        "idle_since_ms": None,
    }


async def _memory_job(memory: Memory, journal: Journal) -> JobRow:
    said = await journal.transcript(memory.user_id, memory.session_id)
    turns = resting_on(memory, said)
    return {
        "what": "judge a memory again",
        "session": _session(memory),
        "source": source_row("memory", turns, context=before(turns, said), memory=memory),
        "idle_since_ms": None,
    }


def _episode_job(turns: tuple[Turn, ...], idle_since_ms: int) -> JobRow:
    return {
        "what": "archive an idle session",
        "session": _session(turns[-1]),
        "source": source_row("episode", turns),
        "idle_since_ms": idle_since_ms,
    }


def _session(of: Turn | Memory) -> SessionRow:
    return {"user_id": of.user_id, "session_id": of.session_id, "time_zone": of.time_zone}
