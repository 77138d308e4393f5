"""Have each candidate judged beside its company."""

import asyncio
from typing import Any, NamedTuple

from langgraph.runtime import Runtime

from nodes.fact_check.partial import reduced
from nodes.run import degrade, seconds_left
from state.context import Context
from state.errors import ModelError
from state.ports import Clock, Judgement, Neighbour, Verifier
from state.records import Candidate, LedgerEntry, Turn
from state.schema import CandidateRow, State

AT_ONCE = 4


async def verify(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    verifier: Verifier,
    clock: Clock,
) -> dict[str, Any]:
    """Judge the candidates, a few at a time, until the deadline; what is not judged by then stays without judgement.

    Of what the source says only in part the rest is dropped and the supported part judged once more.
    """
    deadline_ms = state["deadline_ms"]
    places = asyncio.Semaphore(AT_ONCE)
    gate = state["gate"]

    async def judged(row: CandidateRow) -> _Judged:
        if row["refused"] is not None or row["company"] is None:
            return _Judged(row, (), unanswered=False)
        case = _Case(row, verifier, deadline_ms, clock)
        unanswered = False
        try:
            async with asyncio.timeout(seconds_left(deadline_ms, clock)), places:
                await case.judge()
        except (ModelError, TimeoutError) as trouble:
            unanswered = True
            if isinstance(trouble, ModelError):
                case.usage += trouble.usage
        return _Judged(case.row, tuple(case.usage), unanswered)

    answers = await asyncio.gather(*(judged(row) for row in gate["candidates"]))
    usage = [entry.row() for answer in answers for entry in answer.usage]
    unanswered = any(answer.unanswered for answer in answers)
    return {
        "gate": {**gate, "candidates": [answer.row for answer in answers], "usage": gate["usage"] + usage},
        "degraded": degrade(state["degraded"], "verifier") if unanswered else state["degraded"],
    }


class _Judged(NamedTuple):
    row: CandidateRow
    usage: tuple[LedgerEntry, ...]
    unanswered: bool


class _Case:
    """One candidate before the verifier; whenever it is cut off, `row` and `usage` hold what was found and spent."""

    def __init__(self, row: CandidateRow, verifier: Verifier, deadline_ms: int, clock: Clock) -> None:
        self.row = row
        self.usage: list[LedgerEntry] = []
        self._verifier = verifier
        self._deadline_ms = deadline_ms
        self._clock = clock
        self._source = [Turn.model_validate(turn) for turn in row["source"]]
        self._context = [Turn.model_validate(turn) for turn in row["context"]]
        self._company = [Neighbour.model_validate(neighbour) for neighbour in row["company"] or []]

    async def judge(self) -> None:
        """Judge the candidate; where a clause of it is not supported, judge it without that clause too."""
        candidate = Candidate.model_validate(self.row["candidate"])
        first = await self._ask(candidate)
        self.row = {**self.row, "judgement": first.row()}
        if first.verdict.grounded != "partial":
            return
        # In a thread, as all rules that read a source: it may be long.
        rest = await asyncio.to_thread(reduced, candidate, first.verdict, self._source)
        if rest is None:
            return
        second = await self._ask(rest)
        if second.verdict.grounded == "supported":
            self.row = {**self.row, "candidate": rest.row(), "judgement": second.row()}

    async def _ask(self, candidate: Candidate) -> Judgement:
        judgement = await self._verifier.verify(
            candidate,
            self._source,
            self._company,
            context=self._context,
            seconds=seconds_left(self._deadline_ms, self._clock),
        )
        self.usage += judgement.usage
        return judgement
