"""One call of a chat completion whose answer only code reads: distiller, summariser and verifier.

It goes over the plain OpenAI client, for two reasons: LangChain's drops the reasoning fields, and what runs beside
LangChain's callbacks can never leak its tokens into the stream of the user's reply.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from graph.models.failures import Variables, call_errors, host, pause_before_retry, unavailable
from graph.models.parsing import Shape, read_answer, thoughts
from nodes.language.tokens import count
from state.errors import ModelAnswerUnusable, ModelUnavailable
from state.ports import Clock
from state.records import LedgerEntry, PromptMessage
from state.settings import OPENAI_URL, ModelEndpoint

if TYPE_CHECKING:
    from openai.types import CompletionUsage

log = logging.getLogger("loci")

CONNECT_SECONDS = 10.0
ASK_AGAIN = "\n\nYour last answer could not be read. Answer with the one JSON object that was asked for, nothing else."


@dataclass(frozen=True)
class Manner:
    """How a server is asked, beside model, messages and token limit.

    `structure` is how the answer's shape is enforced; a server that refuses it is asked by the prompt alone. With
    `streams` the answer is streamed and put together here. `token_field` None: as the endpoint calls it.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    structure: Literal["json_schema", "json_object", "none"] = "json_schema"
    streams: bool = False
    token_field: str | None = None


@dataclass(frozen=True)
class Answer:
    """A completion as the server gave it. `cut_off`: the token limit ended it."""

    content: str | None
    reasoning: str | None
    cut_off: bool
    usage: LedgerEntry

    @property
    def thought(self) -> bool:
        """Say whether the model thought before it answered."""
        return bool(thoughts(self.content, self.reasoning))

    def read(self, shape: type[Shape]) -> Shape:
        """Return the answer in its shape; raise ModelAnswerUnusable, with what it cost, where it has another."""
        try:
            return read_answer(self.content, self.reasoning, shape, cut_off=self.cut_off)
        except ModelAnswerUnusable as trouble:
            trouble.usage = (self.usage,)
            raise


@dataclass
class _Parts:
    """What a completion or its stream consists of."""

    content: Any = None
    reasoning: Any = None
    finish_reason: str | None = None
    usage: "CompletionUsage | None" = None


class CompletionModel:
    """A model that answers in JSON. The client is made here without I/O and opens its connections when asked."""

    def __init__(self, endpoint: ModelEndpoint, variables: Variables, *, clock: Clock, seconds: float) -> None:
        from openai import AsyncOpenAI  # noqa: PLC0415  costs 0.7 s: only who has a model pays

        self.endpoint = endpoint
        self._variables = variables
        self._clock = clock
        self._seconds = seconds
        self._refused: set[str] = set()
        self._client = AsyncOpenAI(
            api_key=endpoint.api_key.get_secret_value(),
            base_url=endpoint.base_url,
            timeout=timeout(seconds),
            max_retries=0,  # retried below, once and never after a time-out
        )

    async def ask(
        self,
        messages: Sequence[PromptMessage],
        shape: type[Shape],
        *,
        max_tokens: int,
        manner: Manner | None = None,
        seconds: float | None = None,
        repair: bool = True,
    ) -> tuple[Shape, tuple[LedgerEntry, ...]]:
        """Return the model's answer and what it cost, within `seconds` where they are given.

        An answer that cannot be read is asked for once more where `repair` says so.

        Raises:
            ModelUnavailable: the model does not answer.
            ModelAnswerUnusable: no answer has the asked shape.
        """
        until = time.monotonic() + seconds if seconds is not None else None
        first = await self.complete(messages, shape, max_tokens=max_tokens, manner=manner, seconds=seconds)
        try:
            return first.read(shape), (first.usage,)
        except ModelAnswerUnusable as trouble:
            if not repair:
                raise
            log.info("%s is asked again: %s", self.endpoint.model, trouble)
        *before, last = messages
        again = [*before, last.model_copy(update={"content": last.content + ASK_AGAIN})]
        left = until - time.monotonic() if until is not None else None
        try:
            second = await self.complete(again, shape, max_tokens=max_tokens, manner=manner, seconds=left)
            return second.read(shape), (first.usage, second.usage)
        except (ModelUnavailable, ModelAnswerUnusable) as trouble:
            trouble.usage = (first.usage, *trouble.usage)
            raise

    async def complete(
        self,
        messages: Sequence[PromptMessage],
        shape: type[Shape],
        *,
        max_tokens: int,
        manner: Manner | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Return one completion, unread.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        manner = manner or Manner()
        request: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [message.model_dump() for message in messages],
            **({manner.token_field: max_tokens} if manner.token_field else token_limit(self.endpoint, max_tokens)),
            **manner.fields,
        }
        started = time.monotonic()
        limit, variables = self._limit(seconds)
        try:
            async with asyncio.timeout(limit):
                parts = await self._with_one_retry(request, shape, manner)
                return self._answer(parts, messages, int((time.monotonic() - started) * 1000))
        except call_errors() as error:
            raise unavailable(error, self.endpoint, variables, limit) from error

    async def served(self, seconds: float) -> dict[str, str]:
        """Return the models the server says it serves, with their owners; empty where it does not say.

        Raises:
            ModelUnavailable: nothing answers, or the key is refused.
        """
        from openai import APIConnectionError, AuthenticationError, PermissionDeniedError  # noqa: PLC0415  see __init__

        limit, variables = self._limit(seconds)
        try:
            async with asyncio.timeout(limit):
                listed = await self._client.models.list()
                return {str(model.id): str(model.owned_by) for model in listed.data or ()}
        except call_errors() as error:
            if isinstance(error, (AuthenticationError, PermissionDeniedError, APIConnectionError, OSError)):
                raise unavailable(error, self.endpoint, variables, limit) from error
            return {}

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _limit(self, seconds: float | None) -> tuple[float, Variables]:
        """Return how long to wait, with the variables to name: none where the caller waits less than is set."""
        if seconds is None or seconds >= self._seconds:
            return self._seconds, self._variables
        return max(round(seconds, 1), 0.1), replace(self._variables, seconds=None)

    async def _with_one_retry(self, request: dict[str, Any], shape: type[Shape], manner: Manner) -> _Parts:
        try:
            return await self._with_structure(request, shape, manner)
        except call_errors() as error:
            pause = pause_before_retry(error)
            if pause is None:
                raise
        await asyncio.sleep(pause)
        return await self._with_structure(request, shape, manner)

    async def _with_structure(self, request: dict[str, Any], shape: type[Shape], manner: Manner) -> _Parts:
        """Ask for the shape in the way the manner names; of a server that knows it not, ask by the prompt alone."""
        from openai import BadRequestError, UnprocessableEntityError  # noqa: PLC0415  see __init__

        if manner.structure not in ("none", *self._refused):
            wanted = strict_schema(shape) if manner.structure == "json_schema" else {"type": manner.structure}
            try:
                return await self._send({**request, "response_format": wanted}, manner)
            except (BadRequestError, UnprocessableEntityError) as error:
                if not any(word in str(error) for word in ("response_format", "json_schema")):
                    raise
                self._refused.add(manner.structure)
                log.warning(
                    "%s at %s takes no %s: answers are held to their shape by the prompt alone",
                    self.endpoint.model,
                    host(self.endpoint.base_url),
                    manner.structure,
                )
        return await self._send(request, manner)

    async def _send(self, request: dict[str, Any], manner: Manner) -> _Parts:
        if manner.streams:
            return await self._gathered({**request, "stream": True, "stream_options": {"include_usage": True}})
        completion = await self._client.chat.completions.create(**request)
        # Servers that fail behind a proxy send status 200 with an error and no choices.
        if not completion.choices:
            raise ValueError("a completion without choices")
        choice = completion.choices[0]
        return _Parts(choice.message.content, _reasoning(choice.message), choice.finish_reason, completion.usage)

    async def _gathered(self, request: dict[str, Any]) -> _Parts:
        whole = _Parts(content="", reasoning="")
        async with await self._client.chat.completions.create(**request) as chunks:
            async for chunk in chunks:
                whole.usage = chunk.usage or whole.usage
                for choice in chunk.choices:
                    whole.content += choice.delta.content or ""
                    whole.reasoning += _reasoning(choice.delta) or ""
                    whole.finish_reason = choice.finish_reason or whole.finish_reason
        if whole.finish_reason is None:
            raise ValueError("a stream without an end")
        return whole

    def _answer(self, parts: _Parts, messages: Sequence[PromptMessage], latency_ms: int) -> Answer:
        content, reasoning, usage = _text(parts.content), _text(parts.reasoning), parts.usage
        return Answer(
            content=content,
            reasoning=reasoning,
            cut_off=parts.finish_reason == "length",
            usage=LedgerEntry(
                node="fact_check",
                model=self.endpoint.model,
                prompt_tokens=usage.prompt_tokens if usage else sum(count(message.content) for message in messages),
                completion_tokens=usage.completion_tokens if usage else count(f"{content or ''}{reasoning or ''}"),
                latency_ms=latency_ms,
                at_ms=self._clock.now_ms(),
                estimated=usage is None,
            ),
        )


def timeout(seconds: float) -> Any:
    """Return the client's time-outs: `seconds` of silence, less for a connection that does not come about."""
    from openai import Timeout  # noqa: PLC0415  see CompletionModel

    return Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def token_limit(endpoint: ModelEndpoint, tokens: int) -> dict[str, int]:
    """Return the request's limit of tokens under the name the server reads.

    OpenAI's newer models refuse `max_tokens`; several compatible servers ignore `max_completion_tokens`.
    """
    return {"max_completion_tokens" if endpoint.base_url == OPENAI_URL else "max_tokens": tokens}


def strict_schema(shape: type[Shape]) -> dict[str, Any]:
    """Return the `response_format` that holds an answer to a shape."""
    schema = {"name": shape.__name__, "schema": shape.model_json_schema(), "strict": True}
    return {"type": "json_schema", "json_schema": schema}


def prompt_hash(messages: Sequence[PromptMessage]) -> str:
    """Return the first 16 hex digits of the SHA-256 of rendered messages."""
    rendered = "\x1e".join(f"{message.role}\x1f{message.content}" for message in messages)
    return hashlib.sha256(rendered.encode()).hexdigest()[:16]


def _reasoning(message: Any) -> Any:
    extra = message.model_extra or {}
    return extra.get("reasoning_content") or extra.get("reasoning")


def _text(value: Any) -> str | None:
    """Return text of the protocol: a string, or a list of parts; a client checks neither."""
    if isinstance(value, list):
        return "".join(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
    return value if isinstance(value, str) else None
