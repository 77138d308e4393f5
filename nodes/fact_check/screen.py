"""Check by code what needs no model, and gather the memories a candidate must be judged beside."""

import asyncio
from collections.abc import Awaitable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from langgraph.runtime import Runtime

from nodes.fact_check.refusal import refusal
from nodes.language.confidential import secret_in, withheld
from nodes.language.invisible import clean
from nodes.outbox import drain
from nodes.run import degrade, seconds_left
from state.context import Context
from state.errors import StoreUnavailable
from state.ports import Clock, Dispute, Journal, LongTermMemory, Neighbour
from state.records import Candidate, Evidence, Hit, Memory, Turn
from state.schema import CandidateRow, State

NEAREST = 5
MOST_IN_SLOT = 20
"""Of a slot of several values so many are company: who likes four hundred things is not asked about all of them."""
SLOT_DEPTH = 100
"""So deep the index is searched where a slot holds more than that, to find the nearest in it."""
MOST_TOUCHING = 10
DISPUTES_READ = 200

DRAIN_SHARE = 0.5
"""The part of the time left that the outbox may take."""

T = TypeVar("T")


async def screen(
    state: State,
    runtime: Runtime[Context],  # noqa: ARG001
    *,
    journal: Journal,
    long_term_memory: LongTermMemory,
    clock: Clock,
) -> dict[str, Any]:
    """Refuse what its source does not say, what instructs and what is secret; gather the company of the rest.

    What is kept is kept without invisible characters. The index is brought up to the journal before it is searched:
    what was written a moment ago is company. Where index or journal does not answer in time, the company is not known:
    such candidates wait, unjudged.
    """
    user_id = state["session"]["user_id"]
    # In a thread: the rules for keys are loaded at their first use, and that takes seconds.
    screened = await asyncio.to_thread(lambda: [_screened(row) for row in state["gate"]["candidates"]])
    outages: list[StoreUnavailable | str] = []

    async def in_time(work: Awaitable[T], *, share: float = 1) -> T | None:
        try:
            async with asyncio.timeout(seconds_left(state["deadline_ms"], clock) * share):
                return await work
        except (StoreUnavailable, TimeoutError) as trouble:
            outages.append(trouble if isinstance(trouble, StoreUnavailable) else "qdrant")
            return None

    async def accompanied(row: CandidateRow) -> CandidateRow:
        if row["refused"] is not None:
            return row
        if _is_searched(row) and await applied is None:
            return {**row, "company": None}
        company = await in_time(_company(user_id, row, journal, long_term_memory))
        return {**row, "company": None if company is None else [neighbour.row() for neighbour in company]}

    # What needs no index goes on meanwhile, and a long outbox leaves the verifier its time.
    applied = asyncio.ensure_future(
        in_time(drain(user_id, journal=journal, long_term_memory=long_term_memory), share=DRAIN_SHARE)
        if any(map(_is_searched, screened))
        else asyncio.sleep(0, 0)
    )
    rows = await asyncio.gather(*map(accompanied, screened))
    degraded = degrade(state["degraded"], outages[0]) if outages else state["degraded"]
    return {"gate": {**state["gate"], "candidates": rows}, "degraded": degraded}


def _is_searched(row: CandidateRow) -> bool:
    """Say whether the index is asked for a candidate's company: an answer has its dispute, an episode nobody."""
    candidate = row["candidate"]
    return row["refused"] is None and candidate["answers"] is None and candidate["kind"] != "episode"


def _screened(row: CandidateRow) -> CandidateRow:
    given = Candidate.model_validate(row["candidate"])
    said = {turn["turn_id"]: turn["text"] for turn in row["source"]}
    reason = refusal(given, said, [Turn.model_validate(turn) for turn in row["context"]])
    # What is refused is listed with its reason; a secret must not stand there, nor in a checkpoint.
    shown = withheld if reason and any(map(secret_in, _words(given))) else clean
    evidence = tuple(Evidence(turn_id=part.turn_id, span=shown(part.span)) for part in given.evidence)
    cleaned = given.model_copy(update={"text": shown(given.text), "evidence": evidence})
    return {**row, "candidate": cleaned.row(), "refused": reason}


def _words(candidate: Candidate) -> list[str]:
    return [candidate.text, *(part.span for part in candidate.evidence)]


async def _company(
    user_id: str, row: CandidateRow, journal: Journal, long_term_memory: LongTermMemory
) -> list[Neighbour]:
    """Return the memories to judge a candidate beside, each once.

    First its slot, then the nearest, then what a memory judged again opposes and had replaced, or what a correction
    corrects, then open disputes that touch any of these, its slot or its turn. Of a slot of several values, and of
    disputes, only as many as a verdict can be made beside. An answer has the sides of what was asked, an episode
    nobody. Why a memory beside it is believed is left out: nobody asks, and a run's state holds each candidate's
    company.
    """
    candidate = Candidate.model_validate(row["candidate"])
    if candidate.kind == "episode":
        return []
    if candidate.answers is not None:
        return await _sides(user_id, list(dict.fromkeys([candidate.answers, *row["asked"]])), journal)
    in_slot = await journal.in_slot(user_id, candidate.slot) if candidate.slot else []
    depth = NEAREST if len(in_slot) <= MOST_IN_SLOT else SLOT_DEPTH
    hits = await long_term_memory.search(user_id, candidate.text, statuses=["active"], depth=depth)
    similarity = {hit.memory_id: hit.similarity for hit in hits}
    near = await journal.memories(user_id, [hit.memory_id for hit in hits if _is_near(hit)])
    opposed, replaced = await _involved(user_id, row, journal)
    corrected = await journal.memories(user_id, [candidate.corrects]) if candidate.corrects else []
    replaced += [memory for memory in corrected if memory.superseded_by == row["memory_id"]]
    beside = (*_nearest_in_slot(in_slot, similarity), *near, *opposed, *corrected)
    standing = [memory for memory in beside if memory.status == "active" and memory.kind != "episode"]
    present = {memory.memory_id for memory in standing}
    disputes = await journal.open_disputes(user_id, DISPUTES_READ)
    company = {memory.memory_id: memory for memory in (*standing, *replaced)}
    for dispute in _touching(disputes, candidate.slot, row["asked"], present):
        for side in (dispute.memory, *dispute.against):
            company.setdefault(side.memory_id, side)
    return [
        Neighbour(
            memory=memory.model_copy(update={"receipt": None}),
            similarity=similarity.get(memory.memory_id),
            same_slot=candidate.slot is not None and memory.slot == candidate.slot,
            asked=memory.status == "disputed" and memory.memory_id in row["asked"],
        )
        for memory in company.values()
        if memory.memory_id != row["memory_id"]
    ]


async def _sides(user_id: str, asked: Sequence[str], journal: Journal) -> list[Neighbour]:
    """Return both sides of the disputes that the user was told of, as far as they are open.

    Where there are two, "the new one" alone is no clear answer.
    """
    found = [memory for memory in await journal.memories(user_id, asked) if memory.status == "disputed"]
    opposed = dict.fromkeys(memory_id for memory in found for memory_id in memory.opposes)
    against = await journal.memories(user_id, list(opposed)) if opposed else []
    return [
        *(Neighbour(memory=memory, asked=True) for memory in found),
        *(Neighbour(memory=memory) for memory in against if memory.status == "active"),
    ]


async def _involved(user_id: str, row: CandidateRow, journal: Journal) -> tuple[list[Memory], list[Memory]]:
    """Return what a memory judged again opposes, and what it had replaced; nothing for a new candidate."""
    if row["standing"] is None:
        return [], []
    standing = Memory.model_validate(row["standing"])
    opposed = await journal.memories(user_id, list(standing.opposes)) if standing.opposes else []
    return opposed, await journal.replaced_by(user_id, standing.memory_id)


def _is_near(hit: Hit) -> bool:
    """Say whether a hit is among the nearest by meaning or by words, however deep was searched."""
    ranks = (hit.similarity_rank, hit.lexical_rank)
    return any(rank is not None and rank <= NEAREST for rank in ranks)


def _nearest_in_slot(in_slot: Sequence[Memory], similarity: Mapping[str, float | None]) -> list[Memory]:
    """Return who holds the slot; of one with several values the nearest, then the newest, in the order given."""
    several = [memory for memory in in_slot if not memory.single_valued]
    several.sort(key=lambda memory: (-(similarity.get(memory.memory_id) or 0.0), -memory.mentioned_ms))
    left_out = {memory.memory_id for memory in several[MOST_IN_SLOT:]}
    return [memory for memory in in_slot if memory.memory_id not in left_out]


def _touching(
    disputes: Sequence[Dispute], slot: str | None, asked: Sequence[str], present: Collection[str]
) -> list[Dispute]:
    """Return the disputes that touch a candidate: those just asked about, those with a side present, its slot's."""

    def rank(dispute: Dispute) -> int | None:
        sides = (dispute.memory, *dispute.against)
        if dispute.memory.memory_id in asked:
            return 0
        if any(side.memory_id in present for side in sides):
            return 1
        return 2 if slot is not None and any(side.slot == slot for side in sides) else None

    ranked = [(place, dispute) for dispute in disputes if (place := rank(dispute)) is not None]
    return [dispute for _, dispute in sorted(ranked, key=lambda pair: pair[0])][:MOST_TOUCHING]
