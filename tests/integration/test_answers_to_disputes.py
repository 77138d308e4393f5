"""What a user says after a dispute was told or asked about, and what ends it: conversations, real stores."""

from collections.abc import Callable
from typing import Any

import pytest

from state.errors import StoreUnavailable
from state.ports import TurnCommit
from state.records import Memory, MemoryWrite
from tests import factories
from tests.integration.conftest import Loci
from tests.integration.gate_talks import EN, TALKS, ZH, Talk, disputed, ends_dispute, texts
from tests.openai_stub import OpenAIStub, distilled

OPEN, NEW, OLD, BOTH = ("active", "disputed"), ("superseded", "active"), ("active", "rejected"), ("active", "active")


def asked(state: dict[str, Any]) -> bool:
    return any(dispute["ask"] for dispute in state["disputes"])


async def write(loci: Loci, memory: Memory, **company: int) -> None:
    written = MemoryWrite(memory=memory, company=company)
    await loci.services.journal.commit(
        TurnCommit(user_id="ann", session_id="s0", actor="gate", at_ms=loci.clock.now_ms(), writes=(written,))
    )


async def outcome(loci: Loci, talk: Talk) -> tuple[str | None, str | None]:
    """Return what became of the two sides of a story's dispute."""
    found = await texts(loci)
    return found.get(talk.allergic), found.get(talk.denied)


@pytest.fixture
def chatty(make_loci: Callable[..., Loci], stub: OpenAIStub) -> Loci:
    """Return a Loci with a chat model, whose other models are the rules."""
    return make_loci(chat_model="stub", chat_base_url=stub.base_url)


async def contradicted(loci: Loci, talk: Talk) -> None:
    await loci.say(talk.allergic)
    loci.clock.forward(days=9)
    await loci.say(talk.denied, session="s2")
    assert await outcome(loci, talk) == OPEN


# Bare yes and no


@pytest.mark.parametrize(
    ("talk", "reply", "answer", "holds"),
    [
        (EN, "Thanks for telling me. Would you like some dinner ideas?", "yes", OPEN),
        (EN, "Thanks for telling me. Would you like some dinner ideas?", "Sure", OPEN),
        (EN, "Would you like some peanut-free dinner ideas?", "no", OPEN),
        (EN, "Would you like some dinner ideas?", "the new one", NEW),
        (EN, "Are you still allergic to peanuts? And would you like some dinner ideas?", "yes", OPEN),
        (EN, "Which one holds, or do both?", "yes", OPEN),
        (EN, "Are you still allergic to peanuts?", "yes", OLD),
        (EN, "Are you still allergic to peanuts?", "no", NEW),
        (ZH, "好的。要我推荐几家餐厅吗？", "不", OPEN),
        (ZH, "好的。要我推荐几家餐厅吗？", "对", OPEN),
        (ZH, "好的。要我推荐几家餐厅吗？", "后者", NEW),
        (ZH, "哪个对，还是都对？", "对", OPEN),
        (ZH, "你现在还对花生过敏吗？", "是的", OLD),
        (ZH, "你现在还对花生过敏吗？", "不", NEW),
    ],
)
async def test_yes_and_no_end_a_dispute_only_where_the_reply_asked_just_that(
    chatty: Loci, stub: OpenAIStub, talk: Talk, reply: str, answer: str, holds: tuple[str, str]
) -> None:
    stub.chat = lambda request: reply
    await contradicted(chatty, talk)
    await chatty.say(answer, session="s2")
    assert await outcome(chatty, talk) == holds


@pytest.mark.parametrize(
    ("talk", "answer", "holds"),
    [
        (ZH, "对", OPEN),
        (ZH, "不", OPEN),
        (ZH, "好的", OPEN),
        (ZH, "新的对", NEW),
        (ZH, "后者", NEW),
        (ZH, "前面那个", OLD),
        (ZH, "都对", BOTH),
        (ZH, "今天好累啊", OPEN),
        (ZH, "哈哈", OPEN),
        (EN, "yes", OPEN),
        (EN, "no", OPEN),
        (EN, "ok", OPEN),
        (EN, "The new one", NEW),
        (EN, "the old one", OLD),
        (EN, "both", BOTH),
        (EN, "I'm so tired today", OPEN),
        (EN, "haha", OPEN),
    ],
)
async def test_offline_the_question_is_answered_by_what_names_a_side(
    loci: Loci, talk: Talk, answer: str, holds: tuple[str, str]
) -> None:
    await contradicted(loci, talk)
    loci.clock.forward(seconds=60)
    assert asked(await loci.say(talk.question, session="s3"))
    loci.clock.forward(seconds=60)
    state = await loci.say(answer, session="s3")
    assert not asked(state), "never twice running"
    assert await outcome(loci, talk) == holds


# Which disputes a message may answer


async def test_one_just_asked_about_may_be_answered_however_many_are_open(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    await disputed(loci, stub, ZH)
    loci.clock.forward(seconds=60)
    assert asked(await loci.say(ZH.question, session="s4"))
    for place in range(11):
        old, new = f"00000000-0000-5000-8000-0000000a{place:04d}", f"00000000-0000-5000-8000-0000000b{place:04d}"
        await write(loci, factories.memory(old, f"我的第{place}个柜子是红色的"))
        held = factories.memory(new, f"我的第{place}个柜子是蓝色的", status="disputed", opposes=(old,))
        await write(loci, held, **{old: 1})
    state = await loci.say(ZH.keep_new, session="s4")
    assert [len(source["asked"]) for source in state["sources"]] == [1]
    loci.clock.forward(seconds=60)
    assert asked(await loci.say(ZH.question, session="s5")), "one of many that the message bears on is found"


@TALKS
async def test_asked_about_in_two_talks_it_is_answered_in_the_first(
    modelled: Callable[..., Loci], stub: OpenAIStub, talk: Talk
) -> None:
    loci = modelled()
    await disputed(loci, stub, talk)
    for session in ("x1", "x2"):
        loci.clock.forward(seconds=60)
        assert asked(await loci.say(talk.question, session=session))
    stub.verify, stub.distill = ends_dispute("keep_new"), lambda request: distilled()
    await loci.say(talk.keep_new, session="x1")
    assert await outcome(loci, talk) == NEW


@TALKS
async def test_a_reply_that_a_client_tells_of_as_its_history_asked_about_what_it_quotes(
    modelled: Callable[..., Loci], stub: OpenAIStub, talk: Talk
) -> None:
    loci = modelled()
    await disputed(loci, stub, talk)
    stub.chat = lambda request: f'1) "{talk.allergic}" 2) "{talk.denied}": which one holds?'
    loci.clock.forward(seconds=60)
    first = await loci.say(talk.question, session="x1")
    stub.verify, stub.distill = ends_dispute("keep_new"), lambda request: distilled()
    told = [("user", talk.question), ("assistant", first["reply"]["turn"]["text"]), ("user", talk.keep_new)]
    await loci.say_all([{"role": role, "content": content} for role, content in told], session="x2")
    assert await outcome(loci, talk) == NEW


async def test_what_a_reply_asked_is_kept_where_the_rest_of_the_run_is_not(
    modelled: Callable[..., Loci], stub: OpenAIStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*_: object) -> None:
        raise StoreUnavailable("postgres", "down")

    loci = modelled()
    await disputed(loci, stub, ZH)
    loci.clock.forward(seconds=60)
    with monkeypatch.context() as patched:
        patched.setattr(loci.services.journal, "commit", down)
        assert "postgres" in (await loci.say(ZH.question, session="s9"))["degraded"]
    state = await loci.say(ZH.keep_new, session="s9")
    assert [len(source["asked"]) for source in state["sources"]] == [1]


# How often it is asked about


async def test_on_its_topic_a_dispute_is_asked_about_in_every_second_reply_then_once_a_day(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    await disputed(loci, stub, ZH)
    heard = []
    for days, question in (
        (0, "我能吃花生酱吗？"),
        (0, "花生油呢，可以吃吗？"),
        (0, "花生糖可以吃吗？"),
        (0, "那花生奶呢？"),
        (0, "花生碎呢？"),
        (1.1, "花生米呢？"),
        (0, "花生酥呢？"),
        (0, "花生露呢？"),
    ):
        loci.clock.forward(days=days, seconds=30)
        heard.append(asked(await loci.say(question, session="s9")))
    assert heard == [True, False, True, False, False, True, False, False]


@pytest.mark.parametrize(("talk", "answer"), [(EN, "Actually the first one is right"), (ZH, "其实第一个才对")])
async def test_a_host_that_loses_its_threads_takes_no_question_back(loci: Loci, talk: Talk, answer: str) -> None:
    await contradicted(loci, talk)
    await loci.saver.adelete_thread("s2")
    state = await loci.say(answer, session="s2")
    assert len(state["messages"]) == 2
    assert await outcome(loci, talk) == OLD
