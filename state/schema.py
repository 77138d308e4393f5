"""The channels of the graph: what a run is given, what it knows on the way, what it gives back.

Rows are JSON-plain: TypedDicts whose keys are the fields of the record of the same name in `state.records`.
"""

from typing import Annotated, Any, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict


class TimeRow(TypedDict):
    """A stretch of time `[start_ms, end_ms)` in epoch milliseconds; see `state.records.TimeWindow`."""

    text: str
    start_ms: int
    end_ms: int
    grain: str
    confidence: float
    open: str | None


class SessionRow(TypedDict):
    """Whose memory a run works on, in which session, in which time zone."""

    user_id: str
    session_id: str
    time_zone: str


class TurnRow(TypedDict):
    """One thing said; see `state.records.Turn`."""

    user_id: str
    session_id: str
    turn_id: str
    role: str
    text: str
    time_zone: str
    ordinal: int
    at_ms: int
    reply_to: str | None


class HitRow(TypedDict):
    """A recalled memory with its scores and ranks.

    `relevance` joins the `parts`; `against` says why it does not bear on the question, None where it does.
    """

    memory: dict[str, Any]
    similarity: float | None
    similarity_rank: int | None
    lexical: float | None
    lexical_rank: int | None
    in_window: bool
    parts: dict[str, float]
    relevance: float
    against: str | None


class RankedRow(TypedDict):
    """A memory after reranking: kept (`number` is its place in the prompt) or suppressed (`reason` says why).

    `detail` are the words it was taken from, where the question asks for more than a memory holds.
    """

    number: int | None
    memory_id: str
    text: str
    kind: str
    status: str
    session_id: str
    mentioned_ms: int
    event_start_ms: int | None
    event_end_ms: int | None
    valid_from_ms: int | None
    valid_to_ms: int | None
    time_zone: str
    score: float
    parts: dict[str, float]
    stale: bool
    provisional: bool
    detail: str | None
    reason: str | None


class DisputeRow(TypedDict):
    """An open dispute: what was said, and the standing memories it contradicts.

    `ask` says that the reply is to ask about it, `rests` that it is not to, whatever it finds: it has just told of it,
    or was not answered often.
    """

    memory_id: str
    text: str
    mentioned_ms: int
    against: list[dict[str, Any]]
    ask: bool
    rests: bool


class ReplyRow(TypedDict):
    """The reply as it was streamed, the memories it cites, and its cost."""

    turn: dict[str, Any]
    cited: list[str]
    usage: list[dict[str, Any]]
    left_out: list[str]


class SourceRow(TypedDict):
    """What fact_check works on.

    A user's turn, turns to be archived as an episode, a memory to be judged again with its turns, or candidates that
    were given beside the turns that bear them. `asked` are ids of open disputes about which the reply before asked.
    """

    kind: Literal["turn", "episode", "memory", "given"]
    turns: list[dict[str, Any]]
    context: list[dict[str, Any]]
    memory: dict[str, Any] | None
    candidates: list[dict[str, Any]]
    asked: list[str]


class CandidateRow(TypedDict):
    """A candidate on its way through the gate, with its source, its company and, at the end, its judgement.

    `company` is None where the index could not be asked.
    """

    memory_id: str
    candidate: dict[str, Any]
    source: list[dict[str, Any]]
    context: list[dict[str, Any]]
    asked: list[str]
    company: list[dict[str, Any]] | None
    refused: str | None
    judgement: dict[str, Any] | None
    standing: dict[str, Any] | None


class GateRow(TypedDict):
    """What fact_check found: candidates, task changes, cost, and which turns are done with or ready to be archived."""

    candidates: list[CandidateRow]
    task_changes: list[dict[str, Any]]
    usage: list[dict[str, Any]]
    distilled: list[str]
    archived: list[str]


class InputState(TypedDict):
    """What a client sends: messages in any form LangChain reads (text, dicts, message objects, content blocks)."""

    messages: Annotated[list[AnyMessage], add_messages]


class OutputState(TypedDict, total=False):
    """What a client gets back."""

    messages: Annotated[list[AnyMessage], add_messages]
    recalled: list[RankedRow]
    stored: list[dict[str, Any]]
    disputes: list[DisputeRow]
    degraded: list[str]


class State(InputState, total=False):
    """All channels of the assistant. Each has one writer at a time; nodes run one after the other."""

    session: SessionRow
    """Whose run this is."""
    turn: TurnRow
    """The user's turn being answered, as the journal holds it."""
    window: list[TurnRow]
    """The session's earlier turns that this thread still holds."""
    tasks: list[dict[str, Any]]
    """Open tasks of the user."""
    disputes: list[DisputeRow]
    """Open disputes, two at most; after persist those this turn raised come first."""
    named_time: TimeRow | None
    """The time the question names."""
    hits: list[HitRow]
    """What recall found, best first."""
    recalled: list[RankedRow]
    """The memories shown to the model, numbered."""
    suppressed: list[RankedRow]
    """The memories left out, each with the reason."""
    reply: ReplyRow
    """The reply of this run."""
    sources: list[SourceRow]
    """What this run has to check for memories."""
    idle_since_ms: int | None
    """The curator's: nothing is written for a session in which something was said after this moment."""
    deadline_ms: int
    """When fact_check stops and leaves the rest pending."""
    gate: GateRow
    """What fact_check found."""
    stored: list[dict[str, Any]]
    """The memories this run wrote, as they now stand, with the verdict's reason."""
    degraded: list[str]
    """Parts that did not work in this run: redis, qdrant, postgres, chat, distiller, verifier."""


class JobRow(TypedDict):
    """One job of the curator: what it is in plain words, whose it is, what fact_check gets."""

    what: str
    session: SessionRow
    source: SourceRow
    idle_since_ms: int | None


class CuratorInput(TypedDict):
    """What starts a pass of the curator: the name under which it holds its lease."""

    owner: str


class CuratorState(State, total=False):
    """All channels of the curator: the assistant's, as far as fact_check and persist use them, and its own jobs."""

    owner: str
    """Who holds the lease."""
    jobs: list[JobRow]
    """What is still to do in this pass."""
    done: int
    """How many jobs were taken."""
    tally: dict[str, int]
    """How many memories came out of this pass, by status."""


class CuratorOutput(TypedDict, total=False):
    """What a pass gives back: counts only, for it works on every user's memories."""

    done: int
    tally: dict[str, int]
    degraded: list[str]
