"""A memory is forgotten for good, with all that quotes it, and never comes back."""

from state.stores.journal import memory_rows, nearby
from state.stores.journal.database import Connection
from state.stores.journal.decisions import forget
from state.stores.journal.memory_rows import Asked
from state.stores.journal.turn_ids import bearing

# What was found to say the same again is forgotten with it; where that was said is not known.
_FORGET_FOR_GOOD = """
    INSERT INTO forgotten (user_id, memory_id, at_ms, session_id, turn_ids)
    SELECT user_id, memory_id, %(at_ms)s::bigint, session_id, %(turn_ids)s::text[] FROM memories
    WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
    UNION SELECT user_id, mention_id, %(at_ms)s, NULL, '{}' FROM memory_mentions
    WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
    ON CONFLICT DO NOTHING
"""
_DELETE = "DELETE FROM memories WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s"
# Reasons are written by a model that has read the memory: they may quote it.
_BLANK_REASONS = "UPDATE memory_events SET reason = '' WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s"
_FORGET_MENTIONS = "DELETE FROM memory_mentions WHERE user_id = %(user_id)s AND mention_id = %(memory_id)s"


async def apply(connection: Connection, user_id: str, memory_id: str, *, at_ms: int) -> bool:
    """Forget a memory under the user's lock; say whether there was one."""
    await memory_rows.lock_user(connection, user_id)
    standing = await memory_rows.standing(connection, user_id, Asked(own=frozenset([memory_id])))
    if memory_id not in standing:
        return False
    memory = standing[memory_id]
    turn_ids = bearing(memory.evidence)
    named = {"user_id": user_id, "memory_id": memory_id, "at_ms": at_ms, "turn_ids": turn_ids}
    for statement in (_FORGET_FOR_GOOD, _DELETE, _BLANK_REASONS, _FORGET_MENTIONS):
        await connection.execute(statement, named)
    done = forget(memory_id, standing, at_ms=at_ms)
    await memory_rows.write_effects(connection, user_id, done, standing, at_ms=at_ms)
    await memory_rows.enqueue(connection, user_id, memory_id)
    await nearby.enqueue_around(connection, user_id, memory.session_id, turn_ids)
    return True
