"""Open disputes in PostgreSQL, with both sides."""

from state.ports import Dispute
from state.records import Memory
from state.stores.journal.database import Connection
from state.stores.journal.memory_rows import MEMORY_COLUMNS, memory_of

_OPEN = f"""
    SELECT {MEMORY_COLUMNS}, raised_ms, ARRAY(
        SELECT turn_id FROM dispute_raises AS raised
        WHERE raised.user_id = memories.user_id AND raised.memory_id = memories.memory_id
        ORDER BY at_ms, session_id, turn_id
    ) AS raised_by
    FROM memories WHERE user_id = %s AND status = 'disputed'
    ORDER BY raised_ms NULLS FIRST, mentioned_ms, memory_id LIMIT %s
"""
_AGAINST = f"""
    SELECT {MEMORY_COLUMNS} FROM memories WHERE user_id = %s AND memory_id = ANY(%s) AND status = 'active'
"""


async def open_disputes(connection: Connection, user_id: str, limit: int) -> list[Dispute]:
    """Return open disputes, those never raised first, then the longest unraised; of several the first said first."""
    rows = await (await connection.execute(_OPEN, (user_id, limit))).fetchall()
    opposed = sorted({memory_id for row in rows for memory_id in row["opposes"]})
    against = await (await connection.execute(_AGAINST, (user_id, opposed))).fetchall()
    active: dict[str, Memory] = {row["memory_id"]: memory_of(row) for row in against}
    return [
        Dispute(
            memory=memory_of(row),
            against=tuple(active[memory_id] for memory_id in row["opposes"] if memory_id in active),
            raised_ms=row["raised_ms"],
            raised_by=tuple(row["raised_by"]),
        )
        for row in rows
    ]
