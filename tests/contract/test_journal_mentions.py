"""What the port Journal promises of what is said again, on the fake and on PostgreSQL."""

import pytest

from state.ports import Journal
from state.records import MemoryWrite
from tests.contract.conftest import Dump, both
from tests.contract.test_journal_commit import changes, commit, home
from tests.factories import DAY_MS, NOW_MS, memory, receipt_of


async def test_a_duplicate_is_a_mention_of_the_memory_that_stands(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m1")))
    again = MemoryWrite(memory=memory("m2"), mention_of="m1", company={"m1": 1})
    done = await commit(journal, again, MemoryWrite(memory=memory("m3"), mention_of="m1", company={"m1": 1}))

    assert [(one.memory_id, one.mentions, one.version) for one in done.memories] == [("m1", 3, 1)] * 2
    assert await journal.memories("ann", ["m2", "m3"]) == []
    assert await changes(journal, "m1") == [(None, "active")]


async def test_what_is_said_again_and_called_important_is_important_from_then_on(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m1")))
    for mention, weight, then in [("m2", 1.0, 1.0), ("m3", 2.0, 2.0), ("m4", 1.0, 2.0)]:
        again = MemoryWrite(memory=memory(mention, weight=weight), mention_of="m1", company={"m1": 1})
        done = await commit(journal, again)
        assert [one.weight for one in done.memories] == [then]
    assert [entry.memory_id for entry in await journal.outbox("ann", 5)] == ["m1"], "its point carries the weight"


async def test_a_mention_counts_once(journal: Journal, dump: Dump) -> None:
    await commit(journal, MemoryWrite(memory=home("m1")))
    again = MemoryWrite(memory=home("m2"), mention_of="m1", company={"m1": 1})
    await commit(journal, again)
    moved = MemoryWrite(memory=home("m3", "我搬到上海"), supersedes=("m1",), company={"m1": 1})
    await commit(journal, moved)
    before = await dump()

    done = await commit(journal, again, at_ms=NOW_MS + 9)
    assert [(one.memory_id, one.mentions) for one in done.memories] == [("m1", 2)]
    assert await dump() == before


async def test_a_waiting_memory_that_turns_out_a_duplicate_is_rejected(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m1")), MemoryWrite(memory=memory("m2", status="pending")))
    verdict = receipt_of("duplicate", reason="the same as m1", judged_ms=NOW_MS + 1)
    again = MemoryWrite(memory=memory("m2", receipt=verdict), mention_of="m1", company={"m1": 1})
    done = await commit(journal, again, actor="curator")

    assert [(one.memory_id, one.mentions) for one in done.memories] == [("m1", 2)]
    (rejected,) = await journal.memories("ann", ["m2"])
    assert (rejected.status, rejected.receipt, rejected.version) == ("rejected", verdict, 2)
    last = (await journal.history("ann", "m2"))[-1]
    assert (last.from_status, last.to_status, last.actor) == ("pending", "rejected", "curator")
    assert last.reason == "the same as m1"


async def said_again(journal: Journal, of: str, *candidates: str, **fields: object) -> None:
    writes = [MemoryWrite(memory=memory(one, **fields), mention_of=of, company={of: 1}) for one in candidates]
    await commit(journal, *writes)


@pytest.mark.parametrize("status", ["active", "pending"])
async def test_what_turns_out_a_duplicate_later_hands_on_its_mentions_and_its_weight(
    journal: Journal, dump: Dump, status: str
) -> None:
    """m2 stood by a provisional verdict, was said again twice, and called important once."""
    guess = MemoryWrite(memory=memory("m2", receipt=receipt_of("new", provisional=True)))
    await commit(journal, MemoryWrite(memory=memory("m1")), guess)
    await said_again(journal, "m1", "a")
    await said_again(journal, "m2", "b")
    await said_again(journal, "m2", "c", weight=2.0)
    if status == "pending":
        dispute = memory("m2", status="disputed", opposes=("m1",), receipt=receipt_of("conflict", judged_ms=NOW_MS + 1))
        await commit(journal, MemoryWrite(memory=dispute, company={"m1": 1}), actor="curator")
        await journal.decide("ann", "m1", "reject", at_ms=NOW_MS + 2)
        await commit(journal, MemoryWrite(memory=memory("m3")))
        await said_again(journal, "m3", "d")
    holds = "m1" if status == "active" else "m3"
    verdict = receipt_of("duplicate", judged_ms=NOW_MS + 3)
    write = MemoryWrite(memory=memory("m2", receipt=verdict), mention_of=holds, company={holds: 1})
    done = await commit(journal, write, actor="curator")

    stands, again = await journal.memories("ann", [holds, "m2"])
    assert done.memories == (stands,)
    assert (stands.status, stands.mentions, stands.weight) == ("active", 5, 2.0)
    assert (again.status, again.mentions) == ("rejected", 1)
    before = await dump()
    for name in ("b", "c", "m2"):  # whatever is written again is a mention of the one that stands
        repeated = MemoryWrite(memory=memory(name), mention_of="m2", company={"m2": 1})
        assert (await commit(journal, repeated, at_ms=NOW_MS + 9)).memories == (stands,)
    assert await dump() == before

    await journal.forget("ann", holds, at_ms=NOW_MS + 10)
    assert (await commit(journal, *(MemoryWrite(memory=memory(name)) for name in "bc"))).memories == ()


async def test_mentions_are_handed_on_within_a_commit(journal: Journal) -> None:
    guess = MemoryWrite(memory=memory("m2", receipt=receipt_of("new", provisional=True)))
    await commit(journal, MemoryWrite(memory=memory("m1")), guess)
    await said_again(journal, "m2", "b")
    verdict = receipt_of("duplicate", judged_ms=NOW_MS + 1)
    merged = MemoryWrite(memory=memory("m2", receipt=verdict), mention_of="m1", company={"m1": 1})
    done = await commit(journal, merged, MemoryWrite(memory=memory("b"), mention_of="m2", company={"m2": 1}))
    assert [(one.memory_id, one.mentions) for one in done.memories] == [("m1", 3)] * 2


async def test_what_was_found_a_duplicate_offline_is_counted_and_stays_so(journal: Journal, dump: Dump) -> None:
    """Its words live on as a mention of what stands: judged again, they would be counted twice or come back."""
    await commit(journal, MemoryWrite(memory=memory("m1")), MemoryWrite(memory=memory("m2", status="pending")))
    guess = receipt_of("duplicate", provisional=True, judged_ms=NOW_MS + 1)
    again = MemoryWrite(memory=memory("m2", receipt=guess), mention_of="m1", company={"m1": 1})
    await commit(journal, again, actor="curator")

    assert await both(journal).pending(before_ms=NOW_MS + DAY_MS, limit=9, provisional=True) == []
    before = await dump()
    revived = memory("m2", receipt=receipt_of("new", judged_ms=NOW_MS + 2))
    (kept,) = (await commit(journal, MemoryWrite(memory=revived, company={"m1": 1}))).memories
    assert (kept.memory_id, kept.mentions) == ("m1", 2)
    assert await dump() == before


async def test_a_verdict_under_way_does_not_take_back_how_much_a_memory_weighs(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m", receipt=receipt_of("new", provisional=True))))
    await said_again(journal, "m", "again", weight=2.0)
    verdict = receipt_of("new", judged_ms=NOW_MS + 1)
    (kept,) = (await commit(journal, MemoryWrite(memory=memory("m", receipt=verdict)))).memories
    assert (kept.receipt, kept.weight) == (verdict, 2.0)
