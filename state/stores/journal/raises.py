"""Which replies the user knows of an open dispute from: those that came with it, and those that asked about it."""

from collections.abc import Sequence

from state.records import Memory, Turn
from state.stores.journal.database import Connection

# Written again, a reply has told or asked once: what it asked first, and when, stays.
_TELL = """
    INSERT INTO dispute_raises (user_id, memory_id, session_id, turn_id, at_ms) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING
"""
_ASK = """
    WITH asked AS (
        INSERT INTO dispute_raises (user_id, memory_id, session_id, turn_id, at_ms)
        SELECT user_id, memory_id, %(session_id)s, %(turn_id)s, %(at_ms)s FROM memories
        WHERE user_id = %(user_id)s AND memory_id = ANY(%(raised)s) AND status = 'disputed'
        ON CONFLICT DO NOTHING RETURNING memory_id
    )
    UPDATE memories SET raised_ms = greatest(raised_ms, %(at_ms)s)
    FROM asked WHERE memories.user_id = %(user_id)s AND memories.memory_id = asked.memory_id
"""
_END = "DELETE FROM dispute_raises WHERE user_id = %s AND memory_id = %s"


async def follow(
    connection: Connection, before: Memory | None, after: Memory, *, reply: Turn | None, at_ms: int
) -> None:
    """Note a dispute that comes up as told by the reply that it comes with, and forget who raised one that is over."""
    was_disputed = before is not None and before.status == "disputed"
    if after.status != "disputed" and was_disputed:
        await connection.execute(_END, (after.user_id, after.memory_id))
    elif after.status == "disputed" and not was_disputed and reply is not None:
        told = (after.user_id, after.memory_id, reply.session_id, reply.turn_id, at_ms)
        await connection.execute(_TELL, told)


async def ask(connection: Connection, reply: Turn, raised: Sequence[str], *, at_ms: int) -> None:
    """Note that a reply was to ask about these disputes, as far as they are open still."""
    if raised:
        named = reply.model_dump(include={"user_id", "session_id", "turn_id"})
        await connection.execute(_ASK, {**named, "raised": list(raised), "at_ms": at_ms})
