"""The stores under contract, fake and real, and a way to see all that a journal holds."""

import copy
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import psycopg
import pytest

from state.ports import Journal, Maintenance
from state.stores.journal.journal import PostgresJournal
from state.stores.working_memory import RedisWorkingMemory
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal
from tests.fakes.working_memory import FakeWorkingMemory

SESSION_SECONDS = 60

Dump = Callable[[], Awaitable[Any]]


def at(url: str) -> Callable[[], Awaitable[str]]:
    """Return the factory the stores take, for a URL that is known."""

    async def known() -> str:
        return url

    return known


def both(journal: Journal) -> Maintenance:
    """Return the journal under its other port: one class is both, fake and real."""
    return journal  # type: ignore[return-value]


@pytest.fixture
def fake_journal(clock: HandClock) -> FakeJournal:
    return FakeJournal(clock)


@pytest.fixture
async def postgres_journal(database_url: str, clock: HandClock) -> AsyncIterator[PostgresJournal]:
    real = PostgresJournal(at(database_url), clock=clock)
    yield real
    await real.close()


@pytest.fixture(params=["fake_journal", "postgres_journal"])
def journal(request: pytest.FixtureRequest) -> FakeJournal | PostgresJournal:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


@pytest.fixture
def dump(request: pytest.FixtureRequest, journal: FakeJournal | PostgresJournal) -> Dump:
    """Return what the journal holds, all of it, in a form that compares."""

    async def fake() -> Any:
        held = {name: value for name, value in vars(journal).items() if name not in ("_clock", "_revisions")}
        return copy.deepcopy(held)

    if isinstance(journal, FakeJournal):
        return fake
    url = request.getfixturevalue("database_url")

    async def real() -> Any:
        return await dump_of(url)

    return real


async def dump_of(database_url: str) -> dict[str, list[str]]:
    """Return every table's rows as sorted text."""
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        cursor = await connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
        )
        tables = [name for (name,) in await cursor.fetchall()]
        rows = {}
        for table in tables:
            cursor = await connection.execute(f"SELECT row_to_json(t)::text FROM {table} AS t ORDER BY 1")
            rows[table] = [row for (row,) in await cursor.fetchall()]
        return rows


@pytest.fixture
def fake_working_memory(clock: HandClock) -> FakeWorkingMemory:
    return FakeWorkingMemory(clock, session_seconds=SESSION_SECONDS)


@pytest.fixture
async def redis_working_memory(redis_url: str) -> AsyncIterator[RedisWorkingMemory]:
    real = RedisWorkingMemory(at(redis_url), session_seconds=SESSION_SECONDS)
    yield real
    await real.close()


@pytest.fixture(params=["fake_working_memory", "redis_working_memory"])
def working_memory(request: pytest.FixtureRequest) -> FakeWorkingMemory | RedisWorkingMemory:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


@pytest.fixture
def user() -> str:
    """A user nobody else uses: Redis is shared by all tests."""
    return f"ann-{uuid.uuid4().hex}"
