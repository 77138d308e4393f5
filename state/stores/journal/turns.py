"""Turns in the journal: one session's row is locked, so that ordinals and times rise whoever writes."""

from collections.abc import Sequence

from psycopg.rows import DictRow

from state.ports import WriteAhead
from state.records import Turn
from state.stores.journal.database import Connection

TURN_COLUMNS = ", ".join(Turn.model_fields)

_INSERT_SESSION = """
    INSERT INTO sessions (user_id, session_id) VALUES (%s, %s) ON CONFLICT DO NOTHING
"""
_LOCK_SESSION = """
    SELECT last_ordinal, last_at_ms FROM sessions WHERE user_id = %s AND session_id = %s FOR UPDATE
"""
_KNOWN_TURNS = f"""
    SELECT {TURN_COLUMNS} FROM turns WHERE user_id = %s AND session_id = %s AND turn_id = ANY(%s)
"""
_INSERT_TURN = f"""
    INSERT INTO turns ({TURN_COLUMNS}) VALUES ({", ".join(f"%({name})s" for name in Turn.model_fields)})
"""
_END_SESSION = """
    UPDATE sessions SET last_ordinal = %s, last_at_ms = %s WHERE user_id = %s AND session_id = %s
"""
_ABANDON = """
    UPDATE turns SET abandoned = true
    WHERE user_id = %s AND session_id = %s AND NOT abandoned AND archived_ms IS NULL AND NOT turn_id = ANY(%s)
"""
_REVIVE = """
    UPDATE turns SET abandoned = false
    WHERE user_id = %s AND session_id = %s AND abandoned AND turn_id = ANY(%s)
"""


def turn_of(row: DictRow) -> Turn:
    """Return the turn a row of `TURN_COLUMNS` holds."""
    return Turn.model_validate({name: row[name] for name in Turn.model_fields})


async def write_ahead(
    connection: Connection,
    user_id: str,
    session_id: str,
    turns: Sequence[Turn],
    *,
    present: Sequence[str],
    now_ms: int,
) -> WriteAhead:
    """Append the turns that are not there yet, and keep the live branch to what the thread holds now.

    The given turns count as present. Where all of them are there already, the session ended before the first of them.
    """
    session = (user_id, session_id)
    await connection.execute(_INSERT_SESSION, session)
    end = await (await connection.execute(_LOCK_SESSION, session)).fetchone()
    if end is None:
        raise RuntimeError("A session's row is gone between its insertion and its lock.")
    held = list({*present, *(turn.turn_id for turn in turns)})
    cursor = await connection.execute(_KNOWN_TURNS, (*session, held))
    known = {row["turn_id"]: turn_of(row) for row in await cursor.fetchall()}
    if not known.keys().isdisjoint(present):
        await connection.execute(_ABANDON, (*session, held))
    await connection.execute(_REVIVE, (*session, held))

    last, at_ms = end["last_ordinal"], end["last_at_ms"]
    ordinal = last
    for turn in turns:
        if turn.turn_id not in known:
            ordinal, at_ms = ordinal + 1, max(now_ms, at_ms + 1)
            known[turn.turn_id] = turn.model_copy(update={"ordinal": ordinal, "at_ms": at_ms})
            await connection.execute(_INSERT_TURN, known[turn.turn_id].model_dump())
    written = tuple(known[turn.turn_id] for turn in turns)
    if ordinal > last:
        await connection.execute(_END_SESSION, (ordinal, at_ms, *session))
        return WriteAhead(turns=written, previous_ordinal=last)
    return WriteAhead(turns=written, previous_ordinal=min((turn.ordinal for turn in written), default=last + 1) - 1)


async def append(connection: Connection, turn: Turn, *, now_ms: int) -> Turn:
    """Append one turn, or return it as it is stored; what the thread holds besides is not asked."""
    done = await write_ahead(connection, turn.user_id, turn.session_id, [turn], present=(), now_ms=now_ms)
    return done.turns[0]
