"""Turn what was said into candidates for long-term memory."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from nodes.language.sentences import worth_distilling
from nodes.run import degrade
from state.context import Context
from state.errors import ModelError
from state.ports import Clock, Distillation, Distiller, Summariser
from state.records import Candidate, Evidence, Memory, Turn, memory_id
from state.schema import CandidateRow, GateRow, SourceRow, State


async def distill(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    distiller: Distiller,
    summariser: Summariser,
    clock: Clock,
    seconds: float,
) -> dict[str, Any]:
    """Propose candidates from each source, as far as the time of this fact_check reaches.

    A turn whose distillation fails stays undistilled: the curator comes back to it.
    """
    deadline_ms = clock.now_ms() + int(seconds * 1000)
    gate: GateRow = {"candidates": [], "task_changes": [], "usage": [], "distilled": [], "archived": []}
    degraded = state["degraded"]
    for source in state["sources"]:
        try:
            async with asyncio.timeout(max(deadline_ms - clock.now_ms(), 0) / 1000):
                found = await _distilled(source, distiller, summariser)
        except (ModelError, TimeoutError):
            degraded = degrade(degraded, "summary")
            continue
        turns = [turn["turn_id"] for turn in source["turns"]]
        gate["candidates"] += [_row(candidate, source) for candidate in found.candidates]
        gate["task_changes"] += [change.row() for change in found.task_changes]
        gate["usage"] += [entry.row() for entry in found.usage]
        if source["kind"] == "turn":
            gate["distilled"] += turns
        elif source["kind"] == "episode":
            gate["archived"] += turns
    return {"gate": gate, "deadline_ms": deadline_ms, "degraded": degraded}


async def _distilled(source: SourceRow, distiller: Distiller, summariser: Summariser) -> Distillation:
    turns = [Turn.model_validate(row) for row in source["turns"]]
    if source["kind"] == "memory":
        return Distillation(candidates=(_again(Memory.model_validate(source["memory"])),))
    if source["kind"] == "episode":
        summary = await summariser.summarise(turns)
        episode = Candidate(
            kind="episode",
            text=summary.text,
            evidence=tuple(Evidence(turn_id=turn.turn_id, span="") for turn in turns),
            event_start_ms=turns[0].at_ms,
            event_end_ms=turns[-1].at_ms + 1,
            mentioned_ms=turns[-1].at_ms,
            time_zone=turns[-1].time_zone,
        )
        return Distillation(candidates=(episode,), usage=summary.usage)
    if not worth_distilling(turns[0].text):
        return Distillation()
    return await distiller.distill(turns[0], [Turn.model_validate(row) for row in source["context"]])


def _again(memory: Memory) -> Candidate:
    """Return the candidate a memory once was."""
    return Candidate(
        kind=memory.kind,
        text=memory.text,
        evidence=memory.evidence,
        slot=memory.slot,
        weight=memory.weight,
        event_start_ms=memory.event_start_ms,
        event_end_ms=memory.event_end_ms,
        mentioned_ms=memory.mentioned_ms,
        time_zone=memory.time_zone,
    )


def _row(candidate: Candidate, source: SourceRow) -> CandidateRow:
    standing = source["memory"]
    turns = source["turns"]
    identity = memory_id(turns[0]["user_id"], turns[0]["session_id"], candidate.evidence) if turns else ""
    return {
        "memory_id": standing["memory_id"] if standing else identity,
        "candidate": candidate.row(),
        "source": turns,
        "company": [],
        "refused": None,
        "judgement": None,
        "standing": standing,
    }
