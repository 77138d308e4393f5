"""Stories told to the gate in Chinese and English, and verifiers that judge them."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from state.context import Context
from state.records import Memory
from tests.integration.conftest import Loci
from tests.openai_stub import OpenAIStub, Reply, Request, all_supported, verdict


class Talk(NamedTuple):
    """One story in one language."""

    allergic: str
    denied: str
    question: str
    keep_new: str
    keep_old: str
    keep_both: str
    small_talk: str


ZH = Talk("我对花生过敏", "我不对花生过敏", "我能吃花生酱吗？", "新的对", "之前那条是对的", "都对", "我今天换了新工位")
EN = Talk(
    "I am allergic to peanuts",
    "I am not allergic to peanuts",
    "Can I eat peanut butter?",
    "The new one is right",
    "The old one is right",
    "Both are true",
    "I got a new desk today",
)
TALKS = pytest.mark.parametrize("talk", [ZH, EN], ids=["zh", "en"])
Maker = Callable[..., Loci]


def note_of(request: Request) -> str:
    """Return the text that the verifier is asked about."""
    found = re.search(r"^note: (.*)$", request.user, re.M)
    assert found is not None
    return found.group(1)


def ends_dispute(resolution: str) -> Callable[[Request], str]:
    """Return a verifier that finds every candidate to end the dispute it is shown, and nothing where there is none."""

    def judge(request: Request) -> str:
        disputed = re.search(r"^(\d+)\. .*in dispute", request.user, re.M)
        if disputed is None:
            return verdict("undecided")
        return verdict("resolves", concerns=[int(disputed.group(1))], resolution=resolution)

    return judge


def finds(stub: OpenAIStub, text: str, answer: str | Reply) -> None:
    """Let the verifier answer so of this text, however often it is asked, and find all else supported."""
    stub.verify = lambda request: answer if note_of(request) == text else all_supported(request)


async def disputed(loci: Loci, stub: OpenAIStub, talk: Talk) -> Memory:
    """Let the user contradict themself, and return the disputed memory."""
    await loci.say(talk.allergic)
    loci.clock.forward(days=9)
    finds(stub, talk.denied, verdict("conflict", concerns=[1]))
    await loci.say(talk.denied, session="s2")
    (memory,) = await loci.memories("disputed")
    return memory


async def texts(loci: Loci) -> dict[str, str]:
    return {memory.text: memory.status for memory in await loci.memories()}


async def streamed(loci: Loci, text: str, session: str) -> tuple[list[Any], list[dict[str, Any]]]:
    """Say something as a client that streams, and return message pieces and events."""
    pieces, events = [], []
    async for mode, part in loci.assistant.astream(
        {"messages": text},  # type: ignore[arg-type]
        {"configurable": {"thread_id": session}},
        context=Context(user_id="ann"),
        stream_mode=["messages", "custom"],
    ):
        (pieces if mode == "messages" else events).append(part)
    return pieces, events
