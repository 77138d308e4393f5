"""The journal without PostgreSQL: the same promises, over dictionaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from state.ports import Clock, Committed, IdleSession, OutboxEntry, TurnCommit, WriteAhead
from state.records import LedgerEntry, Memory, MemoryEvent, MemoryWrite, Status, Task, TaskChange, Turn
from state.stores.boundary import own_commit, own_turns, storable, storable_record, stored_tenant
from state.stores.journal.commit_keys import change_key, citation_key, ledger_keys
from state.stores.journal.memory_writes import INDEXED, effects, is_open_to_judgement, needs_index
from state.stores.journal.task_changes import by_task, changed


@dataclass
class _Kept:
    turn: Turn
    abandoned: bool = False
    distilled_ms: int | None = None
    archived_ms: int | None = None

    @property
    def is_in_window(self) -> bool:
        return not self.abandoned and self.archived_ms is None


class FakeJournal:
    """Satisfies `state.ports.Journal` and `state.ports.Maintenance`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sessions: dict[tuple[str, str], dict[str, _Kept]] = {}
        self._memories: dict[tuple[str, str], Memory] = {}
        self._judged: dict[tuple[str, str], int] = {}
        self._events: dict[tuple[str, str], list[MemoryEvent]] = {}
        self._mentions: set[tuple[str, str, str]] = set()
        self._citations: set[tuple[str, str, str, str]] = set()
        self._tasks: dict[tuple[str, str], tuple[Task, int]] = {}
        self._changes: set[tuple[str, str, str]] = set()
        self._ledger: dict[tuple[str, str], LedgerEntry] = {}
        self._outbox: dict[tuple[str, str], int] = {}
        self._revisions = count(1)
        self._leases: dict[str, tuple[str, int]] = {}

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ping(self) -> None:
        pass

    # Turns

    async def write_ahead(
        self, user_id: str, session_id: str, turns: Sequence[Turn], *, present: Sequence[str]
    ) -> WriteAhead:
        session_id = storable(session_id)
        turns = own_turns(stored_tenant(user_id), session_id, turns)
        session = self._sessions.setdefault((user_id, session_id), {})
        held = {storable(turn_id) for turn_id in present} | {turn.turn_id for turn in turns}
        is_known = any(storable(turn_id) in session for turn_id in present)
        for turn_id, kept in session.items():
            if turn_id in held:
                kept.abandoned = False
            elif is_known and kept.archived_ms is None:
                kept.abandoned = True
        last = len(session)
        for turn in turns:
            if turn.turn_id not in session:
                before = max((kept.turn.at_ms for kept in session.values()), default=-1)
                at_ms = max(self._clock.now_ms(), before + 1)
                session[turn.turn_id] = _Kept(turn.model_copy(update={"ordinal": len(session) + 1, "at_ms": at_ms}))
        written = tuple(session[turn.turn_id].turn for turn in turns)
        if len(session) == last:
            last = min((turn.ordinal for turn in written), default=last + 1) - 1
        return WriteAhead(turns=written, previous_ordinal=last)

    async def append_reply(self, reply: Turn) -> Turn:
        stored_tenant(reply.user_id)
        reply = storable_record(reply)
        return (await self.write_ahead(reply.user_id, reply.session_id, [reply], present=())).turns[0]

    async def recent_turns(self, user_id: str, session_id: str, limit: int) -> list[Turn]:
        live = [kept.turn for kept in self._session(user_id, session_id) if kept.is_in_window]
        return live[len(live) - min(max(limit, 0), len(live)) :]

    async def transcript(self, user_id: str, session_id: str) -> list[Turn]:
        return [kept.turn for kept in self._session(user_id, session_id)]

    def _session(self, user_id: str, session_id: str) -> list[_Kept]:
        return list(self._sessions.get((stored_tenant(user_id), storable(session_id)), {}).values())

    # Commit

    async def commit(self, commit: TurnCommit) -> Committed:
        commit = own_commit(commit)
        reply = await self.append_reply(commit.reply) if commit.reply is not None else None
        self._mark(commit)
        answers = [self._write(commit, write) for write in commit.writes]
        for task, changes in by_task(commit.user_id, commit.task_changes).items():
            self._change_task(commit, task, changes)
        for key, entry in zip(ledger_keys(commit), commit.ledger, strict=True):
            self._ledger.setdefault((commit.user_id, key), entry)
        return Committed(reply=reply, memories=tuple(self._memories[commit.user_id, answer] for answer in answers))

    def _mark(self, commit: TurnCommit) -> None:
        for memory_id in commit.cited:
            key = (commit.user_id, memory_id, commit.session_id, citation_key(commit))
            memory = self._memories.get(key[:2])
            if memory is not None and key not in self._citations:
                self._citations.add(key)
                self._memories[key[:2]] = memory.model_copy(update={"citations": memory.citations + 1})
        for kept in self._session(commit.user_id, commit.session_id):
            if kept.turn.turn_id in commit.distilled and kept.distilled_ms is None:
                kept.distilled_ms = commit.at_ms
            if kept.turn.turn_id in commit.archived and kept.archived_ms is None:
                kept.archived_ms = commit.at_ms

    def _write(self, commit: TurnCommit, write: MemoryWrite) -> str:
        user_id = commit.user_id
        standing = {memory.memory_id: memory for (owner, _), memory in self._memories.items() if owner == user_id}
        mentioned = (user_id, write.mention_of or "", write.memory.memory_id) in self._mentions
        done = effects(write, standing, mentioned=mentioned, actor=commit.actor, at_ms=commit.at_ms)
        for memory in done.rows:
            key = (user_id, memory.memory_id)
            self._memories[key] = memory
            self._judged[key] = memory.receipt.judged_ms if memory.receipt is not None else commit.at_ms
            if needs_index(standing.get(memory.memory_id), memory):
                self._outbox[key] = next(self._revisions)
        for event in done.events:
            self._events.setdefault((user_id, event.memory_id), []).append(event)
        if done.mention is not None:
            self._mentions.add((user_id, *done.mention))
        return done.answer

    def _change_task(self, commit: TurnCommit, task_id: str, changes: Sequence[TaskChange]) -> None:
        key = (commit.user_id, task_id)
        change = change_key(commit.session_id, changes)
        said_in = {one.evidence.turn_id for one in changes}
        session = self._session(commit.user_id, commit.session_id)
        said_ms = max((kept.turn.at_ms for kept in session if kept.turn.turn_id in said_in), default=commit.at_ms)
        task, last_said_ms = self._tasks.get(key, (None, 0))
        if (*key, change) in self._changes or said_ms < last_said_ms:
            return
        after = changed(task, changes, user_id=commit.user_id, session_id=commit.session_id, at_ms=commit.at_ms)
        if after is not None:
            self._tasks[key] = (after, said_ms)
            self._changes.add((*key, change))

    # Memories

    async def memories(self, user_id: str, memory_ids: Sequence[str]) -> list[Memory]:
        keys = [(stored_tenant(user_id), storable(memory_id)) for memory_id in memory_ids]
        return [self._memories[key] for key in keys if key in self._memories]

    async def list_memories(
        self, user_id: str, *, statuses: Sequence[Status], limit: int, offset: int = 0
    ) -> list[Memory]:
        found = [memory for memory in self._own(user_id) if memory.status in statuses]
        found.sort(key=lambda memory: (-memory.mentioned_ms, memory.memory_id))
        return found[max(offset, 0) :][: max(limit, 0)]

    async def count_memories(self, user_id: str, statuses: Sequence[Status]) -> int:
        return sum(memory.status in statuses for memory in self._own(user_id))

    async def in_slot(self, user_id: str, slot: str) -> list[Memory]:
        found = [memory for memory in self._own(user_id) if (memory.slot, memory.status) == (storable(slot), "active")]
        return sorted(found, key=lambda memory: (memory.mentioned_ms, memory.memory_id))

    async def history(self, user_id: str, memory_id: str) -> list[MemoryEvent]:
        return list(self._events.get((stored_tenant(user_id), storable(memory_id)), []))

    async def forget(self, user_id: str, memory_id: str, *, at_ms: int) -> bool:
        key = (stored_tenant(user_id), storable(memory_id))
        memory = self._memories.pop(key, None)
        if memory is None:
            return False
        del self._judged[key]
        self._mentions = {one for one in self._mentions if one[0] != user_id or key[1] not in one[1:]}
        self._citations = {one for one in self._citations if one[:2] != key}
        for other in self._own(user_id):
            opposes = tuple(opposed for opposed in other.opposes if opposed != key[1])
            supersedes = other.supersedes if other.supersedes != key[1] else None
            unlinked = other.model_copy(update={"opposes": opposes, "supersedes": supersedes})
            self._memories[user_id, other.memory_id] = unlinked
        blank = [event.model_copy(update={"reason": ""}) for event in self._events.get(key, [])]
        change = {"memory_id": key[1], "from_status": memory.status, "to_status": None}
        forgotten = MemoryEvent.model_validate({**change, "at_ms": at_ms, "actor": "user", "reason": "forgotten"})
        self._events[key] = [*blank, forgotten]
        self._outbox[key] = next(self._revisions)
        return True

    def _own(self, user_id: str) -> list[Memory]:
        owner = stored_tenant(user_id)
        return [memory for (user, _), memory in self._memories.items() if user == owner]

    # Tasks, outbox, ledger

    async def open_tasks(self, user_id: str, limit: int) -> list[Task]:
        owner = stored_tenant(user_id)
        found = [task for (user, _), (task, _) in self._tasks.items() if user == owner]
        found = [task for task in found if task.state in ("open", "blocked")]
        return sorted(found, key=lambda task: (-task.updated_ms, task.task_id))[: max(limit, 0)]

    async def outbox(self, user_id: str, limit: int) -> list[OutboxEntry]:
        owner = stored_tenant(user_id)
        waiting = sorted((revision, key) for key, revision in self._outbox.items() if key[0] == owner)
        return [
            OutboxEntry(memory_id=key[1], revision=revision, memory=self._indexed(key))
            for revision, key in waiting[: max(limit, 0)]
        ]

    def _indexed(self, key: tuple[str, str]) -> Memory | None:
        memory = self._memories.get(key)
        return memory if memory is not None and memory.status in INDEXED else None

    async def settle(self, user_id: str, entries: Sequence[OutboxEntry]) -> None:
        owner = stored_tenant(user_id)
        for entry in entries:
            if self._outbox.get((owner, entry.memory_id)) == entry.revision:
                del self._outbox[owner, entry.memory_id]

    async def usage(self, user_id: str) -> list[LedgerEntry]:
        owner = stored_tenant(user_id)
        return [entry for (user, _), entry in self._ledger.items() if user == owner]

    # Maintenance

    async def lease(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> bool:
        holder, held_until_ms = self._leases.get(name, (owner, 0))
        if holder != owner and held_until_ms > now_ms:
            return False
        self._leases[name] = (owner, until_ms)
        return True

    async def release(self, name: str, owner: str) -> None:
        if self._leases.get(name, ("", 0))[0] == owner:
            del self._leases[name]

    async def idle_sessions(self, *, before_ms: int, limit: int) -> list[IdleSession]:
        idle = []
        for key, session in self._sessions.items():
            last_ms = max((kept.turn.at_ms for kept in session.values()), default=0)
            turns = tuple(kept.turn for kept in session.values() if kept.is_in_window)
            if turns and last_ms < before_ms:
                idle.append((last_ms, key, turns))
        return [
            IdleSession(user_id=user_id, session_id=session_id, turns=turns)
            for _, (user_id, session_id), turns in sorted(idle, key=lambda one: one[:2])[: max(limit, 0)]
        ]

    async def undistilled(self, *, before_ms: int, limit: int) -> list[Turn]:
        kept = [kept for session in self._sessions.values() for kept in session.values()]
        waiting = [one.turn for one in kept if one.distilled_ms is None and not one.abandoned]
        turns = [turn for turn in waiting if turn.role == "user" and turn.at_ms < before_ms]
        turns.sort(key=lambda turn: (turn.at_ms, turn.user_id, turn.session_id, turn.ordinal))
        return turns[: max(limit, 0)]

    async def pending(self, *, before_ms: int, limit: int, provisional: bool) -> list[Memory]:
        waiting = [
            key
            for key, memory in self._memories.items()
            if memory.status == "pending" or (provisional and is_open_to_judgement(memory))
        ]
        waiting = [key for key in waiting if self._judged[key] < before_ms]
        return [self._memories[key] for key in sorted(waiting, key=lambda key: (self._judged[key], key))][
            : max(limit, 0)
        ]

    async def users_with_outbox(self) -> list[str]:
        return sorted({user_id for user_id, _ in self._outbox})

    async def enqueue_all(self) -> int:
        keys = sorted(key for key in self._memories if self._indexed(key) is not None)
        self._outbox |= {key: next(self._revisions) for key in keys}
        return len(keys)
