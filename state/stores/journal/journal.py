"""The journal in PostgreSQL, the source of truth: the Journal and Maintenance ports over one pool of connections."""

from collections.abc import Awaitable, Callable, Sequence

from state.errors import StoreMismatch
from state.ports import Clock, Committed, Dispute, OutboxEntry, TurnCommit, WriteAhead
from state.records import Decision, Evidence, LedgerEntry, Memory, MemoryEvent, Status, Task, Turn
from state.stores.boundary import own_commit, own_turns, storable, storable_record, stored_tenant
from state.stores.journal import commit as commits
from state.stores.journal import disputes, forgetting, memory_rows, nearby, raises
from state.stores.journal import turns as session_turns
from state.stores.journal.database import Postgres
from state.stores.journal.decisions import changed_by, decide
from state.stores.journal.maintenance import PostgresMaintenance
from state.stores.journal.memory_rows import MEMORY_COLUMNS, Asked, memory_of
from state.stores.journal.migrate import check_revision
from state.stores.journal.task_writes import TASK_COLUMNS, task_of
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
_SPOKEN = f"""
    SELECT {TURN_COLUMNS} FROM turns
    WHERE user_id = %s AND turn_id = ANY(%s) AND NOT abandoned ORDER BY at_ms, ordinal
"""
_MEMORIES = f"SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND memory_id = ANY(%s)"
_LIST_MEMORIES = f"""
    SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND status = ANY(%s)
    ORDER BY mentioned_ms DESC, memory_id LIMIT %s OFFSET %s
"""
_COUNT_MEMORIES = "SELECT count(*) AS memories FROM memories WHERE user_id = %s AND status = ANY(%s)"
_IN_SLOT = f"""
    SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND slot = %s AND status = ANY(%s)
    ORDER BY mentioned_ms, memory_id
"""
_REPLACED_BY = f"""
    SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND superseded_by = %s ORDER BY mentioned_ms, memory_id
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
_FORGOTTEN_TURNS = """
    SELECT DISTINCT unnest(turn_ids) AS turn_id FROM forgotten WHERE user_id = %s AND session_id = %s
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
            await memory_rows.lock_user(connection, user_id)
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

    async def append_reply(self, reply: Turn, *, raised: Sequence[str] = ()) -> Turn:
        """Make a reply durable, idempotently by turn id, with what it asked about; return it with ordinal and time."""
        owner = stored_tenant(reply.user_id)
        async with self._database.transaction() as connection:
            if raised:
                await memory_rows.lock_user(connection, owner)
            kept = await session_turns.append(connection, storable_record(reply), now_ms=self._clock.now_ms())
            await raises.ask(connection, kept, [storable(memory_id) for memory_id in raised], at_ms=kept.at_ms)
        return kept

    async def recent_turns(self, user_id: str, session_id: str, limit: int) -> list[Turn]:
        """Return the session's last live, unarchived turns, oldest first."""
        rows = await self._database.rows(_RECENT, stored_tenant(user_id), storable(session_id), max(limit, 0))
        return [turn_of(row) for row in reversed(rows)]

    async def transcript(self, user_id: str, session_id: str) -> list[Turn]:
        """Return every turn of the session in order, archived and abandoned ones too."""
        rows = await self._database.rows(_TRANSCRIPT, stored_tenant(user_id), storable(session_id))
        return [turn_of(row) for row in rows]

    async def spoken(self, user_id: str, turn_ids: Sequence[str]) -> list[Turn]:
        """Return the live turns with these ids, archived ones too, oldest first; sessions may share an id."""
        asked = [storable(turn_id) for turn_id in turn_ids]
        return [turn_of(row) for row in await self._database.rows(_SPOKEN, stored_tenant(user_id), asked)]

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

    async def in_slot(self, user_id: str, slot: str, *, statuses: Sequence[Status] = ("active",)) -> list[Memory]:
        """Return the memories of a slot that have one of these statuses, oldest first."""
        rows = await self._database.rows(_IN_SLOT, stored_tenant(user_id), storable(slot), list(statuses))
        return [memory_of(row) for row in rows]

    async def replaced_by(self, user_id: str, memory_id: str) -> list[Memory]:
        """Return the superseded memories whose place this one took, oldest first."""
        rows = await self._database.rows(_REPLACED_BY, stored_tenant(user_id), storable(memory_id))
        return [memory_of(row) for row in rows]

    async def open_disputes(self, user_id: str, limit: int) -> list[Dispute]:
        """Return open disputes with both sides, those never asked about first, then the longest unasked."""
        owner = stored_tenant(user_id)
        async with self._database.transaction() as connection:
            return await disputes.open_disputes(connection, owner, max(limit, 0))

    async def decide(self, user_id: str, memory_id: str, decision: Decision, *, at_ms: int) -> list[Memory] | None:
        """Do what the user decides about one memory, in one transaction under the user's lock; see the port."""
        owner, memory_id = stored_tenant(user_id), storable(memory_id)
        async with self._database.transaction() as connection:
            await memory_rows.lock_user(connection, owner)
            asked = frozenset([memory_id])
            whole = asked if decision == "keep_both" else frozenset[str]()
            standing = await memory_rows.standing(connection, owner, Asked(own=asked, whole=whole))
            if memory_id not in standing:
                return None
            done = decide(memory_id, decision, standing, at_ms=at_ms)
            await memory_rows.write_effects(connection, owner, done, standing, at_ms=at_ms)
        return changed_by(done, standing)

    async def history(self, user_id: str, memory_id: str) -> list[MemoryEvent]:
        """Return a memory's changes, oldest first; those of a forgotten one have lost their reasons."""
        rows = await self._database.rows(_HISTORY, stored_tenant(user_id), storable(memory_id))
        return [MemoryEvent.model_validate(row) for row in rows]

    async def forget(self, user_id: str, memory_id: str, *, at_ms: int) -> bool:
        """Delete a memory for good, with receipt, mentions, citations, reasons in its history; False if there is none.

        What is left says that there was a memory, when and by whom it was changed and that it was forgotten. The
        outbox entry has its point deleted. The turn it was taken from keeps its words, and is marked: it is not nearby
        any more, and memories said around it are indexed again without it. No later write with the memory's id, or with
        that of one that was counted as a mention of it, has any effect.
        """
        owner, memory_id = stored_tenant(user_id), storable(memory_id)
        async with self._database.transaction() as connection:
            return await forgetting.apply(connection, owner, memory_id, at_ms=at_ms)

    async def held_back(self, user_id: str, session_id: str) -> list[Evidence]:
        """Return the words behind the session's memories that are no belief, those of the oldest memory first.

        An episode rests on whole turns and has no words of its own.
        """
        rows = await self._database.rows(_HELD_BACK, stored_tenant(user_id), storable(session_id))
        parts = [Evidence.model_validate(part) for row in rows for part in row["evidence"]]
        return [part for part in parts if part.span]

    async def forgotten_turns(self, user_id: str, session_id: str) -> frozenset[str]:
        """Return the ids of the session's turns that bore a memory which is forgotten, as far as that is known."""
        rows = await self._database.rows(_FORGOTTEN_TURNS, stored_tenant(user_id), storable(session_id))
        return frozenset(row["turn_id"] for row in rows)

    async def open_tasks(self, user_id: str, limit: int) -> list[Task]:
        """Return open and blocked tasks, the last touched first."""
        rows = await self._database.rows(_OPEN_TASKS, stored_tenant(user_id), max(limit, 0))
        return [task_of(row) for row in rows]

    async def outbox(self, user_id: str, limit: int) -> list[OutboxEntry]:
        """Return index writes of this user that are not yet applied, oldest first.

        An entry carries the memory's row as it is now and what was said around it, or None where its point has to go.
        """
        owner = stored_tenant(user_id)
        async with self._database.transaction() as connection:
            rows = await (await connection.execute(_OUTBOX, (owner, max(limit, 0)))).fetchall()
            standing = {row["entry_id"]: memory_of(row) for row in rows if row["memory_id"] is not None}
            around = await nearby.nearby(connection, owner, list(standing.values())) if standing else {}
        return [
            OutboxEntry(
                memory_id=row["entry_id"],
                revision=row["revision"],
                memory=standing.get(row["entry_id"]),
                nearby=around.get(row["entry_id"], ()),
            )
            for row in rows
        ]

    async def settle(self, user_id: str, entries: Sequence[OutboxEntry]) -> None:
        """Remove applied entries, unless their memory was changed since; one that is gone already comes back."""
        owner = stored_tenant(user_id)
        ids, revisions = [entry.memory_id for entry in entries], [entry.revision for entry in entries]
        async with self._database.transaction() as connection:
            await memory_rows.lock_user(connection, owner)
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
