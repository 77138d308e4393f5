"""What the port Maintenance promises, on the fake and on PostgreSQL."""

from state.ports import Journal, Maintenance, TurnCommit
from state.records import MemoryWrite
from tests.contract.conftest import both
from tests.factories import NOW_MS, memory, receipt_of, turn
from tests.fakes.clock import HandClock


def commit_of(**fields: object) -> TurnCommit:
    base = {"user_id": "ann", "session_id": "s1", "actor": "curator", "at_ms": NOW_MS}
    return TurnCommit.model_validate({**base, **fields})


async def say(journal: Journal, *turn_ids: str, user: str = "ann", session: str = "s1") -> None:
    turns = [turn(one, turn_id=one, user_id=user, session_id=session) for one in turn_ids]
    await journal.write_ahead(user, session, turns, present=turn_ids)


async def test_one_owner_holds_a_lease_until_it_ends(journal: Maintenance) -> None:
    assert await journal.lease("curator", "a", now_ms=10, until_ms=20)
    assert not await journal.lease("curator", "b", now_ms=19, until_ms=29)
    assert await journal.lease("curator", "a", now_ms=19, until_ms=30)  # renewed
    assert not await journal.lease("curator", "b", now_ms=29, until_ms=39)
    assert await journal.lease("curator", "b", now_ms=30, until_ms=40)
    assert await journal.lease("other", "a", now_ms=30, until_ms=40)


async def test_only_its_owner_gives_a_lease_back(journal: Maintenance) -> None:
    await journal.lease("curator", "a", now_ms=10, until_ms=20)
    await journal.release("curator", "b")
    assert not await journal.lease("curator", "b", now_ms=11, until_ms=21)
    await journal.release("curator", "a")
    await journal.release("curator", "a")
    assert await journal.lease("curator", "b", now_ms=11, until_ms=21)


async def test_idle_sessions_come_whole_the_longest_idle_first(journal: Journal, clock: HandClock) -> None:
    await say(journal, "a", "b", session="first")
    clock.at_ms += 1_000
    await say(journal, "c", user="bob", session="second")
    clock.at_ms += 1_000
    await say(journal, "d", session="busy")

    idle = await both(journal).idle_sessions(before_ms=NOW_MS + 1_500, limit=9)
    found = [(one.user_id, one.session_id, [kept.turn_id for kept in one.turns]) for one in idle]
    assert found == [("ann", "first", ["a", "b"]), ("bob", "second", ["c"])]
    assert [one.session_id for one in await both(journal).idle_sessions(before_ms=NOW_MS + 1_500, limit=1)] == ["first"]
    # "Older than": the session whose last turn is of that very moment is not.
    assert await both(journal).idle_sessions(before_ms=NOW_MS + 1, limit=9) == []


async def test_a_session_without_live_turns_is_not_idle(journal: Journal) -> None:
    await say(journal, "a", "b", "c")
    await journal.write_ahead("ann", "s1", [], present=["a", "b"])
    await journal.commit(commit_of(archived=("a",)))
    (idle,) = await both(journal).idle_sessions(before_ms=NOW_MS + 99, limit=9)
    assert [one.turn_id for one in idle.turns] == ["b"]

    await journal.commit(commit_of(archived=("b",)))
    assert await both(journal).idle_sessions(before_ms=NOW_MS + 99, limit=9) == []


async def test_undistilled_are_live_user_turns_oldest_first(journal: Journal, clock: HandClock) -> None:
    await say(journal, "u1", "u2", "dead")
    await journal.write_ahead("ann", "s1", [], present=["u1", "u2"])
    await journal.append_reply(turn("好的", turn_id="a1", role="assistant"))
    clock.at_ms += 1_000
    await say(journal, "v1", user="bob")
    await journal.commit(commit_of(distilled=("u1",), archived=("u2",)))

    async def waiting(before_ms: int, limit: int = 9) -> list[str]:
        return [one.turn_id for one in await both(journal).undistilled(before_ms=before_ms, limit=limit)]

    assert await waiting(NOW_MS + 1_001) == ["u2", "v1"]
    assert await waiting(NOW_MS + 1_001, limit=1) == ["u2"]
    assert await waiting(NOW_MS + 1_000) == ["u2"]
    assert await waiting(NOW_MS + 1) == []


async def test_pending_are_waiting_and_provisional_memories_longest_unjudged_first(journal: Journal) -> None:
    fates = {
        "provisional": ("active", receipt_of("new", provisional=True, judged_ms=NOW_MS + 2)),
        "undecided": ("pending", receipt_of("undecided", judged_ms=NOW_MS + 1)),
        "unjudged": ("pending", None),
        "active": ("active", receipt_of("new")),
        "disputed": ("disputed", receipt_of("conflict")),
        "rejected": ("rejected", receipt_of("new", provisional=True)),
        "late": ("pending", receipt_of("undecided", judged_ms=NOW_MS + 3)),
    }
    rows = [memory(name, status=status, receipt=receipt) for name, (status, receipt) in fates.items()]
    await journal.commit(commit_of(writes=tuple(MemoryWrite(memory=row) for row in rows)))

    found = await both(journal).pending(before_ms=NOW_MS + 3, limit=9, provisional=True)
    assert [one.memory_id for one in found] == ["unjudged", "undecided", "provisional"]
    (first,) = await both(journal).pending(before_ms=NOW_MS + 3, limit=1, provisional=True)
    assert first.memory_id == "unjudged"
    waiting = await both(journal).pending(before_ms=NOW_MS + 3, limit=9, provisional=False)
    assert [one.memory_id for one in waiting] == ["unjudged", "undecided"]


async def test_a_memory_judged_again_waits_from_then_on(journal: Journal) -> None:
    row = memory("m", status="pending", receipt=receipt_of("undecided"))
    await journal.commit(commit_of(writes=(MemoryWrite(memory=row),)))
    again = memory("m", status="pending", receipt=receipt_of("undecided", judged_ms=NOW_MS + 9))
    await journal.commit(commit_of(writes=(MemoryWrite(memory=again),)))

    assert await both(journal).pending(before_ms=NOW_MS + 9, limit=9, provisional=True) == []
    assert await both(journal).pending(before_ms=NOW_MS + 10, limit=9, provisional=True) == [again]


async def test_a_lost_index_is_queued_again(journal: Journal) -> None:
    kinds = {"a": "active", "s": "superseded", "p": "pending", "d": "disputed", "r": "rejected"}
    for user in ("ann", "bob"):
        writes = tuple(MemoryWrite(memory=memory(one, user_id=user, status=kinds[one])) for one in kinds)
        await journal.commit(commit_of(user_id=user, writes=writes))
    assert await both(journal).users_with_outbox() == ["ann", "bob"]
    for user in ("ann", "bob"):
        await journal.settle(user, await journal.outbox(user, 9))
    assert await both(journal).users_with_outbox() == []

    assert await both(journal).enqueue_all() == 4
    assert await both(journal).users_with_outbox() == ["ann", "bob"]
    assert {entry.memory_id for entry in await journal.outbox("bob", 9)} == {"a", "s"}


async def test_what_is_queued_again_meanwhile_is_not_settled(journal: Journal) -> None:
    await journal.commit(commit_of(writes=(MemoryWrite(memory=memory("m")),)))
    entries = await journal.outbox("ann", 9)
    await both(journal).enqueue_all()
    await journal.settle("ann", entries)
    assert [entry.memory_id for entry in await journal.outbox("ann", 9)] == ["m"]
