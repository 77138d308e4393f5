"""The gate alone, for what is not said in a conversation: corrections, imports, the bench."""

import uuid
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph.fact_check import bound_persist, build_fact_check
from graph.services import Services
from nodes.fact_check.corrections import corrected, correction
from nodes.fact_check.own_words import MEMORY_TOKENS
from nodes.language.tokens import count
from nodes.outbox import drain
from nodes.provenance import source_row
from nodes.run import degrade
from state.context import Context
from state.errors import DecisionRefused, InputRejected, StoreUnavailable
from state.records import Candidate, Memory, Turn
from state.schema import State

Gate = CompiledStateGraph[State, Context, State, State]


def build_gate(services: Services, *, seconds: float) -> Gate:
    """Return fact_check -> persist, bounded to `seconds`; `given` makes its input, `stored` is its answer."""
    builder = StateGraph(State, context_schema=Context)
    builder.add_node("fact_check", build_fact_check(services, seconds=seconds))
    builder.add_node("persist", bound_persist(services, actor="gate"))
    builder.add_edge(START, "fact_check")
    builder.add_edge("fact_check", "persist")
    return builder.compile(name="Loci gate")


def given(turns: Sequence[Turn], candidates: Sequence[Candidate], *, context: Sequence[Turn] = ()) -> Any:
    """Return the gate's input for candidates that rest on these turns of one session, which the journal holds.

    The turns count as distilled and archived afterwards. `context` are the turns right before them.
    """
    first = turns[0]
    return {
        "session": {"user_id": first.user_id, "session_id": first.session_id, "time_zone": first.time_zone},
        "sources": [source_row("given", turns, context=context, candidates=candidates)],
        "degraded": [],
    }


class Correction(NamedTuple):
    """What became of a correction: the memory of the new words, the corrected one as it now stands, what failed.

    `memory` is None where the journal went away in between (the curator finds the correction and goes on with it), or
    where the user has forgotten the new memory meanwhile.
    """

    memory: Memory | None
    before: Memory
    degraded: list[str]


async def correct(services: Services, gate: Gate, memory: Memory, text: str, *, time_zone: str) -> Correction:
    """Have the user say that an active memory is wrong and what is right, and let the gate judge the right one.

    What the gate lets through takes the old one's place, for this is what the user said; where it only repeats another
    memory, the old one is rejected. What waits or is rejected leaves the old memory as it is.

    Raises:
        DecisionRefused: the memory is not active.
        InputRejected: the text is empty, says the same, or is longer than a memory may be.
    """
    words = " ".join(text.split())
    _check(memory, words)
    user_id, journal = memory.user_id, services.journal
    turn = Turn(
        user_id=user_id,
        session_id=str(uuid.uuid4()),
        turn_id=str(uuid.uuid4()),
        role="user",
        text=correction(memory.text, words),
        time_zone=time_zone,
    )
    ahead = await journal.write_ahead(user_id, turn.session_id, [turn], present=[turn.turn_id])
    (said,) = ahead.turns
    done = await gate.ainvoke(given([said], [corrected(memory, words, said)]), context=Context(user_id=user_id))
    degraded: list[str] = done["degraded"]
    if not done["stored"]:
        return Correction(None, memory, degraded)
    stored, *_ = done["stored"]
    (judged,) = done["gate"]["candidates"]
    repeats = stored["relation"] == "duplicate" and stored["memory_id"] not in (judged["memory_id"], memory.memory_id)
    new, old = await _both(services, stored["memory_id"], memory)
    if new is None or not (repeats and new.status == old.status == "active"):
        return Correction(new, old, degraded)
    with suppress(DecisionRefused):  # somebody else has taken it back meanwhile
        await journal.decide(user_id, old.memory_id, "reject", at_ms=services.clock.now_ms())
    try:
        await drain(user_id, journal=journal, long_term_memory=services.long_term_memory)
    except StoreUnavailable as outage:
        degraded = degrade(degraded, outage)
    return Correction(*await _both(services, new.memory_id, old), degraded)


def _check(memory: Memory, words: str) -> None:
    if memory.status != "active":
        raise DecisionRefused(f"Only an active memory can be corrected, and this one is {memory.status}.")
    if not words or words == memory.text:
        raise InputRejected("There is nothing to correct: give the words that are right instead.")
    if (tokens := count(words)) > MEMORY_TOKENS:
        raise InputRejected(
            f"A memory has at most {MEMORY_TOKENS} tokens, and these words have {tokens}: say it shorter."
        )


async def _both(services: Services, new_id: str, old: Memory) -> tuple[Memory | None, Memory]:
    """Return the memory of the new words and the corrected one, as they now stand; the new one may be forgotten."""
    found = {row.memory_id: row for row in await services.journal.memories(old.user_id, [new_id, old.memory_id])}
    return found.get(new_id), found.get(old.memory_id, old)
