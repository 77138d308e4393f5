"""What nodes may ask of the world: one Protocol per collaborator.

Every method that touches a user's data takes the user id and raises TenantMissing where it is empty; only Maintenance,
the curator's port, looks across users. Stores raise StoreUnavailable, models raise ModelUnavailable or
ModelAnswerUnusable; nothing else may leave an implementation.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, Protocol

from state.records import (
    Calibration,
    Candidate,
    Decision,
    Evidence,
    Hit,
    LedgerEntry,
    Memory,
    MemoryEvent,
    MemoryWrite,
    Nearby,
    PromptMessage,
    Record,
    ReplyChunk,
    Status,
    Task,
    TaskChange,
    TimeWindow,
    Turn,
    Verdict,
)


class Clock(Protocol):
    """The only source of "now"."""

    def now_ms(self) -> int:
        """Return the present as epoch milliseconds."""
        ...


class WorkingMemory(Protocol):
    """The session at hand: its last turns, hot. A copy: the journal can always rebuild it."""

    async def window(self, user_id: str, session_id: str) -> list[Turn]:
        """Return the session's turns, oldest first, and refresh their life; empty where there are none."""
        ...

    async def push(self, user_id: str, session_id: str, turns: Sequence[Turn]) -> None:
        """Append turns in one atomic step with the expiry; a turn whose ordinal is already there is left out."""
        ...

    async def rebuild(self, user_id: str, session_id: str, turns: Sequence[Turn]) -> None:
        """Replace the session's list with these turns in one atomic step."""
        ...

    async def trim(self, user_id: str, session_id: str, turn_ids: Sequence[str]) -> None:
        """Take archived turns out of the list in one atomic step."""
        ...

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the store answers."""
        ...


class LongTermMemory(Protocol):
    """The index over long-term memories: answers with ids and scores. A copy: the journal can always rebuild it."""

    async def index(
        self, user_id: str, memories: Sequence[Memory], *, nearby: Mapping[str, Sequence[Nearby]] = MappingProxyType({})
    ) -> None:
        """Write or replace the points of these memories (embedding them).

        `nearby` gives what was said around some of them, by memory id: its words count a little as the memory's own
        where it is looked for, and are never shown.
        """
        ...

    async def remove(self, user_id: str, memory_ids: Sequence[str]) -> None:
        """Delete these points; ids without a point are no error."""
        ...

    async def search(
        self,
        user_id: str,
        question: str,
        *,
        statuses: Sequence[Status],
        depth: int,
        window: TimeWindow | None = None,
    ) -> list[Hit]:
        """Return the union of the `depth` best by meaning in each language and the `depth` best by words, unfused.

        With a window, the `depth` best by meaning among memories said or happening inside it are added and marked.
        Raises ValueError on an empty `statuses`.
        """
        ...

    async def count(self, user_id: str) -> int:
        """Return how many points the user has."""
        ...

    async def calibration(self) -> Calibration:
        """Return what the embedder's cosines mean, as it is kept with the collection."""
        ...

    async def calibrate(self) -> Calibration:
        """Measure what the embedder's cosines mean, keep it with the collection and return it."""
        ...

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the store answers, StoreMismatch where another embedder made it."""
        ...


class WriteAhead(Record):
    """What the journal knows once incoming turns are durable.

    `turns` are the given ones with their ordinals and times; `previous_ordinal` is where the session ended before;
    `archived` are the ids among `present` whose turns are archived already.
    """

    turns: tuple[Turn, ...]
    previous_ordinal: int
    archived: tuple[str, ...] = ()


class TurnCommit(Record):
    """All that one pass of persist writes in one transaction.

    `raised` names the open disputes the reply was to ask about. With `idle_since_ms`, nothing at all is written where
    something was said in the session after that moment.
    """

    user_id: str
    session_id: str
    actor: Literal["gate", "user", "curator"]
    at_ms: int
    reply: Turn | None = None
    writes: tuple[MemoryWrite, ...] = ()
    task_changes: tuple[TaskChange, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    cited: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    distilled: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    idle_since_ms: int | None = None


class Committed(Record):
    """What a commit did: the reply with its ordinal, the memories as they now stand in the order of the writes.

    A write of a memory that the user has forgotten leaves nothing and is left out, as does a droppable one that could
    not be done. `applied` is False where the session was not idle and nothing was written.
    """

    reply: Turn | None
    memories: tuple[Memory, ...]
    applied: bool = True


class Journal(Protocol):
    """The source of truth: turns, memories and their events, tasks, outbox, ledger."""

    async def write_ahead(
        self, user_id: str, session_id: str, turns: Sequence[Turn], *, present: Sequence[str], heard: Sequence[str] = ()
    ) -> WriteAhead:
        """Make incoming turns durable, idempotently by turn id and text.

        `present` are the ids of all messages the thread holds now: where some of them are known, live turns of the
        session that are not among them belong to a dead branch and are marked abandoned. A known id with another text
        is an edit: the old words are kept as an abandoned turn under an id of their own. `heard` are the ids of turns
        that a client tells of as its own history: they are stored as distilled. Raises InputRejected where the session
        is another user's.
        """
        ...

    async def append_reply(self, reply: Turn, *, raised: Sequence[str] = ()) -> Turn:
        """Make a reply durable, idempotently by turn id; return it with its ordinal and time.

        `raised` names the open disputes it asks about, as in TurnCommit.
        """
        ...

    async def recent_turns(self, user_id: str, session_id: str, limit: int) -> list[Turn]:
        """Return the session's last live, unarchived turns, oldest first."""
        ...

    async def transcript(self, user_id: str, session_id: str) -> list[Turn]:
        """Return every turn of the session in order, archived and abandoned ones too."""
        ...

    async def spoken(self, user_id: str, turn_ids: Sequence[str]) -> list[Turn]:
        """Return the live turns with these ids, archived ones too, oldest first.

        Ids are unique in a session only: several sessions may share one.
        """
        ...

    async def commit(self, commit: TurnCommit) -> Committed:
        """Apply a commit in one transaction under the user's lock; applying it twice writes nothing twice.

        A write whose company changed is kept as `pending`. Every memory whose indexed content or status changed gets an
        outbox entry, every change of status an event.
        """
        ...

    async def memories(self, user_id: str, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the user's memories with these ids, in the order asked; unknown ids are left out."""
        ...

    async def list_memories(
        self, user_id: str, *, statuses: Sequence[Status], limit: int, offset: int = 0
    ) -> list[Memory]:
        """Return memories of these statuses, newest first."""
        ...

    async def count_memories(self, user_id: str, statuses: Sequence[Status]) -> int:
        """Return how many memories of these statuses the user has."""
        ...

    async def in_slot(self, user_id: str, slot: str, *, statuses: Sequence[Status] = ("active",)) -> list[Memory]:
        """Return the memories of a slot that have one of these statuses, oldest first."""
        ...

    async def replaced_by(self, user_id: str, memory_id: str) -> list[Memory]:
        """Return the superseded memories whose place this one took, oldest first."""
        ...

    async def open_disputes(self, user_id: str, limit: int) -> list["Dispute"]:
        """Return open disputes with both sides, those never asked about first, then the longest unasked."""
        ...

    async def decide(self, user_id: str, memory_id: str, decision: Decision, *, at_ms: int) -> list[Memory] | None:
        """Do what the user decides about one memory; return all that changed as they now stand, this one first.

        keep_new, keep_old and keep_both end an open dispute: the disputed memory becomes active and what it opposes
        superseded; or the disputed one is rejected; or both are active, and their slot holds several values for this
        user from then on. confirm makes a pending memory active, or disputed where another stands in its single-valued
        slot, and a provisional verdict final. reject rejects a pending or active memory; what an active one had
        replaced comes back where its slot is free. None where there is no such memory; raises DecisionRefused where its
        status does not allow the decision. The receipt names the user as the verifier.
        """
        ...

    async def history(self, user_id: str, memory_id: str) -> list[MemoryEvent]:
        """Return a memory's changes, oldest first."""
        ...

    async def forget(self, user_id: str, memory_id: str, *, at_ms: int) -> bool:
        """Delete a memory for good and leave an outbox entry; False if there is none. No later write brings it back."""
        ...

    async def held_back(self, user_id: str, session_id: str) -> list[Evidence]:
        """Return the words of the session behind its memories that are pending, disputed, superseded or rejected."""
        ...

    async def forgotten_turns(self, user_id: str, session_id: str) -> frozenset[str]:
        """Return the ids of the session's turns that bore a memory which is forgotten, as far as that is known."""
        ...

    async def open_tasks(self, user_id: str, limit: int) -> list[Task]:
        """Return open and blocked tasks, the last touched first."""
        ...

    async def outbox(self, user_id: str, limit: int) -> list["OutboxEntry"]:
        """Return index writes of this user that are not yet applied, oldest first."""
        ...

    async def settle(self, user_id: str, entries: Sequence["OutboxEntry"]) -> None:
        """Remove applied entries, unless their memory was changed since.

        An entry that is gone already was settled by somebody else: the point just written may be older than theirs, so
        the entry comes back.
        """
        ...

    async def usage(self, user_id: str) -> list[LedgerEntry]:
        """Return the user's ledger, oldest first."""
        ...

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the store answers, StoreMismatch on a schema this version does not know."""
        ...


class Dispute(Record):
    """An open dispute: the memory held back, the standing ones it contradicts, and when the user was asked about it.

    `raised_ms` is when a reply last asked, `raised_by` are the turn ids of the replies after which the user knew of it:
    those that asked, and the one whose own turn brought it up.
    """

    memory: Memory
    against: tuple[Memory, ...]
    raised_ms: int | None = None
    raised_by: tuple[str, ...] = ()


class OutboxEntry(Record):
    """An index write to be done: copy the memory's present row, or delete the point where `memory` is None."""

    memory_id: str
    revision: int
    memory: Memory | None
    nearby: tuple[Nearby, ...] = ()


class IdleSession(Record):
    """A session nobody has used for a while, with turns that are not archived."""

    user_id: str
    session_id: str
    turns: tuple[Turn, ...]


class Maintenance(Protocol):
    """The curator's view across users; no other caller may hold it."""

    async def lease(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> bool:
        """Take or renew an expiring lease; False while another owner holds it."""
        ...

    async def release(self, name: str, owner: str) -> None:
        """Give a lease back."""
        ...

    async def idle_sessions(self, *, before_ms: int, limit: int) -> list[IdleSession]:
        """Return sessions whose last turn is older than `before_ms` and that hold unarchived live turns."""
        ...

    async def undistilled(self, *, before_ms: int, limit: int) -> list[Turn]:
        """Return live user turns older than `before_ms` that no fact_check has finished, oldest first."""
        ...

    async def pending(self, *, before_ms: int, limit: int, provisional: bool) -> list[Memory]:
        """Return pending memories whose next attempt is due before `before_ms`, the longest waiting first.

        Each attempt puts the next one off further. With `provisional`, those on which only the offline verifier
        has decided are added: active and disputed ones, and what it found unsupported.
        """
        ...

    async def users_with_outbox(self) -> list[str]:
        """Return the ids of users whose index writes are not all applied."""
        ...

    async def enqueue_all(self) -> int:
        """Put every active and superseded memory into the outbox (the index was lost); return how many."""
        ...


class Neighbour(Record):
    """A memory beside a candidate: in the same slot, near in meaning, a side of an open dispute, or what it replaced.

    It is active; or disputed, and `asked` says that the reply before asked the user about it; or superseded by the very
    memory that is judged again, and then it is judged as if it stood.
    """

    memory: Memory
    similarity: float | None = None
    same_slot: bool = False
    asked: bool = False


class Distillation(Record):
    """What a distiller found in a user's turn, with what it cost."""

    candidates: tuple[Candidate, ...] = ()
    task_changes: tuple[TaskChange, ...] = ()
    usage: tuple[LedgerEntry, ...] = ()


class Summary(Record):
    """A summary of turns, at most 50 tokens, with what it cost."""

    text: str
    usage: tuple[LedgerEntry, ...] = ()


class Judgement(Record):
    """A verifier's verdict on one candidate, with how it was made and what it cost.

    `compared` are the ids of the neighbours it was really made beside: a prompt may not hold all of them.
    """

    verdict: Verdict
    compared: tuple[str, ...] = ()
    verifier: str
    provisional: bool
    prompt_hash: str
    usage: tuple[LedgerEntry, ...] = ()


class Responder(Protocol):
    """Writes the reply the user sees."""

    model: str

    def stream(self, messages: Sequence[PromptMessage]) -> AsyncIterator[ReplyChunk]:
        """Stream the reply to these messages."""
        ...


class Distiller(Protocol):
    """Proposes what to remember of what the user said."""

    async def distill(self, turn: Turn, context: Sequence[Turn]) -> Distillation:
        """Return candidates from `turn`; `context` are earlier turns that help to read it and are no source."""
        ...


class Summariser(Protocol):
    """Shortens a stretch of conversation to one episode."""

    async def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return a summary of the turns."""
        ...


class Verifier(Protocol):
    """Judges a candidate against its source and its neighbours."""

    async def verify(
        self,
        candidate: Candidate,
        source: Sequence[Turn],
        company: Sequence[Neighbour],
        *,
        context: Sequence[Turn] = (),
        seconds: float,
    ) -> Judgement:
        """Return a judgement within `seconds`. Raises rather than guess; an `undecided` relation is a judgement too.

        `context` are the turns right before the source, oldest first: they help to read it and are no source.
        """
        ...
