"""The curator's view of the journal, across users: the Maintenance port."""

from state.ports import IdleSession
from state.records import Memory, Turn
from state.stores.boundary import storable
from state.stores.journal.database import Postgres
from state.stores.journal.memory_rows import MEMORY_COLUMNS, memory_of
from state.stores.journal.turns import TURN_COLUMNS, turn_of

_LEASE = """
    INSERT INTO leases (name, owner, until_ms) VALUES (%(name)s, %(owner)s, %(until_ms)s)
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until_ms = excluded.until_ms
    WHERE leases.owner = excluded.owner OR leases.until_ms <= %(now_ms)s
    RETURNING name
"""
_RELEASE = "DELETE FROM leases WHERE name = %s AND owner = %s"
_IDLE = f"""
    SELECT {", ".join(f"turns.{name}" for name in Turn.model_fields)} FROM turns
    JOIN (
        SELECT user_id, session_id, last_at_ms FROM sessions
        WHERE last_at_ms < %s AND EXISTS (
            SELECT FROM turns
            WHERE turns.user_id = sessions.user_id AND turns.session_id = sessions.session_id
              AND turns.archived_ms IS NULL AND NOT turns.abandoned
        )
        ORDER BY last_at_ms, user_id, session_id LIMIT %s
    ) AS idle USING (user_id, session_id)
    WHERE turns.archived_ms IS NULL AND NOT turns.abandoned
    ORDER BY idle.last_at_ms, user_id, session_id, turns.ordinal
"""
_UNDISTILLED = f"""
    SELECT {TURN_COLUMNS} FROM turns
    WHERE role = 'user' AND distilled_ms IS NULL AND NOT abandoned AND at_ms < %s
    ORDER BY at_ms, user_id, session_id, ordinal LIMIT %s
"""
_PENDING = f"""
    SELECT {MEMORY_COLUMNS} FROM memories
    WHERE due_ms < %s
      AND (status = 'pending'
           OR (%s AND (receipt ->> 'provisional')::boolean
               AND (status IN ('active', 'disputed')
                    OR (status = 'rejected' AND receipt ->> 'grounded' = 'unsupported'))))
    ORDER BY due_ms, user_id, memory_id LIMIT %s
"""
_USERS_WITH_OUTBOX = "SELECT DISTINCT user_id FROM outbox ORDER BY user_id"
_ENQUEUE_ALL = """
    INSERT INTO outbox (user_id, memory_id)
    SELECT user_id, memory_id FROM memories WHERE status IN ('active', 'superseded') ORDER BY user_id, memory_id
    ON CONFLICT (user_id, memory_id) DO UPDATE SET revision = nextval('outbox_revision')
"""


class PostgresMaintenance:
    """The part of the journal that looks across users. Every method raises StoreUnavailable."""

    def __init__(self, database: Postgres) -> None:
        self._database = database

    async def lease(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> bool:
        """Take or renew an expiring lease; False while another owner holds it."""
        values = {"name": storable(name), "owner": storable(owner), "now_ms": now_ms, "until_ms": until_ms}
        async with self._database.transaction() as connection:
            return await (await connection.execute(_LEASE, values)).fetchone() is not None

    async def release(self, name: str, owner: str) -> None:
        """Give a lease back; one that another owner holds stays."""
        async with self._database.transaction() as connection:
            await connection.execute(_RELEASE, (storable(name), storable(owner)))

    async def idle_sessions(self, *, before_ms: int, limit: int) -> list[IdleSession]:
        """Return sessions whose last turn is older than `before_ms`, longest idle first, each with all its live turns.

        Only turns that are not archived are given; a session without one is none.
        """
        sessions: dict[tuple[str, str], list[Turn]] = {}
        for row in await self._database.rows(_IDLE, before_ms, max(limit, 0)):
            turn = turn_of(row)
            sessions.setdefault((turn.user_id, turn.session_id), []).append(turn)
        return [
            IdleSession(user_id=user_id, session_id=session_id, turns=tuple(turns))
            for (user_id, session_id), turns in sessions.items()
        ]

    async def undistilled(self, *, before_ms: int, limit: int) -> list[Turn]:
        """Return live user turns older than `before_ms` that no fact_check has finished, oldest first."""
        return [turn_of(row) for row in await self._database.rows(_UNDISTILLED, before_ms, max(limit, 0))]

    async def pending(self, *, before_ms: int, limit: int, provisional: bool) -> list[Memory]:
        """Return memories due to be judged before `before_ms`, the longest due first.

        They are the pending ones; with `provisional`, those come too that are active, disputed, or rejected as
        unsupported, by a verdict made offline.
        """
        return [memory_of(row) for row in await self._database.rows(_PENDING, before_ms, provisional, max(limit, 0))]

    async def users_with_outbox(self) -> list[str]:
        """Return the ids of users whose index writes are not all applied."""
        return [row["user_id"] for row in await self._database.rows(_USERS_WITH_OUTBOX)]

    async def enqueue_all(self) -> int:
        """Put every active and superseded memory into the outbox; return how many."""
        async with self._database.transaction() as connection:
            return (await connection.execute(_ENQUEUE_ALL)).rowcount
