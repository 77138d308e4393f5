"""Turn what was said into candidates for long-term memory."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.fact_check.refusal import refusal
from nodes.language.sentences import worth_distilling
from nodes.run import degrade, seconds_left
from state.context import Context
from state.errors import ModelError, StoreUnavailable
from state.ports import Clock, Distillation, Distiller, Journal, Summariser
from state.records import Candidate, Evidence, Memory, Turn, memory_id
from state.schema import CandidateRow, GateRow, SourceRow, State

log = logging.getLogger("loci")


async def distill(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    distiller: Distiller,
    summariser: Summariser,
    plain_summariser: Summariser,
    journal: Journal,
    clock: Clock,
    seconds: float,
) -> dict[str, Any]:
    """Propose candidates from each source, as far as the time of this fact_check reaches.

    A turn whose distillation fails stays undistilled, a session whose summary fails unarchived: the curator comes back.
    """
    deadline_ms = clock.now_ms() + int(seconds * 1000)
    gate: GateRow = {"candidates": [], "task_changes": [], "usage": [], "distilled": [], "archived": []}
    degraded = state["degraded"]
    for source in state["sources"]:
        turns = [Turn.model_validate(row) for row in source["turns"]]
        try:
            async with asyncio.timeout(seconds_left(deadline_ms, clock)):
                if source["kind"] == "memory":
                    found = Distillation(candidates=(_again(Memory.model_validate(source["memory"])),))
                elif source["kind"] == "episode":
                    found = await _episode(turns, summariser, plain_summariser, journal)
                elif worth_distilling(turns[0].text):
                    context = [Turn.model_validate(row) for row in source["context"]]
                    found = await distiller.distill(turns[0], context)
                else:
                    found = Distillation()
        except (ModelError, StoreUnavailable, TimeoutError) as trouble:
            degraded = degrade(degraded, trouble if isinstance(trouble, StoreUnavailable) else "distiller")
            continue
        gate["candidates"] += [_row(candidate, source) for candidate in found.candidates]
        gate["task_changes"] += [change.row() for change in found.task_changes]
        gate["usage"] += [entry.row() for entry in found.usage]
        if source["kind"] == "turn":
            gate["distilled"] += [turn.turn_id for turn in turns]
        elif source["kind"] == "episode":
            gate["archived"] += [turn.turn_id for turn in turns]
    return {"gate": gate, "deadline_ms": deadline_ms, "degraded": degraded}


async def _episode(
    turns: Sequence[Turn], summariser: Summariser, plain_summariser: Summariser, journal: Journal
) -> Distillation:
    """Summarise what may be remembered of the turns; where nothing may, there is no episode.

    What the gate holds back must not come in by the summary. A summary that says what nobody said is replaced by words
    of the conversation itself.
    """
    held = await journal.held_back(turns[0].user_id, turns[0].session_id)
    shown = [turn for turn in (_without(turn, held) for turn in turns) if turn.text]
    if not any(turn.role == "user" for turn in shown):
        return Distillation()
    said = {turn.turn_id: turn.text for turn in turns}
    first = await summariser.summarise(shown)
    episode = _told(first.text, turns)
    if reason := refusal(episode, said):
        log.info("a summary is replaced by words of the conversation: %s", reason)
        episode = _told((await plain_summariser.summarise(shown)).text, turns)
    kept = episode.text.strip() and not refusal(episode, said)
    return Distillation(candidates=(episode,) if kept else (), usage=first.usage)


def _without(turn: Turn, held: Sequence[Evidence]) -> Turn:
    text = turn.text
    for evidence in held:
        if evidence.turn_id == turn.turn_id and evidence.span:
            text = text.replace(evidence.span, " ")
    return turn.model_copy(update={"text": text.strip()})


def _told(text: str, turns: Sequence[Turn]) -> Candidate:
    return Candidate(
        kind="episode",
        text=text,
        evidence=tuple(Evidence(turn_id=turn.turn_id, span="") for turn in turns),
        event_start_ms=turns[0].at_ms,
        event_end_ms=turns[-1].at_ms + 1,
        mentioned_ms=turns[-1].at_ms,
        time_zone=turns[-1].time_zone,
    )


def _again(memory: Memory) -> Candidate:
    """Return the candidate a memory once was."""
    return Candidate.model_validate({name: getattr(memory, name) for name in Candidate.model_fields})


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
