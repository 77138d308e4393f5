"""Write the reply: the only tokens the user sees."""

import asyncio
import logging
import re
import time
import unicodedata
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from nodes.language.sentences import worth_distilling
from nodes.language.tokens import count
from nodes.prompts.respond import ReplyPrompt, reply_prompt
from nodes.run import context_of, degrade
from state.context import Context
from state.errors import ModelUnavailable, StoreUnavailable
from state.ports import Clock, Journal, Responder
from state.records import LedgerEntry, PromptMessage, ReplyChunk, Task, Turn
from state.schema import DisputeRow, RankedRow, ReplyRow, State
from state.settings import OFFLINE

log = logging.getLogger("loci")

ENOUGH_HITS = 5

_NUMBER = r"[1-9]\d?"
# Models that write Chinese cite as 【1】 or ［1］ too; several stand in one pair of brackets, or a range.
CITATION = re.compile(rf"[\[【〔]\s*({_NUMBER}(?:\s*[,;、~–—-]\s*{_NUMBER})*)\s*[\]】〕]")
_RANGE = re.compile(rf"({_NUMBER})(?:\s*[~–—-]\s*({_NUMBER}))?")


async def respond(
    state: State,
    runtime: Runtime[Context],
    *,
    responder: Responder,
    journal: Journal,
    clock: Clock,
    prompt_tokens: int,
) -> dict[str, Any]:
    """Stream the reply and make it durable when its stream ends.

    A model that fails before its first word is answered for in a plain sentence; one that fails later, or a run that is
    cancelled, leaves what was said so far. In `disputes` then stands `ask` where the reply had to ask, and could.
    """
    question = Turn.model_validate(state["turn"])
    disputes = _bearing(state, question)
    prompt = _prompt(state, question, disputes, context_of(runtime).prompt_tokens or prompt_tokens)
    degraded = state["degraded"]
    chunks: list[ReplyChunk] = []
    started = time.monotonic()
    try:
        async for chunk in responder.stream(prompt.messages):
            chunks.append(chunk)  # noqa: PERF401  a comprehension would lose what came before a failure
        notice = "" if _text(chunks).strip() else "The chat model gave an empty answer. 聊天模型没有给出回答。"
    except ModelUnavailable as failure:
        notice = f"{failure} 聊天模型没有应答，你的消息已经保存。"
        degraded = degrade(degraded, "chat")
    except asyncio.CancelledError:
        await asyncio.shield(_keep(journal, question, chunks, "…"))
        raise
    text = "\n\n".join(part for part in (_text(chunks), notice) if part)
    # A notice alone gets an id of its own: one that was streamed without a word is not shown again.
    message_id = chunks[0].message_id if _text(chunks).strip() else str(uuid.uuid4())
    turn = _reply_turn(question, message_id, text)
    # The question comes at the end: a reply that failed or broke off did not ask it.
    put = prompt.disputes if not notice else []
    try:
        # A run cancelled here has shown its whole reply: it is written all the same.
        turn = await asyncio.shield(journal.append_reply(turn, raised=put))
    except StoreUnavailable as outage:
        degraded = degrade(degraded, outage)
    usage = _usage(chunks, responder.model, prompt.messages, started, clock)
    reply: ReplyRow = {
        "turn": turn.row(),
        # A number that was not in the prompt cites nothing.
        "cited": cited(text, [row for row in state["recalled"] if row["memory_id"] in prompt.memories]),
        "usage": [usage.row()] if chunks and responder.model != OFFLINE else [],
        "left_out": prompt.left_out,
    }
    return {
        "messages": [AIMessage(content=text, id=message_id)],
        "reply": reply,
        "disputes": [{**row, "ask": row["memory_id"] in put} for row in disputes],
        "degraded": degraded,
    }


def _bearing(state: State, question: Turn) -> list[DisputeRow]:
    """Return the open disputes, to be asked about too where the memory that a plain question is about is a side.

    That it was recalled does not show it: of few memories most are. It is the nearest by meaning and by words, of some.
    """
    hits = state["hits"] if len(state["hits"]) >= ENOUGH_HITS and not worth_distilling(question.text) else []
    nearest = {hit["memory"]["memory_id"] for hit in hits if hit["similarity_rank"] == hit["lexical_rank"] == 1}
    kept = {row["memory_id"] for row in state["recalled"]} & nearest
    return [
        {**row, "ask": row["ask"] or (not row["rests"] and any(side["memory_id"] in kept for side in row["against"]))}
        for row in state["disputes"]
    ]


def cited(text: str, shown: Sequence[RankedRow]) -> list[str]:
    """Return the ids of the memories whose numbers stand in the reply, each once: [1], [1, 3], [2-4], 【1】."""
    numbers = {number for found in CITATION.findall(unicodedata.normalize("NFKC", text)) for number in _numbers(found)}
    return [memory["memory_id"] for memory in shown if memory["number"] in numbers]


def _numbers(found: str) -> Iterator[int]:
    for first, last in _RANGE.findall(found):
        yield from range(int(first), int(last or first) + 1)


def _prompt(state: State, question: Turn, disputes: Sequence[DisputeRow], budget: int) -> ReplyPrompt:
    return reply_prompt(
        question=question,
        window=[Turn.model_validate(row) for row in state["window"]],
        memories=state["recalled"],
        disputes=[row for row in disputes if row["ask"]],
        tasks=[Task.model_validate(row) for row in state["tasks"]],
        budget=budget,
    )


def _text(chunks: Sequence[ReplyChunk]) -> str:
    return "".join(chunk.text for chunk in chunks)


def _reply_turn(question: Turn, message_id: str, text: str) -> Turn:
    return Turn(
        user_id=question.user_id,
        session_id=question.session_id,
        turn_id=message_id,
        role="assistant",
        text=text,
        time_zone=question.time_zone,
        reply_to=question.turn_id,
    )


async def _keep(journal: Journal, question: Turn, chunks: Sequence[ReplyChunk], mark: str) -> None:
    if text := _text(chunks):
        try:
            await journal.append_reply(_reply_turn(question, chunks[0].message_id, text + mark))
        except StoreUnavailable as outage:
            log.warning("a reply that was broken off is not kept: %s", outage)


def _usage(
    chunks: Sequence[ReplyChunk], model: str, messages: Sequence[PromptMessage], started: float, clock: Clock
) -> LedgerEntry:
    reported = next((chunk for chunk in reversed(chunks) if chunk.prompt_tokens is not None), None)
    return LedgerEntry(
        node="respond",
        model=model,
        prompt_tokens=(
            reported.prompt_tokens or 0 if reported else sum(count(message.content) for message in messages)
        ),
        completion_tokens=reported.completion_tokens or 0 if reported else count(_text(chunks)),
        latency_ms=int((time.monotonic() - started) * 1000),
        at_ms=clock.now_ms(),
        estimated=reported is None,
    )
