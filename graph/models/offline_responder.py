"""Answering without a chat model: saying so, and quoting the memories that bear on the question with their dates."""

import re
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from typing_extensions import override

from graph.models.offline_cues import (
    ABOUT_ALL,
    ABOUT_LOCI,
    ABOUT_NOW,
    ABOUT_TALK,
    FAREWELL,
    GREETING,
    LAUGHTER,
    SUM,
    TASKS,
    THANKS,
)
from graph.models.offline_prompt import Blocks, Dispute, Now, Quotable, read_blocks
from graph.models.offline_speech import Chinese, English, Speech
from nodes.language.bids import only_names
from nodes.language.confidential import secret_in
from nodes.language.dates import day
from nodes.language.detail import asks_for_detail
from nodes.language.grounding import overlap, terms
from nodes.language.past import asks_about_change, asks_about_past, past_slot
from nodes.language.pieces import is_worth_keeping, pieces
from nodes.language.progress import Progress, progress
from nodes.language.sentences import (
    CJK,
    asks_to_remember,
    assertions,
    bare,
    is_instruction,
    is_question,
    is_small_talk,
    sentences,
)
from nodes.language.statements import asked_slot, read
from nodes.language.timex import asked_time, named_time
from state.records import PromptMessage, ReplyChunk
from state.settings import OFFLINE
from state.slots import is_single_valued

MOST_QUOTED = 3
NEAREST_QUOTED = 2
CLEARLY = 0.2
NEAR_COPY = 0.9
# Words that a question and any memory share.
_COMMON = terms(
    "what which who where when why how do does did is are was were the a an i my me you your of in on at to for and or "
    "it that this have has had can could would will be been am about with there any"
    "，什么，我的，哪里，怎么，是什，我在，我是，了吗"
)


class OfflineChatModel(BaseChatModel):
    """Composes the offline reply. A LangChain model, so that LangGraph's `messages` stream carries its tokens."""

    @property
    def _llm_type(self) -> str:
        return OFFLINE

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=reply(messages)))])

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages)

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for piece in re.findall(rf"\s*(?:[{CJK}]{{1,4}}|[^\s{CJK}]+)|\s+", reply(messages)):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece))
            if run_manager is not None:
                await run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk


class OfflineResponder:
    """Quotes dated memories and says that no chat model is configured. Implements `state.ports.Responder`."""

    model = OFFLINE

    def __init__(self) -> None:
        self._chat = OfflineChatModel()

    async def stream(self, messages: Sequence[PromptMessage]) -> AsyncGenerator[ReplyChunk, None]:
        """Stream the reply; no usage is reported, since no model is called."""
        message_id = str(uuid.uuid4())
        streamed = cast(
            "AsyncGenerator[AIMessageChunk, None]", self._chat.astream([_message(message) for message in messages])
        )
        async with aclosing(streamed) as chunks:
            async for chunk in chunks:
                message_id = chunk.id or message_id
                yield ReplyChunk(text=str(chunk.text), message_id=message_id)


def _message(message: PromptMessage) -> BaseMessage:
    kinds: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return kinds[message.role](content=message.content)


def reply(messages: Sequence[BaseMessage]) -> str:
    """Return the offline reply to a prompt as `nodes.prompts.respond` renders it; every claim in it is a quotation."""
    system = next((str(message.text) for message in messages if isinstance(message, SystemMessage)), "")
    said = [str(message.text) for message in messages if isinstance(message, HumanMessage)]
    speech = _speech(said)
    blocks = read_blocks(system)
    question, earlier = (said[-1] if said else ""), [*blocks.earlier, *said[:-1]]
    parts = [speech.OFFLINE, *_reply_lines(question, earlier, blocks, speech)]
    parts += [speech.dispute(dispute) for dispute in blocks.disputes]
    return "\n".join(parts)


def _reply_lines(question: str, earlier: Sequence[str], blocks: Blocks, speech: type[Speech]) -> list[str]:
    spoken = sentences(question)
    if all(is_small_talk(sentence) for sentence in spoken):
        return [_courtesy(spoken, speech)]
    about_loci = [sentence for sentence in spoken if ABOUT_LOCI.search(bare(sentence))]
    about_now = [sentence for sentence in spoken if blocks.now and ABOUT_NOW.search(bare(sentence))]
    secret = secret_in(question) is not None
    rest = [] if secret else [sentence for sentence in spoken if sentence not in about_now]
    tasks = [task for sentence in rest if (task := _asked_for(sentence, blocks.now))]
    told = [] if tasks else [piece for sentence in rest for piece in _told(sentence, blocks.now)]
    lines = [speech.SECRET] if secret else []
    lines += [speech.SELF] if about_loci else []
    lines += [speech.time(blocks.now)] if about_now and blocks.now else []
    lines += [_noted(task, blocks.now, speech) for task in tasks]
    lines += [speech.heard(told[0])] if told else []
    asks = any(
        is_question(sentence) or is_instruction(sentence) or only_names(bare(sentence)) or SUM.match(sentence)
        for sentence in rest
    )
    if not lines or (told and asks and not about_loci and not about_now):
        lines += _answer(question, earlier, blocks, speech, open_question=asks and not told)
    return lines or [speech.AGREED]


def _speech(said: Sequence[str]) -> type[Speech]:
    """Return the language of the last message that has words; a Chinese name alone does not make it Chinese."""
    for text in reversed(said):
        chinese, latin = len(re.findall(f"[{CJK}]", text)), len(re.findall("[A-Za-z]", text))
        if chinese or latin:
            return Chinese if chinese * 3 > latin else English
    return English


def _courtesy(spoken: Sequence[str], speech: type[Speech]) -> str:
    """Return what is due to small talk, by what it ends with; to signs without a word, a sign."""
    if not spoken:
        return speech.EMOJI
    words = bare(" ".join(spoken))
    for pattern, answer in (
        (FAREWELL, speech.FAREWELL),
        (THANKS, speech.THANKS),
        (LAUGHTER, speech.LAUGHTER),
        (GREETING, speech.GREETING),
    ):
        if pattern.search(words):
            return answer
    return speech.AGREED


def _told(sentence: str, now: Now | None) -> list[str]:
    """Return what a sentence tells that is worth keeping, as the offline distiller sees it."""
    at, zone = (now.ms, now.zone) if now else (0, "UTC")
    important = asks_to_remember(sentence)
    return [
        piece for piece in pieces(sentence) if is_worth_keeping(piece, now_ms=at, time_zone=zone, important=important)
    ]


def _asked_for(sentence: str, now: Now | None) -> Progress | None:
    """Return the task that a sentence asks for: a new one, without steps or an end."""
    at, zone = (now.ms, now.zone) if now else (0, "UTC")
    found = progress(sentence, now_ms=at, time_zone=zone)
    return found if found and found.state == "open" and found.step is None else None


def _noted(task: Progress, now: Now | None, speech: type[Speech]) -> str:
    return speech.noted(task.title, day(task.due_ms, now.zone) if task.due_ms is not None and now else None)


def _answer(
    question: str, earlier: Sequence[str], blocks: Blocks, speech: type[Speech], *, open_question: bool
) -> list[str]:
    """Return what bears on a message; an open question gets an answer in any case."""
    about_tasks = [
        task for task in blocks.tasks if TASKS.search(question) or _relevance(question, Quotable(task.title)) > CLEARLY
    ]
    timely = _in_named_time(question, blocks.memories, blocks.now)
    bearing, certain = bearing_on(question, timely or blocks.memories, [] if timely else earlier, blocks.disputes)
    certain = certain or bool(timely)
    lines = [speech.TASKS, *(speech.task(task) for task in about_tasks)] if about_tasks else []
    if certain:
        lines += [speech.FOUND, *(speech.quote(item) for item in bearing)]
    elif SUM.match(question) or (is_instruction(question) and not (bearing and asks_for_detail(question))):
        lines.append(speech.CANNOT)
    elif bearing and not about_tasks and open_question:
        lines += [speech.NEAREST, *(speech.quote(item) for item in bearing[:NEAREST_QUOTED])]
    return lines or ([speech.NOTHING] if open_question else [])


def _in_named_time(question: str, memories: Sequence[Quotable], now: Now | None) -> list[Quotable]:
    """Return the memories that lie in the time a question names.

    One about the day it was said lies there where its words name a time, or where the question is about what was said.
    What is no longer true lies in all the days it held.
    """
    asked = asked_time(question, now_ms=now.ms, time_zone=now.zone) if now else None
    if asked is None or now is None:
        return []
    # Days as "2026-06-19" sort by time.
    first, last = day(asked.start_ms, now.zone)[:10], day(asked.end_ms - 1, now.zone)[:10]
    found = []
    for memory in memories:
        start, end = memory.days
        dated = (
            memory.held is not None
            or memory.about != memory.said
            or ABOUT_TALK.search(question) is not None
            or named_time(memory.text, now_ms=now.ms, time_zone=now.zone) is not None
        )
        if dated and start[:10] <= last and (not end or end[:10] >= first):
            found.append(memory)
    return found


def bearing_on(
    question: str, memories: Sequence[Quotable], earlier: Sequence[str], disputes: Sequence[Dispute] = ()
) -> tuple[list[Quotable], bool]:
    """Return at most three things said that bear on the question, best first, and whether their words show it.

    Memories come ranked; their order is kept, except where another shares clearly more with the question or names the
    attribute it asks for. Without any shared word the best ranked are returned, as the nearest, not as an answer.
    What was said earlier in the session and is no memory yet counts only by its words; not where it is disputed, or
    where a memory holds the attribute it speaks of: that one says how it is now.
    """
    sides = [side.text for each in disputes for side in (*each.standing, each.disputed)]
    known = [*(memory.text for memory in memories), *sides]
    held = {slot for memory in memories if is_single_valued(slot := read(memory.text).slot)}
    session = [
        Quotable(piece)
        for text in earlier
        for sentence in sentences(text)
        for piece in assertions(sentence)
        if not is_small_talk(piece)
        and secret_in(piece) is None
        and read(piece).slot not in held
        and all(overlap(piece, text) < NEAR_COPY for text in known)
    ]
    scored = [(_relevance(question, item), item) for item in memories]
    scored += [(score, item) for item in session if (score := _relevance(question, item)) > CLEARLY]
    best = max((score for score, _ in scored), default=0.0)
    if best <= 0.0 or ABOUT_ALL.search(question):
        return list(memories[:MOST_QUOTED]), bool(memories) and ABOUT_ALL.search(question) is not None
    # A stable sort by steps: within a step the ranking that recall made stands.
    steps = sorted(scored, key=lambda pair: -int(pair[0] / CLEARLY))
    return [item for score, item in steps if score > 0 and score >= best / 2][:MOST_QUOTED], True


def _relevance(question: str, item: Quotable) -> float:
    """Return the share of the question's words that an item has, plus one where it names the attribute asked for.

    Half of it for what is no longer true where the present is asked for, and for what is true where the past is.
    """
    change, past = asks_about_change(question), asks_about_past(question)
    wanted = {term for term in terms(question) if term not in _COMMON}
    shared = len(wanted & terms(f"{item.text} {item.detail}")) / len(wanted) if wanted else 0.0
    slot = past_slot(question) if past or change else asked_slot(question)
    names_it = slot is not None and read(item.text).slot == slot
    apt = change or (item.held is not None) == past
    return (shared + names_it) * (1.0 if apt else 0.5)
