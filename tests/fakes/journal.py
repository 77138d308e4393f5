"""The journal without PostgreSQL: the same promises, over dictionaries."""

from collections.abc import Sequence

from state.ports import Clock, Committed, Dispute, OutboxEntry, TurnCommit
from state.records import (
    Decision,
    Evidence,
    LedgerEntry,
    Memory,
    MemoryEvent,
    MemoryWrite,
    Status,
    Task,
    TaskChange,
    Turn,
)
from state.stores.boundary import own_commit, storable, stored_tenant
from state.stores.journal.commit_keys import change_key, citation_key, ledger_keys
from state.stores.journal.company import without_own_changes
from state.stores.journal.decisions import changed_by, decide, forget
from state.stores.journal.drafts import Effects, needs_index
from state.stores.journal.memory_writes import FIRST_WAIT_MS, LONGEST_WAIT_MS, effects, is_judged_again
from state.stores.journal.nearby import has_nearby
from state.stores.journal.task_changes import by_task, changed
from state.stores.journal.turn_ids import bearing
from tests.fakes.turns import FakeTurns


class FakeJournal(FakeTurns):
    """Satisfies `state.ports.Journal` and `state.ports.Maintenance`."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._events: dict[tuple[str, str], list[MemoryEvent]] = {}
        self._mentions: dict[tuple[str, str], str] = {}
        self._several_valued: dict[tuple[str, str], int] = {}
        self._citations: set[tuple[str, str, str, str]] = set()
        self._tasks: dict[tuple[str, str], tuple[Task, int]] = {}
        self._changes: set[tuple[str, str, str]] = set()
        self._ledger: dict[tuple[str, str], LedgerEntry] = {}

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ping(self) -> None:
        pass

    # Commit

    async def commit(self, commit: TurnCommit) -> Committed:
        commit = own_commit(commit)
        last_ms = max((kept.turn.at_ms for kept in self._session(commit.user_id, commit.session_id)), default=0)
        if commit.idle_since_ms is not None and last_ms > commit.idle_since_ms:
            return Committed(reply=None, memories=(), applied=False)
        reply = await self.append_reply(commit.reply) if commit.reply is not None else None
        self._mark(commit)
        wanted = [write for write in commit.writes if (commit.user_id, write.memory.memory_id) not in self._forgotten]
        found = dict(self._standing(commit.user_id))
        answers = [self._write(commit, write, found, reply) for write in wanted]
        if reply is not None:
            self._ask(reply, commit.raised, commit.at_ms)
        for task, changes in by_task(commit.user_id, commit.task_changes).items():
            self._change_task(commit, task, changes)
        for key, entry in zip(ledger_keys(commit), commit.ledger, strict=True):
            self._ledger.setdefault((commit.user_id, key), entry)
        memories = tuple(self._memories[commit.user_id, answer] for answer in answers if answer is not None)
        return Committed(reply=reply, memories=memories)

    def _mark(self, commit: TurnCommit) -> None:
        self._enqueue_archived(commit)
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

    def _enqueue_archived(self, commit: TurnCommit) -> None:
        session = self._session(commit.user_id, commit.session_id)
        live = {kept.turn.turn_id for kept in session if kept.archived_ms is None}
        for memory in self._own(commit.user_id):
            rests_on = {part.turn_id for part in memory.evidence} & live & set(commit.archived)
            key = (memory.user_id, memory.memory_id)
            if memory.session_id == commit.session_id and rests_on and has_nearby(memory) and self._indexed(key):
                self._outbox[key] = next(self._revisions)

    def _write(
        self, commit: TurnCommit, write: MemoryWrite, found: dict[str, Memory], reply: Turn | None
    ) -> str | None:
        user_id = commit.user_id
        standing = self._standing(user_id)
        done = effects(
            without_own_changes(write, found, standing),
            standing,
            mentioned=self._mentions.get((user_id, write.memory.memory_id)),
            several_valued={slot for owner, slot in self._several_valued if owner == user_id},
            actor=commit.actor,
            at_ms=commit.at_ms,
        )
        self._apply(user_id, done, commit.at_ms, reply)
        attempts, due_ms = self._due.get((user_id, write.memory.memory_id), (0, 0))
        if done.attempt and is_judged_again(commit) and due_ms < commit.at_ms:
            due = (attempts + 1, commit.at_ms + min(FIRST_WAIT_MS << (attempts + 1), LONGEST_WAIT_MS))
            self._due[user_id, write.memory.memory_id] = due
        return done.answer

    def _standing(self, user_id: str) -> dict[str, Memory]:
        return {memory.memory_id: memory for memory in self._own(user_id)}

    def _apply(self, user_id: str, done: Effects, at_ms: int, reply: Turn | None = None) -> None:
        for memory in done.rows:
            key = (user_id, memory.memory_id)
            before = self._memories.get(key)
            self._memories[key] = memory
            if before is None or before.status != memory.status:
                self._due[key] = (0, at_ms)
                self._raised.pop(key, None)
                self._raised_ms.pop(key, None)
                if memory.status == "disputed":
                    told = {(reply.session_id, reply.turn_id): at_ms} if reply is not None else {}
                    self._raised[key] = told
            if needs_index(before, memory):
                self._outbox[key] = next(self._revisions)
        for event in done.events:
            self._events.setdefault((user_id, event.memory_id), []).append(event)
        if done.mention is not None:
            holds, candidate = done.mention
            handed_on = {one for one, held in self._mentions.items() if (one[0], held) == (user_id, candidate)}
            self._mentions |= dict.fromkeys([*handed_on, (user_id, candidate)], holds)
        if done.several_valued is not None:
            self._several_valued.setdefault((user_id, done.several_valued), at_ms)

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

    async def in_slot(self, user_id: str, slot: str, *, statuses: Sequence[Status] = ("active",)) -> list[Memory]:
        found = [one for one in self._own(user_id) if one.slot == storable(slot) and one.status in statuses]
        return sorted(found, key=lambda memory: (memory.mentioned_ms, memory.memory_id))

    async def replaced_by(self, user_id: str, memory_id: str) -> list[Memory]:
        found = [memory for memory in self._own(user_id) if memory.superseded_by == storable(memory_id)]
        return sorted(found, key=lambda memory: (memory.mentioned_ms, memory.memory_id))

    async def open_disputes(self, user_id: str, limit: int) -> list[Dispute]:
        own = self._standing(user_id)
        found = [
            Dispute(
                memory=memory,
                against=tuple(own[one] for one in memory.opposes if one in own and own[one].status == "active"),
                raised_ms=self._raised_ms.get((user_id, memory.memory_id)),
                raised_by=self._raised_by(user_id, memory.memory_id),
            )
            for memory in own.values()
            if memory.status == "disputed"
        ]
        found.sort(key=lambda one: (one.raised_ms or 0, one.memory.mentioned_ms, one.memory.memory_id))
        return found[: max(limit, 0)]

    def _raised_by(self, user_id: str, memory_id: str) -> tuple[str, ...]:
        raised = self._raised[user_id, memory_id]
        return tuple(turn_id for _, turn_id in sorted(raised, key=lambda by: (raised[by], *by)))

    async def decide(self, user_id: str, memory_id: str, decision: Decision, *, at_ms: int) -> list[Memory] | None:
        memory_id, standing = storable(memory_id), self._standing(user_id)
        if memory_id not in standing:
            return None
        done = decide(memory_id, decision, standing, at_ms=at_ms)
        self._apply(user_id, done, at_ms)
        return changed_by(done, standing)

    async def history(self, user_id: str, memory_id: str) -> list[MemoryEvent]:
        return list(self._events.get((stored_tenant(user_id), storable(memory_id)), []))

    async def forget(self, user_id: str, memory_id: str, *, at_ms: int) -> bool:
        key = (stored_tenant(user_id), storable(memory_id))
        standing = self._standing(user_id)
        if key not in self._memories:
            return False
        done = forget(key[1], standing, at_ms=at_ms)
        for kept in (self._memories, self._due):
            del kept[key]
        for noted in (self._raised, self._raised_ms):
            noted.pop(key, None)
        again = {one for one, holds in self._mentions.items() if (one[0], holds) == key}
        memory, borne = standing[key[1]], frozenset(bearing(standing[key[1]].evidence))
        self._forgotten |= dict.fromkeys(again, ("", frozenset[str]())) | {key: (memory.session_id, borne)}
        self._mentions = {one: holds for one, holds in self._mentions.items() if one not in {key, *again}}
        self._citations = {one for one in self._citations if one[:2] != key}
        self._events[key] = [event.model_copy(update={"reason": ""}) for event in self._events.get(key, [])]
        self._apply(user_id, done, at_ms)
        self._outbox[key] = next(self._revisions)
        self._enqueue_around(memory, borne)
        return True

    def _enqueue_around(self, forgotten: Memory, borne: frozenset[str]) -> None:
        for memory in self._own(forgotten.user_id):
            key = (memory.user_id, memory.memory_id)
            named = {one for _, turn in self._around(memory) for one in (turn.turn_id, turn.reply_to)}
            if memory.session_id == forgotten.session_id and named & borne and self._indexed(key):
                self._outbox[key] = next(self._revisions)

    async def held_back(self, user_id: str, session_id: str) -> list[Evidence]:
        found = [memory for memory in self._own(user_id) if memory.session_id == storable(session_id)]
        found.sort(key=lambda memory: (memory.mentioned_ms, memory.memory_id))
        held = [memory for memory in found if memory.status != "active"]
        return [part for memory in held for part in memory.evidence if part.span]

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
            OutboxEntry(
                memory_id=key[1], revision=revision, memory=self._indexed(key), nearby=self._nearby(self._indexed(key))
            )
            for revision, key in waiting[: max(limit, 0)]
        ]

    async def settle(self, user_id: str, entries: Sequence[OutboxEntry]) -> None:
        owner = stored_tenant(user_id)
        for entry in entries:
            revision = self._outbox.setdefault((owner, entry.memory_id), next(self._revisions))
            if revision == entry.revision:
                del self._outbox[owner, entry.memory_id]

    async def usage(self, user_id: str) -> list[LedgerEntry]:
        owner = stored_tenant(user_id)
        return [entry for (user, _), entry in self._ledger.items() if user == owner]
