"""About which open disputes a reply is to ask, where the memories that were found show it."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from langgraph.runtime import Runtime

from nodes.load_context import dispute_row
from nodes.respond import respond
from state.context import Context
from state.records import PromptMessage, ReplyChunk
from tests.factories import hit_row, memory, ranked_row, turn
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal


class Parrot:
    """A responder that keeps its prompt."""

    model = "parrot"
    system = ""

    async def stream(self, messages: Sequence[PromptMessage]) -> AsyncIterator[ReplyChunk]:
        self.system = messages[0].content
        yield ReplyChunk(text="ok", message_id="r1")


async def asked(question: str, *, hits: int = 5, nearest: str = "m0", kept: str = "m0", budget: int = 3_000) -> bool:
    """Say whether a reply asks about a dispute against "m0" that neither the day nor the words bring up."""
    found = [hit_row(memory(f"m{place}")) for place in range(hits)]
    ranks = [
        {"similarity_rank": 1, "lexical_rank": 1} if hit["memory"]["memory_id"] == nearest else {} for hit in found
    ]
    others = {"similarity_rank": 2, "lexical_rank": 2}
    clock, responder = HandClock(), Parrot()
    state: Any = {
        "turn": turn(question, turn_id="q").row(),
        "window": [],
        "tasks": [],
        "recalled": [ranked_row(1, memory_id=kept)],
        "hits": [{**hit, **(rank or others)} for hit, rank in zip(found, ranks, strict=True)],
        "disputes": [dispute_row(memory("d0", "我不对花生过敏"), [memory("m0", "我对花生过敏")])],
        "degraded": [],
    }
    journal = FakeJournal(clock)
    await journal.write_ahead("ann", "s1", [turn(question, turn_id="q")], present=["q"])
    out = await respond(
        state, Runtime(context=Context()), responder=responder, journal=journal, clock=clock, prompt_tokens=budget
    )
    (row,) = out["disputes"]
    assert row["ask"] == ("<disputes>" in responder.system)
    return bool(row["ask"])


async def test_a_question_whose_nearest_memory_is_a_side_asks() -> None:
    assert await asked("士力架能吃吗？")


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("士力架能吃吗？", {"hits": 4}),
        ("士力架能吃吗？", {"nearest": "m1"}),
        ("士力架能吃吗？", {"kept": "m1"}),
        ("我今天吃了士力架", {}),
    ],
    ids=["few memories", "not the nearest", "not kept", "no question"],
)
async def test_else_it_does_not(question: str, fields: dict[str, Any]) -> None:
    assert not await asked(question, **fields)


async def test_what_the_budget_left_out_was_not_asked() -> None:
    assert not await asked("士力架能吃吗？", budget=300)
