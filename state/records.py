"""The domain: frozen records with plain fields.

Times are integer epoch milliseconds, UTC; the user's zone (IANA name) stands beside them. Every record turns into
JSON-plain data with `model_dump(mode="json")` and back with `model_validate`, so that checkpoints hold no classes.
"""

import re
import unicodedata
import uuid
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from state.errors import TenantMissing

EpochMs = Annotated[int, Field(ge=0)]
DueMs = Annotated[int, Field(ge=0, lt=2**63)]
FOREVER_MS = 253_370_764_800_000  # the year 9999 begins
MOST_STEPS = 10_000
Step = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Role = Literal["user", "assistant"]
Kind = Literal["preference", "fact", "event", "decision", "task", "episode"]
Status = Literal["pending", "active", "disputed", "superseded", "rejected"]
Grounding = Literal["supported", "partial", "unsupported"]
Relation = Literal["new", "duplicate", "update", "conflict", "resolves", "undecided"]
Resolution = Literal["keep_new", "keep_old", "keep_both"]
Decision = Literal["keep_new", "keep_old", "keep_both", "confirm", "reject"]
Language = Literal["zh", "en"]
"""Chinese, or any other language: what is not Chinese is measured as English."""
Grain = Literal["minute", "hour", "day", "week", "month", "quarter", "year", "decade"]
TaskState = Literal["open", "blocked", "done", "cancelled"]

_MEMORY_NAMESPACE = uuid.UUID("5b0f1d5e-6c0e-5a53-9a55-1f2a6a1c0c1d")


class Record(BaseModel):
    """Base of all records: immutable, strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def row(self) -> Any:
        """Return the record as JSON-plain data, fit for a checkpoint or an event."""
        return self.model_dump(mode="json")


class TimeWindow(Record):
    """A stretch of time `[start_ms, end_ms)` that a text names, with the words that named it.

    It is as wide as people err: "three months ago" is no single day; `grain` is what the words count in. `confidence`
    is below 1 where they may mean another time, or none. Of one that is open ("since May", 五一之前) the side that is
    not said lies at `FOREVER_MS` or at 0.
    """

    text: str
    start_ms: int
    end_ms: int
    grain: Grain = "day"
    confidence: Annotated[float, Field(gt=0, le=1)] = 1.0
    open: Literal["before", "after"] | None = None

    def holds(self, moment_ms: int) -> bool:
        """Say whether a moment lies inside."""
        return self.start_ms <= moment_ms < self.end_ms

    def meets(self, start_ms: int | None, end_ms: int | None) -> bool:
        """Say whether an event overlaps it: one without an end goes on, one without a start is a deadline."""
        if start_ms is None:
            return end_ms is not None and self.start_ms < end_ms <= self.end_ms
        return start_ms < self.end_ms and (end_ms is None or end_ms > self.start_ms or start_ms >= self.start_ms)

    @property
    def begins_ms(self) -> int | None:
        """When it begins, None where that is not said."""
        return None if self.open == "before" else self.start_ms

    @property
    def ends_ms(self) -> int | None:
        """When it ends, None where that is not said."""
        return None if self.open == "after" else self.end_ms


class Turn(Record):
    """One thing said, by the user or the assistant.

    `turn_id` is the id of the message. `ordinal` (from 1) and `at_ms` both rise strictly within a session; they are 0
    until the journal has given them. `reply_to` is the user's turn that an assistant's turn answers.
    """

    user_id: str
    session_id: str
    turn_id: str
    role: Role
    text: str
    time_zone: str
    ordinal: int = 0
    at_ms: EpochMs = 0
    reply_to: str | None = None


class Evidence(Record):
    """Where a memory comes from: a turn and the words in it, verbatim. An episode names its turns, without words."""

    turn_id: str
    span: str


class Receipt(Record):
    """Why a memory has its status: the verdict and all that it was made with."""

    relation: Relation
    grounded: Grounding
    confidence: Annotated[float, Field(ge=0, le=1)]
    reason: str
    verifier: str
    provisional: bool
    prompt_hash: str
    neighbours: tuple[str, ...] = ()
    judged_ms: EpochMs


class Memory(Record):
    """A long-term memory: what is believed, about when, since when, and why.

    `weight` is 1.0, or 2.0 for what the user marked important. `event_*` is when the thing happens, `mentioned_ms` when
    it was said, `valid_*` when it holds (set by supersession). `superseded_by` is the memory that took this one's
    place: set where, and only where, the status is superseded. `opposes` names the standing memories a disputed one
    contradicts, `corrects` the one of which the user said that this is right instead. `version` counts changes of
    status and text: a verdict made with one does not hold for the next.
    """

    memory_id: str
    user_id: str
    session_id: str
    kind: Kind
    text: str
    status: Status
    evidence: tuple[Evidence, ...]
    mentioned_ms: EpochMs
    time_zone: str
    slot: str | None = None
    single_valued: bool = False
    weight: float = 1.0
    event_start_ms: int | None = None
    event_end_ms: int | None = None
    valid_from_ms: EpochMs | None = None
    valid_to_ms: EpochMs | None = None
    superseded_by: str | None = None
    opposes: tuple[str, ...] = ()
    corrects: str | None = None
    mentions: int = 1
    citations: int = 0
    version: int = 1
    receipt: Receipt | None = None


class MemoryEvent(Record):
    """One change of a memory's status: who, when, why."""

    memory_id: str
    at_ms: EpochMs
    actor: Literal["gate", "user", "curator"]
    from_status: Status | None
    to_status: Status | None
    reason: str


class Candidate(Record):
    """What is proposed to be remembered, before anybody has checked it. `text` has at most 50 tokens.

    With `answers` it is only the user's answer to the open dispute of that id: it ends the dispute or is dropped. With
    `corrects` the user says that the memory of that id is wrong and this is right.
    """

    kind: Kind
    text: str
    evidence: tuple[Evidence, ...]
    slot: str | None = None
    weight: float = 1.0
    event_start_ms: int | None = None
    event_end_ms: int | None = None
    mentioned_ms: EpochMs
    time_zone: str
    answers: str | None = None
    corrects: str | None = None


class Verdict(Record):
    """The verifier's word on one candidate. `concerns` holds ids of the neighbours the relation is about.

    `resolution` goes with `resolves` alone: what the user keeps of the dispute that is concerned. `supported_part` goes
    with partial support: the candidate's text without what the source does not say, empty where there is none.
    """

    relation: Relation
    grounded: Grounding
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.0
    reason: str = ""
    concerns: tuple[str, ...] = ()
    resolution: Resolution | None = None
    supported_part: str = ""


class MemoryWrite(Record):
    """One conditional write of the gate, applied by the journal in the turn's transaction.

    The write holds only if the user's memories still are as the verdict saw them: every id in `company` still has the
    version given there, and no active memory outside it stands in the slot. Otherwise a memory is written `pending`
    and nothing else changes. With `mention_of` no row is written: the standing memory gains a mention. With `resolves`
    none is written either: the open dispute of that id ends as `resolution` says, and the memory that holds gains a
    mention; `droppable` says that nothing is kept of the write where that cannot be done. `settles` names open disputes
    that a newer word of the user leaves without an object: they are rejected.
    """

    memory: Memory
    supersedes: tuple[str, ...] = ()
    mention_of: str | None = None
    resolves: str | None = None
    resolution: Resolution | None = None
    droppable: bool = False
    settles: tuple[str, ...] = ()
    company: dict[str, int] = Field(default_factory=dict)


class Task(Record):
    """Structured state of something the user is doing, across sessions. `step` of `steps` where they are known."""

    task_id: str
    user_id: str
    session_id: str
    title: str
    state: TaskState
    updated_ms: EpochMs
    step: Step | None = None
    steps: Step | None = None
    due_ms: DueMs | None = None


class TaskChange(Record):
    """What a turn says about a task; the title names it. Fields that are None stay as they are."""

    title: str
    evidence: Evidence
    state: TaskState | None = None
    step: Step | None = None
    steps: Step | None = None
    due_ms: DueMs | None = None


class LedgerEntry(Record):
    """Tokens of one model call. `estimated` when the server reported no usage."""

    node: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    at_ms: EpochMs
    estimated: bool = False


class Nearby(Record):
    """What was said `distance` turns before or after the words a memory rests on: it helps to find the memory."""

    distance: Annotated[int, Field(ge=1)]
    text: str


class Unrelated(Record):
    """Cosines between questions of one language and memories of another that have nothing to do with each other."""

    question: Language
    memory: Language
    mean: float
    spread: Annotated[float, Field(gt=0)]


class Calibration(Record):
    """What an embedder's cosines mean: where those of unrelated pairs lie, for each pair of languages."""

    embedder: str
    unrelated: tuple[Unrelated, ...]

    def closeness(self, cosine: float, question: Language, memory: Language) -> float:
        """Return a cosine as a z-score: in standard deviations above that of unrelated pairs of these languages.

        Raises KeyError where that pair was not measured.
        """
        for pair in self.unrelated:
            if (pair.question, pair.memory) == (question, memory):
                return (cosine - pair.mean) / pair.spread
        raise KeyError((question, memory))


class Hit(Record):
    """What the index says of one memory for one question; ranks count from 1, None where a list lacks it.

    `similarity` is the raw cosine: what it means says the embedder's `Calibration`.
    """

    memory_id: str
    similarity: float | None = None
    similarity_rank: int | None = None
    lexical: float | None = None
    lexical_rank: int | None = None
    in_window: bool = False


class PromptMessage(Record):
    """One message to a model, in the roles of the OpenAI protocol."""

    role: Literal["system", "user", "assistant"]
    content: str


class ReplyChunk(Record):
    """A piece of a streamed reply. `message_id` is the same in all pieces; usage comes with the last, if at all."""

    text: str
    message_id: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def tenant(user_id: str) -> str:
    """Return the user id as it is; raise TenantMissing where it is empty or no string."""
    if not isinstance(user_id, str) or not user_id.strip():
        raise TenantMissing
    return user_id


def due_by(window: TimeWindow | None) -> int | None:
    """Return the last millisecond of the time something is due; None where no end is said, or one before 1970."""
    ends_ms = window.ends_ms if window is not None else None
    return ends_ms - 1 if ends_ms is not None and ends_ms > 0 else None


def plausible_step(number: int | None) -> int | None:
    """Return a step as a task may have it, None for a number that is none."""
    return number if number is not None and 0 <= number <= MOST_STEPS else None


def normalised(text: str) -> str:
    """Fold width (NFKC), case and white space, so that equal words compare equal."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def memory_id(user_id: str, session_id: str, evidence: tuple[Evidence, ...]) -> str:
    """Derive a memory's id from its thread, source messages and spans, so that a repeated write is the same row."""
    spans = "\x1f".join(f"{part.turn_id}\x1e{normalised(part.span)}" for part in evidence)
    return str(uuid.uuid5(_MEMORY_NAMESPACE, f"{tenant(user_id)}\x1f{session_id}\x1f{spans}"))


def task_id(user_id: str, title: str) -> str:
    """Derive a task's id from its title, so that a task named again is the same task."""
    return str(uuid.uuid5(_MEMORY_NAMESPACE, f"{tenant(user_id)}\x1ftask\x1f{normalised(title)}"))
