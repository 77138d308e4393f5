"""One call of a chat completion whose answer only code reads: distiller, summariser and verifier.

It goes over the plain OpenAI client, for two reasons: LangChain's drops the reasoning fields, and what runs beside
LangChain's callbacks can never leak its tokens into the stream of the user's reply.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graph.models.failures import Variables, call_errors, host, pause_before_retry, unavailable
from graph.models.parsing import Shape, read_answer
from nodes.language.tokens import count
from state.errors import ModelAnswerUnusable
from state.ports import Clock
from state.records import LedgerEntry, PromptMessage
from state.settings import OPENAI_URL, ModelEndpoint

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

log = logging.getLogger("loci")

CONNECT_SECONDS = 10.0
ASK_AGAIN = "\n\nYour last answer could not be read. Answer with the one JSON object that was asked for, nothing else."


@dataclass(frozen=True)
class Answer:
    """A completion as the server gave it. `cut_off`: the token limit ended it."""

    content: str | None
    reasoning: str | None
    cut_off: bool
    usage: LedgerEntry


class CompletionModel:
    """A model that answers in JSON. The client is made here without I/O and opens its connections when asked."""

    def __init__(
        self,
        endpoint: ModelEndpoint,
        variables: Variables,
        *,
        clock: Clock,
        seconds: float,
        request: Mapping[str, Any] | None = None,
    ) -> None:
        from openai import AsyncOpenAI  # noqa: PLC0415  costs 0.7 s: only who has a model pays

        self.endpoint = endpoint
        self._variables = variables
        self._clock = clock
        self._seconds = seconds
        self._request = dict(request or {})
        self._takes_schema = True
        self._client = AsyncOpenAI(
            api_key=endpoint.api_key.get_secret_value(),
            base_url=endpoint.base_url,
            timeout=timeout(seconds),
            max_retries=0,  # retried below, once and never after a time-out
        )

    async def ask(
        self, messages: Sequence[PromptMessage], shape: type[Shape], *, max_tokens: int
    ) -> tuple[Shape, tuple[LedgerEntry, ...]]:
        """Return the model's answer and what it cost; an answer that cannot be read is asked for once more.

        Raises:
            ModelUnavailable: the model does not answer.
            ModelAnswerUnusable: neither answer has the asked shape.
        """
        first = await self._complete(messages, shape, max_tokens)
        try:
            return read_answer(first.content, first.reasoning, shape, cut_off=first.cut_off), (first.usage,)
        except ModelAnswerUnusable as trouble:
            log.info("%s is asked again: %s", self.endpoint.model, trouble)
        *before, last = messages
        again = [*before, last.model_copy(update={"content": last.content + ASK_AGAIN})]
        second = await self._complete(again, shape, max_tokens)
        answer = read_answer(second.content, second.reasoning, shape, cut_off=second.cut_off)
        return answer, (first.usage, second.usage)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _complete(self, messages: Sequence[PromptMessage], shape: type[Shape], max_tokens: int) -> Answer:
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                completion = await self._with_one_retry(messages, shape, max_tokens)
                return self._read(completion, messages, int((time.monotonic() - started) * 1000))
        except call_errors() as error:
            raise unavailable(error, self.endpoint, self._variables, self._seconds) from error

    async def _with_one_retry(
        self, messages: Sequence[PromptMessage], shape: type[Shape], max_tokens: int
    ) -> "ChatCompletion":
        try:
            return await self._with_schema(messages, shape, max_tokens)
        except call_errors() as error:
            pause = pause_before_retry(error)
            if pause is None:
                raise
        await asyncio.sleep(pause)
        return await self._with_schema(messages, shape, max_tokens)

    async def _with_schema(
        self, messages: Sequence[PromptMessage], shape: type[Shape], max_tokens: int
    ) -> "ChatCompletion":
        """Ask for the shape as a strict JSON schema; of a server that knows no schemas, ask by the prompt alone."""
        from openai import BadRequestError, UnprocessableEntityError  # noqa: PLC0415  see __init__

        request: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [message.model_dump() for message in messages],
            **token_limit(self.endpoint, max_tokens),
            **self._request,
        }
        if self._takes_schema:
            try:
                return await self._create({**request, "response_format": strict_schema(shape)})
            except (BadRequestError, UnprocessableEntityError) as error:
                if not any(word in str(error) for word in ("response_format", "json_schema")):
                    raise
                self._takes_schema = False
                log.warning(
                    "%s at %s takes no JSON schema: answers are held to their shape by the prompt alone",
                    self.endpoint.model,
                    host(self.endpoint.base_url),
                )
        return await self._create(request)

    async def _create(self, request: dict[str, Any]) -> "ChatCompletion":
        completion: ChatCompletion = await self._client.chat.completions.create(**request)
        return completion

    def _read(self, completion: "ChatCompletion", messages: Sequence[PromptMessage], latency_ms: int) -> Answer:
        # Servers that fail behind a proxy send status 200 with an error and no choices.
        if not completion.choices:
            raise ValueError("a completion without choices")
        choice = completion.choices[0]
        extra = choice.message.model_extra or {}
        reasoning = extra.get("reasoning_content") or extra.get("reasoning")
        usage = completion.usage
        said = f"{choice.message.content or ''}{reasoning or ''}"
        return Answer(
            content=choice.message.content,
            reasoning=reasoning if isinstance(reasoning, str) else None,
            cut_off=choice.finish_reason == "length",
            usage=LedgerEntry(
                node="fact_check",
                model=self.endpoint.model,
                prompt_tokens=usage.prompt_tokens if usage else sum(count(message.content) for message in messages),
                completion_tokens=usage.completion_tokens if usage else count(said),
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
