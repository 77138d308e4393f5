"""A session into the stores, by the product's own ways: journal, verify, persist, index.

The texts are given, so that nothing is distilled; and they are not screened, for the screen of the gate keeps out what
is no word of the user's own, and these sets are transcripts of both sides (`screened_out` counts). All else is the
gate's: a scripted verifier says that each is supported, and `persist` writes what follows from that.
"""

from collections.abc import Sequence
from itertools import groupby

from langgraph.runtime import Runtime

from nodes.fact_check.refusal import refusal
from nodes.fact_check.verify import verify
from nodes.language.pieces import time_of
from nodes.language.statements import kind_of
from nodes.persist import persist
from state.context import Context
from state.ports import Judgement, Neighbour
from state.records import Candidate, Evidence, Memory, Turn, Verdict, memory_id
from state.schema import CandidateRow, State
from tests.bench.figures import rate
from tests.bench.gate.scoring import sample
from tests.bench.recall.place import Place
from tests.bench.recall.sets import Said, Store

SCREENED = 200
"""So many memories of a set are put before the screen, to say how many it would keep out."""
LONG_MS = 3_600_000


class AgreeingVerifier:
    """Says of every candidate that it is supported: an update of the company it is given, new where there is none."""

    async def verify(
        self,
        candidate: Candidate,
        source: Sequence[Turn],
        company: Sequence[Neighbour],
        *,
        context: Sequence[Turn] = (),
        seconds: float,
    ) -> Judgement:
        concerns = tuple(neighbour.memory.memory_id for neighbour in company)
        verdict = Verdict(
            relation="update" if concerns else "new", grounded="supported", confidence=1.0, concerns=concerns
        )
        return Judgement(verdict=verdict, verifier="bench", provisional=False, prompt_hash="")


async def write(place: Place, store: Store, number: int, user_id: str) -> dict[str, Said]:
    """Write one session of a store; return what each new memory's id stands for."""
    said = store.sessions[number]
    turns = await say(place, user_id, f"{user_id} {number}", store.zone, said)
    candidates = [candidate(turn) for turn in turns]
    written = await keep(place, turns, candidates, [()] * len(turns))
    return dict(zip(written, said, strict=True))


async def say(place: Place, user_id: str, session_id: str, zone: str, said: Sequence[Said]) -> list[Turn]:
    """Have the user say these words, one turn each; those of one moment are a millisecond apart."""
    turns: list[Turn] = []
    for at_ms, together in groupby(said, lambda each: each.at_ms):
        place.clock.set(at_ms)
        new = [
            Turn(
                user_id=user_id,
                session_id=session_id,
                turn_id=f"{session_id} {each.id}",
                role="user",
                text=each.text,
                time_zone=zone,
            )
            for each in together
        ]
        ahead = await place.services.journal.write_ahead(user_id, session_id, new, present=())
        turns += ahead.turns
    return turns


def candidate(turn: Turn) -> Candidate:
    """Return a turn as what is to be remembered of it; its kind and its time by the product's own rules."""
    time = time_of(turn.text, now_ms=turn.at_ms, time_zone=turn.time_zone)
    return Candidate(
        kind=kind_of(turn.text),
        text=turn.text,
        evidence=(Evidence(turn_id=turn.turn_id, span=turn.text),),
        event_start_ms=time.start_ms if time else None,
        event_end_ms=time.end_ms if time else None,
        mentioned_ms=turn.at_ms,
        time_zone=turn.time_zone,
    )


async def keep(
    place: Place, turns: Sequence[Turn], candidates: Sequence[Candidate], replaced: Sequence[Sequence[Memory]]
) -> list[str]:
    """Have the candidates of one session verified and persisted; return their memories' ids.

    `replaced` are, for each candidate, the memories that it takes the place of. Raises RuntimeError where a store
    failed or a memory does not stand: nothing would be measured.
    """
    services, last = place.services, turns[-1]
    place.clock.set(last.at_ms)
    runtime = Runtime(context=Context(user_id=last.user_id))
    rows = [_row(*each) for each in zip(turns, candidates, replaced, strict=True)]
    state: State = {
        "messages": [],
        "session": {"user_id": last.user_id, "session_id": last.session_id, "time_zone": last.time_zone},
        "sources": [],
        "deadline_ms": last.at_ms + LONG_MS,
        "gate": {
            "candidates": rows,
            "task_changes": [],
            "usage": [],
            "distilled": [turn.turn_id for turn in turns],
            "archived": [turn.turn_id for turn in turns],
        },
        "degraded": [],
    }
    judged = await verify(state, runtime, verifier=AgreeingVerifier(), clock=services.clock)
    state["gate"] = judged["gate"]
    done = await persist(
        state,
        runtime,
        journal=services.journal,
        long_term_memory=services.long_term_memory,
        working_memory=services.working_memory,
        clock=services.clock,
        actor="gate",
    )
    standing = [memory["memory_id"] for memory in done["stored"] if memory["status"] == "active"]
    if done["degraded"] or judged["degraded"] or standing != [row["memory_id"] for row in rows]:
        raise RuntimeError(f"{last.session_id}: not everything was written ({done['degraded']})")
    return standing


def _row(turn: Turn, given: Candidate, replaced: Sequence[Memory]) -> CandidateRow:
    return {
        "memory_id": memory_id(turn.user_id, turn.session_id, given.evidence),
        "candidate": given.row(),
        "source": [turn.row()],
        "context": [],
        "asked": [],
        "company": [Neighbour(memory=memory).row() for memory in replaced],
        "refused": None,
        "judgement": None,
        "standing": None,
    }


def screened_out(stores: Sequence[Store]) -> float:
    """Return the share of a set's memories that the screen of the gate would keep out, over a sample of it."""
    said = [each for store in stores for session in store.sessions for each in session]
    some = sample(said, SCREENED, lambda each: f"{each.id} {each.text}")
    return rate(some, lambda each: _refused(each) is not None)


def _refused(said: Said) -> str | None:
    turn = Turn(
        user_id="bench", session_id="bench", turn_id=said.id, role="user", text=said.text, time_zone="UTC", at_ms=1
    )
    return refusal(candidate(turn), {said.id: said.text})
