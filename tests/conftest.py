"""What every test has: an environment without settings, real servers once for the whole run, a database of its own."""

import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import hypothesis
import psycopg
import pytest

from state.settings import Settings
from state.stores.embedded.servers import EmbeddedServers
from state.stores.journal.migrate import migrate
from tests.fakes.clock import HandClock
from tests.openai_stub import OpenAIStub

# Machines are slow at times: no test is about how long an example takes.
hypothesis.settings.register_profile("loci", deadline=None)
hypothesis.settings.load_profile("loci")


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the machine's own settings and `.env`; LOCI_TEST_* say where the tests find servers and stay."""
    for name in list(os.environ):
        if name.startswith(("LOCI_", "OPENAI_")) and not name.startswith("LOCI_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setitem(Settings.model_config, "env_file", None)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="loci-test-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another account where the tests run as root
        yield folder / "data"


@pytest.fixture(scope="session")
async def servers(servers_folder: Path) -> AsyncIterator[EmbeddedServers]:
    """The bundled servers, with data that goes with them. Each starts when a test first asks for it."""
    running = EmbeddedServers(servers_folder)
    yield running
    await running.close()


@pytest.fixture(scope="session")
async def bundled_redis_url(servers: EmbeddedServers) -> str:
    return await servers.redis_url()


@pytest.fixture(scope="session")
async def bundled_postgres_url(servers: EmbeddedServers) -> str:
    return await servers.postgres_url()


@pytest.fixture(scope="session")
def redis_url(request: pytest.FixtureRequest) -> str:
    """A Redis all tests share: each takes users or sessions of its own."""
    url: str = os.environ.get("LOCI_TEST_REDIS_URL") or request.getfixturevalue("bundled_redis_url")
    return url


@pytest.fixture(scope="session")
def postgres_url(request: pytest.FixtureRequest) -> str:
    """A PostgreSQL all tests share: each takes a database of its own, see `database_url`."""
    url: str = os.environ.get("LOCI_TEST_POSTGRES_URL") or request.getfixturevalue("bundled_postgres_url")
    return url


@pytest.fixture(scope="session")
async def template(postgres_url: str) -> AsyncIterator[str]:
    """The name of a migrated database without rows, which the others are copies of."""
    async with _database(postgres_url) as name:
        migrate(_url_of(postgres_url, name))
        yield name


@pytest.fixture
async def database_url(postgres_url: str, template: str) -> AsyncIterator[str]:
    """The URL of a fresh, migrated database."""
    async with _database(postgres_url, template) as name:
        yield _url_of(postgres_url, name)


@pytest.fixture
async def empty_database_url(postgres_url: str) -> AsyncIterator[str]:
    """The URL of a fresh database without a schema."""
    async with _database(postgres_url) as name:
        yield _url_of(postgres_url, name)


@asynccontextmanager
async def _database(postgres_url: str, template: str = "template0") -> AsyncIterator[str]:
    name = f"loci_test_{uuid.uuid4().hex}"
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as admin:
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield name
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _url_of(postgres_url: str, database: str) -> str:
    return urlsplit(postgres_url)._replace(path=f"/{database}").geturl()


@pytest.fixture(scope="session")
def running_stub() -> Iterator[OpenAIStub]:
    with OpenAIStub() as running:
        yield running


@pytest.fixture
def stub(running_stub: OpenAIStub) -> OpenAIStub:
    """The scripted OpenAI-compatible server, with its own answers and no requests yet."""
    running_stub.reset()
    return running_stub
