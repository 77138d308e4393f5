"""The connections to PostgreSQL: opened at first use, migrated before, every outage a StoreUnavailable."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from pydantic_core import from_json

from state.errors import StoreUnavailable
from state.stores.journal.migrate import migrate

Connection = psycopg.AsyncConnection[DictRow]

_POOL_SIZE = 10
_MAX_WAITING = 100
_WAIT_SECONDS = 5
_STATEMENT_SECONDS = 10
_CONNECT: dict[str, Any] = {
    "application_name": "loci",
    "connect_timeout": _WAIT_SECONDS,
    "tcp_user_timeout": 10_000,  # a network that swallows packets ends a wait, too; sockets ignore it
    "prepare_threshold": None,  # a pooler in between gives each transaction another server session
}

# A value, a constraint or a statement that PostgreSQL refuses is a mistake of ours, and raised as it is. The last two
# are no OperationalErrors to psycopg: a server that has become a standby, and one that ended an idle transaction.
_OUTAGES = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.IdleInTransactionSessionTimeout,
)


class Postgres:
    """A pool of connections to one database, closed until its first use.

    `url` is asked for at every opening, so that it may start the server it names. A pool that gave no connection in
    time is thrown away: the next call asks for the URL again, and fails at once where there is no server, instead of
    waiting for the pool's own attempts.
    """

    def __init__(self, url: Callable[[], Awaitable[str]]) -> None:
        self._url = url
        self._pool: AsyncConnectionPool[Connection] | None = None
        self._opening: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Connect and migrate, once for all who call meanwhile.

        Raises StoreUnavailable where the server does not answer, StoreMismatch where its schema is a later one.
        """
        if self._pool is not None:
            return
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
            self._opening.add_done_callback(self._opened)
        # Shielded: the caller that gives up must not end the opening for those who wait on.
        await asyncio.shield(self._opening)

    async def close(self) -> None:
        """Give all connections back; the next use opens new ones."""
        if self._opening is not None:
            self._opening.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._opening
        if self._pool is not None:
            self._discard(self._pool)
        if self._closing:
            await asyncio.wait(self._closing)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Give a connection inside a transaction that commits at the end, and not at all on an exception.

        Raises StoreUnavailable where the server does not answer, or ends the transaction for reasons of its own.
        """
        await self.open()
        if (pool := self._pool) is None:
            raise StoreUnavailable("postgres", "the journal was closed")
        try:
            async with pool.connection() as connection:
                # Local: a pooler would hand a session's own setting to whoever comes next.
                await connection.execute(f"SET LOCAL statement_timeout = '{_STATEMENT_SECONDS}s'")
                yield connection
        except _OUTAGES as error:
            if isinstance(error, PoolTimeout):
                self._discard(pool)
            raise _unavailable(error) from error

    async def rows(self, query: str, *values: Any) -> list[DictRow]:
        """Return the rows of one query in a transaction of its own."""
        async with self.transaction() as connection:
            return await (await connection.execute(query, values)).fetchall()

    async def _open(self) -> None:
        url = await self._url()
        pool = AsyncConnectionPool(
            url,
            connection_class=Connection,
            kwargs={**_CONNECT, "row_factory": dict_row},
            min_size=1,
            max_size=_POOL_SIZE,
            open=False,
            configure=_configure,
            check=AsyncConnectionPool.check_connection,
            name="loci",
            timeout=_WAIT_SECONDS,
            max_waiting=_MAX_WAITING,
        )
        try:
            await asyncio.to_thread(migrate, url, **_CONNECT)
            await pool.open()
            await pool.wait(_WAIT_SECONDS)
        except psycopg.Error as error:
            await pool.close()
            raise _unavailable(error) from error
        except BaseException:
            await pool.close()
            raise
        self._pool = pool

    def _opened(self, opening: asyncio.Task[None]) -> None:
        self._opening = None
        if not opening.cancelled():
            opening.exception()  # whoever waited has it; with nobody left to wait it is not worth a warning

    def _discard(self, pool: AsyncConnectionPool[Connection]) -> None:
        if self._pool is pool:
            self._pool = None
            closing = asyncio.create_task(pool.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


async def _configure(connection: Connection) -> None:
    # Three fields of a memory are JSON, and recall reads two hundred: Python's own parser takes half of that time.
    set_json_loads(from_json, connection)


def _unavailable(error: psycopg.Error) -> StoreUnavailable:
    lines = (error.diag.message_primary or str(error)).strip().splitlines() or [type(error).__name__]
    # libpq names hosts and accounts, and quotes a URL only where it cannot read it; a password goes nowhere.
    reason = re.sub(r"://\S*@", "://***@", re.sub(r"password=\S+", "password=***", lines[0]))
    return StoreUnavailable("postgres", reason)
