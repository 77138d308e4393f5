"""What only a database can get wrong: several writers at once, migrations, lost connections."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import resources
from typing import Any

import psycopg
import pytest
from alembic.script import ScriptDirectory
from blockbuster import blockbuster_ctx

from state.errors import DecisionRefused, InputRejected, StoreMismatch, StoreUnavailable
from state.ports import TurnCommit
from state.records import LedgerEntry, MemoryWrite
from state.stores.journal import database, migrate
from state.stores.journal.journal import PostgresJournal
from state.stores.journal.migrations import REVISIONS
from tests.contract.conftest import at, dump_of
from tests.factories import NOW_MS, memory, receipt_of, turn
from tests.fakes.clock import HandClock

NOTHING_LISTENS = "postgresql://ann:s3cret@127.0.0.1:1/loci"
_TERMINATE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'loci'"
)
_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"


@asynccontextmanager
async def opened(*urls: str) -> AsyncIterator[list[PostgresJournal]]:
    """As many journals, each with connections of its own, as two processes have."""
    async with AsyncExitStack() as stack:
        journals = [PostgresJournal(at(url), clock=HandClock()) for url in urls]
        for one in journals:
            stack.push_async_callback(one.close)
        yield journals


async def execute(database_url: str, statement: str) -> None:
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        await connection.execute(statement)  # type: ignore[arg-type]


def commit_of(*writes: MemoryWrite, **fields: Any) -> TurnCommit:
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    return TurnCommit.model_validate({**base, "writes": writes, **fields})


async def test_two_commits_at_once_never_make_two_active_in_one_slot(database_url: str) -> None:
    cities = [memory(f"m{n}", f"我住在{n}", slot="user.home_city", single_valued=True) for n in range(12)]
    async with opened(database_url, database_url) as journals:
        done = await asyncio.gather(
            *(journals[n % 2].commit(commit_of(MemoryWrite(memory=city))) for n, city in enumerate(cities))
        )
        assert sorted(one.memories[0].status for one in done) == ["active"] + ["pending"] * 11
        assert len(await journals[0].in_slot("ann", "user.home_city")) == 1


async def test_two_updates_of_one_memory_at_once_end_in_one(database_url: str) -> None:
    home = {"slot": "user.home_city", "single_valued": True}
    async with opened(database_url, database_url) as journals:
        await journals[0].commit(commit_of(MemoryWrite(memory=memory("old", **home))))
        moves = [
            MemoryWrite(memory=memory(f"m{n}", f"搬到{n}", **home), supersedes=("old",), company={"old": 1})
            for n in range(8)
        ]
        await asyncio.gather(*(journals[n % 2].commit(commit_of(move)) for n, move in enumerate(moves)))

        found = await journals[0].list_memories("ann", statuses=["active", "superseded", "pending"], limit=99)
        assert sorted(one.status for one in found) == ["active"] + ["pending"] * 7 + ["superseded"]
        (old,) = await journals[0].memories("ann", ["old"])
        assert (old.status, old.version) == ("superseded", 2)


async def test_two_runs_that_judged_at_one_moment_never_make_two_active_in_a_slot(database_url: str) -> None:
    """Round after round two runs see the same company; each acts on its verdict, the user on a dispute, all at once."""
    home = {"slot": "user.home_city", "single_valued": True}
    async with opened(database_url, database_url) as journals:
        left, right = journals
        await left.commit(commit_of(MemoryWrite(memory=memory("first", **home))))
        for place in range(40):
            (stands,) = await left.in_slot("ann", "user.home_city")
            company = {stands.memory_id: stands.version}
            names = [f"{side}{place}" for side in ("left", "right")]
            receipt = receipt_of("update", provisional=place % 2 == 0)
            rows = [memory(name, f"搬到{name}", receipt=receipt, **home) for name in names]
            update, other = (MemoryWrite(memory=row, supersedes=(stands.memory_id,), company=company) for row in rows)
            conflict = MemoryWrite(
                memory=rows[1].model_copy(update={"status": "disputed", "opposes": (stands.memory_id,)}),
                company=company,
            )
            second = right.commit(commit_of(conflict if place % 3 else other))
            decision = right.decide("ann", stands.memory_id, "reject", at_ms=NOW_MS) if place % 4 == 3 else second
            done = await asyncio.gather(left.commit(commit_of(update)), decision, return_exceptions=True)
            assert not [one for one in done if isinstance(one, psycopg.Error)]
            if decision is not second:
                await second
            for dispute in await left.open_disputes("ann", 9):
                ends = [one.decide("ann", dispute.memory.memory_id, "keep_new", at_ms=NOW_MS) for one in journals]
                ended = await asyncio.gather(*ends, return_exceptions=True)
                assert sorted(isinstance(one, DecisionRefused) for one in ended) == [False, True]
            active = await left.in_slot("ann", "user.home_city")
            assert len(active) == 1, place


async def test_the_index_itself_refuses_a_second_active_memory(
    postgres_journal: PostgresJournal, database_url: str
) -> None:
    await postgres_journal.commit(commit_of(MemoryWrite(memory=memory("a", slot="user.name", single_valued=True))))
    with pytest.raises(psycopg.errors.UniqueViolation, match="one_active_in_slot"):
        await execute(
            database_url,
            """INSERT INTO memories SELECT (jsonb_populate_record(memories, '{"memory_id": "b"}')).* FROM memories""",
        )


async def test_writers_of_one_session_share_one_row_of_ordinals(database_url: str) -> None:
    async with opened(database_url, database_url) as journals:
        await asyncio.gather(
            *(journals[n % 2].write_ahead("ann", "s1", [turn(f"{n}", turn_id=f"t{n}")], present=[]) for n in range(20))
        )
        turns = await journals[0].transcript("ann", "s1")
    assert [one.ordinal for one in turns] == list(range(1, 21))
    assert [one.at_ms for one in turns] == list(range(NOW_MS, NOW_MS + 20))


async def test_of_two_users_who_begin_one_session_at_once_one_has_it(database_url: str) -> None:
    async with opened(database_url, database_url) as journals:
        for place in range(4):
            begun = [
                one.write_ahead(user, f"s{place}", [turn(user_id=user, session_id=f"s{place}")], present=[])
                for one, user in zip(journals, ("ann", "bob"), strict=True)
            ]
            done = await asyncio.gather(*begun, return_exceptions=True)
            assert sorted(isinstance(one, InputRejected) for one in done) == [False, True]


async def test_an_edit_waits_for_a_commit_of_the_user(database_url: str) -> None:
    """A commit reads memories and writes them back: what they rest on must not change in between."""
    async with opened(database_url) as (journal,):
        await journal.write_ahead("ann", "s1", [turn("a", turn_id="t1")], present=["t1"])
        committing = await psycopg.AsyncConnection.connect(database_url)
        async with committing:
            await committing.execute("SELECT pg_advisory_xact_lock(hashtextextended('ann', 0))")
            edit = asyncio.create_task(journal.write_ahead("ann", "s1", [turn("b", turn_id="t1")], present=["t1"]))
            while (await (await committing.execute(_WAITING)).fetchone()) != (1,):
                assert not edit.done()
                await asyncio.sleep(0.02)
        assert (await edit).turns[0].text == "b"


async def test_one_turn_written_by_two_is_written_once(database_url: str) -> None:
    async with opened(database_url, database_url) as journals:
        done = await asyncio.gather(
            *(one.write_ahead("ann", "s1", [turn("a", turn_id="t")], present=["t"]) for one in journals * 4)
        )
        assert [one.turns[0].ordinal for one in done] == [1] * 8
        assert len(await journals[0].transcript("ann", "s1")) == 1


async def test_one_of_two_takes_a_lease(database_url: str) -> None:
    async with opened(database_url, database_url) as journals:
        taken = await asyncio.gather(
            *(journals[n % 2].lease("curator", f"owner-{n}", now_ms=1, until_ms=2) for n in range(8))
        )
    assert sorted(taken) == [False] * 7 + [True]


async def test_a_commit_that_fails_leaves_nothing(postgres_journal: PostgresJournal, database_url: str) -> None:
    await postgres_journal.open()
    before = await dump_of(database_url)
    used = {"node": "n", "model": "m", "completion_tokens": 1, "latency_ms": 1, "at_ms": NOW_MS}
    too_many = LedgerEntry(prompt_tokens=2**70, **used)
    with pytest.raises(psycopg.DataError):  # a mistake of ours, and no outage
        await postgres_journal.commit(
            commit_of(MemoryWrite(memory=memory("m")), reply=turn("好的", turn_id="a"), ledger=(too_many,))
        )
    assert await dump_of(database_url) == before


async def test_servers_that_start_at_once_migrate_once(empty_database_url: str) -> None:
    async with opened(*[empty_database_url] * 3) as journals:
        await asyncio.gather(*(one.open() for one in journals), *(one.open() for one in journals))
        for one in journals:
            await one.ping()
    assert (await dump_of(empty_database_url))["alembic_version"] == [f'{{"version_num":"{REVISIONS[-1]}"}}']


async def test_processes_that_start_at_once_wait_for_each_other(empty_database_url: str) -> None:
    """Both see an empty database and wait for the lock that the test holds; then one migrates, the other does not."""
    command = (
        sys.executable,
        "-c",
        "import sys; from state.stores.journal.migrate import migrate; migrate(sys.argv[1])",
    )
    lock = await psycopg.AsyncConnection.connect(empty_database_url, autocommit=True)
    async with lock:
        await lock.execute("SELECT pg_advisory_lock(%s)", (migrate.LOCK,))
        starts = [await asyncio.create_subprocess_exec(*command, empty_database_url) for _ in range(2)]
        while (await (await lock.execute(_WAITING)).fetchone()) != (2,):
            assert all(start.returncode is None for start in starts)
            await asyncio.sleep(0.05)
    assert [await start.wait() for start in starts] == [0, 0]
    assert len((await dump_of(empty_database_url))["alembic_version"]) == 1


def test_the_revisions_named_are_those_alembic_finds() -> None:
    with resources.as_file(resources.files("state.stores.journal.migrations")) as folder:
        found = [script.revision for script in ScriptDirectory(str(folder)).walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS


async def test_a_migration_leaves_the_applications_logging_alone(empty_database_url: str) -> None:
    def state() -> list[Any]:
        loggers = [logging.getLogger(), *(logging.getLogger(name) for name in ("state", "psycopg.pool"))]
        return [(one.level, one.handlers[:], one.disabled, one.propagate) for one in loggers]

    before = state()
    async with opened(empty_database_url) as (one,):
        await one.open()
    assert state() == before


async def test_a_schema_of_a_later_version_is_named(database_url: str) -> None:
    async with opened(database_url, database_url) as (running, starting):
        await running.open()
        await execute(database_url, "UPDATE alembic_version SET version_num = '9999'")
        for call in (running.ping, starting.open, starting.users_with_outbox):
            with pytest.raises(StoreMismatch, match="has schema 9999, which this version of Loci does not know"):
                await call()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (NOTHING_LISTENS, "Connection refused"),
        ("postgresql://ann:s3cret@[::1/loci", "postgresql"),
        ("postgresql://ann:s3cret@/loci?host=/nowhere", "No such file"),
    ],
)
async def test_an_outage_is_one_line_without_the_password(url: str, reason: str) -> None:
    async with opened(url) as (journal,):
        for call in (journal.open, journal.ping, journal.users_with_outbox):
            with pytest.raises(StoreUnavailable) as caught:
                await call()
            assert caught.value.part == "postgres"
            assert reason in caught.value.reason
            assert "s3cret" not in str(caught.value)
            assert "\n" not in str(caught.value)


async def test_a_journal_that_could_not_open_opens_later(database_url: str) -> None:
    urls = [NOTHING_LISTENS, database_url]

    async def next_url() -> str:
        return urls.pop(0)

    journal = PostgresJournal(next_url, clock=HandClock())
    with pytest.raises(StoreUnavailable):
        await journal.open()
    await journal.ping()
    await journal.close()


async def test_constructing_does_nothing_and_one_opening_serves_all(database_url: str) -> None:
    asked = []

    async def url() -> str:
        asked.append(1)
        return database_url

    journal = PostgresJournal(url, clock=HandClock())
    assert asked == []
    await asyncio.gather(*(journal.ping() for _ in range(8)))
    assert asked == [1]
    await journal.close()
    await journal.close()


async def test_a_closed_journal_opens_again(postgres_journal: PostgresJournal) -> None:
    await postgres_journal.open()
    await postgres_journal.close()
    await postgres_journal.open()
    await postgres_journal.ping()


async def test_a_caller_that_gives_up_does_not_end_the_opening_for_others(database_url: str) -> None:
    may_go = asyncio.Event()

    async def url() -> str:
        await may_go.wait()
        return database_url

    journal = PostgresJournal(url, clock=HandClock())
    impatient, patient = asyncio.create_task(journal.open()), asyncio.create_task(journal.ping())
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.wait([impatient])
    may_go.set()
    await patient
    await journal.close()


async def test_nothing_blocks_the_event_loop(empty_database_url: str) -> None:
    with blockbuster_ctx():
        async with opened(empty_database_url) as (journal,):
            await journal.write_ahead("ann", "s1", [turn()], present=["t1"])
            await journal.commit(commit_of(MemoryWrite(memory=memory("m"))))


@pytest.mark.parametrize(
    ("statement", "raised"),
    [
        ("SELECT 1 / 0", psycopg.DataError),
        ("INSERT INTO sessions (user_id) VALUES ('ann')", psycopg.IntegrityError),
        ("SELECT nothing", psycopg.ProgrammingError),
        ("SELECT pg_terminate_backend(pg_backend_pid())", StoreUnavailable),
        ("SET LOCAL statement_timeout = 1; SELECT pg_sleep(5)", StoreUnavailable),
        ("SET LOCAL transaction_read_only = on; DELETE FROM outbox", StoreUnavailable),
    ],
)
async def test_only_an_outage_is_called_one(database_url: str, statement: str, raised: type[Exception]) -> None:
    store = database.Postgres(at(database_url))
    with pytest.raises(raised):
        async with store.transaction() as connection:
            await connection.execute(statement)
    await store.close()


async def test_lost_connections_are_replaced(postgres_journal: PostgresJournal, database_url: str) -> None:
    await postgres_journal.ping()
    await execute(database_url, _TERMINATE)
    await postgres_journal.ping()


async def test_a_server_that_goes_away_is_asked_anew_at_every_call(
    database_url: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool waits once for a connection; from then on each call sees for itself, and finds the server again."""
    monkeypatch.setattr(database, "_WAIT_SECONDS", 0.3)
    name = psycopg.conninfo.conninfo_to_dict(database_url)["dbname"]
    async with opened(database_url) as (journal,):
        await journal.ping()
        await execute(postgres_url, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await execute(postgres_url, _TERMINATE.replace("current_database()", f"'{name}'"))
        reasons = []
        for _ in range(2):
            with pytest.raises(StoreUnavailable) as caught:
                await journal.ping()
            reasons.append(caught.value.reason)
        await execute(postgres_url, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await journal.ping()
    assert reasons[0] == "couldn't get a connection after 0.30 sec"
    assert "not currently accepting connections" in reasons[1]
