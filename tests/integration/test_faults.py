"""Stores and models that fail: the conversation goes on, and nothing becomes active unverified."""

import shutil
from collections.abc import Callable
from pathlib import Path

from state.context import Context
from tests.integration.conftest import Loci

DEAD = "127.0.0.1:9"  # the discard port: nothing listens there


async def test_without_redis_the_session_is_read_from_postgres(make_loci: Callable[..., Loci]) -> None:
    loci = make_loci(redis_url=f"redis://{DEAD}/0")
    await loci.say("我住在北京")
    state = await loci.say("我喜欢爬山")
    assert state["degraded"] == ["redis"]
    assert [turn["text"] for turn in state["window"] if turn["role"] == "user"] == ["我住在北京"]
    assert {memory.text for memory in await loci.memories("active")} == {"我住在北京", "我喜欢爬山"}


async def test_a_flushed_redis_is_rebuilt(loci: Loci) -> None:
    await loci.say("我住在北京")
    await loci.services.working_memory.trim(
        "ann", "s1", [turn.turn_id for turn in await loci.services.working_memory.window("ann", "s1")]
    )
    state = await loci.say("我喜欢爬山")
    assert state["degraded"] == []
    assert len(state["window"]) == 2
    assert len(await loci.services.working_memory.window("ann", "s1")) == 4


async def test_without_qdrant_nothing_is_judged_and_the_curator_finishes_later(make_loci: Callable[..., Loci]) -> None:
    loci = make_loci(qdrant_url=f"http://{DEAD}")
    state = await loci.say("我住在北京")
    assert "qdrant" in state["degraded"]
    assert [memory.status for memory in await loci.memories()] == ["pending"]
    await loci.services.close()
    back = make_loci()
    back.clock.forward(days=1)
    await back.curate()
    assert [memory.status for memory in await back.memories()] == ["active"]
    assert {
        hit.memory_id
        for hit in await back.services.long_term_memory.search("ann", "我住在北京", statuses=["active"], depth=9)
    } == {memory.memory_id for memory in [*await back.memories(), *await back.episodes()]}


async def test_a_lost_index_is_rebuilt_from_the_journal(make_loci: Callable[..., Loci], tmp_path: Path) -> None:
    loci = make_loci()
    await loci.say("我住在北京")
    await loci.say("我喜欢爬山")
    await loci.services.close()
    shutil.rmtree(tmp_path / "data" / "qdrant")
    back = make_loci()
    await back.services.open()
    await back.curate()
    assert await back.services.long_term_memory.count("ann") == 2
    state = await back.say("我住在哪里？", session="s2")
    assert state["recalled"][0]["text"] == "我住在北京"


async def test_a_dead_verifier_leaves_memories_pending_until_it_is_back(make_loci: Callable[..., Loci]) -> None:
    loci = make_loci(verifier_base_url=f"http://{DEAD}/v1")
    state = await loci.say("我住在北京")
    assert "verifier" in state["degraded"]
    (waiting,) = await loci.memories()
    assert (waiting.status, waiting.receipt) == ("pending", None)
    assert await loci.services.long_term_memory.count("ann") == 0
    await loci.services.close()
    back = make_loci()
    back.clock.forward(days=1)
    await back.curate()
    (judged,) = await back.memories()
    assert judged.status == "active"
    history = await back.services.journal.history("ann", judged.memory_id)
    assert [(event.to_status, event.actor) for event in history] == [("pending", "gate"), ("active", "curator")]


async def test_a_dead_chat_model_is_said_plainly_and_the_question_kept(make_loci: Callable[..., Loci]) -> None:
    loci = make_loci(chat_model="qwen3:8b", chat_base_url=f"http://{DEAD}/v1", summary_model="offline")
    state = await loci.say("我住在北京")
    assert "chat" in state["degraded"]
    assert "LOCI_CHAT_BASE_URL" in state["messages"][-1].text
    transcript = await loci.services.journal.transcript("ann", "s1")
    assert transcript[0].text == "我住在北京"
    assert [memory.text for memory in await loci.memories("active")] == ["我住在北京"], "what was said is still kept"


async def test_a_dead_distiller_leaves_the_turn_to_the_curator(make_loci: Callable[..., Loci]) -> None:
    loci = make_loci(chat_model="qwen3:8b", chat_base_url=f"http://{DEAD}/v1")
    state = await loci.say("我住在北京")
    assert "distiller" in state["degraded"]
    assert await loci.memories() == []
    await loci.services.close()
    back = make_loci()
    back.clock.forward(days=1)
    await back.curate()
    assert "我住在北京" in {memory.text for memory in await back.memories("active")}


async def test_the_curator_archives_an_idle_session_once(loci: Loci) -> None:
    await loci.say("我在2024年搬到了杭州")
    loci.clock.forward(days=1)
    await loci.curate()
    await loci.curate()
    (episode,) = await loci.episodes()
    assert episode.status == "active"
    assert await loci.services.working_memory.window("ann", "s1") == []


async def test_two_curators_do_not_work_at_once(loci: Loci) -> None:
    now_ms = loci.clock.now_ms()
    await loci.say("我住在北京")
    loci.clock.forward(days=1)
    assert await loci.services.maintenance.lease("curator", "other", now_ms=now_ms, until_ms=now_ms + 10 * 86_400_000)
    await loci.curate()
    assert await loci.episodes() == [], "the other one has the lease"


async def test_regenerating_a_reply_writes_nothing_twice_and_leaves_no_ghost(loci: Loci) -> None:
    await loci.say("我住在北京")
    config = {"configurable": {"thread_id": "s1"}}
    states = [state async for state in loci.assistant.aget_state_history(config)]
    (asked,) = [state for state in states if state.next == ("load_context",)]
    await loci.assistant.ainvoke(None, asked.config, context=Context(user_id="ann"))
    assert [memory.mentions for memory in await loci.memories()] == [1]
    assert len(await loci.services.journal.transcript("ann", "s1")) == 3, "the first reply stays in the transcript"
    state = await loci.say("我喜欢爬山")
    texts = [turn["text"] for turn in state["window"] if turn["role"] == "assistant"]
    assert len(texts) == 1, "the reply that was regenerated is no longer in the window"
