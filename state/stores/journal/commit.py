"""A commit in the journal: the reply, memories, tasks, marks and ledger of one pass, in one transaction."""

from collections.abc import Mapping, Sequence

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from state.ports import Committed, TurnCommit
from state.records import Memory, MemoryEvent, MemoryWrite, Task, TaskChange
from state.stores.journal import turns
from state.stores.journal.commit_keys import change_key, citation_key, ledger_keys
from state.stores.journal.database import Connection
from state.stores.journal.memory_writes import (
    FIRST_WAIT_MS,
    LONGEST_WAIT_MS,
    Effects,
    effects,
    is_judged_again,
    needs_index,
)
from state.stores.journal.task_changes import by_task, changed

MEMORY_COLUMNS = ", ".join(Memory.model_fields)
TASK_COLUMNS = ", ".join(Task.model_fields)

_JSON_FIELDS = ("evidence", "opposes", "receipt")

_LOCK_USER = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_CITE = """
    WITH counted AS (
        INSERT INTO memory_citations (user_id, memory_id, session_id, citation_id, at_ms)
        SELECT user_id, memory_id, %(session_id)s, %(citation_id)s, %(at_ms)s FROM memories
        WHERE user_id = %(user_id)s AND memory_id = ANY(%(cited)s)
        ON CONFLICT DO NOTHING RETURNING memory_id
    )
    UPDATE memories SET citations = citations + 1, updated_ms = %(at_ms)s
    FROM counted WHERE memories.user_id = %(user_id)s AND memories.memory_id = counted.memory_id
"""
_MARK = """
    UPDATE turns SET distilled_ms = CASE WHEN turn_id = ANY(%(distilled)s) THEN coalesce(distilled_ms, %(at_ms)s)
                                    ELSE distilled_ms END,
                     archived_ms  = CASE WHEN turn_id = ANY(%(archived)s) THEN coalesce(archived_ms, %(at_ms)s)
                                    ELSE archived_ms END
    WHERE user_id = %(user_id)s AND session_id = %(session_id)s AND turn_id = ANY(%(turns)s)
"""
_STANDING = f"""
    SELECT {MEMORY_COLUMNS} FROM memories
    WHERE user_id = %s AND (memory_id = ANY(%s) OR (status = 'active' AND slot = ANY(%s)))
"""
_MENTIONS = "SELECT memory_id, mention_id FROM memory_mentions WHERE user_id = %s AND mention_id = ANY(%s)"
_INSERT_MENTION = "INSERT INTO memory_mentions (user_id, memory_id, mention_id, at_ms) VALUES (%s, %s, %s, %s)"
_UPSERT_MEMORY = f"""
    INSERT INTO memories ({MEMORY_COLUMNS}, created_ms, updated_ms, due_ms)
    VALUES ({", ".join(f"%({name})s" for name in Memory.model_fields)}, %(at_ms)s, %(at_ms)s, %(at_ms)s)
    ON CONFLICT (user_id, memory_id) DO UPDATE
    SET {", ".join(f"{name} = excluded.{name}" for name in Memory.model_fields)}, updated_ms = excluded.updated_ms,
        attempts = CASE WHEN memories.status = excluded.status THEN memories.attempts ELSE 0 END,
        due_ms = CASE WHEN memories.status = excluded.status THEN memories.due_ms ELSE excluded.due_ms END
"""
# An attempt before its time is a repetition of the last one. The exponent is bounded long after the wait is.
_PUT_OFF = """
    UPDATE memories SET attempts = attempts + 1,
                        due_ms = %(at_ms)s + least(%(first)s * 2 ^ least(attempts + 1, 30), %(longest)s)::bigint
    WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s AND due_ms < %(at_ms)s
"""
_FORGOTTEN = "SELECT memory_id FROM forgotten WHERE user_id = %s AND memory_id = ANY(%s)"
_INSERT_EVENT = """
    INSERT INTO memory_events (user_id, memory_id, at_ms, actor, from_status, to_status, reason)
    VALUES (%(user_id)s, %(memory_id)s, %(at_ms)s, %(actor)s, %(from_status)s, %(to_status)s, %(reason)s)
"""
_ENQUEUE = """
    INSERT INTO outbox (user_id, memory_id) VALUES (%s, %s)
    ON CONFLICT (user_id, memory_id) DO UPDATE SET revision = nextval('outbox_revision')
"""
_TASK = f"SELECT {TASK_COLUMNS}, said_ms FROM tasks WHERE user_id = %s AND task_id = %s"
_IS_APPLIED = "SELECT 1 FROM task_events WHERE user_id = %s AND task_id = %s AND change_id = %s"
_SAID_AT = "SELECT max(at_ms) AS at_ms FROM turns WHERE user_id = %s AND session_id = %s AND turn_id = ANY(%s)"
_UPSERT_TASK = f"""
    INSERT INTO tasks ({TASK_COLUMNS}, said_ms)
    VALUES ({", ".join(f"%({name})s" for name in Task.model_fields)}, %(said_ms)s)
    ON CONFLICT (user_id, task_id) DO UPDATE
    SET {", ".join(f"{name} = excluded.{name}" for name in Task.model_fields)}, said_ms = excluded.said_ms
"""
_INSERT_TASK_EVENT = """
    INSERT INTO task_events (user_id, task_id, change_id, at_ms, actor, task, evidence)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
_INSERT_LEDGER = """
    INSERT INTO ledger (user_id, entry_id, session_id, node, model, prompt_tokens, completion_tokens, latency_ms,
                        at_ms, estimated)
    VALUES (%(user_id)s, %(entry_id)s, %(session_id)s, %(node)s, %(model)s, %(prompt_tokens)s, %(completion_tokens)s,
            %(latency_ms)s, %(at_ms)s, %(estimated)s)
    ON CONFLICT DO NOTHING
"""


def memory_of(row: DictRow) -> Memory:
    """Return the memory a row of `MEMORY_COLUMNS` holds."""
    return Memory.model_validate({name: row[name] for name in Memory.model_fields})


def task_of(row: DictRow) -> Task:
    """Return the task a row of `TASK_COLUMNS` holds."""
    return Task.model_validate({name: row[name] for name in Task.model_fields})


async def lock_user(connection: Connection, user_id: str) -> None:
    """Hold the user's memories until the transaction ends: one writer at a time."""
    await connection.execute(_LOCK_USER, (user_id,))


async def enqueue(connection: Connection, user_id: str, memory_id: str) -> None:
    """Leave an outbox entry for the memory; one that is there already gets a new revision."""
    await connection.execute(_ENQUEUE, (user_id, memory_id))


async def insert_event(connection: Connection, user_id: str, event: MemoryEvent) -> None:
    """Append an event to a memory's history."""
    await connection.execute(_INSERT_EVENT, {**event.model_dump(), "user_id": user_id})


async def apply(connection: Connection, commit: TurnCommit, *, now_ms: int) -> Committed:
    """Write a commit; `now_ms` is the earliest time of a reply that is not there yet."""
    await lock_user(connection, commit.user_id)
    since_ms = commit.idle_since_ms
    if since_ms is not None and await turns.last_said_ms(connection, commit.user_id, commit.session_id) > since_ms:
        return Committed(reply=None, memories=(), applied=False)
    reply = None
    if commit.reply is not None:
        reply = await turns.append(connection, commit.reply, now_ms=now_ms)
    await _mark(connection, commit)
    memories = await _write_memories(connection, commit)
    for task, changes in by_task(commit.user_id, commit.task_changes).items():
        await _write_task(connection, commit, task, changes)
    for key, entry in zip(ledger_keys(commit), commit.ledger, strict=True):
        row = {**entry.model_dump(), "user_id": commit.user_id, "session_id": commit.session_id, "entry_id": key}
        await connection.execute(_INSERT_LEDGER, row)
    return Committed(reply=reply, memories=memories)


async def _mark(connection: Connection, commit: TurnCommit) -> None:
    base = {"user_id": commit.user_id, "session_id": commit.session_id, "at_ms": commit.at_ms}
    if commit.cited:
        cited = {"citation_id": citation_key(commit), "cited": list(commit.cited)}
        await connection.execute(_CITE, {**base, **cited})
    if commit.distilled or commit.archived:
        distilled, archived = list(commit.distilled), list(commit.archived)
        turns = {"distilled": distilled, "archived": archived, "turns": [*distilled, *archived]}
        await connection.execute(_MARK, {**base, **turns})


async def _write_memories(connection: Connection, commit: TurnCommit) -> tuple[Memory, ...]:
    if not commit.writes:
        return ()
    standing = await _standing(connection, commit.user_id, commit.writes)
    own_ids = [write.memory.memory_id for write in commit.writes]
    cursor = await connection.execute(_MENTIONS, (commit.user_id, own_ids))
    mentions = {(row["memory_id"], row["mention_id"]) for row in await cursor.fetchall()}
    cursor = await connection.execute(_FORGOTTEN, (commit.user_id, own_ids))
    forgotten = {row["memory_id"] for row in await cursor.fetchall()}
    answers = []
    for write in commit.writes:
        if write.memory.memory_id in forgotten:
            continue
        done = effects(
            write,
            standing,
            mentioned=(write.mention_of, write.memory.memory_id) in mentions,
            actor=commit.actor,
            at_ms=commit.at_ms,
        )
        await _write_effects(connection, commit, done, standing)
        if done.attempt and is_judged_again(commit):
            await _put_off(connection, commit, write.memory.memory_id)
        standing |= {row.memory_id: row for row in done.rows}
        if done.mention is not None:
            mentions.add(done.mention)
        answers.append(done.answer)
    return tuple(standing[memory_id] for memory_id in answers)


async def _standing(connection: Connection, user_id: str, writes: Sequence[MemoryWrite]) -> dict[str, Memory]:
    ids, slots = set[str](), set[str]()
    for write in writes:
        named = (write.memory.memory_id, write.supersedes, write.mention_of, *write.company)
        ids.update(memory_id for memory_id in named if memory_id is not None)
        if write.memory.slot is not None:
            slots.add(write.memory.slot)
    cursor = await connection.execute(_STANDING, (user_id, list(ids), list(slots)))
    return {row["memory_id"]: memory_of(row) for row in await cursor.fetchall()}


async def _write_effects(
    connection: Connection, commit: TurnCommit, done: Effects, standing: Mapping[str, Memory]
) -> None:
    for memory in done.rows:
        row = {**memory.model_dump(), "at_ms": commit.at_ms}
        row |= {name: Jsonb(row[name]) for name in _JSON_FIELDS if row[name] is not None}
        await connection.execute(_UPSERT_MEMORY, row)
        if needs_index(standing.get(memory.memory_id), memory):
            await enqueue(connection, commit.user_id, memory.memory_id)
    for event in done.events:
        await insert_event(connection, commit.user_id, event)
    if done.mention is not None:
        await connection.execute(_INSERT_MENTION, (commit.user_id, *done.mention, commit.at_ms))


async def _put_off(connection: Connection, commit: TurnCommit, memory_id: str) -> None:
    waits = {"first": FIRST_WAIT_MS, "longest": LONGEST_WAIT_MS}
    await connection.execute(
        _PUT_OFF, {**waits, "user_id": commit.user_id, "memory_id": memory_id, "at_ms": commit.at_ms}
    )


async def _write_task(connection: Connection, commit: TurnCommit, task: str, changes: Sequence[TaskChange]) -> None:
    owner = (commit.user_id, task)
    key = change_key(commit.session_id, changes)
    if await (await connection.execute(_IS_APPLIED, (*owner, key))).fetchone() is not None:
        return
    row = await (await connection.execute(_TASK, owner)).fetchone()
    turn_ids = [change.evidence.turn_id for change in changes]
    said = await (await connection.execute(_SAID_AT, (commit.user_id, commit.session_id, turn_ids))).fetchone()
    said_ms = said["at_ms"] if said is not None and said["at_ms"] is not None else commit.at_ms
    if row is not None and said_ms < row["said_ms"]:
        return
    after = changed(
        task_of(row) if row is not None else None,
        changes,
        user_id=commit.user_id,
        session_id=commit.session_id,
        at_ms=commit.at_ms,
    )
    if after is None:
        return
    await connection.execute(_UPSERT_TASK, {**after.model_dump(), "said_ms": said_ms})
    evidence = Jsonb([change.evidence.row() for change in changes])
    event = (*owner, key, commit.at_ms, commit.actor, Jsonb(after.row()), evidence)
    await connection.execute(_INSERT_TASK_EVENT, event)
