"""The rules of the journal by themselves: in which order rows are written, and what the index gets to know."""

from typing import Any

import pytest

from state.records import Memory, MemoryWrite
from state.stores.journal.decisions import decide
from state.stores.journal.drafts import Effects, needs_index
from state.stores.journal.memory_writes import effects
from tests.factories import NOW_MS, memory, receipt_of


def home(memory_id: str, **fields: Any) -> Memory:
    return memory(memory_id, slot="user.home_city", single_valued=True, **fields)


def done(write: MemoryWrite, *standing: Memory, **fields: Any) -> Effects:
    given = {"mentioned": None, "several_valued": (), "actor": "gate", "at_ms": NOW_MS, **fields}
    return effects(write, {row.memory_id: row for row in standing}, **given)


def rows(effects: Effects) -> list[tuple[str, str]]:
    return [(row.memory_id, row.status) for row in effects.rows]


def test_an_old_memory_leaves_its_slot_before_the_new_one_enters() -> None:
    """A unique index holds one active memory in the slot at every moment, also between two statements."""
    update = MemoryWrite(memory=home("new"), supersedes=("old",), company={"old": 1})
    assert rows(done(update, home("old"))) == [("old", "superseded"), ("new", "active")]

    old = home("old", status="superseded", superseded_by="new", version=2)
    guess = home("new", receipt=receipt_of("update", provisional=True))
    refused = MemoryWrite(memory=home("new", status="rejected"))
    assert rows(done(refused, old, guess)) == [("new", "rejected"), ("old", "active")]
    for standing in ({"old": old, "new": guess}, {"new": guess, "old": old}):
        assert rows(decide("new", "reject", standing, at_ms=NOW_MS)) == [("new", "rejected"), ("old", "active")]

    disputed = home("new", status="disputed", opposes=("old",))
    standing = {"old": home("old"), "new": disputed}
    assert rows(decide("new", "keep_new", standing, at_ms=NOW_MS)) == [("old", "superseded"), ("new", "active")]


def test_the_end_of_a_memory_never_lies_before_its_beginning() -> None:
    """The user may keep what was said before the memory that it replaces."""
    disputed = home("new", status="disputed", opposes=("old",), mentioned_ms=5, valid_from_ms=5)
    standing = {"old": home("old", mentioned_ms=9, valid_from_ms=9), "new": disputed}
    (old, _) = decide("new", "keep_new", standing, at_ms=NOW_MS).rows
    assert (old.valid_from_ms, old.valid_to_ms) == (9, 9)


def test_what_is_counted_already_stands_for_the_write() -> None:
    write = MemoryWrite(memory=memory("m"), mention_of="x", company={"x": 1})
    assert done(write, memory("y"), mentioned="y") == Effects("y")


def test_nothing_is_kept_of_what_can_be_dropped() -> None:
    assert done(MemoryWrite(memory=memory("m"), droppable=True)) == Effects(None)


@pytest.mark.parametrize(
    ("fields", "is_written"),
    [
        ({"text": "else"}, True),
        ({"weight": 2.0}, True),
        ({"valid_to_ms": 7}, True),
        ({"status": "superseded"}, True),
        ({"status": "rejected"}, True),
        ({"receipt": None}, False),
        ({"mentions": 4, "citations": 2, "version": 3}, False),
        ({"single_valued": True}, False),
    ],
    ids=str,
)
def test_only_what_the_index_holds_is_written_there(fields: dict[str, Any], is_written: bool) -> None:
    assert needs_index(memory("m"), memory("m").model_copy(update=fields)) is is_written


@pytest.mark.parametrize("status", ["pending", "disputed", "rejected"])
def test_what_is_no_belief_has_no_point(status: str) -> None:
    held = memory("m", status=status)
    assert not needs_index(None, held)
    assert not needs_index(held, memory("m", "else", status="rejected"))
    assert needs_index(held, memory("m"))
    assert needs_index(memory("m"), held)
