"""The journal in PostgreSQL, the source of truth: the Journal and Maintenance ports over one pool of connections."""

from collections.abc import Awaitable, Callable, Sequence

from state.errors import StoreMismatch
from state.ports import Clock, Committed, OutboxEntry, TurnCommit, WriteAhead
from state.records import Evidence, LedgerEntry, Memory, MemoryEvent, Status, Task, Turn
from state.stores.boundary import own_commit, own_turns, storable, storable_record, stored_tenant
from state.stores.journal import commit as commits
from state.stores.journal import turns as session_turns
from state.stores.journal.commit import MEMORY_COLUMNS, TASK_COLUMNS, memory_of, task_of
from state.stores.journal.database import Postgres
from state.stores.journal.maintenance import PostgresMaintenance
from state.stores.journal.migrate import check_revision
from state.stores.journal.turn_ids import as_given
from state.stores.journal.turns import TURN_COLUMNS, turn_of

_RECENT = f"""
    SELECT {TURN_COLUMNS} FROM turns
    WHERE user_id = %s AND session_id = %s AND NOT abandoned AND archived_ms IS NULL
    ORDER BY ordinal DESC LIMIT %s
"""
_TRANSCRIPT = f"""
    SELECT {TURN_COLUMNS} FROM turns WHERE user_id = %s AND session_id = %s ORDER BY ordinal
"""
_MEMORIES = f"SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND memory_id = ANY(%s)"
_LIST_MEMORIES = f"""
    SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND status = ANY(%s)
    ORDER BY mentioned_ms DESC, memory_id LIMIT %s OFFSET %s
"""
_COUNT_MEMORIES = "SELECT count(*) AS memories FROM memories WHERE user_id = %s AND status = ANY(%s)"
_IN_SLOT = f"""
    SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND slot = %s AND status = 'active'
    ORDER BY mentioned_ms, memory_id
"""
_HISTORY = f"""
    SELECT {", ".join(MemoryEvent.model_fields)} FROM memory_events WHERE user_id = %s AND memory_id = %s
    ORDER BY event_id
"""
_HELD_BACK = """
    SELECT evidence FROM memories
    WHERE user_id = %s AND session_id = %s AND status IN ('pending', 'disputed', 'superseded', 'rejected')
    ORDER BY mentioned_ms, memory_id
"""
# What was found to say the same again is forgotten with it.
_FORGET_FOR_GOOD = """
    INSERT INTO forgotten (user_id, memory_id, at_ms)
    SELECT user_id, memory_id, %(at_ms)s::bigint FROM memories
    WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
    UNION SELECT user_id, mention_id, %(at_ms)s FROM memory_mentions
    WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
    ON CONFLICT DO NOTHING
"""
_FORGET = "DELETE FROM memories WHERE user_id = %s AND memory_id = %s RETURNING status"
# Reasons are written by a model that has read the memory: they may quote it.
_BLANK_REASONS = "UPDATE memory_events SET reason = '' WHERE user_id = %s AND memory_id = %s"
_FORGET_MENTIONS = "DELETE FROM memory_mentions WHERE user_id = %s AND mention_id = %s"
_UNLINK = """
    UPDATE memories SET opposes = opposes - %(memory_id)s, supersedes = nullif(supersedes, %(memory_id)s)
    WHERE user_id = %(user_id)s AND (opposes ? %(memory_id)s OR supersedes = %(memory_id)s)
"""
_OPEN_TASKS = f"""
    SELECT {TASK_COLUMNS} FROM tasks WHERE user_id = %s AND state IN ('open', 'blocked')
    ORDER BY updated_ms DESC, task_id LIMIT %s
"""
_OUTBOX = f"""
    SELECT outbox.memory_id AS entry_id, outbox.revision,
           {", ".join(f"memories.{name}" for name in Memory.model_fields)}
    FROM outbox LEFT JOIN memories
      ON memories.user_id = outbox.user_id AND memories.memory_id = outbox.memory_id
     AND memories.status IN ('active', 'superseded')
    WHERE outbox.user_id = %s ORDER BY outbox.revision LIMIT %s
"""
_COMES_BACK = """
    INSERT INTO outbox (user_id, memory_id) SELECT %s, unnest(%s::text[]) ON CONFLICT DO NOTHING
"""
_SETTLE = """
    DELETE FROM outbox USING unnest(%s::text[], %s::bigint[]) AS done (memory_id, revision)
    WHERE outbox.user_id = %s AND outbox.memory_id = done.memory_id AND outbox.revision = done.revision
"""
_USAGE = f"SELECT {', '.join(LedgerEntry.model_fields)} FROM ledger WHERE user_id = %s ORDER BY position"
_REVISION = "SELECT version_num FROM alembic_version"


class PostgresJournal(PostgresMaintenance):
    """Turns, memories and their events, tasks, outbox and ledger. Satisfies Journal and Maintenance.

    Constructed closed, without I/O; `url` names the database and may start its server. Opens itself, and migrates, at
    first use, and again after `close`. Every method raises StoreUnavailable where the server does not answer,
    StoreMismatch where its schema is of a later version, TenantMissing on an empty user id, and ValueError where what
    is written belongs to another user or session than the one named. What PostgreSQL refuses is raised as it is.
    """

    def __init__(self, url: Callable[[], Awaitable[str]], *, clock: Clock) -> None:
        super().__init__(Postgres(url))
        self._clock = clock

    async def open(self) -> None:
        """Connect and migrate; nothing to do where that is done."""
        await self._database.open()

    async def close(self) -> None:
        """Close all connections."""
        await self._database.close()

    async def write_ahead(
        self, user_id: str, session_id: str, turns: Sequence[Turn], *, present: Sequence[str], heard: Sequence[str] = ()
    ) -> WriteAhead:
        """Make incoming turns durable, idempotently by turn id and text; see the port for `present` and `heard`.

        Ids come back as the caller gave them, also those that are stored in another form.
        """
        stored_tenant(user_id)
        session_id = storable(session_id)
        incoming = own_turns(user_id, session_id, turns)
        async with self._database.transaction() as connection:
            await commits.lock_user(connection, user_id)
            done = await session_turns.write_ahead(
                connection,
                user_id,
                session_id,
                incoming,
                present=[storable(turn_id) for turn_id in present],
                heard=[storable(turn_id) for turn_id in heard],
                now_ms=self._clock.now_ms(),
            )
        return as_given(done, turns, present)

    async def append_reply(self, reply: Turn) -> Turn:
        """Make a reply durable, idempotently by turn id; return it with its ordinal and time."""
        stored_tenant(reply.user_id)
        async with self._database.transaction() as connection:
            return await session_turns.append(connection, storable_record(reply), now_ms=self._clock.now_ms())

    async def recent_turns(self, user_id: str, session_id: str, limit: int) -> list[Turn]:
        """Return the session's last live, unarchived turns, oldest first."""
        rows = await self._database.rows(_RECENT, stored_tenant(user_id), storable(session_id), max(limit, 0))
        return [turn_of(row) for row in reversed(rows)]

    async def transcript(self, user_id: str, session_id: str) -> list[Turn]:
        """Return every turn of the session in order, archived and abandoned ones too."""
        rows = await self._database.rows(_TRANSCRIPT, stored_tenant(user_id), storable(session_id))
        return [turn_of(row) for row in rows]

    async def commit(self, commit: TurnCommit) -> Committed:
        """Apply a commit in one transaction under the user's lock; applying it twice writes nothing twice."""
        commit = own_commit(commit)
        async with self._database.transaction() as connection:
            return await commits.apply(connection, commit, now_ms=self._clock.now_ms())

    async def memories(self, user_id: str, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the user's memories with these ids, in the order asked; unknown ids are left out."""
        asked = [storable(memory_id) for memory_id in memory_ids]
        rows = await self._database.rows(_MEMORIES, stored_tenant(user_id), asked)
        found = {row["memory_id"]: memory_of(row) for row in rows}
        return [found[memory_id] for memory_id in asked if memory_id in found]

    async def list_memories(
        self, user_id: str, *, statuses: Sequence[Status], limit: int, offset: int = 0
    ) -> list[Memory]:
        """Return memories of these statuses, newest first; none where no status is given."""
        page = (list(statuses), max(limit, 0), max(offset, 0))
        rows = await self._database.rows(_LIST_MEMORIES, stored_tenant(user_id), *page)
        return [memory_of(row) for row in rows]

    async def count_memories(self, user_id: str, statuses: Sequence[Status]) -> int:
        """Return how many memories of these statuses the user has."""
        (row,) = await self._database.rows(_COUNT_MEMORIES, stored_tenant(user_id), list(statuses))
        return int(row["memories"])

    async def in_slot(self, user_id: str, slot: str) -> list[Memory]:
        """Return the active memories of a slot, oldest first."""
        rows = await self._database.rows(_IN_SLOT, stored_tenant(user_id), storable(slot))
        return [memory_of(row) for row in rows]

    async def history(self, user_id: str, memory_id: str) -> list[MemoryEvent]:
        """Return a memory's changes, oldest first; those of a forgotten one have lost their reasons."""
        rows = await self._database.rows(_HISTORY, stored_tenant(user_id), storable(memory_id))
        return [MemoryEvent.model_validate(row) for row in rows]

    async def forget(self, user_id: str, memory_id: str, *, at_ms: int) -> bool:
        """Delete a memory for good, with receipt, mentions, citations, reasons in its history; False if there is none.

        What is left says that there was a memory, when and by whom it was changed and that it was forgotten. The
        outbox entry has its point deleted. The turn it was taken from keeps its words, and no later write with the
        memory's id, or with that of one that was counted as a mention of it, has any effect.
        """
        owner = (stored_tenant(user_id), storable(memory_id))
        async with self._database.transaction() as connection:
            await commits.lock_user(connection, user_id)
            named = {"user_id": owner[0], "memory_id": owner[1]}
            await connection.execute(_FORGET_FOR_GOOD, {**named, "at_ms": at_ms})
            gone = await (await connection.execute(_FORGET, owner)).fetchone()
            if gone is None:
                return False
            await connection.execute(_BLANK_REASONS, owner)
            await connection.execute(_FORGET_MENTIONS, owner)
            await connection.execute(_UNLINK, named)
            event = MemoryEvent(
                memory_id=owner[1],
                at_ms=at_ms,
                actor="user",
                from_status=gone["status"],
                to_status=None,
                reason="forgotten",
            )
            await commits.insert_event(connection, user_id, event)
            await commits.enqueue(connection, *owner)
            return True

    async def held_back(self, user_id: str, session_id: str) -> list[Evidence]:
        """Return the words behind the session's memories that are no belief, those of the oldest memory first.

        An episode rests on whole turns and has no words of its own.
        """
        rows = await self._database.rows(_HELD_BACK, stored_tenant(user_id), storable(session_id))
        parts = [Evidence.model_validate(part) for row in rows for part in row["evidence"]]
        return [part for part in parts if part.span]

    async def open_tasks(self, user_id: str, limit: int) -> list[Task]:
        """Return open and blocked tasks, the last touched first."""
        rows = await self._database.rows(_OPEN_TASKS, stored_tenant(user_id), max(limit, 0))
        return [task_of(row) for row in rows]

    async def outbox(self, user_id: str, limit: int) -> list[OutboxEntry]:
        """Return index writes of this user that are not yet applied, oldest first.

        An entry carries the memory's row as it is now, or None where its point has to go.
        """
        rows = await self._database.rows(_OUTBOX, stored_tenant(user_id), max(limit, 0))
        return [
            OutboxEntry(
                memory_id=row["entry_id"],
                revision=row["revision"],
                memory=memory_of(row) if row["memory_id"] is not None else None,
            )
            for row in rows
        ]

    async def settle(self, user_id: str, entries: Sequence[OutboxEntry]) -> None:
        """Remove applied entries, unless their memory was changed since; one that is gone already comes back."""
        owner = stored_tenant(user_id)
        ids, revisions = [entry.memory_id for entry in entries], [entry.revision for entry in entries]
        async with self._database.transaction() as connection:
            await commits.lock_user(connection, owner)
            # First: what comes back has a new revision, and stays.
            await connection.execute(_COMES_BACK, (owner, ids))
            await connection.execute(_SETTLE, (ids, revisions, owner))

    async def usage(self, user_id: str) -> list[LedgerEntry]:
        """Return the user's ledger, oldest first."""
        rows = await self._database.rows(_USAGE, stored_tenant(user_id))
        return [LedgerEntry.model_validate(row) for row in rows]

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the server answers, StoreMismatch on a schema this version does not know."""
        rows = await self._database.rows(_REVISION)
        if not check_revision(rows[0]["version_num"] if rows else None):
            raise StoreMismatch("The journal in PostgreSQL has an older schema than it was opened with: restart Loci.")
