"""What the port Journal promises of a commit's memories, on the fake and on PostgreSQL."""

import pytest

from state.ports import Committed, Journal, TurnCommit
from state.records import Memory, MemoryWrite
from tests.contract.conftest import Dump
from tests.factories import NOW_MS, memory, receipt_of, turn

HOME = "user.home_city"
PAST = {"superseded_by": "x", "valid_to_ms": NOW_MS}


def home(memory_id: str, text: str = "我住在北京", **fields: object) -> Memory:
    return memory(memory_id, text, slot=HOME, single_valued=True, valid_from_ms=NOW_MS, **fields)


async def commit(journal: Journal, *writes: MemoryWrite, at_ms: int = NOW_MS, **fields: object) -> Committed:
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": at_ms, "writes": writes}
    return await journal.commit(TurnCommit.model_validate({**base, **fields}))


async def statuses(journal: Journal, *memory_ids: str) -> list[str]:
    return [one.status for one in await journal.memories("ann", memory_ids)]


async def indexed(journal: Journal) -> list[tuple[str, str | None]]:
    entries = await journal.outbox("ann", 100)
    return [(entry.memory_id, entry.memory.status if entry.memory else None) for entry in entries]


async def changes(journal: Journal, memory_id: str) -> list[tuple[str | None, str | None]]:
    return [(event.from_status, event.to_status) for event in await journal.history("ann", memory_id)]


async def test_a_reply_and_its_memories_are_written_together(journal: Journal) -> None:
    reply = turn("好的", turn_id="a1", role="assistant", ordinal=0, at_ms=0)
    done = await commit(journal, MemoryWrite(memory=memory("m1")), reply=reply)

    assert done.reply == reply.model_copy(update={"ordinal": 1, "at_ms": NOW_MS})
    assert done.memories == (memory("m1"),)
    assert await journal.transcript("ann", "s1") == [done.reply]


async def test_a_new_memory_has_its_birth_in_its_history(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m1", receipt=receipt_of("new", reason="she said so"))))

    (event,) = await journal.history("ann", "m1")
    assert event.model_dump() == {
        "memory_id": "m1",
        "at_ms": NOW_MS,
        "actor": "gate",
        "from_status": None,
        "to_status": "active",
        "reason": "she said so",
    }


async def test_an_update_ends_what_it_supersedes(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=home("old")))
    moved = MemoryWrite(memory=home("new", "我搬到上海"), supersedes=("old",), company={"old": 1})
    later = moved.model_copy(update={"memory": moved.memory.model_copy(update={"valid_from_ms": NOW_MS + 50})})
    done = await commit(journal, later, at_ms=NOW_MS + 60)

    old, new = await journal.memories("ann", ["old", "new"])
    assert done.memories == (new,)
    assert (old.status, old.superseded_by, old.valid_to_ms, old.version) == ("superseded", "new", NOW_MS + 50, 2)
    assert (new.status, new.superseded_by, new.version) == ("active", None, 1)
    assert await changes(journal, "old") == [(None, "active"), ("active", "superseded")]
    assert await indexed(journal) == [("old", "superseded"), ("new", "active")]


@pytest.mark.parametrize("company", [{}, {"x": 1}, {"gone": 1, "x": 2}, {"gone": 1}], ids=str)
@pytest.mark.parametrize("fate", ["active", "disputed", "update", "mention"])
async def test_a_changed_company_leaves_the_memory_pending(
    journal: Journal, company: dict[str, int], fate: str
) -> None:
    """In the slot stands x, at its second version: every verdict here was made without knowing that."""
    await commit(journal, MemoryWrite(memory=home("x", "我住在广州", receipt=receipt_of("new", provisional=True))))
    await commit(journal, MemoryWrite(memory=home("x", receipt=receipt_of("new", judged_ms=NOW_MS + 1))))
    (x,) = await journal.memories("ann", ["x"])
    assert x.version == 2
    status = "disputed" if fate == "disputed" else "active"
    fresh = home("m", "我住在上海", status=status, opposes=("x",))
    named = {"supersedes": ("x",) if fate == "update" else (), "mention_of": "x" if fate == "mention" else None}
    (kept,) = (await commit(journal, MemoryWrite(memory=fresh, company=company, **named))).memories

    assert (kept.memory_id, kept.status, kept.opposes) == ("m", "pending", ())
    assert kept.receipt is not None
    assert kept.receipt.reason.startswith("as said (held back: memory ")
    assert kept.receipt.model_copy(update={"reason": "as said"}) == fresh.receipt
    assert await journal.memories("ann", ["x"]) == [x]
    assert await indexed(journal) == [("x", "active")]
    assert await changes(journal, "m") == [(None, "pending")]


async def test_a_single_valued_slot_is_entered_only_by_leaving_it(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=home("x")))
    (kept,) = (await commit(journal, MemoryWrite(memory=home("y", "我住在上海"), company={"x": 1}))).memories

    assert kept.status == "pending"
    assert await statuses(journal, "x") == ["active"]


async def test_two_verdicts_of_one_commit_do_not_share_a_slot(journal: Journal) -> None:
    done = await commit(journal, MemoryWrite(memory=home("x")), MemoryWrite(memory=home("y", "我住在上海")))

    assert [one.status for one in done.memories] == ["active", "pending"]


async def test_a_slot_of_several_values_takes_them_all(journal: Journal) -> None:
    likes = [MemoryWrite(memory=memory(one, one, slot="user.likes")) for one in "abc"]
    await commit(journal, *likes)

    assert await statuses(journal, "a", "b", "c") == ["active"] * 3


async def test_a_dispute_stays_out_of_the_index_and_touches_nothing(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=home("x")))
    against = home("y", "我住在上海", status="disputed", opposes=("x",), receipt=receipt_of("conflict"))
    (kept,) = (await commit(journal, MemoryWrite(memory=against, company={"x": 1}))).memories

    assert kept == against
    assert await statuses(journal, "x") == ["active"]
    assert await indexed(journal) == [("x", "active")]


@pytest.mark.parametrize("status", ["rejected", "pending"])
async def test_what_never_becomes_a_belief_needs_no_company(journal: Journal, status: str) -> None:
    await commit(journal, MemoryWrite(memory=home("x")))
    refused = home("y", "token=abc", status=status)
    (kept,) = (await commit(journal, MemoryWrite(memory=refused, company={"gone": 3}))).memories

    assert kept == refused
    assert await statuses(journal, "x") == ["active"]


async def test_a_superseded_memory_is_not_superseded_twice(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=home("x")))
    await commit(journal, MemoryWrite(memory=home("y", "我搬到上海"), supersedes=("x",), company={"x": 1}))
    late = MemoryWrite(memory=home("z", "我搬到深圳"), supersedes=("x",), company={"x": 2, "y": 1})
    (kept,) = (await commit(journal, late)).memories

    assert kept.status == "pending"
    assert await statuses(journal, "x", "y") == ["superseded", "active"]


@pytest.mark.parametrize("status", ["active", "disputed", "superseded", "rejected"])
async def test_a_judged_memory_is_not_judged_again(journal: Journal, dump: Dump, status: str) -> None:
    await commit(journal, MemoryWrite(memory=memory("x")))
    given = memory("m", status=status, **{"disputed": {"opposes": ("x",)}, "superseded": PAST}.get(status, {}))
    (first,) = (await commit(journal, MemoryWrite(memory=given))).memories
    assert first == given
    before = await dump()
    other = memory("m", "else", status="active", receipt=receipt_of("update", judged_ms=NOW_MS + 1))

    assert (await commit(journal, MemoryWrite(memory=other), at_ms=NOW_MS + 9)).memories == (first,)
    assert await dump() == before


async def test_a_pending_memory_takes_the_later_verdict(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=home("x")))
    await commit(
        journal, MemoryWrite(memory=home("m", "我搬到上海", status="pending", receipt=receipt_of("undecided")))
    )
    verdict = receipt_of("update", judged_ms=NOW_MS + 1)
    write = MemoryWrite(memory=home("m", "我搬到上海", receipt=verdict), supersedes=("x",), company={"x": 1})
    (kept,) = (await commit(journal, write, actor="curator", at_ms=NOW_MS + 2)).memories

    assert (kept.status, kept.receipt, kept.version) == ("active", verdict, 2)
    assert [one.memory_id for one in await journal.replaced_by("ann", "m")] == ["x"]
    assert await changes(journal, "m") == [(None, "pending"), ("pending", "active")]
    assert await indexed(journal) == [("x", "superseded"), ("m", "active")]


async def test_a_second_undecided_verdict_is_no_change_of_status(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m", status="pending", receipt=receipt_of("undecided"))))
    verdict = receipt_of("undecided", reason="still down", judged_ms=NOW_MS + 1)
    (kept,) = (await commit(journal, MemoryWrite(memory=memory("m", status="pending", receipt=verdict)))).memories

    assert (kept.receipt, kept.version) == (verdict, 1)
    assert await changes(journal, "m") == [(None, "pending")]


async def test_a_provisional_verdict_is_confirmed_without_a_new_version(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m", receipt=receipt_of("new", provisional=True))))
    await journal.settle("ann", await journal.outbox("ann", 9))
    verdict = receipt_of("new", judged_ms=NOW_MS + 1)
    (kept,) = (await commit(journal, MemoryWrite(memory=memory("m", receipt=verdict)))).memories

    assert (kept.receipt, kept.version) == (verdict, 1)
    assert await changes(journal, "m") == [(None, "active")]
    assert await indexed(journal) == []


async def test_a_provisional_verdict_can_be_taken_back(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m", receipt=receipt_of("new", provisional=True))))
    await commit(journal, MemoryWrite(memory=memory("x")))
    verdict = receipt_of("conflict", judged_ms=NOW_MS + 1)
    (kept,) = (
        await commit(journal, MemoryWrite(memory=memory("m", status="disputed", opposes=("x",), receipt=verdict)))
    ).memories

    assert (kept.status, kept.opposes, kept.version) == ("disputed", ("x",), 2)
    assert await indexed(journal) == [("x", "active"), ("m", None)]


async def test_a_provisional_memory_stays_where_the_company_of_the_new_verdict_changed(
    journal: Journal, dump: Dump
) -> None:
    (first,) = (
        await commit(journal, MemoryWrite(memory=memory("m", receipt=receipt_of("new", provisional=True))))
    ).memories
    before = await dump()
    late = memory("m", status="disputed", receipt=receipt_of("conflict", judged_ms=NOW_MS + 1))

    assert (await commit(journal, MemoryWrite(memory=late, company={"gone": 1}))).memories == (first,)
    assert await dump() == before


@pytest.mark.parametrize("status", ["active", "disputed"])
async def test_a_later_verdict_keeps_what_was_known_of_the_memory(journal: Journal, status: str) -> None:
    await commit(journal, MemoryWrite(memory=home("old")))
    guess = home("m", "我搬到上海", receipt=receipt_of("update", provisional=True), valid_to_ms=NOW_MS + 99)
    await commit(journal, MemoryWrite(memory=guess, supersedes=("old",), company={"old": 1}))
    verdict = {"status": status, "opposes": ("old",), "receipt": receipt_of("new")}
    bare = memory("m", "我搬到上海", slot=HOME, single_valued=True, **verdict)
    (kept,) = (await commit(journal, MemoryWrite(memory=bare, company={"old": 2}))).memories

    assert (kept.status, kept.receipt) == (status, receipt_of("new"))
    assert (kept.valid_from_ms, kept.valid_to_ms) == (NOW_MS, NOW_MS + 99)


async def test_a_provisional_dispute_takes_the_later_verdict(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("x")))
    guess = memory("m", status="disputed", opposes=("x",), receipt=receipt_of("conflict", provisional=True))
    await commit(journal, MemoryWrite(memory=guess))
    (kept,) = (await commit(journal, MemoryWrite(memory=memory("m")))).memories

    assert (kept.status, kept.opposes, kept.version) == ("active", (), 2)
    assert await indexed(journal) == [("x", "active"), ("m", "active")]


async def test_counts_survive_a_later_verdict(journal: Journal) -> None:
    await commit(journal, MemoryWrite(memory=memory("m", receipt=receipt_of("new", provisional=True))))
    await commit(journal, MemoryWrite(memory=memory("again"), mention_of="m"), cited=("m",))
    verdict = receipt_of("new", judged_ms=NOW_MS + 1)
    (kept,) = (await commit(journal, MemoryWrite(memory=memory("m", receipt=verdict)))).memories

    assert (kept.mentions, kept.citations) == (2, 1)


async def test_what_no_store_can_hold_is_replaced_in_memories_too(journal: Journal) -> None:
    dirty = memory("m\x00", "a\x00b \ud83d", receipt=receipt_of("new", reason="\x00"))
    (kept,) = (await commit(journal, MemoryWrite(memory=dirty, company={}))).memories

    assert (kept.memory_id, kept.text, kept.evidence[0].span) == ("m\ufffd", "a\ufffdb \ufffd", "a\ufffdb \ufffd")
    assert await journal.memories("ann", ["m\x00"]) == [kept]
