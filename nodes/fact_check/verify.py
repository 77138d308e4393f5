"""Have each candidate judged beside its company."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from nodes.run import degrade, seconds_left
from state.context import Context
from state.errors import ModelError
from state.ports import Clock, Judgement, Neighbour, Verifier
from state.records import Candidate, Turn
from state.schema import CandidateRow, State

AT_ONCE = 4


async def verify(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    verifier: Verifier,
    clock: Clock,
) -> dict[str, Any]:
    """Judge the candidates, a few at a time, until the deadline; what is not judged by then stays without judgement."""
    seconds = seconds_left(state["deadline_ms"], clock)
    places = asyncio.Semaphore(AT_ONCE)
    gate = state["gate"]

    async def judged(row: CandidateRow) -> CandidateRow | None:
        try:
            async with asyncio.timeout(seconds), places:
                return {**row, "judgement": (await _judge(row, verifier)).row()}
        except (ModelError, TimeoutError):
            return None

    open_rows = [row for row in gate["candidates"] if row["refused"] is None and row["company"] is not None]
    answers = await asyncio.gather(*(judged(row) for row in open_rows))
    by_id = {row["memory_id"]: row for row in answers if row is not None}
    candidates = [by_id.get(row["memory_id"], row) for row in gate["candidates"]]
    usage = [entry for row in by_id.values() if row["judgement"] for entry in row["judgement"]["usage"]]
    unanswered = None in answers
    return {
        "gate": {**gate, "candidates": candidates, "usage": gate["usage"] + usage},
        "degraded": degrade(state["degraded"], "verifier") if unanswered else state["degraded"],
    }


async def _judge(row: CandidateRow, verifier: Verifier) -> Judgement:
    return await verifier.verify(
        Candidate.model_validate(row["candidate"]),
        [Turn.model_validate(turn) for turn in row["source"]],
        [Neighbour.model_validate(neighbour) for neighbour in row["company"] or []],
    )
