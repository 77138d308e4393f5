"""What a database of an earlier version becomes."""

from collections.abc import AsyncIterator
from importlib import resources
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from psycopg.types.json import Jsonb
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from state.ports import TurnCommit
from state.records import Memory, MemoryWrite
from state.stores.journal.journal import PostgresJournal
from tests.contract.conftest import at
from tests.factories import NOW_MS, memory, receipt_of
from tests.fakes.clock import HandClock

_JSON = ("evidence", "opposes", "receipt")


def migrate_to(revision: str, url: str) -> None:
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    config = Config()
    with resources.as_file(resources.files("state.stores.journal.migrations")) as folder, engine.begin() as connection:
        config.set_main_option("script_location", str(folder))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def insert(url: str, *rows: dict[str, Any]) -> None:
    with psycopg.connect(url) as connection:
        for row in rows:
            values = {name: Jsonb(value) if name in _JSON else value for name, value in row.items()}
            columns, places = ", ".join(values), ", ".join(f"%({name})s" for name in values)
            connection.execute(f"INSERT INTO memories ({columns}) VALUES ({places})", values)  # type: ignore[arg-type]


def row_of_0001(given: Memory, supersedes: str | None = None) -> dict[str, Any]:
    row = given.model_dump(mode="json", exclude={"superseded_by", "corrects"})
    times = {"created_ms": NOW_MS, "updated_ms": NOW_MS, "due_ms": NOW_MS, "attempts": 3}
    return {**row, **times, "supersedes": supersedes}


@pytest.fixture
async def migrated(empty_database_url: str) -> AsyncIterator[PostgresJournal]:
    """A journal that the first version filled, and this one opened."""
    migrate_to("0001", empty_database_url)
    late = receipt_of("update", neighbours=("other", "b"))
    insert(
        empty_database_url,
        row_of_0001(memory("a", status="superseded", version=2, valid_to_ms=5)),
        row_of_0001(memory("b", status="superseded", version=2, valid_from_ms=5), supersedes="a"),
        row_of_0001(memory("tried", status="rejected", mentioned_ms=1), supersedes="b"),
        row_of_0001(memory("c"), supersedes="b"),
        row_of_0001(memory("bygone", status="superseded", valid_to_ms=5, receipt=late)),
        row_of_0001(memory("other", valid_from_ms=6)),
        row_of_0001(memory("open", status="disputed", opposes=("c", "a"))),
        row_of_0001(memory("stale", status="disputed", opposes=("a", "b"), receipt=receipt_of("conflict"))),
        row_of_0001(memory("ended", status="rejected", opposes=("c",))),
        row_of_0001(memory("theirs", user_id="bob", status="superseded")),
    )
    journal = PostgresJournal(at(empty_database_url), clock=HandClock())
    yield journal
    await journal.close()


async def test_each_memory_of_the_past_names_its_successor(migrated: PostgresJournal) -> None:
    found = await migrated.memories("ann", ["a", "b", "c", "bygone", "tried"])
    assert [one.superseded_by for one in found] == ["b", "c", None, "b", None]
    assert [one.version for one in found] == [2, 2, 1, 1, 1]
    assert [one.memory_id for one in await migrated.replaced_by("ann", "b")] == ["a", "bygone"]
    (theirs,) = await migrated.memories("bob", ["theirs"])
    assert theirs.superseded_by is None


async def test_only_a_dispute_about_what_stands_stays_open(migrated: PostgresJournal) -> None:
    (dispute,) = await migrated.open_disputes("ann", 9)
    assert (dispute.memory.memory_id, dispute.raised_ms, dispute.raised_by) == ("open", None, ())
    assert [one.memory_id for one in dispute.against] == ["c"]
    stale, ended = await migrated.memories("ann", ["stale", "ended"])
    assert (stale.status, stale.opposes, stale.version) == ("pending", (), 2)
    assert ended.opposes == ()
    (event,) = await migrated.history("ann", "stale")
    assert (event.from_status, event.to_status, event.actor) == ("disputed", "pending", "curator")
    (waiting,) = await migrated.pending(before_ms=event.at_ms + 1, limit=9, provisional=False)
    assert waiting == stale


async def test_a_migrated_journal_takes_decisions(migrated: PostgresJournal) -> None:
    changed = await migrated.decide("ann", "open", "keep_new", at_ms=NOW_MS)
    assert changed is not None
    assert [(one.memory_id, one.status, one.superseded_by) for one in changed] == [
        *(("open", "active", None), ("c", "superseded", "open"))
    ]


async def test_where_a_memory_was_said_that_is_forgotten_is_known_from_0003_on(empty_database_url: str) -> None:
    migrate_to("0002", empty_database_url)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("INSERT INTO forgotten (user_id, memory_id, at_ms) VALUES ('ann', 'gone', 1)")
    journal = PostgresJournal(at(empty_database_url), clock=HandClock())
    try:
        assert await journal.forgotten_turns("ann", "s1") == frozenset()
        commit = TurnCommit(user_id="ann", session_id="s1", actor="gate", at_ms=NOW_MS)
        writes = (MemoryWrite(memory=memory("gone")), MemoryWrite(memory=memory("m")))
        done = await journal.commit(commit.model_copy(update={"writes": writes}))
        assert [one.memory_id for one in done.memories] == ["m"]
        assert await journal.forget("ann", "m", at_ms=NOW_MS)
        assert await journal.forgotten_turns("ann", "s1") == {"t1"}
    finally:
        await journal.close()
