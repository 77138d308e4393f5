"""A served Loci with a scripted model, broken on purpose: killed, its stores stopped, its verifier gone."""

import asyncio
import contextlib
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from graph.cli.client import Endpoint
from graph.cli.devserver import DevServer
from state.stores.embedded.servers import EmbeddedServers
from tests.openai_stub import OpenAIStub, Reply
from tests.server.conftest import Server, project

# Each test starts with the stub's own answers.
pytestmark = pytest.mark.usefixtures("stub")


@pytest.fixture(scope="module")
def modelled(running_stub: OpenAIStub) -> Iterator[Server]:
    """A server whose chat model, distiller and verifier are the stub."""
    url = running_stub.base_url
    settings = {"LOCI_CHAT_MODEL": "stub", "LOCI_CHAT_BASE_URL": url, "LOCI_VERIFIER_BASE_URL": url}
    with project(**settings) as (home, env), contextlib.closing(Endpoint(env["LOCI_URL"], "local")) as endpoint:
        process = DevServer(endpoint, home=home, data_dir=Path("data"), environ=env)
        process.start()
        try:
            assert process.log_path is not None
            yield Server(env["LOCI_URL"], env, home, process, process.log_path.read_bytes())
        finally:
            process.stop()


@pytest.fixture
async def sdk(modelled: Server) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=modelled.url) as client:
        yield client


async def say(sdk: LangGraphClient, text: str, user: str) -> dict[str, Any]:
    given: Any = {"messages": text}
    out = await sdk.runs.wait(None, "loci", input=given, context={"user_id": user}, raise_error=True)
    assert isinstance(out, dict)
    return out


async def get(server: Server, path: str, user: str) -> Any:
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
        return (await http.get(path, headers={"X-Loci-User": user})).raise_for_status().json()


async def test_a_model_answers_from_memory_after_a_kill_and_a_restart(modelled: Server) -> None:
    async with get_client(url=modelled.url) as sdk:
        await say(sdk, "我端午节在鼎泰丰请了客户", "ann")
        await say(sdk, "I live in Oslo", "ann")
    modelled.kill()
    modelled.restart()
    async with get_client(url=modelled.url) as sdk:
        lunch = await say(sdk, "我端午节在哪家餐厅请的客户？", "ann")
        home = await say(sdk, "Where do I live?", "ann")
        stranger = await say(sdk, "Where do I live?", "bob")
    assert "鼎泰丰" in lunch["messages"][-1]["content"]
    assert re.search(r"\d{4}-\d\d-\d\d", lunch["messages"][-1]["content"]), "with its date"
    assert "Oslo" in home["messages"][-1]["content"]
    assert stranger["recalled"] == []


async def test_a_kill_between_question_and_answer_keeps_the_question(modelled: Server, stub: OpenAIStub) -> None:
    before = len(stub.asked("chat"))
    stub.next("chat", Reply("too late", delay=60))
    async with get_client(url=modelled.url) as sdk:
        thread = (await sdk.threads.create())["thread_id"]
        given: Any = {"messages": "我的护照在抽屉里"}
        events = sdk.runs.stream(thread, "loci", input=given, context={"user_id": "cat"}, stream_mode="custom")
        with contextlib.suppress(httpx.HTTPError):
            async for part in events:
                if part.event == "custom" and part.data["event"] == "stored":
                    while not stub.asked("chat")[before:]:  # noqa: ASYNC110  the stub runs in a thread of its own
                        await asyncio.sleep(0.02)
                    modelled.kill()
                    break
    modelled.restart()
    said = await get(modelled, f"/loci/sessions/{thread}/turns", "cat")
    # The dev server may have kept the run and take it up again: an answer may be there, the question is, and once.
    assert [turn["text"] for turn in said if turn["role"] == "user"] == ["我的护照在抽屉里"]
    assert await get(modelled, f"/loci/sessions/{thread}/turns", "bob") == []


async def test_a_dead_verifier_holds_memories_back_until_the_user_decides_and_health_says_so(
    modelled: Server, sdk: LangGraphClient, stub: OpenAIStub
) -> None:
    stub.verify = lambda request: Reply(status=500)
    out = await say(sdk, "我对花生过敏", "dan")
    assert out["messages"][-1]["content"]
    assert out["degraded"] == ["verifier"]
    assert [memory["status"] for memory in out["stored"]] == ["pending"]
    parts = {part["name"]: part for part in (await get(modelled, "/loci/health", "dan"))["parts"]}
    assert parts["gate"]["state"] == "degraded"
    assert "waiting for a verdict: 1" in parts["gate"]["detail"]
    assert await get(modelled, "/loci/memories/search?query=过敏", "dan") == []

    path = f"/loci/memories/{out['stored'][0]['memory_id']}"
    async with httpx.AsyncClient(base_url=modelled.url, timeout=30) as http:
        stranger = await http.post(f"{path}/confirm", headers={"X-Loci-User": "eva"})
        confirmed = await http.post(f"{path}/confirm", headers={"X-Loci-User": "dan"})
        again = await http.post(f"{path}/confirm", headers={"X-Loci-User": "dan"})
    assert (stranger.status_code, confirmed.status_code, again.status_code) == (404, 200, 409)
    assert [(row["status"], row["receipt"]["verifier"]) for row in confirmed.json()["changed"]] == [("active", "user")]
    (found,) = await get(modelled, "/loci/memories/search?query=过敏", "dan")
    assert found["text"] == "我对花生过敏"


async def test_an_index_taken_away_is_made_anew_from_the_journal(modelled: Server, sdk: LangGraphClient) -> None:
    await say(sdk, "我喜欢爬山", "eve")
    shutil.rmtree(modelled.home / "data" / "qdrant")
    out = await say(sdk, "我喜欢喝茶", "eve")
    assert out["messages"][-1]["content"]
    await say(sdk, "今天到此为止", "eve")
    async with httpx.AsyncClient(base_url=modelled.url, timeout=60) as http:
        assert '"finished"' in (await http.post("/loci/curate")).text
    found = await get(modelled, "/loci/memories/search?query=爬山", "eve")
    assert found[0]["text"] == "我喜欢爬山"


async def test_without_redis_the_talk_goes_on_and_health_names_it(modelled: Server, sdk: LangGraphClient) -> None:
    servers = EmbeddedServers(modelled.home / "data")
    url = await servers.redis_url()
    await servers.close()
    with redis.Redis.from_url(url) as client, contextlib.suppress(redis.ConnectionError):
        client.shutdown(nosave=True)
    out = await say(sdk, "我住在杭州", "fay")
    assert out["degraded"] == ["redis"]
    assert [memory["status"] for memory in out["stored"]] == ["active"]
    health = await get(modelled, "/loci/health", "fay")
    (part,) = [part for part in health["parts"] if part["name"] == "redis"]
    assert (health["ok"], part["state"]) == (False, "down")
    assert part["advice"]
