"""The chat model over real HTTP, against the scripted server: the stream, and every way in which it fails."""

import socket
from contextlib import aclosing
from typing import Any

import pytest
from pydantic import SecretStr

from graph.models.chat import ChatResponder
from state.errors import ModelUnavailable
from state.records import PromptMessage
from state.settings import OPENAI_URL, ModelEndpoint
from tests.integration.conftest import endpoint
from tests.openai_stub import OpenAIStub, Reply

MESSAGES = [PromptMessage(role="system", content="You are Loci."), PromptMessage(role="user", content="你好")]


async def spoken(responder: ChatResponder) -> tuple[list[Any], Exception | None]:
    """Return the chunks of a reply, and what ended it early."""
    chunks = []
    try:
        async for chunk in responder.stream(MESSAGES):
            chunks.append(chunk)  # noqa: PERF401  a comprehension would lose what came before a failure
    except ModelUnavailable as failure:
        return chunks, failure
    return chunks, None


async def test_reply_streams_in_order_under_one_id_with_usage_last(stub: OpenAIStub, responder: ChatResponder) -> None:
    text = "我记得：你在端午节请客户吃饭，地点是外婆家。Enjoy!"
    stub.next("chat", Reply(text, usage=(321, 45)))

    chunks, failure = await spoken(responder)

    assert failure is None
    assert "".join(chunk.text for chunk in chunks) == text
    assert len([chunk for chunk in chunks if chunk.text]) == -(-len(text) // 6)
    assert len({chunk.message_id for chunk in chunks}) == 1
    assert chunks[0].message_id.startswith("lc_run-")
    assert (chunks[-1].prompt_tokens, chunks[-1].completion_tokens) == (321, 45)
    assert all(chunk.prompt_tokens is None for chunk in chunks[:-1])


async def test_reply_request_is_plain_chat_completions(stub: OpenAIStub, responder: ChatResponder) -> None:
    await spoken(responder)

    (request,) = stub.asked("chat")
    assert request.body == {
        "model": "stub-model",
        "messages": [{"role": "system", "content": "You are Loci."}, {"role": "user", "content": "你好"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 128,
    }
    assert request.headers["authorization"] == "Bearer sk-secret-key-4711"


async def test_openai_itself_gets_the_limit_under_its_newer_name() -> None:
    openai = ModelEndpoint(model="gpt-4o-mini", base_url=OPENAI_URL, api_key=SecretStr("sk"))
    responder = ChatResponder(openai, reply_tokens=128, seconds=5)
    assert responder._chat.extra_body == {"max_completion_tokens": 128}
    await responder.close()


async def test_a_server_without_usage_gives_none(stub: OpenAIStub, responder: ChatResponder) -> None:
    stub.next("chat", Reply("hello there", usage=False))
    chunks, failure = await spoken(responder)
    assert failure is None
    assert "".join(chunk.text for chunk in chunks) == "hello there"
    assert all(chunk.prompt_tokens is None for chunk in chunks)


async def test_environment_does_not_redirect_the_chat(stub: OpenAIStub, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    responder = ChatResponder(endpoint(stub), reply_tokens=16, seconds=5)
    _, failure = await spoken(responder)
    await responder.close()
    assert failure is None
    assert stub.requests[0].headers["authorization"] == "Bearer sk-secret-key-4711"


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (Reply(status=401), "LOCI_CHAT_API_KEY was refused by {host}."),
        (Reply(status=403), "LOCI_CHAT_API_KEY has no right to use stub-model at {host}."),
        (
            Reply(status=404),
            "{host} knows no model stub-model: check LOCI_CHAT_MODEL and LOCI_CHAT_BASE_URL.",
        ),
        (Reply(status=400, message="bad\n value"), "{host} rejects what stub-model was asked (status 400): bad value"),
        (
            Reply(status=422, message="x" * 400),
            "{host} rejects what stub-model was asked (status 422): " + "x" * 159 + "…",
        ),
        (
            Reply(status=400, code="context_length_exceeded"),
            "The prompt is too long for stub-model at {host}: lower LOCI_PROMPT_TOKENS.",
        ),
        (
            Reply(status=429, code="insufficient_quota"),
            "The account behind LOCI_CHAT_API_KEY has nothing left at {host}.",
        ),
        (
            Reply(status=429, headers={"retry-after": "30"}),
            "{host} limits how often stub-model may be asked: try again in a while.",
        ),
        (
            Reply(body="<html>login</html>"),
            "{host} does not answer in the OpenAI protocol: is LOCI_CHAT_BASE_URL right?",
        ),
        (
            Reply(body='data: {"choices": [{"del\n\n'),
            "{host} does not answer in the OpenAI protocol: is LOCI_CHAT_BASE_URL right?",
        ),
        (
            Reply(body='data: {"choices": [{"index": 0}]}\n\ndata: [DONE]\n\n'),
            "{host} does not answer in the OpenAI protocol: is LOCI_CHAT_BASE_URL right?",
        ),
        (
            Reply(body='data: {"error": {"message": "engine died"}}\n\n'),
            "{host} reports a failure of stub-model: engine died",
        ),
    ],
)
async def test_what_does_not_pass_is_told_at_once(
    stub: OpenAIStub, responder: ChatResponder, reply: Reply, sentence: str
) -> None:
    stub.next("chat", reply)
    chunks, failure = await spoken(responder)
    assert chunks == []
    assert str(failure) == sentence.format(host=stub.base_url.removeprefix("http://").removesuffix("/v1"))
    assert len(stub.asked("chat")) == 1
    assert "4711" not in str(failure)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_what_passes_is_retried_once_before_the_first_token(
    stub: OpenAIStub, responder: ChatResponder, status: int
) -> None:
    stub.next("chat", Reply(status=status), "back again")
    chunks, failure = await spoken(responder)
    assert failure is None
    assert "".join(chunk.text for chunk in chunks) == "back again"
    assert len({chunk.message_id for chunk in chunks}) == 1
    assert len(stub.asked("chat")) == 2


async def test_the_second_failure_is_told(stub: OpenAIStub, responder: ChatResponder) -> None:
    stub.next("chat", Reply(status=503), Reply(status=500), "never asked for")
    chunks, failure = await spoken(responder)
    assert chunks == []
    assert "fails with stub-model (status 500): try again in a while." in str(failure)
    assert len(stub.asked("chat")) == 2


async def test_a_connection_dropped_before_the_first_token_is_retried(
    stub: OpenAIStub, responder: ChatResponder
) -> None:
    stub.next("chat", Reply("lost", drop_after=0), "found")
    chunks, failure = await spoken(responder)
    assert failure is None
    assert "".join(chunk.text for chunk in chunks) == "found"


@pytest.mark.parametrize(("drop_after", "shown"), [(3, "half of this"), (1, "")])
async def test_once_a_stream_has_begun_nothing_is_asked_again(
    stub: OpenAIStub, responder: ChatResponder, drop_after: int, shown: str
) -> None:
    stub.next("chat", Reply("half of this is lost", drop_after=drop_after), "never asked for")
    chunks, failure = await spoken(responder)
    assert "".join(chunk.text for chunk in chunks) == shown
    assert "broke off in the middle of an answer of stub-model." in str(failure)
    assert len(stub.asked("chat")) == 1


async def test_a_model_that_says_nothing_gives_no_words(stub: OpenAIStub, responder: ChatResponder) -> None:
    stub.next("chat", Reply("", usage=(9, 0)))
    chunks, failure = await spoken(responder)
    assert failure is None
    assert [(chunk.text, chunk.completion_tokens) for chunk in chunks] == [("", 0)]


@pytest.mark.parametrize(
    ("reply", "shown"), [(Reply("late", delay=4), ""), (Reply("stuck in the middle", pause=4), "stuck ")]
)
async def test_silence_is_bounded_and_not_retried(stub: OpenAIStub, reply: Reply, shown: str) -> None:
    responder = ChatResponder(endpoint(stub), reply_tokens=16, seconds=1)
    stub.next("chat", reply)
    chunks, failure = await spoken(responder)
    await responder.close()
    assert "".join(chunk.text for chunk in chunks) == shown
    assert str(failure).startswith("stub-model at 127.0.0.1:")
    assert str(failure).endswith(" was silent for more than 1 s (LOCI_MODEL_SECONDS).")
    assert len(stub.asked("chat")) == 1


async def test_a_refused_connection_names_the_url(unused_port: int) -> None:
    nowhere = ModelEndpoint(
        model="m", base_url=f"http://someone:pass@127.0.0.1:{unused_port}/v1", api_key=SecretStr("sk")
    )
    responder = ChatResponder(nowhere, reply_tokens=16, seconds=5)
    chunks, failure = await spoken(responder)
    await responder.close()
    assert chunks == []
    assert str(failure) == (
        f"127.0.0.1:{unused_port} cannot be reached: is LOCI_CHAT_BASE_URL right, and is a server running there?"
    )


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def test_a_cancelled_run_closes_the_stream(stub: OpenAIStub, responder: ChatResponder) -> None:
    stub.next("chat", Reply("one two three four five", pause=0.05))
    async with aclosing(responder.stream(MESSAGES)) as chunks:  # type: ignore[type-var]
        async for chunk in chunks:
            if chunk.text:
                break
    stub.next("chat", "and on")
    after, failure = await spoken(responder)
    assert failure is None
    assert "".join(chunk.text for chunk in after) == "and on"
