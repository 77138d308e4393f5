"""What the reply asks about what is disputed, and what it knows of what held before: conversations, real stores."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.integration.conftest import Loci
from tests.openai_stub import OpenAIStub, Reply, verdict

CONFLICT = verdict("conflict", concerns=[1])
UPDATE = verdict("update", concerns=[1])
ZH = ("我对花生过敏", "我不对花生过敏", "推荐哪部电影？", "我对什么过敏？")
EN = ("I'm allergic to peanuts", "I'm not allergic to peanuts", "Which film should I see?", "What am I allergic to?")


def asking(stub: OpenAIStub) -> bool:
    """Say whether the chat model was last asked to raise a dispute."""
    return "<disputes>" in stub.asked("chat")[-1].system


def asks(state: dict[str, Any]) -> list[bool]:
    return [dispute["ask"] for dispute in state["disputes"]]


async def judged(loci: Loci, stub: OpenAIStub, said: str, word: str, session: str) -> dict[str, Any]:
    """Say a thing that the verifier, however often it is asked, finds what the script says."""
    usual, stub.verify = stub.verify, lambda request: word
    state = await loci.say(said, session=session)
    stub.verify = usual
    return state


async def disputed(loci: Loci, stub: OpenAIStub, old: str, new: str, session: str = "s0") -> None:
    """Say a thing, and nine days later its opposite, which the verifier disputes."""
    await loci.say(old, session=session)
    loci.clock.forward(days=9)
    state = await judged(loci, stub, new, CONFLICT, session)
    assert new in [dispute["text"] for dispute in state["disputes"]]
    loci.clock.forward(seconds=60)


@pytest.mark.parametrize(("old", "new", "elsewhere", "topic"), [ZH, EN], ids=["zh", "en"])
async def test_a_dispute_is_asked_about_once_a_day_and_whenever_its_topic_comes_up(
    modelled: Callable[..., Loci], stub: OpenAIStub, old: str, new: str, elsewhere: str, topic: str
) -> None:
    loci = modelled()
    await disputed(loci, stub, old, new)
    assert not asking(stub), "the reply was given before the dispute arose"
    heard = []
    for hours, said in (
        (0, elsewhere),
        (0.1, elsewhere),
        (1, topic),
        (0.1, elsewhere),
        (25, elsewhere),
        (1, elsewhere),
    ):
        loci.clock.forward(days=hours / 24)
        state = await loci.say(said, session="s1")
        heard.append(asking(stub))
        assert asks(state) == [heard[-1]], "the final state says about which the reply asked"
    assert heard == [True, False, True, False, True, False]


async def test_the_question_names_both_sides_the_standing_one_first(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    await disputed(loci, stub, "我对花生过敏", "我不对花生过敏")
    await loci.say("你好", session="s1")
    shown = stub.asked("chat")[-1].system
    assert '1) 2026-11-30 Mon: "我对花生过敏" 2) 2026-12-09 Wed: "我不对花生过敏"' in shown
    assert not re.search(r'\[\d+\].*"我不对花生过敏"', shown), "what is disputed is no memory to build on"


@pytest.mark.parametrize("answer", ["前面那个对", "好的", "我确实对花生过敏"])
async def test_an_answer_is_not_answered_by_the_same_question(
    modelled: Callable[..., Loci], stub: OpenAIStub, answer: str
) -> None:
    loci = modelled()
    await disputed(loci, stub, "我对花生过敏", "我不对花生过敏")
    state = await loci.say("我对什么过敏？", session="s1")
    assert asks(state) == [True]
    assert state["sources"][0]["asked"] == []
    await loci.say(answer, session="s1")
    assert not asking(stub)


async def test_the_turn_after_the_question_says_which_disputes_it_may_answer(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    await disputed(loci, stub, "我对花生过敏", "我不对花生过敏", session="s1")
    (held,) = await loci.memories("disputed")
    after_the_event = await loci.say("我对什么过敏？", session="s1")
    assert after_the_event["sources"][0]["asked"] == [held.memory_id], "the client was shown it as it arose"
    assert asks(after_the_event) == [True], "not every client shows events"
    after_the_question = await loci.say("推荐一部电影吧", session="s1")
    assert asks(after_the_question) == [False]
    assert after_the_question["sources"][0]["asked"] == [held.memory_id]
    later = await loci.say("推荐一部电影吧", session="s1")
    assert later["sources"][0]["asked"] == []
    assert (await loci.say("推荐一部电影吧", session="s2"))["sources"][0]["asked"] == [], "another talk was not asked"


async def test_of_several_the_one_that_bears_is_asked_about_else_one_at_a_time(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    for old, new in (("我对花生过敏", "我不对花生过敏"), ("我的猫叫年糕", "我的猫叫汤圆"), ("我会开车", "我不会开车")):
        await judged(loci, stub, old, verdict("new"), "s0")
        await judged(loci, stub, new, CONFLICT, "s0")
    assert len(await loci.memories("disputed")) == 3
    loci.clock.forward(days=2)
    raised = []
    for said in ("猫粮买哪种好？", *["哪部电影好看？"] * 6):
        state = await loci.say(said, session="s1")
        assert len(state["disputes"]) == 2
        raised.append([dispute["text"] for dispute in state["disputes"] if dispute["ask"]])
    cat, drive, nuts = ["我的猫叫汤圆"], ["我不会开车"], ["我不对花生过敏"]
    assert raised == [cat, [], drive, [], nuts, [], []], "never asked before long unasked, not in every reply"


@pytest.mark.parametrize(
    "trouble", [Reply(status=500), Reply("好的，我先", drop_after=1)], ids=["refused", "broken off"]
)
async def test_a_reply_that_failed_did_not_ask(modelled: Callable[..., Loci], stub: OpenAIStub, trouble: Reply) -> None:
    loci = modelled()
    await disputed(loci, stub, "我对花生过敏", "我不对花生过敏")
    stub.chat = lambda request: trouble
    state = await loci.say("推荐一部电影吧", session="s1")
    assert "chat" in state["degraded"]
    assert asks(state) == [False]
    stub.chat = lambda request: "好的"
    assert asks(await loci.say("推荐一部电影吧", session="s1")) == [True]


@pytest.mark.parametrize(
    ("old", "new", "past", "present"),
    [
        ("我住在北京", "我搬到上海了", "我以前住在哪里？", "我住在哪里？"),
        ("I live in Boston", "I moved to Denver", "Where did I live before?", "Where do I live?"),
    ],
    ids=["zh", "en"],
)
async def test_the_past_that_was_superseded_reaches_the_model_with_its_interval(
    modelled: Callable[..., Loci], stub: OpenAIStub, old: str, new: str, past: str, present: str
) -> None:
    loci = modelled()
    await loci.say(old, session="s0")
    loci.clock.forward(days=40)
    await judged(loci, stub, new, UPDATE, "s0")
    loci.clock.forward(days=5)
    state = await loci.say(past, session="s1")
    shown = stub.asked("chat")[-1].system
    marks = r"said 2026-11-30 Mon(?:, stale)?, no longer true: held from 2026-11-30 Mon to 2027-01-09 Sat"
    assert re.search(rf'"{old}" \({marks}\)', shown)
    assert {row["text"]: row["status"] for row in state["recalled"]} == {old: "superseded", new: "active"}
    state = await loci.say(present, session="s2")
    assert [row["text"] for row in state["recalled"]] == [new]


@pytest.mark.parametrize(
    ("old", "new", "past", "first"),
    [
        ("我住在北京", "我搬到上海了", "我以前住在哪里？", "- 2026-11-30 到 2027-01-09：“我住在北京”"),
        ("I live in Boston", "I moved to Denver", "Where did I live before?", '- 2026-11-30 to 2027-01-09: "I live in'),
    ],
    ids=["zh", "en"],
)
async def test_offline_the_past_is_told_with_its_interval(
    loci: Loci, old: str, new: str, past: str, first: str
) -> None:
    await loci.say(old, session="s0")
    loci.clock.forward(days=40)
    await loci.say(new, session="s0")
    reply = (await loci.say(past, session="s1"))["messages"][-1].text
    assert reply.splitlines()[2].startswith(first)


@pytest.mark.parametrize(
    ("old", "new", "topic", "question", "settles", "holds"),
    [
        (
            "我对花生过敏",
            "我不对花生过敏",
            "我对什么过敏？",
            "有一件事你说过两种：① 2026-11-30 “我对花生过敏” ② 2026-12-09 “我不对花生过敏”。现在哪一个对，还是都对？",
            "前面那个对",
            "我对花生过敏",
        ),
        (
            "I'm allergic to peanuts",
            "I'm not allergic to peanuts",
            "What am I allergic to?",
            'You told me two things that contradict each other: (1) 2026-11-30 "I\'m allergic to peanuts" '
            '(2) 2026-12-09 "I\'m not allergic to peanuts". Which one holds now, or do both?',
            "The newer one",
            "I'm not allergic to peanuts",
        ),
    ],
    ids=["zh", "en"],
)
async def test_offline_the_user_is_asked_and_the_answer_settles_it(
    loci: Loci, old: str, new: str, topic: str, question: str, settles: str, holds: str
) -> None:
    await loci.say(old, session="s0")
    loci.clock.forward(days=9)
    await loci.say(new, session="s0")
    assert [memory.text for memory in await loci.memories("disputed")] == [new]
    assert (await loci.say(topic, session="s1"))["messages"][-1].text.endswith(question)
    loci.clock.forward(seconds=60)
    answered = await loci.say(settles, session="s1")
    assert question not in answered["messages"][-1].text
    assert await loci.memories("disputed") == []
    assert [memory.text for memory in await loci.memories("active")] == [holds]
    loci.clock.forward(days=2)
    assert question not in (await loci.say(topic, session="s2"))["messages"][-1].text
