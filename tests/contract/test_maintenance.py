"""What the port Maintenance promises, on the fake and on PostgreSQL."""

import pytest

from state.ports import Journal, Maintenance, TurnCommit
from state.records import MemoryWrite, Receipt
from tests.contract.conftest import both
from tests.factories import DAY_MS, NOW_MS, memory, receipt_of, turn
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
    await say(journal, "v1", user="bob", session="s2")
    await journal.commit(commit_of(distilled=("u1",), archived=("u2",)))

    async def waiting(before_ms: int, limit: int = 9) -> list[str]:
        return [one.turn_id for one in await both(journal).undistilled(before_ms=before_ms, limit=limit)]

    assert await waiting(NOW_MS + 1_001) == ["u2", "v1"]
    assert await waiting(NOW_MS + 1_001, limit=1) == ["u2"]
    assert await waiting(NOW_MS + 1_000) == ["u2"]
    assert await waiting(NOW_MS + 1) == []


async def test_pending_are_waiting_and_provisional_memories_longest_due_first(journal: Journal) -> None:
    await journal.commit(commit_of(writes=(MemoryWrite(memory=memory("stands")),)))
    fates = {
        "unjudged": ("pending", None),
        "undecided": ("pending", receipt_of("undecided")),
        "provisional": ("active", receipt_of("new", provisional=True)),
        "guess": ("disputed", receipt_of("conflict", provisional=True)),
        "active": ("active", receipt_of("new")),
        "disputed": ("disputed", receipt_of("conflict")),
        "unsaid": ("rejected", receipt_of("new", provisional=True, grounded="unsupported")),
        "rejected": ("rejected", receipt_of("new", grounded="unsupported")),
        "repeated": ("rejected", receipt_of("duplicate", provisional=True)),
        "late": ("pending", receipt_of("undecided")),
    }
    for place, (name, (status, receipt)) in enumerate(fates.items()):
        row = memory(name, status=status, receipt=receipt, opposes=("stands",))
        await journal.commit(commit_of(writes=(MemoryWrite(memory=row),), at_ms=NOW_MS + place))

    found = await both(journal).pending(before_ms=NOW_MS + 9, limit=9, provisional=True)
    assert [one.memory_id for one in found] == ["unjudged", "undecided", "provisional", "guess", "unsaid"]
    (first,) = await both(journal).pending(before_ms=NOW_MS + 9, limit=1, provisional=True)
    assert first.memory_id == "unjudged"
    waiting = await both(journal).pending(before_ms=NOW_MS + 9, limit=9, provisional=False)
    assert [one.memory_id for one in waiting] == ["unjudged", "undecided"]


async def attempt(journal: Journal, write: MemoryWrite, at_ms: int) -> None:
    await journal.commit(commit_of(writes=(write,), at_ms=at_ms))


async def due_ms(journal: Journal) -> int:
    """When the one memory that waits is judged next, found by asking."""
    low, high = NOW_MS - 1, NOW_MS + 99 * DAY_MS
    while high - low > 1:
        middle = (low + high) // 2
        found = await both(journal).pending(before_ms=middle + 1, limit=9, provisional=True)
        low, high = (low, middle) if found else (middle, high)
    return high


@pytest.mark.parametrize("receipt", [None, receipt_of("undecided")], ids=["unjudged", "undecided"])
async def test_each_attempt_puts_the_next_one_off_further(journal: Journal, receipt: Receipt | None) -> None:
    async def judge(at_ms: int) -> None:
        verdict = receipt and receipt.model_copy(update={"judged_ms": at_ms})
        await attempt(journal, MemoryWrite(memory=memory("m", status="pending", receipt=verdict)), at_ms)

    await judge(NOW_MS)
    waits = []
    for _ in range(12):
        last_ms = await due_ms(journal)
        await judge(last_ms + 1)
        waits.append((await due_ms(journal) - last_ms - 1) // 60_000)
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440]


@pytest.mark.parametrize("status", ["active", "disputed"])
@pytest.mark.parametrize("fate", ["unjudged", "undecided", "company changed"])
async def test_an_attempt_of_no_avail_leaves_a_provisional_memory_and_puts_it_off(
    journal: Journal, status: str, fate: str
) -> None:
    opposes = ("stands",) if status == "disputed" else ()
    first = memory("m", status=status, opposes=opposes, receipt=receipt_of("new", provisional=True), valid_from_ms=7)
    await attempt(journal, MemoryWrite(memory=memory("stands")), NOW_MS)
    await attempt(journal, MemoryWrite(memory=first), NOW_MS)
    await journal.settle("ann", await journal.outbox("ann", 9))
    again = {
        "unjudged": MemoryWrite(memory=memory("m", status="pending", receipt=None)),
        "undecided": MemoryWrite(memory=memory("m", status="pending", receipt=receipt_of("undecided"))),
        "company changed": MemoryWrite(memory=memory("m", receipt=receipt_of("update")), company={"gone": 1}),
    }
    await attempt(journal, again[fate], NOW_MS + 1)

    assert await journal.memories("ann", ["m"]) == [first]
    assert await journal.outbox("ann", 9) == []
    assert len(await journal.history("ann", "m")) == 1
    assert await due_ms(journal) == NOW_MS + 1 + 120_000


async def test_an_attempt_before_its_time_is_the_last_one_repeated(journal: Journal) -> None:
    write = MemoryWrite(memory=memory("m", status="pending", receipt=None))
    for at_ms in (NOW_MS, NOW_MS + 1, NOW_MS + 60_000):
        await attempt(journal, write, at_ms)
    assert await due_ms(journal) == NOW_MS + 1 + 120_000


async def test_a_turn_committed_again_is_no_attempt(journal: Journal) -> None:
    writes = (MemoryWrite(memory=memory("m", status="pending", receipt=None)),)
    for at_ms in (NOW_MS, NOW_MS + 60_000):
        await journal.commit(commit_of(writes=writes, distilled=("u1",), at_ms=at_ms))
    assert await due_ms(journal) == NOW_MS


async def test_a_memory_whose_status_changes_is_due_anew(journal: Journal) -> None:
    waiting = MemoryWrite(memory=memory("m", status="pending", receipt=None))
    for at_ms in (NOW_MS, NOW_MS + 1):
        await attempt(journal, waiting, at_ms)
    guess = MemoryWrite(memory=memory("m", receipt=receipt_of("new", provisional=True)))
    await attempt(journal, guess, NOW_MS + 5)
    assert await due_ms(journal) == NOW_MS + 5


async def test_a_dispute_opened_again_is_due_at_once(journal: Journal) -> None:
    """It was put off as a provisional dispute; what it contradicts is then forgotten."""
    await attempt(journal, MemoryWrite(memory=memory("x")), NOW_MS)
    guess = memory("m", status="disputed", opposes=("x",), receipt=receipt_of("conflict", provisional=True))
    await attempt(journal, MemoryWrite(memory=guess), NOW_MS)
    await attempt(journal, MemoryWrite(memory=memory("m", status="pending", receipt=None)), NOW_MS + 1)
    assert await due_ms(journal) == NOW_MS + 1 + 120_000
    await journal.forget("ann", "x", at_ms=NOW_MS + 5)

    (opened,) = await both(journal).pending(before_ms=NOW_MS + 6, limit=9, provisional=False)
    assert (opened.memory_id, opened.status, opened.opposes) == ("m", "pending", ())
    assert await due_ms(journal) == NOW_MS + 5


async def test_what_the_user_confirmed_is_not_judged_again(journal: Journal) -> None:
    for memory_id, status in (("guess", "active"), ("wait", "pending")):
        row = memory(memory_id, status=status, receipt=receipt_of("new", provisional=True))
        await attempt(journal, MemoryWrite(memory=row), NOW_MS)
        await journal.decide("ann", memory_id, "confirm", at_ms=NOW_MS + 1)

    assert await both(journal).pending(before_ms=NOW_MS + DAY_MS, limit=9, provisional=True) == []


async def test_a_mention_does_not_change_when_a_memory_is_due(journal: Journal) -> None:
    guess = memory("m", receipt=receipt_of("new", provisional=True))
    await attempt(journal, MemoryWrite(memory=guess), NOW_MS)
    await attempt(journal, MemoryWrite(memory=memory("again"), mention_of="m"), NOW_MS + 9)
    assert await due_ms(journal) == NOW_MS


async def test_a_lost_index_is_queued_again(journal: Journal) -> None:
    kinds = {"a": "active", "s": "superseded", "p": "pending", "d": "disputed", "r": "rejected"}
    named = {"s": {"superseded_by": "a"}, "d": {"opposes": ("a",)}}
    for user in ("ann", "bob"):
        rows = [memory(one, user_id=user, status=kinds[one], **named.get(one, {})) for one in kinds]
        writes = tuple(MemoryWrite(memory=row) for row in rows)
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
