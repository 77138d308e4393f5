"""A question to the stores: through the nodes of the conversation, and in the simpler ways it is compared with."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime

from nodes.language.tokens import count
from state.context import Context
from state.records import Hit, Turn
from state.schema import State
from tests.bench.recall.answers import Answer
from tests.bench.recall.place import Place
from tests.bench.recall.variants import VARIANTS

Profile = Literal["balanced", "classic"]

OURS: tuple[Profile, ...] = ("balanced", "classic")
SIMPLER = ("dense", "bm25", "blind")
DAY_MS = 86_400_000
FADES_DAYS = 30
"""The half-life of the known formula, and from when on it halves once more."""


def asked_by(user_id: str, text: str, at_ms: int, zone: str) -> Turn:
    """Return the question as the first turn of a new session."""
    return Turn(
        user_id=user_id,
        session_id=f"{user_id} asking",
        turn_id=f"question {at_ms}",
        role="user",
        text=text,
        time_zone=zone,
        ordinal=1,
        at_ms=at_ms,
    )


async def ask(place: Place, question: Turn, profile: Profile) -> Answer:
    """Run recall and rerank as the graph binds them. Raises RuntimeError where a store failed."""
    place.clock.set(question.at_ms)
    runtime = Runtime(context=Context(user_id=question.user_id, time_zone=question.time_zone, profile=profile))
    state: Any = {
        "messages": [],
        "session": {
            "user_id": question.user_id,
            "session_id": question.session_id,
            "time_zone": question.time_zone,
        },
        "turn": question.row(),
        "window": [],
        "tasks": [],
        "disputes": [],
        "degraded": [],
    }
    place.embeddings.since()
    started = time.perf_counter()
    state |= await place.recall(state, runtime)
    state |= await place.rerank(state, runtime)
    seconds = time.perf_counter() - started
    looked_up, embedding_ms = place.embeddings.since()
    if state["degraded"]:
        raise RuntimeError(f"a store failed ({', '.join(state['degraded'])}): nothing is measured")
    return _answer(state, (seconds - looked_up) * 1000, embedding_ms)


def _answer(state: State, ms: float, embedding_ms: float) -> Answer:
    shown = state["recalled"]
    left = sorted(state["suppressed"], key=lambda row: -row["score"])
    rows = (*shown, *left)
    return Answer(
        ranking=tuple(row["memory_id"] for row in rows),
        shown=len(shown),
        tokens=sum(count(row["text"]) for row in shown),
        ms=ms,
        embedding_ms=embedding_ms,
        rows=rows,
        named_time=state["named_time"],
    )


async def ask_all(
    place: Place, question: Turn, profiles: Sequence[str], said_ms: Mapping[str, int], names: Mapping[str, str]
) -> dict[str, Answer]:
    """Ask in our profiles, in simpler ways, and in `balanced` with a variant in force: whatever `profiles` names.

    Rankings hold the names that `names` gives to memory ids. `said_ms` says when each memory of the user was said.
    """
    found: dict[str, Answer] = {each: await ask(place, question, each) for each in OURS if each in profiles}
    for each in (name for name in profiles if name in VARIANTS):
        with VARIANTS[each].in_force():
            answer = await ask(place, question, "balanced")
        found[each] = answer._replace(rows=())  # of many variants they would fill the memory
    if any(way in profiles for way in SIMPLER):
        simple = await ask_simply(place, question, said_ms)
        found |= {way: simple[way] for way in SIMPLER if way in profiles}
    return {
        profile: answer._replace(ranking=tuple(names[memory_id] for memory_id in answer.ranking))
        for profile, answer in found.items()
    }


async def ask_simply(place: Place, question: Turn, said_ms: Mapping[str, int]) -> dict[str, Answer]:
    """Return what simpler ways bring from the same index: by cosine, by BM25, by cosine that blindly fades.

    `said_ms` says when each memory of the user was said.
    """
    hits = await place.services.long_term_memory.search(
        question.user_id, question.text, statuses=["active"], depth=max(1, len(said_ms))
    )

    def fading(hit: Hit) -> float:
        days = max(0, question.at_ms - said_ms[hit.memory_id]) / DAY_MS
        return -float((hit.similarity or 0.0) * 0.5 ** (days / FADES_DAYS) * (0.5 if days >= FADES_DAYS else 1.0))

    orders = {
        "dense": sorted(hits, key=lambda hit: -(hit.similarity or 0.0)),
        "bm25": sorted((hit for hit in hits if hit.lexical_rank), key=lambda hit: hit.lexical_rank or 0),
        "blind": sorted(hits, key=fading),
    }
    return {way: _simple([hit.memory_id for hit in order]) for way, order in orders.items()}


def _simple(ids: list[str]) -> Answer:
    return Answer(ranking=tuple(ids), shown=len(ids))
