"""Which memories a reply counts as cited: only those that its prompt showed."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from langgraph.runtime import Runtime

from nodes.respond import respond
from state.context import Context
from state.records import PromptMessage, ReplyChunk
from tests.factories import ranked_row, turn
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal


class Citing:
    """A responder that always says the same."""

    model = "citing"

    def __init__(self, text: str) -> None:
        self.text = text

    async def stream(self, messages: Sequence[PromptMessage]) -> AsyncIterator[ReplyChunk]:
        del messages
        yield ReplyChunk(text=self.text, message_id="r1")


@pytest.mark.parametrize(
    ("text", "budget", "cited"),
    [
        ("Both【1】［2］.", 3_000, ["m1", "m2"]),
        ("Both [1, 2].", 400, ["m1"]),
        ("The second [2].", 400, []),
        ("Neither [3].", 3_000, []),
    ],
)
async def test_what_the_prompt_did_not_show_is_not_cited(text: str, budget: int, cited: list[str]) -> None:
    clock, asked = HandClock(), turn("Where do I live?", turn_id="q")
    journal = FakeJournal(clock)
    await journal.write_ahead("ann", "s1", [asked], present=["q"])
    state: Any = {
        "turn": asked.row(),
        "window": [],
        "tasks": [],
        "recalled": [ranked_row(1), ranked_row(2, "很长的一件事，" * 40)],
        "hits": [],
        "disputes": [],
        "degraded": [],
    }
    runtime = Runtime(context=Context())
    out = await respond(state, runtime, responder=Citing(text), journal=journal, clock=clock, prompt_tokens=budget)
    assert out["reply"]["cited"] == cited
    assert out["reply"]["left_out"] == (["1 of 2 memories"] if budget == 400 else [])
