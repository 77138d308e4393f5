"""Turn what was said into candidates for long-term memory."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.fact_check.answers import answers
from nodes.fact_check.refusal import refusal
from nodes.fact_check.wishes import honoured
from nodes.language.confidential import secret_in, without_secrets
from nodes.language.invisible import clean
from nodes.language.sentences import asks_to_remember, sentences, worth_distilling
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

    A turn's words are also proposed as the answer to the disputes that the reply before asked about. A turn whose
    distillation fails stays undistilled, a session whose summary fails unarchived: the curator comes back.
    """
    deadline_ms = clock.now_ms() + int(seconds * 1000)
    gate: GateRow = {"candidates": [], "task_changes": [], "usage": [], "distilled": [], "archived": []}
    degraded = state["degraded"]
    for source in state["sources"]:
        turns = [Turn.model_validate(row) for row in source["turns"]]
        if source["kind"] == "turn":
            # The user's answer to a dispute needs no distiller: it is not lost where that one fails.
            own_words = await asyncio.to_thread(answers, turns[0], source["asked"])
            gate["candidates"] += [_row(answer, source) for answer in own_words]
        try:
            async with asyncio.timeout(seconds_left(deadline_ms, clock)):
                if source["kind"] == "memory":
                    found = Distillation(candidates=(_again(Memory.model_validate(source["memory"])),))
                elif source["kind"] == "given":
                    found = Distillation(candidates=tuple(map(Candidate.model_validate, source["candidates"])))
                elif source["kind"] == "episode":
                    found = await _episode(turns, summariser, plain_summariser, journal)
                else:
                    found = await _told(turns[0], [Turn.model_validate(row) for row in source["context"]], distiller)
        except (ModelError, StoreUnavailable, TimeoutError) as trouble:
            degraded = degrade(degraded, trouble if isinstance(trouble, StoreUnavailable) else "distiller")
            spent = trouble.usage if isinstance(trouble, ModelError) else ()
            gate["usage"] += [entry.row() for entry in spent]
            continue
        gate["candidates"] += [_row(candidate, source) for candidate in found.candidates]
        gate["task_changes"] += [change.row() for change in found.task_changes]
        gate["usage"] += [entry.row() for entry in found.usage]
        turn_ids = [turn.turn_id for turn in turns]
        gate["distilled"] += turn_ids if source["kind"] in ("turn", "given") else []
        gate["archived"] += turn_ids if source["kind"] in ("episode", "given") else []
    return {"gate": gate, "deadline_ms": deadline_ms, "degraded": degraded}


async def _told(turn: Turn, context: Sequence[Turn], distiller: Distiller) -> Distillation:
    """Distil a user's turn: a rule skips what tells nothing, and what the user asks to remember always comes.

    The rules run in a thread: of a long text they take a second, and everybody else would wait.
    """
    if not await asyncio.to_thread(worth_distilling, turn.text):
        return Distillation()
    found = await distiller.distill(turn, context)
    if not await asyncio.to_thread(asks_to_remember, turn.text):
        return found
    candidates = await asyncio.to_thread(honoured, found.candidates, turn, context)
    return found.model_copy(update={"candidates": candidates})


async def _episode(
    turns: Sequence[Turn], summariser: Summariser, plain_summariser: Summariser, journal: Journal
) -> Distillation:
    """Summarise what may be remembered of the turns; where nothing may, there is no episode.

    What the gate holds back must not come in by the summary. A summary that says what nobody said is replaced by words
    of the conversation itself.
    """
    held = await journal.held_back(turns[0].user_id, turns[0].session_id)
    # In a thread: the rules for keys are loaded at their first use, and that takes seconds.
    shown = await asyncio.to_thread(lambda: [turn for turn in (_without(turn, held) for turn in turns) if turn.text])
    if not any(turn.role == "user" for turn in shown):
        return Distillation()
    said = {turn.turn_id: turn.text for turn in turns}
    first = await summariser.summarise(shown)
    episode = _summed_up(first.text, turns)
    if reason := await asyncio.to_thread(refusal, episode, said):
        log.info("a summary is replaced by words of the conversation: %s", reason)
        episode = _summed_up((await plain_summariser.summarise(shown)).text, turns)
    kept = episode.text.strip() and not await asyncio.to_thread(refusal, episode, said)
    return Distillation(candidates=(episode,) if kept else (), usage=first.usage)


def _without(turn: Turn, held: Sequence[Evidence]) -> Turn:
    text = clean(turn.text)  # as spans are
    for evidence in held:
        if evidence.turn_id == turn.turn_id and evidence.span:
            text = text.replace(evidence.span, " ")
    if secret_in(text) is not None:
        text = " ".join(without_secrets(text, sentences(text)))
    return turn.model_copy(update={"text": text.strip()})


def _summed_up(text: str, turns: Sequence[Turn]) -> Candidate:
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
    shared = Candidate.model_fields.keys() & Memory.model_fields.keys()
    return Candidate.model_validate({name: getattr(memory, name) for name in shared})


def _row(candidate: Candidate, source: SourceRow) -> CandidateRow:
    standing = source["memory"]
    named = {part.turn_id for part in candidate.evidence}
    # A wish alone ("remember this") is for the words of an earlier turn.
    said = [turn for turn in source["context"] if turn["turn_id"] in named] + source["turns"]
    return {
        "memory_id": standing["memory_id"] if standing else _identity(candidate, source),
        "candidate": candidate.row(),
        "source": said,
        "context": [turn for turn in source["context"] if turn["turn_id"] not in named],
        "asked": source["asked"],
        "company": [],
        "refused": None,
        "judgement": None,
        "standing": standing,
    }


def _identity(candidate: Candidate, source: SourceRow) -> str:
    if not source["turns"]:
        return ""
    first = source["turns"][0]
    # The same words may answer two disputes and state a fact beside: each is a candidate of its own.
    answered = (Evidence(turn_id=candidate.answers, span=""),) if candidate.answers else ()
    return memory_id(first["user_id"], first["session_id"], (*candidate.evidence, *answered))
