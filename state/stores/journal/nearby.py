"""What was said around the words a memory rests on, for the index, and when that has to be looked at again."""

from collections.abc import Sequence

from state.records import Memory, Nearby
from state.stores.journal.database import Connection

# How many turns before and after a memory's evidence are near.
REACH = 2
# A reply that cites memories repeats their words, and would be found in their place. As PostgreSQL and Python read it.
CITES = r"\[\d{1,2}\]"

_AROUND = f"""
    SELECT row_number() OVER (ORDER BY ordinal {{order}}) AS distance, ordinal, text, turn_id, reply_to,
           role = 'assistant' AND text ~ %(cites)s AS cites
    FROM turns
    WHERE user_id = %(user_id)s AND session_id = placed.session_id AND NOT abandoned AND ordinal {{side}}
    ORDER BY ordinal {{order}} LIMIT {REACH}
"""
_PLACED = """
    WITH placed AS (
        SELECT memories.memory_id, memories.session_id, min(turns.ordinal) AS first, max(turns.ordinal) AS last
        FROM memories CROSS JOIN LATERAL jsonb_array_elements(memories.evidence) AS part
        JOIN turns ON turns.user_id = memories.user_id AND turns.session_id = memories.session_id
                  AND turns.turn_id = part ->> 'turn_id'
        WHERE memories.user_id = %(user_id)s AND {which}
        GROUP BY memories.memory_id, memories.session_id
    )
"""
_AROUND_PLACED = f"""
    FROM placed CROSS JOIN LATERAL (
        ({_AROUND.format(order="DESC", side="< placed.first")})
        UNION ALL
        ({_AROUND.format(order="ASC", side="> placed.last")})
    ) AS around
"""
# What a reply answers, it repeats: where a forgotten memory was said, it is left out too.
_NEARBY = f"""
    {_PLACED.format(which="memories.memory_id = ANY(%(memory_ids)s)")}
    SELECT placed.memory_id, around.distance, around.text
    {_AROUND_PLACED}
    WHERE NOT around.cites AND NOT EXISTS (
        SELECT FROM forgotten
        WHERE forgotten.user_id = %(user_id)s AND forgotten.session_id = placed.session_id
          AND (around.turn_id = ANY(forgotten.turn_ids) OR around.reply_to = ANY(forgotten.turn_ids))
    )
    ORDER BY placed.memory_id, around.ordinal
"""
_IS_INDEXED_WITH_NEARBY = """
    memories.session_id = %(session_id)s
    AND memories.status IN ('active', 'superseded') AND memories.kind <> 'episode'
"""
_ENQUEUE_AROUND = f"""
    {_PLACED.format(which=_IS_INDEXED_WITH_NEARBY)}
    INSERT INTO outbox (user_id, memory_id)
    SELECT DISTINCT %(user_id)s::text, placed.memory_id
    {_AROUND_PLACED}
    WHERE around.turn_id = ANY(%(turn_ids)s) OR around.reply_to = ANY(%(turn_ids)s)
    ON CONFLICT (user_id, memory_id) DO UPDATE SET revision = nextval('outbox_revision')
"""
# Only on turns that are live until now, so that a commit that is repeated changes nothing.
_ENQUEUE_ARCHIVED = f"""
    INSERT INTO outbox (user_id, memory_id)
    SELECT DISTINCT memories.user_id, memories.memory_id
    FROM memories CROSS JOIN LATERAL jsonb_array_elements(memories.evidence) AS part
    JOIN turns ON turns.user_id = memories.user_id AND turns.session_id = memories.session_id
              AND turns.turn_id = part ->> 'turn_id'
    WHERE memories.user_id = %(user_id)s AND {_IS_INDEXED_WITH_NEARBY}
      AND turns.turn_id = ANY(%(archived)s) AND turns.archived_ms IS NULL
    ON CONFLICT (user_id, memory_id) DO UPDATE SET revision = nextval('outbox_revision')
"""


def has_nearby(memory: Memory) -> bool:
    """Say whether what was said around a memory helps to find it: an episode sums up its turns already."""
    return memory.kind != "episode"


async def nearby(connection: Connection, user_id: str, memories: Sequence[Memory]) -> dict[str, tuple[Nearby, ...]]:
    """Return the live turns around each memory's evidence, by memory id, in the order they were said.

    Left out are replies that cite memories, turns that bore a forgotten memory, and replies to those.
    """
    ids = [memory.memory_id for memory in memories if has_nearby(memory)]
    found: dict[str, tuple[Nearby, ...]] = {}
    cursor = await connection.execute(_NEARBY, {"user_id": user_id, "memory_ids": ids, "cites": CITES})
    for row in await cursor.fetchall():
        said = Nearby(distance=row["distance"], text=row["text"])
        found[row["memory_id"]] = (*found.get(row["memory_id"], ()), said)
    return found


async def enqueue_archived(connection: Connection, user_id: str, session_id: str, archived: Sequence[str]) -> None:
    """Put the memories that rest on these turns into the outbox: what was said after them counts from now on."""
    asked = {"user_id": user_id, "session_id": session_id, "archived": list(archived)}
    await connection.execute(_ENQUEUE_ARCHIVED, asked)


async def enqueue_around(connection: Connection, user_id: str, session_id: str, turn_ids: Sequence[str]) -> None:
    """Put the memories that have these turns, or replies to them, nearby into the outbox."""
    asked = {"user_id": user_id, "session_id": session_id, "turn_ids": list(turn_ids), "cites": CITES}
    await connection.execute(_ENQUEUE_AROUND, asked)
