"""Memories in PostgreSQL: what a change of them has to see, and how it is written."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from state.records import Memory, MemoryEvent, Turn
from state.stores.journal import raises
from state.stores.journal.database import Connection
from state.stores.journal.drafts import Effects, needs_index
from state.stores.journal.memory_writes import FIRST_WAIT_MS, LONGEST_WAIT_MS

MEMORY_COLUMNS = ", ".join(Memory.model_fields)

_JSON_FIELDS = ("evidence", "opposes", "receipt")

_LOCK_USER = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_NAMED = f"""
    SELECT {MEMORY_COLUMNS} FROM memories
    WHERE user_id = %(user_id)s
      AND (memory_id = ANY(%(named)s) OR superseded_by = ANY(%(own)s) OR status = 'disputed')
"""
_AROUND = f"""
    SELECT {MEMORY_COLUMNS} FROM memories
    WHERE user_id = %(user_id)s
      AND (memory_id = ANY(%(opposed)s) OR (slot = ANY(%(slots)s) AND (status = 'active' OR slot = ANY(%(whole)s))))
"""
_SEVERAL_VALUED = "SELECT slot FROM user_slots WHERE user_id = %s"
_WIDEN = "INSERT INTO user_slots (user_id, slot, at_ms) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_INSERT_MENTION = "INSERT INTO memory_mentions (user_id, memory_id, mention_id, at_ms) VALUES (%s, %s, %s, %s)"
# A memory that comes to wait, or to be judged again, is due at once; one that becomes a dispute was not raised yet.
_UPSERT_MEMORY = f"""
    INSERT INTO memories ({MEMORY_COLUMNS}, created_ms, updated_ms, due_ms)
    VALUES ({", ".join(f"%({name})s" for name in Memory.model_fields)}, %(at_ms)s, %(at_ms)s, %(at_ms)s)
    ON CONFLICT (user_id, memory_id) DO UPDATE
    SET {", ".join(f"{name} = excluded.{name}" for name in Memory.model_fields)}, updated_ms = excluded.updated_ms,
        attempts  = CASE WHEN memories.status = excluded.status THEN memories.attempts ELSE 0 END,
        due_ms    = CASE WHEN memories.status = excluded.status THEN memories.due_ms ELSE excluded.due_ms END,
        raised_ms = CASE WHEN memories.status = excluded.status THEN memories.raised_ms END
"""
# What was a mention of this very candidate is one of the memory it turned out to repeat.
_HAND_ON_MENTIONS = "UPDATE memory_mentions SET memory_id = %s WHERE user_id = %s AND memory_id = %s"
# An attempt before its time is a repetition of the last one. The exponent is bounded long after the wait is.
_PUT_OFF = """
    UPDATE memories SET attempts = attempts + 1,
                        due_ms = %(at_ms)s + least(%(first)s * 2 ^ least(attempts + 1, 30), %(longest)s)::bigint
    WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s AND due_ms < %(at_ms)s
"""
_INSERT_EVENT = """
    INSERT INTO memory_events (user_id, memory_id, at_ms, actor, from_status, to_status, reason)
    VALUES (%(user_id)s, %(memory_id)s, %(at_ms)s, %(actor)s, %(from_status)s, %(to_status)s, %(reason)s)
"""
_ENQUEUE = """
    INSERT INTO outbox (user_id, memory_id) VALUES (%s, %s)
    ON CONFLICT (user_id, memory_id) DO UPDATE SET revision = nextval('outbox_revision')
"""


class Asked(NamedTuple):
    """What a change names: `own` are the memories it is about, `named` all others, `slots` those it may enter.

    `whole` are disputes whose slot may come to hold several values, so that all of its memories are to be seen.
    """

    own: frozenset[str]
    named: frozenset[str] = frozenset()
    slots: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()


def memory_of(row: DictRow) -> Memory:
    """Return the memory a row of `MEMORY_COLUMNS` holds."""
    return Memory.model_validate({name: row[name] for name in Memory.model_fields})


async def lock_user(connection: Connection, user_id: str) -> None:
    """Hold the user's memories until the transaction ends: one writer at a time."""
    await connection.execute(_LOCK_USER, (user_id,))


async def standing(connection: Connection, user_id: str, asked: Asked) -> dict[str, Memory]:
    """Return all memories that the rules look at for a change: see `memory_writes.effects`."""
    found = await _memories(connection, _NAMED, user_id=user_id, named=[*asked.own, *asked.named], own=list(asked.own))
    disputes = [row for row in found.values() if row.status == "disputed"]
    whole = {row.slot for row in found.values() if row.memory_id in asked.whole and row.slot is not None}
    slots = {row.slot for row in found.values() if row.slot is not None} | asked.slots
    opposed = {memory_id for row in disputes for memory_id in row.opposes}
    around = await _memories(
        connection, _AROUND, user_id=user_id, opposed=list(opposed), slots=list(slots), whole=list(whole)
    )
    return found | around


async def several_valued(connection: Connection, user_id: str) -> set[str]:
    """Return the slots that hold several values for this user by the user's own word."""
    return {row["slot"] for row in await (await connection.execute(_SEVERAL_VALUED, (user_id,))).fetchall()}


async def write_effects(
    connection: Connection,
    user_id: str,
    done: Effects,
    before: Mapping[str, Memory],
    *,
    at_ms: int,
    reply: Turn | None = None,
) -> None:
    """Write rows, events, outbox entries and a mention; `reply` is the turn that comes with the change, if any."""
    for memory in done.rows:
        row = {**memory.model_dump(), "at_ms": at_ms}
        row |= {name: Jsonb(row[name]) for name in _JSON_FIELDS if row[name] is not None}
        await connection.execute(_UPSERT_MEMORY, row)
        await raises.follow(connection, before.get(memory.memory_id), memory, reply=reply, at_ms=at_ms)
        if needs_index(before.get(memory.memory_id), memory):
            await enqueue(connection, user_id, memory.memory_id)
    await insert_events(connection, user_id, done.events)
    if done.mention is not None:
        holds, candidate = done.mention
        await connection.execute(_HAND_ON_MENTIONS, (holds, user_id, candidate))
        await connection.execute(_INSERT_MENTION, (user_id, holds, candidate, at_ms))
    if done.several_valued is not None:
        await connection.execute(_WIDEN, (user_id, done.several_valued, at_ms))


async def enqueue(connection: Connection, user_id: str, memory_id: str) -> None:
    """Leave an outbox entry for the memory; one that is there already gets a new revision."""
    await connection.execute(_ENQUEUE, (user_id, memory_id))


async def insert_events(connection: Connection, user_id: str, events: Iterable[MemoryEvent]) -> None:
    """Append events to the histories of their memories."""
    for event in events:
        await connection.execute(_INSERT_EVENT, {**event.model_dump(), "user_id": user_id})


async def put_off(connection: Connection, user_id: str, memory_id: str, *, at_ms: int) -> None:
    """Count an attempt to judge a memory that was of no avail: the next one waits longer."""
    waits = {"first": FIRST_WAIT_MS, "longest": LONGEST_WAIT_MS}
    await connection.execute(_PUT_OFF, {**waits, "user_id": user_id, "memory_id": memory_id, "at_ms": at_ms})


async def _memories(connection: Connection, query: str, **values: object) -> dict[str, Memory]:
    return {row["memory_id"]: memory_of(row) for row in await (await connection.execute(query, values)).fetchall()}
