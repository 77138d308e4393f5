"""`langgraph dev` as a user boots it, driven by the SDK."""

import json
import re
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from tests.server.conftest import Server

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
async def sdk(server: Server) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server.url) as client:
        yield client


async def say(sdk: LangGraphClient, message: Any, *, user: str) -> dict[str, Any]:
    """Say something on a thread of its own and return what the run gives back."""
    given: Any = {"messages": message}
    out = await sdk.runs.wait(None, "loci", input=given, context={"user_id": user}, raise_error=True)
    assert isinstance(out, dict)
    return out


@pytest.fixture
def user() -> str:
    return f"user-{uuid.uuid4()}"


async def test_what_is_said_is_known_in_another_thread(sdk: LangGraphClient, user: str) -> None:
    await say(sdk, "我叫李雷，我住在成都", user=user)
    out = await say(sdk, "我住在哪里？", user=user)
    assert "成都" in out["messages"][-1]["content"]
    assert out["recalled"][0]["parts"]["cosine"] > 0
    assert out["degraded"] == []


async def test_the_stream_acknowledges_answers_and_reports(sdk: LangGraphClient, user: str) -> None:
    thread = await sdk.threads.create()
    kinds, tokens, events = [], "", []
    async for part in sdk.runs.stream(
        thread["thread_id"],
        "loci",
        input={"messages": [{"role": "user", "content": "I live in Oslo."}]},
        context={"user_id": user, "time_zone": "Europe/Oslo"},
        stream_mode=["messages-tuple", "custom", "updates"],
    ):
        kinds.append(part.event)
        if part.event == "messages" and part.data[0]["type"].startswith("AI"):
            tokens += part.data[0]["content"]
            assert part.data[1]["langgraph_node"] == "respond"
        if part.event == "custom":
            events.append(part.data)
    assert "error" not in kinds
    assert [event["event"] for event in events] == ["stored", "memory"]
    assert events[1]["text"] == "I live in Oslo."
    state = await sdk.threads.get_state(thread["thread_id"])
    assert tokens == state["values"]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "message",
    [
        "我喜欢爬山",
        {"role": "user", "content": "我喜欢爬山"},
        {"type": "human", "content": "我喜欢爬山"},
        [{"role": "user", "content": [{"type": "text", "text": "我喜欢爬山"}]}],
        [
            {"role": "user", "content": "你好"},
            {"role": "assistant", "content": "你好！"},
            {"role": "user", "content": "我喜欢爬山"},
        ],
    ],
    ids=["text", "dict", "type", "blocks", "history"],
)
async def test_messages_come_in_many_forms(sdk: LangGraphClient, user: str, message: Any) -> None:
    out = await say(sdk, message, user=user)
    assert [memory["text"] for memory in out["stored"]] == ["我喜欢爬山"]


async def test_nothing_to_answer_is_said_in_one_sentence(sdk: LangGraphClient, user: str) -> None:
    with pytest.raises(Exception, match="nothing to answer"):
        await say(sdk, "   ", user=user)


async def test_users_are_apart_by_context_and_by_header(server: Server, sdk: LangGraphClient) -> None:
    ann, bob = f"ann-{uuid.uuid4()}", f"bob-{uuid.uuid4()}"
    await say(sdk, "我的车停在东门地下二层", user=ann)
    out = await say(sdk, "我的车停在哪里？", user=bob)
    assert out["recalled"] == []
    async with httpx.AsyncClient(base_url=server.url) as http:
        of_ann = (await http.get("/loci/memories", headers={"X-Loci-User": ann})).json()
        of_bob = (await http.get("/loci/memories", headers={"X-Loci-User": bob})).json()
        memory_id = of_ann["memories"][0]["memory_id"]
        stolen = await http.get(f"/loci/memories/{memory_id}", headers={"X-Loci-User": bob})
        gone = await http.delete(f"/loci/memories/{memory_id}", headers={"X-Loci-User": bob})
        found = await http.get("/loci/memories/search", params={"query": "车"}, headers={"X-Loci-User": bob})
    assert (of_ann["total"], of_bob["total"]) == (1, 0)
    assert (stolen.status_code, gone.status_code, found.json()) == (404, 404, [])
    # A header is stronger than the context: it is who is signed in, here in development too.
    async with get_client(url=server.url, headers={"X-Loci-User": bob}) as of_bob:
        out = await say(of_bob, "我的车停在哪里？", user=ann)
    assert out["recalled"] == []


async def test_studio_finds_the_graphs_their_forms_and_the_gate(sdk: LangGraphClient) -> None:
    found = {assistant["graph_id"]: assistant for assistant in await sdk.assistants.search()}
    assert set(found) == {"loci"}, "the curator sees every user: no client may run it"
    assert found["loci"]["name"] == "Loci"
    schemas = await sdk.assistants.get_schemas(found["loci"]["assistant_id"])
    assert "messages" in schemas["input_schema"]["properties"]
    knobs = schemas["context_schema"]["properties"]
    assert knobs["recall_keep"]["maximum"] == 20
    assert all(knob["description"] for knob in knobs.values())
    drawn = await sdk.assistants.get_graph(found["loci"]["assistant_id"], xray=True)
    names = {node["id"] for node in drawn["nodes"]}
    assert {"load_context", "recall", "rerank", "respond", "persist", "fact_check:distill"} <= names


async def test_a_knob_out_of_bounds_is_refused(sdk: LangGraphClient, user: str) -> None:
    with pytest.raises(Exception, match="recall_keep"):
        await sdk.runs.wait(
            None, "loci", input={"messages": "hi"}, context={"user_id": user, "recall_keep": 99}, raise_error=True
        )


async def test_booting_and_talking_leave_no_warning_and_no_error_in_the_log(
    server: Server, sdk: LangGraphClient, user: str
) -> None:
    """Other tests provoke errors on purpose, in the same log: theirs are left out."""
    before = len(server.log_path.read_bytes())
    thread = await sdk.threads.create()
    for text in ("我喜欢爬山", "我喜欢什么？"):
        given: Any = {"messages": text}
        await sdk.runs.wait(thread["thread_id"], "loci", input=given, context={"user_id": user}, raise_error=True)
    log = COLOUR.sub("", (server.boot_log + server.log_path.read_bytes()[before:]).decode())
    loud = [line for line in log.splitlines() if re.search(r"\[(?:warning|error|critical)\s*\]", line)]
    assert not loud, "\n".join(loud)
    assert "BlockingError" not in log


async def test_a_thread_is_its_owners_alone(server: Server, sdk: LangGraphClient) -> None:
    async with get_client(url=server.url, headers={"X-Loci-User": "owner"}) as owner:
        thread = (await owner.threads.create())["thread_id"]
        given: Any = {"messages": "我的日记藏在阁楼"}
        await owner.runs.wait(thread, "loci", input=given, raise_error=True)
        assert [found["thread_id"] for found in await owner.threads.search(ids=[thread])] == [thread]
    async with get_client(url=server.url, headers={"X-Loci-User": "stranger"}) as stranger:
        assert await stranger.threads.search(ids=[thread]) == []
        for attempt in (
            stranger.threads.get(thread),
            stranger.threads.get_state(thread),
            stranger.threads.delete(thread),
            stranger.runs.wait(thread, "loci", input=given, raise_error=True),
        ):
            with pytest.raises(Exception, match=r"404|not found"):
                await attempt


async def test_the_curator_is_no_graph_for_clients_and_its_route_tells_no_words(server: Server, user: str) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        lines = (await http.post("/loci/curate", headers={"X-Loci-User": user})).text.splitlines()
    last = json.loads(lines[-1])
    assert (last["event"], last["note"]) == ("curator", "finished")
    assert all(set(json.loads(line)) <= {"event", "note", "done", "of", "stored"} for line in lines)
