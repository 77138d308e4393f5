"""Make what the user said durable, then read what the session already holds."""

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.fact_check.answers import may_answer
from nodes.language.bearing import Message
from nodes.language.grounding import occurs
from nodes.provenance import CONTEXT_TURNS, source_row
from nodes.run import context_of, degrade, identity
from state.context import Context
from state.errors import InputRejected, StoreUnavailable
from state.ports import Dispute, Journal, WorkingMemory
from state.records import Memory, Turn
from state.schema import DisputeRow, SessionRow, SourceRow, State

OPEN_TASKS = 5
OPEN_DISPUTES = 2
# All of them: one just asked about stands last.
DISPUTES_READ = 1_000
ASK_AGAIN_MS = 86_400_000
TOLD_OFTEN = 3


async def load_context(
    state: State,
    config: RunnableConfig,
    runtime: Runtime[Context],
    *,
    journal: Journal,
    working_memory: WorkingMemory,
    home_zone: str,
    archive_above: int,
    archive_turns: int,
) -> dict[str, Any]:
    """Write the user's turn ahead, then load the session's window, open tasks and open disputes."""
    session = _session(config, runtime, home_zone)
    user_id, session_id = session["user_id"], session["session_id"]
    given = _turns(state["messages"], session)
    degraded: list[str] = []
    try:
        hot = await working_memory.window(user_id, session_id)
    except StoreUnavailable as outage:
        hot, degraded = [], degrade(degraded, outage)

    known = {(turn.turn_id, turn.text) for turn in hot}
    unsaved = [turn for turn in given if (turn.turn_id, turn.text) not in known]
    present = [turn.turn_id for turn in given]
    ahead = await journal.write_ahead(user_id, session_id, unsaved, present=present, heard=_heard(given))
    asked = _asked(given, [*hot, *ahead.turns])
    runtime.stream_writer({"event": "stored", "turn_id": asked[-1].turn_id, "at_ms": asked[-1].at_ms})

    if not _complete(hot, ahead.previous_ordinal, present):
        hot = await journal.recent_turns(user_id, session_id, archive_above + archive_turns)
        try:
            await working_memory.rebuild(user_id, session_id, hot)
        except StoreUnavailable as outage:
            degraded = degrade(degraded, outage)
    live = [*hot, *ahead.turns]
    window = _window(live, asked[-1], set(present) - set(ahead.archived))
    # A host may lose its threads, as the dev server does when it is killed: what was asked before is still known here.
    before = _window(live, asked[-1], {turn.turn_id for turn in live})
    disputes = [each for each in await journal.open_disputes(user_id, DISPUTES_READ) if each.against]
    told = _told_before(disputes, before, {turn.turn_id for turn in ahead.turns})
    return {
        "messages": [RemoveMessage(id=turn_id) for turn_id in ahead.archived if turn_id != asked[-1].turn_id],
        "session": session,
        "turn": asked[-1].row(),
        "window": [turn.row() for turn in window],
        "tasks": [task.row() for task in await journal.open_tasks(user_id, OPEN_TASKS)],
        "disputes": _raised(disputes, asked, told),
        "sources": _sources(asked, window, before[-CONTEXT_TURNS:], told, archive_above, archive_turns),
        "degraded": degraded,
    }


def _session(config: RunnableConfig, runtime: Runtime[Context], home_zone: str) -> SessionRow:
    context = context_of(runtime)
    thread_id = config.get("configurable", {}).get("thread_id")
    return {
        "user_id": identity(runtime),
        # A run without a thread gets a session of its own.
        "session_id": str(thread_id or uuid.uuid4()),
        "time_zone": context.time_zone or home_zone,
    }


def _turns(messages: Sequence[AnyMessage], session: SessionRow) -> list[Turn]:
    roles = {HumanMessage: "user", AIMessage: "assistant"}
    turns: list[Turn] = []
    for message in messages:
        role = next((role for kind, role in roles.items() if isinstance(message, kind)), None)
        text = str(message.text)
        if role is not None and text.strip():
            reply_to = turns[-1].turn_id if role == "assistant" and turns and turns[-1].role == "user" else None
            turns.append(
                Turn.model_validate(
                    {**session, "turn_id": str(message.id), "role": role, "text": text, "reply_to": reply_to}
                )
            )
    if not turns or turns[-1].role != "user":
        raise InputRejected("There is nothing to answer: the last message must be the user's and hold some text.")
    return turns


def _last_reply(given: Sequence[Turn]) -> int:
    return max((index for index, turn in enumerate(given) if turn.role == "assistant"), default=-1)


def _heard(given: Sequence[Turn]) -> list[str]:
    """Return the ids of what was said before the last reply: a client that keeps its own history tells it again."""
    return [turn.turn_id for turn in given[: _last_reply(given) + 1]]


def _window(turns: Sequence[Turn], question: Turn, shown: set[str]) -> list[Turn]:
    """Return the session's turns before the question, in order and each once, that the thread still holds."""
    earlier = {turn.turn_id: turn for turn in turns if turn.turn_id in shown and turn.ordinal < question.ordinal}
    return sorted(earlier.values(), key=lambda turn: turn.ordinal)


def _asked(given: Sequence[Turn], saved: Sequence[Turn]) -> list[Turn]:
    """Return the user's turns after the last reply, as the journal holds them."""
    as_saved = {turn.turn_id: turn for turn in saved}
    return [as_saved[turn.turn_id] for turn in given[_last_reply(given) + 1 :]]


def _complete(hot: Sequence[Turn], previous_ordinal: int, present: Sequence[str]) -> bool:
    """Say whether the hot list ends where the session does and holds no turn of a dead branch."""
    ends_at = hot[-1].ordinal if hot else 0
    return ends_at == previous_ordinal and {turn.turn_id for turn in hot} <= set(present)


def _told_before(disputes: Sequence[Dispute], before: Sequence[Turn], new: Collection[str]) -> list[str]:
    """Return the ids of the disputes that the reply right before told the user of.

    A reply that a client tells of as its own history has another id here: it told of what it quotes both sides of.
    """
    last = next((turn for turn in reversed(before) if turn.role == "assistant"), None)
    if last is None:
        return []
    return [
        dispute.memory.memory_id
        for dispute in disputes
        if last.turn_id in dispute.raised_by or (last.turn_id in new and _quotes(last.text, dispute))
    ]


def _quotes(text: str, dispute: Dispute) -> bool:
    return occurs(dispute.memory.text, text) and any(occurs(old.text, text) for old in dispute.against)


def _raised(disputes: Sequence[Dispute], asked: Sequence[Turn], told: Sequence[str]) -> list[DisputeRow]:
    """Return two disputes at most, those first that the message bears on, and say about which the reply is to ask.

    About those it bears on; else, and never right after a reply that told of one, about the first one never asked
    about, or not for a day: one at a time, so that a short answer is clear. Some rest, whatever the message bears on.
    """
    now_ms, message = asked[-1].at_ms, Message("\n".join(turn.text for turn in asked))
    fresh = {each.memory.memory_id for each in disputes if _asked_today(each, now_ms)}
    answering = any(may_answer(turn) for turn in asked)
    resting = {each.memory.memory_id for each in disputes if _rests(each, fresh, told, answering)}
    bearing = [each for each in disputes if message.bears_on([each.memory, *each.against])]
    others = [each for each in disputes if each not in bearing]
    due = [each for each in others if each.memory.memory_id not in fresh | resting]
    chosen = sorted([*bearing, *due], key=lambda each: each.memory.memory_id in resting)
    chosen = [*chosen, *(each for each in others if each not in due)][:OPEN_DISPUTES]
    asks = [each for each in chosen if each in bearing and each.memory.memory_id not in resting]
    if not asks and not told:
        asks = due[:1]
    return [
        dispute_row(each.memory, each.against, ask=each in asks, rests=each.memory.memory_id in resting)
        for each in chosen
    ]


def _asked_today(dispute: Dispute, now_ms: int) -> bool:
    return dispute.raised_ms is not None and now_ms - dispute.raised_ms < ASK_AGAIN_MS


def _rests(dispute: Dispute, fresh: Collection[str], told: Sequence[str], answering: bool) -> bool:
    """Say whether the reply is not to ask about a dispute even where the message bears on it.

    The reply right before asked, or told of it and this message may be the answer, or asked about another while this
    one was asked about the same day; or it was told of often without an answer, and once the same day.
    """
    memory_id = dispute.memory.memory_id
    if memory_id in told and (answering or dispute.raised_ms is not None):
        return True
    just_asked = any(one in fresh for one in told)
    return memory_id in fresh and (just_asked or len(dispute.raised_by) >= TOLD_OFTEN)


def dispute_row(memory: Memory, against: Sequence[Memory], *, ask: bool = False, rests: bool = False) -> DisputeRow:
    """Return an open dispute with both its sides; see `DisputeRow`."""
    return {
        "memory_id": memory.memory_id,
        "text": memory.text,
        "mentioned_ms": memory.mentioned_ms,
        "against": [
            {"memory_id": old.memory_id, "text": old.text, "mentioned_ms": old.mentioned_ms} for old in against
        ],
        "ask": ask,
        "rests": rests,
    }


def _sources(
    asked: Sequence[Turn],
    window: Sequence[Turn],
    context: Sequence[Turn],
    told: Sequence[str],
    above: int,
    count: int,
) -> list[SourceRow]:
    sources = [source_row("turn", [turn], context=context, asked=told) for turn in asked]
    if len(window) >= above and (cut := pair_border(window, count)):
        sources.append(source_row("episode", window[:cut]))
    return sources


def pair_border(turns: Sequence[Turn], count: int) -> int:
    """Return the largest cut of at most `count` turns that does not part a question from its answer; 0 if none."""
    cuts = range(min(count, len(turns) - 1), 0, -1)
    return next((cut for cut in cuts if (turns[cut - 1].role, turns[cut].role) == ("assistant", "user")), 0)
