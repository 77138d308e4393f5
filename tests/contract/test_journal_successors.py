"""What the port Journal promises of a memory that took another's place and is judged again."""

from typing import Any

import pytest

from state.ports import Journal
from state.records import Memory, MemoryWrite
from tests.contract.conftest import Dump
from tests.contract.test_journal_disputes import commit, drain, home, indexed, last_change, one, statuses
from tests.factories import NOW_MS, memory, receipt_of

LATER = NOW_MS + 1_000


async def replaced(journal: Journal, **fields: Any) -> None:
    """m has taken x's place by a provisional verdict."""
    await commit(journal, home("x", **fields))
    guess = home("m", "我搬到上海", mentioned_ms=LATER, receipt=receipt_of("update", provisional=True), **fields)
    await commit(journal, MemoryWrite(memory=guess, supersedes=("x",), company={"x": 1}))
    await drain(journal)


def again(status: str, relation: str, **fields: Any) -> Memory:
    verdict = receipt_of(relation, judged_ms=NOW_MS + 1)
    return home("m", "我搬到上海", mentioned_ms=LATER, status=status, receipt=verdict, **fields)


@pytest.mark.parametrize("fate", ["rejected", "disputed", "duplicate"])
async def test_what_a_provisional_successor_replaced_comes_back(journal: Journal, dump: Dump, fate: str) -> None:
    await replaced(journal)
    write = {
        "rejected": MemoryWrite(memory=again("rejected", "new"), company={"x": 2}),
        "disputed": MemoryWrite(memory=again("disputed", "conflict", opposes=("x",)), company={"x": 2}),
        "duplicate": MemoryWrite(memory=again("active", "duplicate"), mention_of="x", company={"x": 2}),
    }[fate]
    done = await commit(journal, write, actor="curator", at_ms=LATER)

    x, m = await one(journal, "x"), await one(journal, "m")
    assert (x.status, x.superseded_by, x.valid_to_ms, x.version) == ("active", None, None, 3)
    assert (m.status, m.version) == ("disputed" if fate == "disputed" else "rejected", 2)
    assert x.mentions == (2 if fate == "duplicate" else 1)
    assert done.memories == ((x,) if fate == "duplicate" else (m,))
    assert await last_change(journal, "x") == ("superseded", "active", "curator", "no longer superseded by m")
    assert await indexed(journal) == {"m": None, "x": "active"}
    before = await dump()
    await commit(journal, write, actor="curator", at_ms=LATER + 1)
    assert await dump() == before


async def test_a_successor_confirmed_by_an_update_keeps_its_place(journal: Journal) -> None:
    await replaced(journal)
    write = MemoryWrite(memory=again("active", "update"), supersedes=("x",), company={"x": 2})
    (m,) = (await commit(journal, write, actor="curator")).memories

    assert (m.status, m.version, m.receipt) == ("active", 1, receipt_of("update", judged_ms=NOW_MS + 1))
    assert (await one(journal, "x")).superseded_by == "m"
    assert await indexed(journal) == {}


@pytest.mark.parametrize(("single_valued", "status"), [(True, "superseded"), (False, "active")])
async def test_a_successor_found_new_leaves_room_in_a_slot_of_several_values(
    journal: Journal, single_valued: bool, status: str
) -> None:
    given = {} if single_valued else {"slot": "user.likes", "single_valued": False}
    x, guess = home("x"), home("m", receipt=receipt_of("update", provisional=True))
    await commit(journal, x.model_copy(update=given))
    write = MemoryWrite(memory=guess.model_copy(update=given), supersedes=("x",), company={"x": 1})
    await commit(journal, write)
    final = guess.model_copy(update={**given, "receipt": receipt_of("new", judged_ms=NOW_MS + 1)})
    await commit(journal, MemoryWrite(memory=final, company={"x": 2}), actor="curator")

    assert await statuses(journal, "m", "x") == ["active", status]


async def test_a_successor_judged_again_may_replace_one_more(journal: Journal) -> None:
    guess = receipt_of("update", provisional=True)
    await commit(journal, memory("a"), memory("b"), memory("c"))
    await commit(
        journal, MemoryWrite(memory=memory("m", receipt=guess), supersedes=("a", "b"), company={"a": 1, "b": 1})
    )
    final = memory("m", receipt=receipt_of("update", judged_ms=NOW_MS + 1))
    company = {"a": 2, "b": 2, "c": 1}
    await commit(journal, MemoryWrite(memory=final, supersedes=("a", "c"), company=company), actor="curator")

    assert await statuses(journal, "m", "a", "b", "c") == ["active", "superseded", "active", "superseded"]


async def test_what_cannot_come_back_is_replaced_by_who_stands_there(journal: Journal) -> None:
    """m, in no slot, has taken x's place; then y has come into x's slot."""
    guess = memory("m", "我搬家了", receipt=receipt_of("update", provisional=True))
    await commit(journal, home("x"))
    await commit(journal, MemoryWrite(memory=guess, supersedes=("x",), company={"x": 1}))
    await commit(journal, home("y", "我住在上海"))
    refused = memory("m", "我搬家了", status="rejected", receipt=receipt_of("new", judged_ms=NOW_MS + 1))
    await commit(journal, refused, actor="curator")

    x = await one(journal, "x")
    assert (x.status, x.superseded_by, x.version) == ("superseded", "y", 2)
    disputed = memory("m", "我搬家了", status="disputed", opposes=("x",), receipt=receipt_of("conflict"))
    assert (await commit(journal, disputed)).memories[0].status == "rejected"  # that verdict is final


async def test_of_several_the_last_said_comes_back_into_a_slot_of_one(journal: Journal) -> None:
    await commit(journal, home("x", mentioned_ms=5))
    guess = home("m", "我搬到上海", mentioned_ms=9, receipt=receipt_of("update", provisional=True))
    await commit(journal, MemoryWrite(memory=guess, supersedes=("x",), company={"x": 1}))
    bygone = home("old", "我住在广州", mentioned_ms=1, status="superseded", superseded_by="m", valid_to_ms=9)
    assert (await commit(journal, MemoryWrite(memory=bygone, company={"m": 1}))).memories == (bygone,)
    await journal.decide("ann", "m", "reject", at_ms=LATER)

    assert await statuses(journal, "x", "old", "m") == ["active", "superseded", "rejected"]
    assert (await one(journal, "old")).superseded_by == "x"


async def test_a_successor_found_to_be_the_past_gives_its_place_back(journal: Journal) -> None:
    await replaced(journal)
    past = again("superseded", "update", superseded_by="x", valid_to_ms=LATER)
    (m,) = (await commit(journal, MemoryWrite(memory=past, company={"x": 2}), actor="curator")).memories

    assert (m.status, m.superseded_by) == ("superseded", "x")
    assert await statuses(journal, "x") == ["active"]


@pytest.mark.parametrize("successor", [None, "gone", "m", "past"])
async def test_what_is_past_names_who_stands_in_its_place(journal: Journal, successor: str | None) -> None:
    await commit(journal, home("x"))
    await commit(journal, home("past", status="rejected"))
    (kept,) = (await commit(journal, home("m", status="superseded", superseded_by=successor, valid_to_ms=1))).memories
    assert (kept.status, kept.superseded_by, kept.valid_to_ms) == ("pending", None, None)


async def test_a_verdict_older_than_the_one_that_counts_changes_nothing(journal: Journal, dump: Dump) -> None:
    await commit(journal, memory("m", receipt=receipt_of("new", provisional=True, judged_ms=NOW_MS + 5)))
    before = await dump()
    late = memory("m", status="rejected", receipt=receipt_of("new", provisional=True, judged_ms=NOW_MS + 4))
    await commit(journal, MemoryWrite(memory=late))
    assert await dump() == before


# Corrections


async def test_what_a_memory_corrects_is_known_until_it_is_judged(journal: Journal) -> None:
    await commit(journal, memory("x"))
    waiting = memory("m", status="pending", corrects="x", receipt=None)
    (kept,) = (await commit(journal, waiting)).memories
    assert kept == waiting
    verdict = receipt_of("update", judged_ms=NOW_MS + 1)
    late = MemoryWrite(memory=memory("m", receipt=verdict), supersedes=("x",), company={"x": 1})
    (kept,) = (await commit(journal, late, actor="curator")).memories

    assert (kept.status, kept.corrects) == ("active", "x")
    assert await statuses(journal, "x") == ["superseded"]
    assert (await indexed(journal)).keys() == {"x", "m"}


async def test_what_this_very_memory_replaced_meanwhile_is_no_change_of_its_company(journal: Journal) -> None:
    """Two verdicts on one correction were under way: the offline one came first, the final one began before it."""
    await commit(journal, home("x"))
    guess = home("m", "我住在上海", corrects="x", receipt=receipt_of("update", provisional=True))
    await commit(journal, MemoryWrite(memory=guess, supersedes=("x",), company={"x": 1}))
    verdict = receipt_of("update", judged_ms=NOW_MS + 1)
    final = MemoryWrite(memory=home("m", "我住在上海", receipt=verdict), supersedes=("x",), company={"x": 1})
    (m,) = (await commit(journal, final, actor="curator")).memories

    assert (m.status, m.receipt, m.corrects) == ("active", verdict, "x")
    assert await statuses(journal, "x") == ["superseded"]


@pytest.mark.parametrize("version", [0, 3])
async def test_any_other_change_of_what_it_replaced_is_one(journal: Journal, version: int) -> None:
    await replaced(journal)
    write = MemoryWrite(memory=again("active", "update"), supersedes=("x",), company={"x": version})
    (m,) = (await commit(journal, write, actor="curator")).memories
    assert m.receipt == receipt_of("update", provisional=True)


async def test_what_another_memory_replaced_meanwhile_has_changed(journal: Journal) -> None:
    await replaced(journal)
    late = MemoryWrite(memory=home("late", "我搬到深圳"), supersedes=("m",), company={"x": 1, "m": 1})
    (kept,) = (await commit(journal, late)).memories
    assert kept.status == "pending"
