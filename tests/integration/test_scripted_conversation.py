"""Whole conversations with a chat model and a verifier, both scripted behind a real HTTP server."""

import asyncio
import re
from collections.abc import Callable

import pytest
from langgraph.constants import TAG_NOSTREAM

from nodes.language.tokens import count
from state.context import Context
from tests.integration.conftest import Loci
from tests.openai_stub import OpenAIStub, Reply, distilled, note, task, verdict


def relation_of_number_one(relation: str) -> str:
    return verdict(relation, concerns=[1])


async def test_the_reply_cites_and_the_ledger_counts(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled()
    await loci.say("我端午节在鼎泰丰请了客户")
    stub.next("chat", Reply("在鼎泰丰 [1]。", usage=(321, 12)))
    state = await loci.say("我端午节在哪家餐厅请的客户？", session="s2")
    assert state["messages"][-1].text == "在鼎泰丰 [1]。"
    shown = stub.asked("chat")[-1].system
    assert re.search(r"\[1\] 2026-06-19 Fri: \"我端午节在鼎泰丰请了客户\" \(said 2026-11-30 Mon\)", shown)
    (memory,) = await loci.memories("active")
    assert memory.citations == 1
    assert memory.receipt is not None
    assert (memory.receipt.verifier, memory.receipt.provisional) == ("Qwen/Qwen3-8B", False)
    usage = await loci.services.journal.usage("ann")
    replies = [entry for entry in usage if entry.node == "respond"]
    assert (replies[-1].prompt_tokens, replies[-1].completion_tokens, replies[-1].estimated) == (321, 12, False)
    assert {entry.node for entry in usage} == {"respond", "fact_check"}


async def test_only_the_reply_is_streamed(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled()
    stub.chat = lambda request: "REPLY to you"
    streamed, events = [], []
    async for mode, part in loci.assistant.astream(
        {"messages": "我住在北京"},  # type: ignore[arg-type]
        {"configurable": {"thread_id": "s1"}},
        context=Context(user_id="ann"),
        stream_mode=["messages", "custom"],
    ):
        if mode == "messages":
            streamed.append(part)
        else:
            events.append(part)
    tokens = [message for message, meta in streamed if meta["langgraph_node"] == "respond"]
    assert "".join(message.text for message in tokens) == "REPLY to you"
    assert len({message.id for message in tokens}) == 1
    assert {meta["langgraph_node"] for message, meta in streamed if message.type.startswith("AI")} <= {"respond"}
    assert stub.asked("verify"), "the verifier was asked, and nothing of it was streamed"
    assert TAG_NOSTREAM == "nostream"
    assert [event["event"] for event in events] == ["stored", "memory"]


async def test_update_and_conflict_by_the_verifiers_word(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled()
    await loci.say("我住在北京")
    stub.next("verify", relation_of_number_one("update"))
    await loci.say("我搬到上海了")
    assert [memory.text for memory in await loci.memories("superseded")] == ["我住在北京"]
    stub.verify = lambda request: relation_of_number_one("conflict")
    state = await loci.say("我从没去过上海")
    assert [dispute["text"] for dispute in state["disputes"]] == ["我从没去过上海"]
    assert [memory.text for memory in await loci.memories("active")] == ["我搬到上海了"]
    await loci.say("我住在哪里？", session="s2")
    assert "<disputes>" in stub.asked("chat")[-1].system


@pytest.mark.parametrize(
    "trouble",
    [
        Reply("no JSON at all"),
        Reply(verdict("new"), status=500),
        Reply(status=429),
        Reply(status=400, message="bad request"),
        Reply(content=None),
        Reply(verdict("new", grounded="unsupported")),
        Reply(verdict("conflict", concerns=[7])),
        Reply(verdict("update")),
        Reply('{"type":"object","properties":{}}'),
    ],
    ids=["prose", "500", "429", "400", "null", "unsupported", "stranger", "no concern", "schema"],
)
async def test_no_trouble_of_the_verifier_makes_a_memory_active(
    modelled: Callable[..., Loci], stub: OpenAIStub, trouble: Reply
) -> None:
    loci = modelled()
    stub.verify = lambda request: trouble
    state = await loci.say("我住在北京")
    assert state["messages"][-1].text
    assert [memory.status for memory in await loci.memories()] in (["pending"], ["rejected"])
    assert await loci.services.long_term_memory.count("ann") == 0


async def test_a_slow_gate_is_cut_off_and_the_memory_waits(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled(fact_check_seconds=0.5)
    stub.verify = lambda request: Reply(verdict("new"), delay=30)
    state = await loci.say("我住在北京")
    assert "verifier" in state["degraded"]
    assert [memory.status for memory in await loci.memories()] == ["pending"]


async def test_words_the_user_never_said_are_rejected(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled()
    stub.next("distill", distilled(note("用户在谷歌工作", "我在谷歌工作", slot="user.employer")))
    await loci.say("我今天换了工位")
    (invented,) = await loci.memories()
    assert invented.status == "rejected"
    assert stub.asked("verify") == [], "code refuses it, no model is asked"


async def test_the_same_words_recalled_and_repeated_by_the_model_are_no_new_memory(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    await loci.say("我住在北京")
    stub.next("distill", distilled(note("用户住在北京", "我住在北京")))
    await loci.say("我住在哪里？请说说", session="s2")
    assert [memory.text for memory in await loci.memories("active")] == ["我住在北京"]


async def test_tasks_are_kept_and_shown_in_another_session(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled()
    said = "报销审批进行到第二步，一共四步"
    stub.next("distill", distilled(tasks=[task("报销审批", said, state="open", step=2, steps=4)]))
    await loci.say(said)
    await loci.say("报销到哪一步了？", session="s2")
    assert "报销审批: open, step 2 of 4" in stub.asked("chat")[-1].system


async def test_the_prompt_stays_inside_its_budget_over_a_long_session(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled(prompt_tokens=900)
    stub.chat = lambda request: "好的，我明白了。" * 20
    for number in range(12):
        await loci.say(f"第{number}天我在公司开了一个很长的会，讨论了项目{number}的方案和预算。" * 3)
        loci.clock.forward(seconds=60)
    for request in stub.asked("chat"):
        assert sum(count(message["content"]) for message in request.messages) <= 900


async def test_two_turns_at_once_never_make_two_active_rows_of_one_slot(
    modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    loci = modelled()
    stub.distill = lambda request: distilled(
        *(
            note(text, text, slot="user.home_city")
            for text in ("我住在北京", "我住在上海")
            if text in request.user.split("<said>")[-1]
        )
    )
    stub.verify = lambda request: Reply(verdict("new"), delay=0.3)
    await asyncio.gather(loci.say("我住在北京", session="a"), loci.say("我住在上海", session="b"))
    assert sorted(memory.status for memory in await loci.memories()) == ["active", "pending"]


async def test_a_cancelled_reply_is_kept_as_far_as_it_was_said(modelled: Callable[..., Loci], stub: OpenAIStub) -> None:
    loci = modelled()
    stub.chat = lambda request: Reply("一二三四五六七八九十" * 20, pause=0.05)
    run = asyncio.create_task(loci.say("数到一百"))
    while not stub.asked("chat"):  # noqa: ASYNC110  the stub runs in a thread of its own
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    question, reply = await loci.services.journal.transcript("ann", "s1")
    assert question.text == "数到一百"
    assert reply.text.startswith("一二三")
    assert reply.text.endswith("…")


async def test_provisional_memories_are_judged_again_once_qwen_is_there(
    make_loci: Callable[..., Loci], modelled: Callable[..., Loci], stub: OpenAIStub
) -> None:
    offline = make_loci()
    await offline.say("我住在北京")
    (before,) = await offline.memories("active")
    assert before.receipt is not None
    assert before.receipt.provisional
    await offline.services.close()
    loci = modelled()
    loci.clock.forward(days=1)
    stub.next("verify", verdict("new", reason="第一次说"))
    await loci.curate()
    (after,) = await loci.memories("active")
    assert after.memory_id == before.memory_id
    assert after.receipt is not None
    assert (after.receipt.provisional, after.receipt.reason) == (False, "第一次说")
