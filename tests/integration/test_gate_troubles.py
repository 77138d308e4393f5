"""A verifier in trouble, over whole runs: what was said is answered, kept, never taken for true, and judged later."""

import json
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import pytest

from graph.health import examine
from graph.models.breaker import FAILURES
from tests import backends
from tests.integration.conftest import Loci
from tests.openai_stub import OpenAIStub, Reply, verdict

GOOD = verdict("new", reason="是新的")
ECHO = json.dumps({"type": "object", "properties": {"relation": {"enum": ["new"]}}, "required": ["relation"]})
TEXT = "我住在上海。"

Modelled = Callable[..., Loci]

READABLE = {
    "think tags": Reply(f"<think>\n是新的\n</think>\n\n{GOOD}"),
    "a lone closing tag": Reply(f"是新的</think>{GOOD}"),
    "prose around": Reply(f"结果如下：\n```json\n{GOOD}\n```\n希望有帮助。"),
    "empty content, the answer in reasoning_content": Reply(None, reasoning=GOOD),
    "empty content, the answer in reasoning": Reply("", reasoning=GOOD, reasoning_field="reasoning"),
    "doubled braces": Reply("{" + GOOD + "}"),
    "bad surrogates": Reply(GOOD.replace("是新的", r"\ud83d是新的\udc00")),
    "the schema echoed before the answer": Reply(f"{ECHO}\n{GOOD}"),
    "endless white space after the answer": Reply(GOOD + "\n \t" * 200, finish_reason="length"),
}
USELESS = {
    "an unclosed think tag": Reply(f"<think>也许是 {GOOD}", finish_reason="length"),
    "a draft among thoughts": Reply("", reasoning=f"也许是 {GOOD} 不对，再想想"),
    "prose alone": Reply("我认为是新的。"),
    "the schema echoed": Reply(ECHO),
    "endless white space inside": Reply('{"reason": "是新的",' + "\n" * 400, finish_reason="length"),
    "nothing": Reply(None),
    "another word": Reply(GOOD.replace('"new"', '"approved"')),
    "a memory that was not shown": Reply(verdict("duplicate", concerns=[7])),
    "unsure": Reply(verdict("undecided")),
    "resolves what is no dispute": Reply(verdict("resolves", concerns=[1], resolution="keep_new")),
}
OUTAGES = {
    "400": Reply(status=400, message="bad request"),
    "429": Reply(status=429, headers={"retry-after": "30"}),
    "500": Reply(status=500),
    "a wrong model name": Reply(status=404, message="The model `Qwen/Qwen3-8B` does not exist."),
    "a wrong key": Reply(status=401),
    "an answer broken off": Reply(drop_after=0),
    "a time-out": Reply(GOOD, delay=2.5),
    "a page of HTML": Reply(body="<html>bad gateway</html>"),
}


async def said(loci: Loci, text: str = TEXT, user: str = "ann") -> dict[str, Any]:
    """Say something; whatever the verifier does, the run ends with a reply."""
    state = await loci.say(text, user=user, session=user)
    reply = state["messages"][-1]
    assert (reply.type, bool(reply.text)) == ("ai", True)
    return state


async def statuses(loci: Loci, user: str = "ann") -> list[tuple[str, str]]:
    return [(memory.text, memory.status) for memory in await loci.memories(user=user)]


async def indexed(loci: Loci, user: str) -> int:
    return await loci.services.long_term_memory.count(user)


async def later(loci: Loci) -> None:
    """Let the curator come by once more, after the next attempt is due."""
    loci.clock.forward(days=2)
    await loci.curate()


async def test_an_answer_in_its_way_is_believed_at_once(modelled: Modelled, stub: OpenAIStub) -> None:
    loci = modelled()
    for user, reply in READABLE.items():
        stub.verify = lambda request, reply=reply: reply
        state = await said(loci, user=user)
        assert (user, await statuses(loci, user)) == (user, [(TEXT, "active")])
        assert state["degraded"] == []
        assert await indexed(loci, user) == 1


async def test_in_trouble_nothing_becomes_true_or_goes_lost(modelled: Modelled, stub: OpenAIStub) -> None:
    loci = modelled(fact_check_seconds=2)
    # In turns, since a server that only fails is soon left alone.
    troubles = [each for pair in zip_longest(USELESS.items(), OUTAGES.items()) for each in pair if each is not None]
    for user, reply in troubles:
        stub.verify = lambda request, reply=reply: reply
        await said(loci, user=user)
        assert (user, await statuses(loci, user)) == (user, [(TEXT, "pending")])
        assert await indexed(loci, user) == 0

    stub.verify = lambda request: GOOD
    await later(loci)
    for user, _ in troubles:
        assert (user, await statuses(loci, user)) == (user, [(TEXT, "active")])
        assert await indexed(loci, user) == await loci.services.journal.count_memories(user, ["active"])


async def test_a_server_that_only_fails_is_left_alone_and_holds_no_turn_up(
    modelled: Modelled, stub: OpenAIStub
) -> None:
    loci = modelled()
    stub.verify = lambda request: Reply(status=404)
    for number in range(FAILURES + 2):
        await said(loci, user=f"user {number}")
    assert len(stub.asked("verify")) == FAILURES
    (part,) = [part for part in (await examine(loci.services, "ann")).parts if part.name == "verifier"]
    assert part.state == "down"
    assert "left alone for a while" in part.detail
    assert "knows no model" in part.detail


@pytest.mark.parametrize("name", ["prose alone", "500", "a time-out", "a wrong model name"])
async def test_a_trouble_is_told_and_its_tokens_are_in_the_ledger(
    modelled: Modelled, stub: OpenAIStub, name: str
) -> None:
    loci = modelled(fact_check_seconds=2)
    stub.verify = lambda request: {**USELESS, **OUTAGES}[name]
    state = await said(loci)
    assert state["degraded"] == ["verifier"]
    spent = [entry for entry in state["gate"]["usage"] if entry["model"] == "Qwen/Qwen3-8B"]
    # One entry is of the question by which the profile was found.
    assert len(spent) == (3 if name == "prose alone" else 1)


async def test_a_conflict_is_disputed_though_thinking_about_it_fails(modelled: Modelled, stub: OpenAIStub) -> None:
    loci = modelled()
    await said(loci, "我对花生过敏。")
    stub.verify = lambda request: verdict("conflict", concerns=[1])
    stub.rethink = lambda request: Reply(status=500)
    await said(loci, "我对花生不过敏。")
    assert sorted(await statuses(loci)) == [("我对花生不过敏。", "disputed"), ("我对花生过敏。", "active")]


async def test_a_verifier_that_is_not_there_is_waited_for(modelled: Modelled, stub: OpenAIStub) -> None:
    with OpenAIStub() as away:
        base_url = away.base_url
    loci = modelled(verifier_base_url=base_url)
    for _ in range(2):
        state = await said(loci)
        assert state["degraded"] == ["verifier"]
    assert {status for _, status in await statuses(loci)} == {"pending"}

    with OpenAIStub(int(base_url.rsplit(":", 1)[1].split("/")[0])):
        await later(loci)
        assert "active" in {status for _, status in await statuses(loci)}


@pytest.mark.parametrize("name", ["ollama", "dashscope"])
async def test_on_a_server_with_ways_of_its_own_the_gate_works(modelled: Modelled, stub: OpenAIStub, name: str) -> None:
    loci = modelled()
    stub.backend = backends.OF_PROFILE[name]
    await said(loci, "我对花生过敏。")
    stub.verify = lambda request: verdict("conflict", concerns=[1])
    await said(loci, "我对花生不过敏。")
    assert sorted(await statuses(loci)) == [("我对花生不过敏。", "disputed"), ("我对花生过敏。", "active")]
    assert len(stub.asked("rethink")) == 1


async def test_a_model_that_always_thinks_lets_nothing_through(modelled: Modelled, stub: OpenAIStub) -> None:
    loci = modelled()
    stub.backend = backends.ALWAYS_THINKING
    state = await said(loci)
    assert state["degraded"] == ["verifier"]
    assert await statuses(loci) == [(TEXT, "pending")]
