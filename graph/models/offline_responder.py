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

from graph.models.offline_speech import ENDED, Chinese, English, Quotable, Speech
from nodes.language.grounding import overlap, terms
from nodes.language.sentences import CJK, assertions, is_instruction, is_question, is_small_talk, sentences
from nodes.language.statements import asked_slot, read
from state.records import PromptMessage, ReplyChunk
from state.settings import OFFLINE

MOST_QUOTED = 3
NEAREST_QUOTED = 2
CLEARLY = 0.2
NEAR_COPY = 0.9
_MEMORY = re.compile(
    r'^\[(?P<number>\d+)\] (?P<about>.+?): "(?P<text>.*)" \(said (?P<said>[^,)]+)(?:, (?P<marks>.*))?\)$'
)
_TASKS = re.compile(
    r"任务|待办|进度|进展|第几步|哪一步|做到哪|要做|审批|\b(?:tasks?|to-?dos?|progress|status|step|pending)\b", re.I
)
_ABOUT_ALL = re.compile(
    r"(?:了解|知道|记得|记住)(?:了)?(?:关于)?我(?:的)?(?:什么|哪些|多少|吗)|关于我|我是(?:谁|什么样)|记得(?:些)?什么"
    r"|\b(?:know|remember|tell me) about (?:me|myself)\b|\bwhat do you (?:know|remember)\W*$|\bwho am i\b",
    re.I,
)
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
    question, earlier = (said[-1] if said else ""), said[:-1]
    speech = _speech(question)
    memories = [_memory(match) for line in _block(system, "memories") if (match := _MEMORY.match(line))]
    tasks = _block(system, "tasks")
    disputes = _block(system, "disputes")

    parts = [speech.OFFLINE]
    spoken = sentences(question)
    if spoken and all(is_small_talk(sentence) for sentence in spoken):
        parts.append(speech.GREETING)
    else:
        told = [piece for sentence in spoken for piece in assertions(sentence)]
        if told:
            parts.append(speech.heard(told[0]))
        if not told or any(is_question(sentence) or is_instruction(sentence) for sentence in spoken):
            parts += _answer(question, memories, earlier, tasks, speech, heard=bool(told))
    parts += [speech.dispute(line) for line in disputes]
    return "\n".join(parts)


def _speech(question: str) -> type[Speech]:
    """Return the language of a question; a Chinese name alone does not make it Chinese."""
    chinese, latin = len(re.findall(f"[{CJK}]", question)), len(re.findall("[A-Za-z]", question))
    return Chinese if chinese * 3 > latin else English


def _block(system: str, tag: str) -> list[str]:
    """Return the lines between the last `<tag>` and `</tag>` that stand on lines of their own."""
    lines = system.splitlines()
    if f"<{tag}>" not in lines or f"</{tag}>" not in lines:
        return []
    start = lines.index(f"<{tag}>")
    return [line for line in lines[start + 1 : lines.index(f"</{tag}>", start)] if line.strip()]


def _memory(match: re.Match[str]) -> Quotable:
    marks = tuple(mark for mark in (match["marks"] or "").split(", ") if mark)
    return Quotable(match["text"], int(match["number"]), match["about"], match["said"], marks)


def _answer(
    question: str, memories: list[Quotable], earlier: list[str], tasks: list[str], speech: type[Speech], *, heard: bool
) -> list[str]:
    about_tasks = [
        task
        for task in tasks
        if _TASKS.search(question) or _relevance(question, Quotable(task.split(":")[0])) > CLEARLY
    ]
    bearing, certain = bearing_on(question, memories, earlier)
    lines = [speech.TASKS, *(speech.task(task) for task in about_tasks)] if about_tasks else []
    if certain:
        lines += [speech.FOUND, *(speech.quote(item) for item in bearing)]
    elif is_instruction(question):
        lines.append(speech.CANNOT)
    elif bearing and not about_tasks and not heard:
        lines += [speech.NEAREST, *(speech.quote(item) for item in bearing[:NEAREST_QUOTED])]
    return lines or [speech.NOTHING]


def bearing_on(question: str, memories: Sequence[Quotable], earlier: Sequence[str]) -> tuple[list[Quotable], bool]:
    """Return at most three things said that bear on the question, best first, and whether their words show it.

    Memories come ranked; their order is kept, except where another shares clearly more with the question or names the
    attribute it asks for. Without any shared word the best ranked are returned, as the nearest, not as an answer.
    What was said earlier in the session and is no memory yet counts only by its words.
    """
    session = [
        Quotable(piece)
        for text in earlier
        for sentence in sentences(text)
        for piece in assertions(sentence)
        if not is_small_talk(piece) and all(overlap(piece, memory.text) < NEAR_COPY for memory in memories)
    ]
    scored = [(_relevance(question, item), item) for item in memories]
    scored += [(score, item) for item in session if (score := _relevance(question, item)) > CLEARLY]
    best = max((score for score, _ in scored), default=0.0)
    if best <= 0.0 or _ABOUT_ALL.search(question):
        return list(memories[:MOST_QUOTED]), bool(memories) and _ABOUT_ALL.search(question) is not None
    # A stable sort by steps: within a step the ranking that recall made stands.
    steps = sorted(scored, key=lambda pair: -int(pair[0] / CLEARLY))
    return [item for score, item in steps if score > 0 and score >= best / 2][:MOST_QUOTED], True


def _relevance(question: str, item: Quotable) -> float:
    """Return the share of the question's words that an item has, plus one where it names the attribute asked for."""
    wanted = {term for term in terms(question) if term not in _COMMON}
    shared = len(wanted & terms(item.text)) / len(wanted) if wanted else 0.0
    slot = asked_slot(question)
    names_it = slot is not None and read(item.text).slot == slot
    outdated = any(mark.startswith(ENDED) for mark in item.marks)
    return (shared + names_it) * (0.5 if outdated else 1.0)
