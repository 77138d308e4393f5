"""Turns in the journal: one session's row is locked, so that ordinals and times rise whoever writes.

Whoever holds the lock of a session and that of its user has taken the user's first.
"""

from collections.abc import Sequence

from psycopg.rows import DictRow

from state.errors import InputRejected
from state.ports import WriteAhead
from state.records import Turn
from state.stores.journal.database import Connection
from state.stores.journal.turn_ids import renamed

TURN_COLUMNS = ", ".join(Turn.model_fields)

_INSERT_SESSION = """
    INSERT INTO sessions (user_id, session_id) VALUES (%s, %s) ON CONFLICT DO NOTHING
"""
_LOCK_SESSION_ID = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))"
_IS_OF_ANOTHER = "SELECT 1 FROM sessions WHERE session_id = %s AND user_id <> %s LIMIT 1"
_LOCK_SESSION = """
    SELECT last_ordinal, last_at_ms FROM sessions WHERE user_id = %s AND session_id = %s FOR UPDATE
"""
_KNOWN_TURNS = f"""
    SELECT {TURN_COLUMNS}, archived_ms FROM turns WHERE user_id = %s AND session_id = %s AND turn_id = ANY(%s)
"""
_INSERT_TURN = f"""
    INSERT INTO turns ({TURN_COLUMNS}, distilled_ms)
    VALUES ({", ".join(f"%({name})s" for name in Turn.model_fields)}, %(distilled_ms)s)
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
_RENAME = (
    """
    UPDATE turns SET turn_id = %(renamed)s, abandoned = true
    WHERE user_id = %(user_id)s AND session_id = %(session_id)s AND turn_id = %(turn_id)s
    """,
    """
    UPDATE turns SET reply_to = %(renamed)s
    WHERE user_id = %(user_id)s AND session_id = %(session_id)s AND reply_to = %(turn_id)s
    """,
    """
    UPDATE memories SET evidence = (
        SELECT jsonb_agg(
            CASE WHEN part ->> 'turn_id' = %(turn_id)s THEN part || jsonb_build_object('turn_id', %(renamed)s::text)
            ELSE part END ORDER BY place
        )
        FROM jsonb_array_elements(evidence) WITH ORDINALITY AS parts (part, place)
    )
    WHERE user_id = %(user_id)s AND session_id = %(session_id)s
      AND evidence @> jsonb_build_array(jsonb_build_object('turn_id', %(turn_id)s::text))
    """,
)


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
    heard: Sequence[str],
    now_ms: int,
) -> WriteAhead:
    """Append the turns that are not there yet, and keep the live branch to what the thread holds now.

    The caller holds the user's lock: an edit changes what memories rest on. The given turns count as present. Where all
    of them are there already, the session ended before the first of them. Raises InputRejected where the session is
    another user's.
    """
    session = (user_id, session_id)
    if (await connection.execute(_INSERT_SESSION, session)).rowcount:
        # Of two users who begin one session at the same time, the second waits here and then sees the first.
        await connection.execute(_LOCK_SESSION_ID, (session_id,))
    if await (await connection.execute(_IS_OF_ANOTHER, (session_id, user_id))).fetchone() is not None:
        raise InputRejected("This thread belongs to another user: start a new one.")
    last, at_ms = await _lock(connection, user_id, session_id)
    held = list({*present, *(turn.turn_id for turn in turns)})
    rows = await (await connection.execute(_KNOWN_TURNS, (*session, held))).fetchall()
    known = {row["turn_id"]: turn_of(row) for row in rows}
    archived = {row["turn_id"] for row in rows if row["archived_ms"] is not None}
    if not known.keys().isdisjoint(present):
        await connection.execute(_ABANDON, (*session, held))
    await connection.execute(_REVIVE, (*session, held))

    ordinal = last
    for turn in turns:
        old = known.get(turn.turn_id)
        if old is not None and old.text == turn.text:
            continue
        if old is not None:
            await _rename(connection, old)
            archived.discard(turn.turn_id)
        ordinal, at_ms = ordinal + 1, max(now_ms, at_ms + 1)
        known[turn.turn_id] = await _insert(connection, turn, ordinal, at_ms, distilled=turn.turn_id in heard)
    written = tuple(known[turn.turn_id] for turn in turns)
    if ordinal > last:
        await connection.execute(_END_SESSION, (ordinal, at_ms, *session))
    else:
        last = min((turn.ordinal for turn in written), default=last + 1) - 1
    held_archived = tuple(turn_id for turn_id in present if turn_id in archived)
    return WriteAhead(turns=written, previous_ordinal=last, archived=held_archived)


async def append(connection: Connection, turn: Turn, *, now_ms: int) -> Turn:
    """Append one turn, or return it as it is stored; what the thread holds besides is not asked."""
    session = (turn.user_id, turn.session_id)
    await connection.execute(_INSERT_SESSION, session)
    last, last_at_ms = await _lock(connection, *session)
    row = await (await connection.execute(_KNOWN_TURNS, (*session, [turn.turn_id]))).fetchone()
    if row is not None:
        await connection.execute(_REVIVE, (*session, [turn.turn_id]))
        return turn_of(row)
    ordinal, at_ms = last + 1, max(now_ms, last_at_ms + 1)
    appended = await _insert(connection, turn, ordinal, at_ms, distilled=False)
    await connection.execute(_END_SESSION, (ordinal, at_ms, *session))
    return appended


async def last_said_ms(connection: Connection, user_id: str, session_id: str) -> int:
    """Return when something was said last, 0 in a session that is not there; nothing is added until the commit."""
    row = await (await connection.execute(_LOCK_SESSION, (user_id, session_id))).fetchone()
    return int(row["last_at_ms"]) if row is not None else 0


async def _lock(connection: Connection, user_id: str, session_id: str) -> tuple[int, int]:
    row = await (await connection.execute(_LOCK_SESSION, (user_id, session_id))).fetchone()
    if row is None:
        raise RuntimeError("A session's row is gone between its insertion and its lock.")
    return row["last_ordinal"], row["last_at_ms"]


async def _insert(connection: Connection, turn: Turn, ordinal: int, at_ms: int, *, distilled: bool) -> Turn:
    inserted = turn.model_copy(update={"ordinal": ordinal, "at_ms": at_ms})
    await connection.execute(_INSERT_TURN, {**inserted.model_dump(), "distilled_ms": at_ms if distilled else None})
    return inserted


async def _rename(connection: Connection, turn: Turn) -> None:
    """Keep the old words of an edited turn, and what rests on them, under an id of their own."""
    names = {"user_id": turn.user_id, "session_id": turn.session_id, "turn_id": turn.turn_id}
    for statement in _RENAME:
        await connection.execute(statement, {**names, "renamed": renamed(turn)})
