"""What the port Journal promises of disputes and of what follows a change, on the fake and on PostgreSQL."""

from typing import Any

import pytest

from state.ports import Committed, Journal, TurnCommit
from state.records import Memory, MemoryWrite, Resolution
from tests.contract.conftest import Dump
from tests.factories import NOW_MS, memory, receipt_of

HOME = "user.home_city"
LATER = NOW_MS + 1_000


def home(memory_id: str, text: str = "我住在北京", **fields: Any) -> Memory:
    given = {"mentioned_ms": NOW_MS, "valid_from_ms": fields.get("mentioned_ms", NOW_MS), **fields}
    return memory(memory_id, text, slot=HOME, single_valued=True, **given)


def against(memory_id: str, *opposes: str, **fields: Any) -> Memory:
    given = {"status": "disputed", "opposes": opposes, "receipt": receipt_of("conflict", reason="not both"), **fields}
    return home(memory_id, "我住在上海", **given) if fields.get("slot", HOME) == HOME else memory(memory_id, **given)


async def commit(journal: Journal, *writes: MemoryWrite | Memory, at_ms: int = NOW_MS, **fields: Any) -> Committed:
    given = tuple(MemoryWrite(memory=one) if isinstance(one, Memory) else one for one in writes)
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": at_ms, "writes": given}
    return await journal.commit(TurnCommit.model_validate({**base, **fields}))


async def one(journal: Journal, memory_id: str) -> Memory:
    (found,) = await journal.memories("ann", [memory_id])
    return found


async def statuses(journal: Journal, *memory_ids: str) -> list[str]:
    return [found.status for found in await journal.memories("ann", memory_ids)]


async def indexed(journal: Journal) -> dict[str, str | None]:
    entries = await journal.outbox("ann", 100)
    return {entry.memory_id: entry.memory.status if entry.memory else None for entry in entries}


async def drain(journal: Journal) -> None:
    await journal.settle("ann", await journal.outbox("ann", 100))


async def last_change(journal: Journal, memory_id: str) -> tuple[str | None, str | None, str, str]:
    event = (await journal.history("ann", memory_id))[-1]
    return event.from_status, event.to_status, event.actor, event.reason


def answer(
    memory_id: str, dispute: str, resolution: Resolution | None, company: dict[str, int], **fields: Any
) -> MemoryWrite:
    said = memory(memory_id, "新的对", receipt=receipt_of("resolves", reason="she says so", provisional=True))
    ends = {"resolves": dispute, "resolution": resolution, "company": company}
    return MemoryWrite.model_validate({"memory": said, **ends, **fields})


# Ends of a dispute, by the user's word in chat


async def in_dispute(journal: Journal, *opposes: str) -> None:
    """x stands in the home city, and d contradicts it (and what else is named)."""
    await commit(journal, home("x"))
    await commit(journal, MemoryWrite(memory=against("d", "x", *opposes, mentioned_ms=LATER), company={"x": 1}))
    await drain(journal)


async def test_the_new_one_holds_and_the_old_one_is_past(journal: Journal) -> None:
    await in_dispute(journal)
    done = await commit(journal, answer("m", "d", "keep_new", {"d": 1, "x": 1}))

    d, x = await one(journal, "d"), await one(journal, "x")
    assert done.memories == (d,)
    assert (d.status, d.opposes, d.mentions, d.version) == ("active", (), 2, 2)
    assert d.receipt == receipt_of("resolves", reason="she says so")  # the judge was the user: it is not provisional
    assert (x.status, x.superseded_by, x.valid_to_ms, x.version) == ("superseded", "d", LATER, 2)
    assert await journal.memories("ann", ["m"]) == []
    assert await last_change(journal, "d") == ("disputed", "active", "gate", "she says so")
    assert await last_change(journal, "x") == ("active", "superseded", "gate", "superseded by d")
    assert await indexed(journal) == {"x": "superseded", "d": "active"}
    assert await journal.open_disputes("ann", 9) == []


async def test_the_old_one_holds_and_the_new_one_is_rejected(journal: Journal) -> None:
    await in_dispute(journal)
    done = await commit(journal, answer("m", "d", "keep_old", {"d": 1, "x": 1}))

    d, x = await one(journal, "d"), await one(journal, "x")
    assert done.memories == (x,)
    assert (d.status, d.opposes, d.version, d.receipt) == (
        *("rejected", (), 2),
        receipt_of("resolves", reason="she says so"),
    )
    assert (x.status, x.mentions, x.version) == ("active", 2, 1)
    assert await indexed(journal) == {}


async def test_both_hold_and_the_slot_is_widened(journal: Journal) -> None:
    await commit(journal, home("past"))
    await commit(journal, MemoryWrite(memory=home("x"), supersedes=("past",), company={"past": 1}))
    await commit(journal, MemoryWrite(memory=against("d", "x", mentioned_ms=LATER), company={"x": 1}))
    await drain(journal)
    done = await commit(journal, answer("m", "d", "keep_both", {"d": 1, "x": 1}))

    d, x, past = await journal.memories("ann", ["d", "x", "past"])
    assert done.memories == (d,)
    assert [(each.status, each.single_valued) for each in (d, x, past)] == [
        *(("active", False), ("active", False), ("superseded", False))
    ]
    assert (d.mentions, x.version) == (2, 1)
    assert await indexed(journal) == {"d": "active"}
    # From now on the slot takes several values for this user, whatever the write says, and for nobody else.
    third = await commit(journal, home("third", "我住在深圳"))
    assert [(each.status, each.single_valued) for each in third.memories] == [("active", False)]
    theirs = [home(name, user_id="bob") for name in ("a", "b")]
    assert [each.status for each in (await commit(journal, *theirs, user_id="bob")).memories] == ["active", "pending"]


async def test_a_slot_is_widened_for_later_writes_of_the_same_commit(journal: Journal) -> None:
    await in_dispute(journal)
    done = await commit(journal, answer("m", "d", "keep_both", {"d": 1, "x": 1}), home("third", "我住在深圳"))
    assert [each.status for each in done.memories] == ["active", "active"]


@pytest.mark.parametrize("resolution", ["keep_new", "keep_old", "keep_both"])
async def test_an_answer_counts_once(journal: Journal, dump: Dump, resolution: Resolution) -> None:
    await in_dispute(journal)
    write = answer("m", "d", resolution, {"d": 1, "x": 1}, droppable=True)
    first = await commit(journal, write)
    before = await dump()
    assert await commit(journal, write) == first
    assert await commit(journal, write, at_ms=LATER) == first
    assert await dump() == before

    # Nor does it do anything later, when all has changed since.
    holds = first.memories[0].memory_id
    await journal.decide("ann", holds, "reject", at_ms=LATER)
    before = await dump()
    assert [each.memory_id for each in (await commit(journal, write, at_ms=LATER + 1)).memories] == [holds]
    assert await dump() == before


@pytest.mark.parametrize(
    "write",
    [
        answer("m", "d", "keep_new", {"d": 1, "x": 7}),
        answer("m", "x", "keep_new", {"d": 1, "x": 1}),
        answer("m", "gone", "keep_new", {}),
        answer("m", "d", None, {}),
        answer("m", "d", "keep_new", {}, memory=memory("m", receipt=None)),
        answer("m", "d", "keep_new", {}, memory=memory("m", receipt=receipt_of("resolves", grounded="partial"))),
    ],
    ids=["company changed", "no dispute", "no memory", "no resolution", "no verdict", "not supported"],
)
async def test_an_answer_that_cannot_be_carried_out_waits_or_is_dropped(
    journal: Journal, dump: Dump, write: MemoryWrite
) -> None:
    await in_dispute(journal)
    before = await dump()
    dropped = await commit(journal, write.model_copy(update={"droppable": True}))
    assert dropped.memories == ()
    assert await dump() == before

    (kept,) = (await commit(journal, write)).memories
    assert (kept.memory_id, kept.status) == ("m", "pending")
    assert await statuses(journal, "x", "d") == ["active", "disputed"]
    assert [each.memory.memory_id for each in await journal.open_disputes("ann", 9)] == ["d"]


async def test_of_two_answers_the_first_counts(journal: Journal) -> None:
    await in_dispute(journal)
    company = {"d": 1, "x": 1}
    writes = [answer(name, "d", end, company, droppable=True) for name, end in (("m", "keep_old"), ("n", "keep_new"))]
    done = await commit(journal, *writes)

    assert [each.memory_id for each in done.memories] == ["x"]
    assert await statuses(journal, "d", "x") == ["rejected", "active"]


async def test_what_only_answers_leaves_nothing_with_any_other_verdict(journal: Journal, dump: Dump) -> None:
    await in_dispute(journal)
    before = await dump()
    for status in ("active", "pending", "rejected", "disputed"):
        row = memory("m", "新的对", status=status, opposes=("x",))
        assert (await commit(journal, MemoryWrite(memory=row, droppable=True))).memories == ()
    row = MemoryWrite(memory=memory("m", "新的对"), mention_of="x", droppable=True)
    assert (await commit(journal, row)).memories == ()
    assert await dump() == before


async def test_a_waiting_answer_that_ends_a_dispute_is_not_wanted_as_a_memory(journal: Journal) -> None:
    await in_dispute(journal)
    await commit(journal, memory("m", status="pending", receipt=None))
    done = await commit(journal, answer("m", "d", "keep_new", {"d": 1, "x": 1}), actor="curator")

    assert [each.memory_id for each in done.memories] == ["d"]
    assert await statuses(journal, "m", "d", "x") == ["rejected", "active", "superseded"]


async def test_a_memory_cannot_end_the_dispute_it_is_a_side_of(journal: Journal) -> None:
    guess = receipt_of("new", provisional=True)
    await commit(journal, home("x", receipt=guess))
    await commit(journal, MemoryWrite(memory=against("d", "x"), company={"x": 1}))
    for name in ("x", "d"):
        await commit(journal, answer(name, "d", "keep_old", {}), actor="curator")
    assert await statuses(journal, "x", "d") == ["active", "disputed"]


# What else touches a dispute


async def test_a_dispute_said_again_is_a_mention_of_it(journal: Journal, dump: Dump) -> None:
    await in_dispute(journal)
    again = MemoryWrite(memory=home("m", "我住在上海"), mention_of="d", company={"d": 1, "x": 1})
    (d,) = (await commit(journal, again)).memories
    assert (d.memory_id, d.status, d.mentions, d.version) == ("d", "disputed", 2, 1)
    before = await dump()
    await commit(journal, again, at_ms=LATER)
    assert await dump() == before


@pytest.mark.parametrize("status", ["pending", "rejected"])
async def test_only_what_stands_or_is_in_dispute_is_said_again(journal: Journal, status: str) -> None:
    await commit(journal, memory("x", status=status))
    (kept,) = (await commit(journal, MemoryWrite(memory=memory("m"), mention_of="x"))).memories
    assert (kept.memory_id, kept.status) == ("m", "pending")


async def test_a_dispute_needs_something_that_stands(journal: Journal) -> None:
    (kept,) = (await commit(journal, against("d", "gone"))).memories
    assert (kept.status, kept.opposes) == ("pending", ())


async def test_an_update_replaces_several_and_settles_disputes(journal: Journal) -> None:
    likes = {"slot": "user.likes"}
    await commit(journal, memory("a", **likes), memory("b", **likes), memory("c", **likes))
    await commit(journal, against("d", "a", **likes), against("e", "c", **likes))
    await drain(journal)
    company = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}
    update = MemoryWrite(memory=memory("m", **likes), supersedes=("a", "b"), settles=("e",), company=company)
    await commit(journal, update)

    assert await statuses(journal, *"mabcde") == ["active", "superseded", "superseded", "active", "pending", "rejected"]
    assert [each.memory_id for each in await journal.replaced_by("ann", "m")] == ["a", "b"]
    assert await last_change(journal, "e") == ("disputed", "rejected", "gate", "settled by m")
    assert await last_change(journal, "d") == (
        *("disputed", "pending", "gate"),
        "opened again: what it contradicts does not stand any more",
    )
    assert (await one(journal, "d")).version == 2
    assert await indexed(journal) == {"a": "superseded", "b": "superseded", "m": "active"}


@pytest.mark.parametrize(("said_ms", "status"), [(LATER - 1, "rejected"), (LATER, "pending"), (LATER + 1, "pending")])
async def test_an_older_dispute_in_the_slot_is_settled_by_the_newer_word(
    journal: Journal, said_ms: int, status: str
) -> None:
    await commit(journal, home("x"))
    await commit(journal, MemoryWrite(memory=against("d", "x", mentioned_ms=said_ms), company={"x": 1}))
    moved = home("m", "我搬到深圳", mentioned_ms=LATER)
    await commit(journal, MemoryWrite(memory=moved, supersedes=("x",), company={"x": 1, "d": 1}))

    d = await one(journal, "d")
    assert (d.status, d.opposes) == (status, ())
    reason = "settled by m" if status == "rejected" else "opened again: what it contradicts does not stand any more"
    assert (await last_change(journal, "d"))[3] == reason


async def test_a_dispute_stays_open_while_one_side_stands(journal: Journal) -> None:
    await commit(journal, memory("a"), memory("b"))
    await commit(journal, memory("d", status="disputed", opposes=("a", "b")))
    await commit(journal, MemoryWrite(memory=memory("m"), supersedes=("a",), company={"a": 1}))

    (dispute,) = await journal.open_disputes("ann", 9)
    assert (dispute.memory.memory_id, [each.memory_id for each in dispute.against]) == ("d", ["b"])
    await journal.decide("ann", "b", "reject", at_ms=LATER)
    assert await statuses(journal, "d") == ["pending"]


async def test_a_dispute_made_by_a_verdict_that_came_twice_stays_as_it_was_left(journal: Journal, dump: Dump) -> None:
    await commit(journal, memory("a"))
    write = MemoryWrite(memory=memory("d", status="disputed", opposes=("a",)), company={"a": 1})
    await commit(journal, write)
    await journal.forget("ann", "a", at_ms=LATER)
    before = await dump()
    await commit(journal, write, at_ms=LATER + 1)
    assert await dump() == before


@pytest.mark.parametrize("slot", [None, HOME])
async def test_what_is_said_beside_an_answer_does_not_wait_for_it(journal: Journal, slot: str | None) -> None:
    await in_dispute(journal)
    ends = answer("a", "d", "keep_new", {"d": 1, "x": 1})
    beside = MemoryWrite(memory=memory("b", "我喜欢爵士乐", slot=slot, single_valued=slot == HOME), company={"x": 1})
    await commit(journal, ends, beside, at_ms=LATER)
    # What lies in the very slot was judged beside what the answer has changed.
    assert await statuses(journal, "d", "x", "b") == ["active", "superseded", "pending" if slot else "active"]


async def test_what_somebody_else_changed_is_still_waited_for(journal: Journal) -> None:
    await in_dispute(journal)
    await commit(journal, answer("a", "d", "keep_new", {"d": 1, "x": 1}), at_ms=LATER)
    await commit(journal, MemoryWrite(memory=memory("b", "我喜欢爵士乐"), company={"x": 1}), at_ms=LATER)
    assert await statuses(journal, "b") == ["pending"]
