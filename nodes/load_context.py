"""Make what the user said durable, then read what the session already holds."""

import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.fact_check.answers import answers
from nodes.language.bearing import bears_on
from nodes.run import context_of, degrade, identity
from state.context import Context
from state.errors import InputRejected, StoreUnavailable
from state.ports import Dispute, Journal, WorkingMemory
from state.records import Memory, Turn
from state.schema import DisputeRow, SessionRow, SourceRow, State

OPEN_TASKS = 5
OPEN_DISPUTES = 2
DISPUTES_READ = 10
ASK_AGAIN_MS = 86_400_000
CONTEXT_TURNS = 4


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
    window = _window([*hot, *ahead.turns], asked[-1], set(present) - set(ahead.archived))
    disputes = [each for each in await journal.open_disputes(user_id, DISPUTES_READ) if each.against]
    told = _told_before(disputes, window)
    return {
        "messages": [RemoveMessage(id=turn_id) for turn_id in ahead.archived if turn_id != asked[-1].turn_id],
        "session": session,
        "turn": asked[-1].row(),
        "window": [turn.row() for turn in window],
        "tasks": [task.row() for task in await journal.open_tasks(user_id, OPEN_TASKS)],
        "disputes": _raised(disputes, asked, told),
        "sources": _sources(asked, window, told, archive_above, archive_turns),
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


def _told_before(disputes: Sequence[Dispute], window: Sequence[Turn]) -> list[str]:
    """Return the ids of the disputes that the reply right before told the user of."""
    last = next((turn.turn_id for turn in reversed(window) if turn.role == "assistant"), None)
    return [dispute.memory.memory_id for dispute in disputes if last is not None and dispute.raised_by == last]


def _raised(disputes: Sequence[Dispute], asked: Sequence[Turn], told: Sequence[str]) -> list[DisputeRow]:
    """Return two disputes at most, those first that the message bears on, and say about which the reply is to ask.

    About those it bears on; else about the first one never asked about, or not for a day: one at a time, so that a
    short answer is clear, and never right after a reply that asked. One that the reply before told of and this message
    may answer is let be: the gate reads the answer once the reply is given.
    """
    now_ms, said = asked[-1].at_ms, "\n".join(turn.text for turn in asked)
    answered = {answer.answers for turn in asked for answer in answers(turn, told)}
    bearing = [dispute for dispute in disputes if bears_on(said, [dispute.memory, *dispute.against])]
    fresh = [
        dispute for dispute in disputes if dispute.raised_ms is not None and now_ms - dispute.raised_ms < ASK_AGAIN_MS
    ]
    due = [dispute for dispute in disputes if dispute not in bearing and dispute not in fresh]
    rest = [dispute for dispute in fresh if dispute not in bearing]
    chosen = [*bearing, *due, *rest][:OPEN_DISPUTES]
    asks = [dispute for dispute in chosen if dispute in bearing and dispute.memory.memory_id not in answered]
    just_asked = any(dispute.memory.memory_id in told for dispute in fresh)
    if not asks and not answered and not just_asked:
        asks = [dispute for dispute in chosen if dispute in due][:1]
    return [dispute_row(dispute.memory, dispute.against, ask=dispute in asks) for dispute in chosen]


def dispute_row(memory: Memory, against: Sequence[Memory], *, ask: bool = False) -> DisputeRow:
    """Return an open dispute with both its sides; `ask` says that the reply is to ask about it."""
    return {
        "memory_id": memory.memory_id,
        "text": memory.text,
        "mentioned_ms": memory.mentioned_ms,
        "against": [
            {"memory_id": old.memory_id, "text": old.text, "mentioned_ms": old.mentioned_ms} for old in against
        ],
        "ask": ask,
    }


def _sources(
    asked: Sequence[Turn], window: Sequence[Turn], told: Sequence[str], above: int, count: int
) -> list[SourceRow]:
    context = [turn.row() for turn in window[-CONTEXT_TURNS:]]
    sources: list[SourceRow] = [
        {
            "kind": "turn",
            "turns": [turn.row()],
            "context": context,
            "memory": None,
            "candidates": [],
            "asked": list(told),
        }
        for turn in asked
    ]
    if len(window) >= above and (cut := pair_border(window, count)):
        oldest = [turn.row() for turn in window[:cut]]
        sources.append(
            {"kind": "episode", "turns": oldest, "context": [], "memory": None, "candidates": [], "asked": []}
        )
    return sources


def pair_border(turns: Sequence[Turn], count: int) -> int:
    """Return the largest cut of at most `count` turns that does not part a question from its answer; 0 if none."""
    cuts = range(min(count, len(turns) - 1), 0, -1)
    return next((cut for cut in cuts if (turns[cut - 1].role, turns[cut].role) == ("assistant", "user")), 0)
