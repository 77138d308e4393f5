"""The chat model and its small companion, over any OpenAI-compatible endpoint."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from graph.models.completion import CompletionModel, timeout, token_limit
from graph.models.failures import CHAT, SUMMARY, call_errors, pause_before_retry, unavailable
from nodes.prompts.distill import (
    SAID_TOKENS,
    DistillAnswer,
    distill_messages,
    read_candidates,
    read_task_changes,
)
from nodes.prompts.excerpt import pieces
from nodes.prompts.summarise import SummaryAnswer, read_summary, summarise_messages
from state.errors import ModelAnswerUnusable
from state.ports import Clock, Distillation, Summary
from state.records import LedgerEntry, PromptMessage, ReplyChunk, Turn
from state.settings import ModelEndpoint

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk, BaseMessage

DISTILL_TOKENS = 2_048
SUMMARY_TOKENS = 512


class ChatResponder:
    """Streams replies through LangChain's ChatOpenAI. Implements `state.ports.Responder`.

    LangChain's callbacks reach the model through context variables, so that LangGraph's `messages` stream carries the
    tokens of a reply written inside a node.
    """

    def __init__(self, endpoint: ModelEndpoint, *, reply_tokens: int, seconds: float) -> None:
        from langchain_openai import ChatOpenAI  # noqa: PLC0415  costs 1.7 s: only who has a model pays
        from openai import DefaultAsyncHttpxClient  # noqa: PLC0415

        self.model = endpoint.model
        self._endpoint = endpoint
        self._seconds = seconds
        # LangChain's default client is shared by the whole process and bound to the loop that used it first.
        self._http = DefaultAsyncHttpxClient(timeout=timeout(seconds))
        self._chat = ChatOpenAI(
            model=endpoint.model,
            base_url=endpoint.base_url,
            api_key=endpoint.api_key,
            timeout=timeout(seconds),
            stream_chunk_timeout=seconds,
            max_retries=0,  # retried below, once and never after the first token
            stream_usage=True,
            use_responses_api=False,
            http_async_client=self._http,
            extra_body=token_limit(endpoint, reply_tokens),
        )

    async def stream(self, messages: Sequence[PromptMessage]) -> AsyncGenerator[ReplyChunk, None]:
        """Stream the reply; the last chunk carries the usage where the server reports it.

        Raises:
            ModelUnavailable: the model does not answer, or stops in the middle.
        """
        prompt = [_message(message) for message in messages]
        for pause_allowed in (True, False):
            begun = False
            try:
                async with aclosing(self._once(prompt)) as chunks:
                    async for chunk in chunks:
                        begun = True  # an empty one counts too: the client's stream has shown its id
                        if chunk.text or chunk.prompt_tokens is not None:
                            yield chunk
                return
            except call_errors() as error:
                pause = pause_before_retry(error) if pause_allowed and not begun else None
                if pause is None:
                    raise unavailable(error, self._endpoint, CHAT, self._seconds, midway=begun) from error
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _once(self, prompt: list["BaseMessage"]) -> AsyncGenerator[ReplyChunk, None]:
        usage = None
        message_id = ""
        # LangChain types its generator as an iterator, which could not be closed when the run is cancelled.
        streamed = cast("AsyncGenerator[AIMessageChunk, None]", self._chat.astream(prompt))
        async with aclosing(streamed) as chunks:
            async for chunk in chunks:
                message_id = chunk.id or message_id
                usage = chunk.usage_metadata or usage
                yield ReplyChunk(text=str(chunk.text), message_id=message_id)
        if usage is not None:
            yield ReplyChunk(
                text="",
                message_id=message_id,
                prompt_tokens=usage["input_tokens"],
                completion_tokens=usage["output_tokens"],
            )


class ModelDistiller:
    """Finds what to remember with a small model. Implements `state.ports.Distiller`."""

    def __init__(self, endpoint: ModelEndpoint, *, clock: Clock, seconds: float) -> None:
        self._model = CompletionModel(endpoint, SUMMARY, clock=clock, seconds=seconds)

    async def distill(self, turn: Turn, context: Sequence[Turn]) -> Distillation:
        """Return candidates and task changes from `turn`, read piece by piece where it is very long.

        Raises:
            ModelUnavailable: the model does not answer.
            ModelAnswerUnusable: no answer of the asked shape could be read.
        """
        found = DistillAnswer(candidates=[], tasks=[])
        usage: list[LedgerEntry] = []
        for piece in pieces(turn.text, SAID_TOKENS):
            messages = distill_messages(turn.model_copy(update={"text": piece}), context)
            answer, cost = await self._model.ask(messages, DistillAnswer, max_tokens=DISTILL_TOKENS)
            found.candidates.extend(answer.candidates)
            found.tasks.extend(answer.tasks)
            usage.extend(cost)
        return Distillation(
            candidates=read_candidates(found, turn), task_changes=read_task_changes(found, turn), usage=tuple(usage)
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._model.close()


class ModelSummariser:
    """Shortens conversations with a small model. Implements `state.ports.Summariser`."""

    def __init__(self, endpoint: ModelEndpoint, *, clock: Clock, seconds: float) -> None:
        self._model = CompletionModel(endpoint, SUMMARY, clock=clock, seconds=seconds)

    async def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return a summary of the turns, at most 50 tokens.

        Raises:
            ModelUnavailable: the model does not answer.
            ModelAnswerUnusable: no summary could be read, or it is empty.
        """
        answer, usage = await self._model.ask(summarise_messages(turns), SummaryAnswer, max_tokens=SUMMARY_TOKENS)
        text = read_summary(answer)
        if not text:
            raise ModelAnswerUnusable("The model's summary is empty.")
        return Summary(text=text, usage=usage)

    async def close(self) -> None:
        """Close the connections."""
        await self._model.close()


def _message(message: PromptMessage) -> "BaseMessage":
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage  # noqa: PLC0415

    made: BaseMessage = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}[message.role](
        message.content
    )
    return made
