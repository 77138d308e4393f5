"""What the port WorkingMemory promises, on the fake and on Redis, and what only Redis can get wrong."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from blockbuster import blockbuster_ctx
from redis.asyncio import Redis

from state.errors import StoreUnavailable, TenantMissing
from state.ports import WorkingMemory
from state.records import Turn
from state.stores.working_memory import RedisWorkingMemory
from tests.contract.conftest import SESSION_SECONDS, at
from tests.factories import turn
from tests.fakes.clock import HandClock
from tests.fakes.working_memory import FakeWorkingMemory


def turns_of(user: str, *ordinals: int, session: str = "s1") -> list[Turn]:
    return [turn(f"第{n}句", user_id=user, session_id=session, turn_id=f"t{n}", ordinal=n) for n in ordinals]


async def ordinals(memory: WorkingMemory, user: str, session: str = "s1") -> list[int]:
    return [one.ordinal for one in await memory.window(user, session)]


async def test_a_session_nobody_wrote_to_has_no_window(working_memory: WorkingMemory, user: str) -> None:
    assert await working_memory.window(user, "s1") == []


async def test_pushed_turns_come_back_whole_oldest_first(working_memory: WorkingMemory, user: str) -> None:
    first, second, third = turns_of(user, 1, 2, 3)
    reply = second.model_copy(update={"role": "assistant", "reply_to": "t1", "text": '引号 " \\ \n 🐈 {}:'})
    await working_memory.push(user, "s1", [first])
    await working_memory.push(user, "s1", [third, reply])

    assert await working_memory.window(user, "s1") == [first, reply, third]


@pytest.mark.parametrize("again", [(1,), (2, 3), (1, 2, 3), ()], ids=str)
async def test_a_turn_that_is_there_is_left_out(
    working_memory: WorkingMemory, user: str, again: tuple[int, ...]
) -> None:
    await working_memory.push(user, "s1", turns_of(user, 1, 2))
    changed = [one.model_copy(update={"text": "else"}) for one in turns_of(user, *again)]
    await working_memory.push(user, "s1", changed)

    kept = await working_memory.window(user, "s1")
    assert [one.ordinal for one in kept] == ([1, 2, 3] if 3 in again else [1, 2])
    assert kept[:2] == turns_of(user, 1, 2)


@pytest.mark.parametrize(("held", "pushed"), [((), (2, 3)), ((1, 2), (4,)), ((1,), (2, 4))], ids=str)
async def test_no_list_has_a_hole(
    working_memory: WorkingMemory, user: str, held: tuple[int, ...], pushed: tuple[int, ...]
) -> None:
    """A list that lacks a turn would pass for the session; one that is not there is rebuilt."""
    await working_memory.push(user, "s1", turns_of(user, *held))
    await working_memory.push(user, "s1", turns_of(user, *pushed))

    assert await ordinals(working_memory, user) == []


async def test_a_rebuilt_list_replaces_the_old_one_and_goes_on(working_memory: WorkingMemory, user: str) -> None:
    await working_memory.push(user, "s1", turns_of(user, 1, 2, 3))
    await working_memory.rebuild(user, "s1", turns_of(user, 7, 5))
    assert await ordinals(working_memory, user) == [5, 7]

    await working_memory.push(user, "s1", turns_of(user, 8))
    assert await ordinals(working_memory, user) == [5, 7, 8]
    await working_memory.rebuild(user, "s1", [])
    assert await ordinals(working_memory, user) == []


async def test_trimmed_turns_are_gone_and_do_not_come_back(working_memory: WorkingMemory, user: str) -> None:
    await working_memory.push(user, "s1", turns_of(user, 1, 2, 3, 4))
    await working_memory.trim(user, "s1", ["t1", "t2", "unknown"])
    assert await ordinals(working_memory, user) == [3, 4]

    await working_memory.push(user, "s1", turns_of(user, 2, 5))
    assert await ordinals(working_memory, user) == [3, 4, 5]
    await working_memory.trim(user, "s1", ["t3", "t4", "t5"])
    assert await ordinals(working_memory, user) == []
    await working_memory.trim(user, "s1", ["t1"])


@pytest.mark.parametrize(
    ("one", "other"),
    [(("a:b", "c"), ("a", "b:c")), (("a}:{b", "c"), ("a", "b}:{c")), (("a%3Ab", "c"), ("a:b", "c"))],
)
async def test_no_user_or_session_sees_the_window_of_another(
    working_memory: WorkingMemory, user: str, one: tuple[str, str], other: tuple[str, str]
) -> None:
    mine, theirs = (user + one[0], one[1]), (user + other[0], other[1])
    await working_memory.push(*mine, turns_of(mine[0], 1, 2, session=mine[1]))
    await working_memory.push(*theirs, turns_of(theirs[0], 1, session=theirs[1]))
    await working_memory.trim(*theirs, ["t1", "t2"])

    assert await ordinals(working_memory, *mine) == [1, 2]
    assert await ordinals(working_memory, *theirs) == []


async def test_a_turn_of_another_session_or_user_is_refused(working_memory: WorkingMemory, user: str) -> None:
    for strangers in (turns_of(user, 1, session="s2"), turns_of("bob", 1)):
        with pytest.raises(ValueError, match="another session"):
            await working_memory.push(user, "s1", strangers)
        with pytest.raises(ValueError, match="another session"):
            await working_memory.rebuild(user, "s1", strangers)
    assert await ordinals(working_memory, user) == []


@pytest.mark.parametrize("nobody", ["", "  ", None, "a\x00"])
async def test_a_window_needs_a_user(working_memory: WorkingMemory, nobody: str) -> None:
    calls = [
        lambda: working_memory.window(nobody, "s1"),
        lambda: working_memory.push(nobody, "s1", []),
        lambda: working_memory.rebuild(nobody, "s1", []),
        lambda: working_memory.trim(nobody, "s1", []),
    ]
    for call in calls:
        with pytest.raises(TenantMissing):
            await call()


async def test_what_no_store_can_hold_is_replaced(working_memory: WorkingMemory, user: str) -> None:
    given = turn("a\x00b \ud83d", user_id=user, session_id="s\x00", turn_id="\ud83d")
    await working_memory.push(user, "s\x00", [given])

    (kept,) = await working_memory.window(user, "s\x00")
    assert (kept.text, kept.session_id, kept.turn_id) == ("a\ufffdb \ufffd", "s\ufffd", "\ufffd")
    await working_memory.trim(user, "s\x00", ["\ud83d"])
    assert await working_memory.window(user, "s\x00") == []


async def test_a_working_memory_that_is_there_answers(working_memory: WorkingMemory) -> None:
    await working_memory.ping()


async def test_the_fake_forgets_a_session_after_its_life(
    fake_working_memory: FakeWorkingMemory, clock: HandClock
) -> None:
    await fake_working_memory.push("ann", "s1", turns_of("ann", 1))
    clock.at_ms += SESSION_SECONDS * 1_000 - 1
    assert await ordinals(fake_working_memory, "ann") == [1]
    clock.at_ms += SESSION_SECONDS * 1_000 - 1  # reading it was use
    assert await ordinals(fake_working_memory, "ann") == [1]
    clock.at_ms += SESSION_SECONDS * 1_000
    assert await ordinals(fake_working_memory, "ann") == []


# Redis alone


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


def key_of(user: str) -> str:
    return f"loci:{{{user}:s1}}:window"


@pytest.mark.parametrize("use", ["window", "push", "trim", "rebuild"])
async def test_every_use_refreshes_the_life_of_the_list(
    redis_working_memory: RedisWorkingMemory, client: Redis, user: str, use: str
) -> None:
    await redis_working_memory.push(user, "s1", turns_of(user, 1, 2))
    assert await client.ttl(key_of(user)) == SESSION_SECONDS
    await client.expire(key_of(user), 5)
    uses = {
        "window": lambda: redis_working_memory.window(user, "s1"),
        "push": lambda: redis_working_memory.push(user, "s1", turns_of(user, 2)),
        "trim": lambda: redis_working_memory.trim(user, "s1", ["t1"]),
        "rebuild": lambda: redis_working_memory.rebuild(user, "s1", turns_of(user, 1, 2)),
    }
    await uses[use]()
    assert await client.ttl(key_of(user)) == SESSION_SECONDS


@pytest.mark.parametrize("entry", ["not json", '{"ordinal": "x"}', "[]", "\ufffd", "stranger"])
async def test_a_list_that_cannot_be_read_counts_as_none(
    redis_working_memory: RedisWorkingMemory, client: Redis, user: str, entry: str
) -> None:
    spoilt = turns_of("bob", 2)[0].model_dump_json() if entry == "stranger" else entry
    await redis_working_memory.push(user, "s1", turns_of(user, 1))
    await client.rpush(key_of(user), spoilt)

    assert await redis_working_memory.window(user, "s1") == []
    assert await client.exists(key_of(user)) == 0


@pytest.mark.parametrize("entry", ["not json", '{"ordinal": "x"}', "[]", "7"])
async def test_a_spoilt_list_is_not_written_on(
    redis_working_memory: RedisWorkingMemory, client: Redis, user: str, entry: str
) -> None:
    await client.rpush(key_of(user), entry)
    await redis_working_memory.push(user, "s1", turns_of(user, 1))
    assert await client.exists(key_of(user)) == 0

    await client.rpush(key_of(user), json.dumps(turns_of(user, 1)[0].row()), "not json")
    await redis_working_memory.trim(user, "s1", ["t9"])
    assert await client.exists(key_of(user)) == 0


async def test_pushes_at_once_leave_each_turn_once(
    redis_url: str, redis_working_memory: RedisWorkingMemory, user: str
) -> None:
    other = RedisWorkingMemory(at(redis_url), session_seconds=SESSION_SECONDS)
    turns = turns_of(user, *range(1, 31))
    await asyncio.gather(*(one.push(user, "s1", turns) for one in [redis_working_memory, other] * 20))
    await other.close()

    assert await redis_working_memory.window(user, "s1") == turns


async def test_a_server_that_lost_its_scripts_learns_them_again(
    redis_working_memory: RedisWorkingMemory, client: Redis, user: str
) -> None:
    await redis_working_memory.push(user, "s1", turns_of(user, 1))
    await client.script_flush()
    await redis_working_memory.push(user, "s1", turns_of(user, 2))
    assert await ordinals(redis_working_memory, user) == [1, 2]


async def test_nothing_blocks_the_event_loop(redis_working_memory: RedisWorkingMemory, user: str) -> None:
    with blockbuster_ctx():
        await redis_working_memory.push(user, "s1", turns_of(user, 1))
        await redis_working_memory.trim(user, "s1", ["t1"])
        await redis_working_memory.window(user, "s1")


async def test_lost_connections_are_replaced(
    redis_working_memory: RedisWorkingMemory, client: Redis, user: str
) -> None:
    await redis_working_memory.push(user, "s1", turns_of(user, 1))
    await client.client_kill_filter(_type="normal", skipme=True)
    assert await ordinals(redis_working_memory, user) == [1]


@pytest.mark.parametrize(
    "url",
    [
        "redis://:s3cret@127.0.0.1:1/0",
        "unix:///nowhere.sock?password=s3cret",
        "redis://:s3cret@host:s3cret/0",
        "s3cret://x",
    ],
)
async def test_an_outage_is_one_line_without_the_password(url: str, user: str) -> None:
    memory = RedisWorkingMemory(at(url), session_seconds=SESSION_SECONDS)
    calls = [
        memory.open,
        memory.ping,
        lambda: memory.window(user, "s1"),
        lambda: memory.push(user, "s1", turns_of(user, 1)),
        lambda: memory.rebuild(user, "s1", []),
        lambda: memory.trim(user, "s1", ["t1"]),
    ]
    for call in calls:
        with pytest.raises(StoreUnavailable) as caught:
            await call()
        assert caught.value.part == "redis"
        assert "s3cret" not in str(caught.value)
        assert "\n" not in str(caught.value)
    await memory.close()


async def test_a_silent_server_is_given_up(user: str) -> None:
    """It accepts and never answers."""
    held = []

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)

    silent = await asyncio.start_server(hold, "127.0.0.1", 0)
    memory = RedisWorkingMemory(
        at(f"redis://127.0.0.1:{silent.sockets[0].getsockname()[1]}/0"), session_seconds=SESSION_SECONDS
    )
    with pytest.raises(StoreUnavailable):
        await memory.window(user, "s1")
    await memory.close()
    for writer in held:
        writer.close()
    silent.close()


async def test_constructing_does_nothing_and_one_opening_serves_all(redis_url: str) -> None:
    asked = []

    async def url() -> str:
        asked.append(1)
        await asyncio.sleep(0)
        return redis_url

    memory = RedisWorkingMemory(url, session_seconds=SESSION_SECONDS)
    assert asked == []
    await asyncio.gather(*(memory.ping() for _ in range(8)), memory.open())
    assert asked == [1]
    await memory.close()
    await memory.close()
    await memory.ping()
    await memory.close()
