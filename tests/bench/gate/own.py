"""The own cases through the gate itself: fact_check and persist over real stores, each case a user of its own."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Literal

from graph.gate import Gate, build_gate, given
from nodes.outbox import drain
from state.context import Context
from state.ports import Journal, TurnCommit
from state.records import (
    Candidate,
    Evidence,
    Memory,
    MemoryWrite,
    Turn,
    Verdict,
    memory_id,
)
from state.schema import CandidateRow
from state.slots import is_single_valued
from tests.bench.gate.outcome import Fate, Outcome
from tests.bench.gate.own_cases import Case
from tests.bench.gate.place import Place
from tests.bench.place import standing_receipt

AT_ONCE = 4
REFUSALS = {"instructs": "instruction", "secret": "secret"}


async def run(place: Place, cases: Sequence[Case], *, done: Callable[[], object] = lambda: None) -> list[Outcome]:
    """Put every case through the gate, a few at a time; `done` is called after each."""
    gate = build_gate(place.services, seconds=place.seconds)
    places = asyncio.Semaphore(AT_ONCE)

    async def outcome(case: Case) -> Outcome:
        async with places:
            found = await _outcome(place, gate, case)
            done()
            return found

    return list(await asyncio.gather(*(outcome(case) for case in cases)))


async def _outcome(place: Place, gate: Gate, case: Case) -> Outcome:
    services = place.services
    user_id = f"bench {case.id}"
    before = await _stand(place, case, user_id)
    await drain(user_id, journal=services.journal, long_term_memory=services.long_term_memory)
    turn, context = await _said(place, case, user_id)
    payload = given([turn], [_candidate(case, turn, before)], context=context)
    payload["sources"][0]["asked"] = [
        standing.memory_id for standing, memory in zip(before, case.memories, strict=True) if memory.asked
    ]
    state = await gate.ainvoke(payload, context=Context(user_id=user_id))
    if state["degraded"] and state["degraded"] != ["verifier"]:
        raise RuntimeError(f"{case.id}: a store failed ({', '.join(state['degraded'])}): nothing is measured")
    (row,) = state["gate"]["candidates"]
    similarity = max((neighbour["similarity"] or 0.0 for neighbour in row["company"] or []), default=0.0)
    if row["refused"] is not None:
        hits = await services.long_term_memory.search(user_id, case.note.text, statuses=["active"], depth=5)
        similarity = max((hit.similarity or 0.0 for hit in hits), default=0.0)
    return await _read(services.journal, case, user_id, before, row, similarity)


async def _stand(place: Place, case: Case, user_id: str) -> list[Memory]:
    """Write the case's memories through the journal, and return them as they stand."""
    session_id = f"{case.id} before"
    memories: list[Memory] = []
    for index, standing in enumerate(case.memories):
        place.clock.set(case.said_ms(index))
        turn_id = f"{session_id} {index}"
        turn = _turn(user_id, session_id, turn_id, standing.text, case.zone)
        ahead = await place.services.journal.write_ahead(user_id, session_id, [turn], present=[turn_id])
        memory = _memory(case, index, ahead.turns[0], memories)
        commit = TurnCommit(
            user_id=user_id,
            session_id=session_id,
            actor="gate",
            at_ms=memory.mentioned_ms,
            writes=(MemoryWrite(memory=memory, company={earlier.memory_id: 1 for earlier in memories}),),
            distilled=(turn_id,),
        )
        (stored,) = (await place.services.journal.commit(commit)).memories
        if stored.status != standing.status:
            raise RuntimeError(f"{case.id}: memory {index} is {stored.status} instead of {standing.status}")
        memories.append(stored)
    return memories


def _memory(case: Case, index: int, turn: Turn, earlier: Sequence[Memory]) -> Memory:
    standing = case.memories[index]
    start_ms, end_ms = map(case.ms, standing.event) if standing.event else (None, None)
    evidence = (Evidence(turn_id=turn.turn_id, span=standing.text),)
    said_ms = case.said_ms(index)
    return Memory(
        memory_id=memory_id(turn.user_id, turn.session_id, evidence),
        user_id=turn.user_id,
        session_id=turn.session_id,
        kind=standing.kind,
        text=standing.text,
        status=standing.status,
        evidence=evidence,
        mentioned_ms=said_ms,
        time_zone=case.zone,
        slot=standing.slot,
        single_valued=is_single_valued(standing.slot),
        event_start_ms=start_ms,
        event_end_ms=end_ms,
        valid_from_ms=said_ms,
        opposes=tuple(earlier[at].memory_id for at in standing.opposes),
        receipt=standing_receipt("conflict" if standing.status == "disputed" else "new", said_ms),
    )


async def _said(place: Place, case: Case, user_id: str) -> tuple[Turn, list[Turn]]:
    """Write what the assistant and then the user say; return the user's turn and what came right before it."""
    session_id, journal = f"{case.id} now", place.services.journal
    context: list[Turn] = []
    now_ms = case.ms(case.now)
    if case.assistant is not None:
        place.clock.set(now_ms - 60_000)
        asking = _turn(user_id, session_id, f"{session_id} assistant", case.assistant, case.zone, role="assistant")
        context.append(await journal.append_reply(asking))
    place.clock.set(now_ms)
    turn = _turn(user_id, session_id, f"{session_id} user", case.said, case.zone)
    ahead = await journal.write_ahead(user_id, session_id, [turn], present=[turn.turn_id])
    return ahead.turns[0], context


def _turn(
    user_id: str, session_id: str, turn_id: str, text: str, zone: str, role: Literal["user", "assistant"] = "user"
) -> Turn:
    return Turn(user_id=user_id, session_id=session_id, turn_id=turn_id, role=role, text=text, time_zone=zone)


def _candidate(case: Case, turn: Turn, before: Sequence[Memory]) -> Candidate:
    note = case.note
    start_ms, end_ms = map(case.ms, note.event) if note.event else (None, None)
    return Candidate(
        kind=note.kind,
        text=note.text,
        evidence=(Evidence(turn_id=turn.turn_id, span=note.span),),
        slot=note.slot,
        event_start_ms=start_ms,
        event_end_ms=end_ms,
        mentioned_ms=turn.at_ms,
        time_zone=turn.time_zone,
        answers=before[note.answers].memory_id if note.answers is not None else None,
    )


async def _read(
    journal: Journal, case: Case, user_id: str, before: Sequence[Memory], row: CandidateRow, similarity: float
) -> Outcome:
    """Read from the journal what came of the candidate and of each memory that stood."""
    own_id, judgement = row["memory_id"], row["judgement"]
    found = {m.memory_id: m for m in await journal.memories(user_id, [own_id, *(m.memory_id for m in before)])}
    after = [found[memory.memory_id] for memory in before]
    candidate = found.get(own_id)
    verdict = Verdict.model_validate(judgement["verdict"]) if judgement else None
    ended = tuple(at for at, (old, new) in enumerate(_pairs(before, after)) if old.status == "disputed" != new.status)
    mentioned = tuple(at for at, (old, new) in enumerate(_pairs(before, after)) if new.mentions > old.mentions)
    fate = candidate.status if candidate else "resolved" if ended else "mentioned" if mentioned else "dropped"
    concerned: dict[str, tuple[int, ...]] = {
        "disputed": tuple(at for at, old in enumerate(before) if candidate and old.memory_id in candidate.opposes),
        "active": tuple(at for at, new in enumerate(after) if new.superseded_by == own_id) + ended,
        "mentioned": mentioned,
        "resolved": ended,
    }
    return Outcome(
        case=case,
        got=_class(row, verdict, fate, case),
        fate=fate,
        verdict=verdict,
        reason=row["refused"] or (candidate.receipt.reason if candidate and candidate.receipt else ""),
        text=row["candidate"]["text"],
        concerned=concerned.get(fate, ()),
        resolution=verdict.resolution if verdict and fate == "resolved" else None,
        lost=_lost(case, before, after),
        similarity=similarity,
    )


def _pairs(before: Sequence[Memory], after: Sequence[Memory]) -> Any:
    return zip(before, after, strict=True)


def _class(row: CandidateRow, verdict: Verdict | None, fate: Fate, case: Case) -> str:
    """Return the class the gate came to.

    A refusal says in words which it is; what screen finds not to be said at all is unsupported. Of partial support the
    gate keeps the supported part, if it can: then the candidate has other words. What waits was not decided, whatever
    relation was found.
    """
    if row["refused"] is not None:
        return next((name for word, name in REFUSALS.items() if word in row["refused"]), "unsupported")
    if verdict is None:
        return "undecided"
    if verdict.grounded != "supported":
        return verdict.grounded
    if row["candidate"]["text"] != case.note.text:
        return "partial"
    return "undecided" if fate in ("pending", "dropped") else verdict.relation


def _lost(case: Case, before: Sequence[Memory], after: Sequence[Memory]) -> tuple[int, ...]:
    expect = case.expect
    may_go = set(expect.concerns) if expect.relation == "update" else set()
    if expect.resolution == "keep_new":
        may_go = {at for index in expect.concerns for at in case.memories[index].opposes}
    return tuple(
        at
        for at, (old, new) in enumerate(_pairs(before, after))
        if old.status == "active" != new.status and at not in may_go
    )
