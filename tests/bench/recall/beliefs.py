"""PrecisionMemBench through the stores: a user for each set of scopes, whose beliefs were told in their order.

Loci keeps users apart and knows no scopes: what the benchmark's adapter asks with a filter is asked here of a user who
has the beliefs of these scopes only. A belief is told as its aliases and its content; what supersedes another is
written as an update of it; a pinned one is marked important; a question that was settled is taken back.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from nodes.outbox import drain
from state.records import Candidate, Kind, Memory, Turn
from tests.bench.figures import Figures, prefixed
from tests.bench.recall import precisionmem
from tests.bench.recall.answers import Answer
from tests.bench.recall.asking import ask_all, asked_by
from tests.bench.recall.place import Place
from tests.bench.recall.precisionmem import Belief, Case, Fixtures, Score
from tests.bench.recall.scoring import timing
from tests.bench.recall.sets import Said
from tests.bench.recall.writing import candidate, keep, say

ZONE = "UTC"
ASKED_MS = 1_791_460_800_000  # noon of 8 October 2026, a day after the last belief
MINUTE_MS = 60_000
IMPORTANT = 2.0
KINDS: dict[str, Kind] = {
    "preference": "preference",
    "decision": "decision",
    "entity": "fact",
    "relation": "fact",
    "open_question": "task",
}


class Judged(NamedTuple):
    """One case: what each profile returned, and by profile what became of that and its score."""

    case: Case
    answers: dict[str, Answer]
    relevant: dict[str, list[str]]
    scores: dict[str, Score]
    in_session: bool


class Holder:
    """One user with beliefs; `names` says which belief each memory's id stands for."""

    def __init__(self, place: Place, user_id: str) -> None:
        self._place = place
        self._user_id = user_id
        self._names: dict[str, str] = {}
        self._said_ms: dict[str, int] = {}
        self._told: dict[str, tuple[str, Belief]] = {}

    async def learn(self, beliefs: Sequence[Belief]) -> None:
        """Have the user tell beliefs on the days they were made."""
        ordered = sorted(beliefs, key=lambda belief: str(belief["created_at"]))
        for day, told in groupby(ordered, lambda belief: str(belief["created_at"])):
            await self.tell(list(told), _ms(day))

    async def tell(self, beliefs: Sequence[Belief], at_ms: int) -> None:
        """Have the user tell beliefs in one session; each takes the place of what it supersedes, or of its old self."""
        said = [Said(belief["_id"], at_ms, _words(belief)) for belief in beliefs]
        turns = await say(self._place, self._user_id, f"{self._user_id} {at_ms}", ZONE, said)
        candidates = [_candidate(turn, belief) for turn, belief in zip(turns, beliefs, strict=True)]
        replaced = [await self._replaced(belief) for belief in beliefs]
        for memory_id, belief in zip(await keep(self._place, turns, candidates, replaced), beliefs, strict=True):
            self._names[memory_id] = belief["_id"]
            self._said_ms[memory_id] = at_ms
            self._told[belief["_id"]] = (memory_id, belief)
            if belief["resolved_at"]:
                await self._take_back(memory_id, _ms(belief["resolved_at"]))

    async def _replaced(self, belief: Belief) -> list[Memory]:
        ids = [
            memory_id
            for name, (memory_id, old) in self._told.items()
            if name == belief["_id"] or old["superseded_by"] == belief["_id"]
        ]
        found = await self._place.services.journal.memories(self._user_id, ids)
        return [memory for memory in found if memory.status == "active"]

    async def _take_back(self, memory_id: str, at_ms: int) -> None:
        services = self._place.services
        await services.journal.decide(self._user_id, memory_id, "reject", at_ms=at_ms)
        await drain(self._user_id, journal=services.journal, long_term_memory=services.long_term_memory)

    async def answers(self, case: Case, at_ms: int, profiles: Sequence[str]) -> dict[str, Answer]:
        """Ask in every profile. Simpler ways return as many beliefs as a case allows, as the published ones did."""
        turn = asked_by(self._user_id, case.query, at_ms, ZONE)
        found = await ask_all(self._place, turn, profiles, self._said_ms, self._names)
        return {
            profile: answer if answer.ms is not None else answer._replace(shown=precisionmem.MOST)
            for profile, answer in found.items()
        }


def _words(belief: Belief) -> str:
    aliases = ", ".join(belief["aliases"])
    return f"{aliases}: {belief['content']}" if aliases else str(belief["content"])


def _candidate(turn: Turn, belief: Belief) -> Candidate:
    weight = IMPORTANT if belief["pinned"] else 1.0
    return candidate(turn).model_copy(update={"kind": KINDS[belief["type"]], "weight": weight})


def _ms(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp() * 1000)


async def run(
    place: Place, fixtures: Fixtures, profiles: Sequence[str], *, done: Callable[[], object] = lambda: None
) -> list[Judged]:
    """Ask every case, then live through the sessions; `done` is called after each case or turn."""
    judged = []
    holders: dict[str, Holder] = {}
    for case in fixtures.cases:
        user_id = f"precisionmem {case.user} {'+'.join(case.scope)}"
        if user_id not in holders:
            holders[user_id] = await _holder(place, user_id, case, fixtures.beliefs)
        answers = await holders[user_id].answers(case, ASKED_MS, profiles) if case.query.strip() else {}
        judged.append(_judged(case, answers, profiles, fixtures.beliefs))
        done()
    return judged + await _sessions(place, fixtures, profiles, done)


async def _holder(place: Place, user_id: str, case: Case, beliefs: Mapping[str, Belief]) -> Holder:
    holder = Holder(place, user_id)
    await holder.learn([each for each in beliefs.values() if precisionmem.in_scope(each, case.user, case.scope)])
    return holder


async def _sessions(
    place: Place, fixtures: Fixtures, profiles: Sequence[str], done: Callable[[], object]
) -> list[Judged]:
    """Live through the sessions one after the other as one user: the second asks about what the first has told."""
    beliefs, steps = dict(fixtures.beliefs), [step for session in fixtures.sessions for step in session]
    holder = await _holder(place, "precisionmem in session", steps[0].case, beliefs)
    judged = []
    for number, step in enumerate(steps):
        at_ms = ASKED_MS + number * MINUTE_MS
        answers = await holder.answers(step.case, at_ms, profiles)
        judged.append(_judged(step.case, answers, profiles, beliefs, noise=step.noise))
        if step.renamed is not None:
            name, aliases = step.renamed
            beliefs[name] = {**beliefs[name], "aliases": [*beliefs[name]["aliases"], *aliases]}
        new = [beliefs[step.renamed[0]]] if step.renamed is not None else []
        if step.created is not None:
            beliefs[step.created["_id"]] = step.created
            new.append(step.created)
        if new:
            await holder.tell(new, at_ms + MINUTE_MS // 2)
        done()
    return judged


def _judged(
    case: Case,
    answers: Mapping[str, Answer],
    profiles: Sequence[str],
    beliefs: Mapping[str, Belief],
    noise: tuple[str, ...] | None = None,
) -> Judged:
    relevant, scores = {}, {}
    for profile in profiles:
        answer = answers.get(profile)
        found = answer.ranking[: answer.shown] if answer is not None else ()
        relevant[profile] = precisionmem.built(case, found, beliefs)
        scores[profile] = (
            precisionmem.score(case, relevant[profile], beliefs)
            if noise is None
            else precisionmem.session_score(case, noise, relevant[profile], beliefs)
        )
    return Judged(case, dict(answers), relevant, scores, noise is not None)


def figures(judged: Sequence[Judged], profile: str) -> Figures:
    """Return a profile's figures: of the single cases, and under `session.` of the turns of sessions."""
    single = precisionmem.figures([each.scores[profile] for each in judged if not each.in_session])
    sessions = precisionmem.figures([each.scores[profile] for each in judged if each.in_session])
    answers = [each.answers[profile] for each in judged if profile in each.answers]
    return {**single, **prefixed("session", sessions), **timing(answers)}
