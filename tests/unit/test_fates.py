"""The table from verdict to fate."""

import pytest

from nodes.fact_check.fates import fate
from state.schema import SessionRow
from tests.factories import NOW_MS, ZONE, candidate, candidate_row, judgement, memory

SESSION: SessionRow = {"user_id": "ann", "session_id": "s1", "time_zone": ZONE}
OLD = memory(slot="user.home_city", single_valued=True)
IN_SLOT = candidate("我搬到上海了", slot="user.home_city")


def test_new_and_supported_is_active_with_its_receipt() -> None:
    write = fate(candidate_row(verdict=judgement("new")), SESSION, NOW_MS)
    assert write.memory.status == "active"
    assert write.memory.receipt is not None
    assert (write.memory.receipt.relation, write.memory.receipt.verifier) == ("new", "Qwen/Qwen3-8B")
    assert (write.supersedes, write.mention_of) == (None, None)


def test_duplicate_is_a_mention_of_the_standing_memory() -> None:
    row = candidate_row(verdict=judgement("duplicate", concerns=(OLD.memory_id,)), company=[OLD])
    assert fate(row, SESSION, NOW_MS).mention_of == OLD.memory_id


def test_update_supersedes_what_it_concerns() -> None:
    row = candidate_row(IN_SLOT, judgement("update", concerns=(OLD.memory_id,)), [OLD])
    write = fate(row, SESSION, NOW_MS)
    assert (write.memory.status, write.supersedes) == ("active", OLD.memory_id)
    assert write.company == {OLD.memory_id: OLD.version}


def test_conflict_is_disputed_and_names_both_sides() -> None:
    row = candidate_row(IN_SLOT, judgement("conflict", concerns=(OLD.memory_id,)), [OLD])
    write = fate(row, SESSION, NOW_MS)
    assert (write.memory.status, write.memory.opposes) == ("disputed", (OLD.memory_id,))
    assert write.supersedes is None


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        (judgement("new", grounded="unsupported"), "rejected"),
        (judgement("duplicate", grounded="unsupported", concerns=(OLD.memory_id,)), "rejected"),
        (judgement("new", grounded="partial"), "pending"),
        (judgement("undecided"), "pending"),
        (judgement("conflict", concerns=("a stranger",)), "pending"),
        (judgement("update"), "pending"),
        (judgement("duplicate"), "pending"),
        (None, "pending"),
    ],
)
def test_nothing_becomes_active_without_a_usable_verdict(verdict: object, status: str) -> None:
    write = fate(candidate_row(verdict=verdict, company=[OLD]), SESSION, NOW_MS)  # type: ignore[arg-type]
    assert write.memory.status == status
    assert (write.supersedes, write.mention_of) == (None, None)


def test_new_in_a_taken_single_valued_slot_waits() -> None:
    assert fate(candidate_row(IN_SLOT, judgement("new"), [OLD]), SESSION, NOW_MS).memory.status == "pending"


def test_refused_by_code_is_rejected_with_the_reason() -> None:
    write = fate(candidate_row(refused="it instructs the assistant"), SESSION, NOW_MS)
    assert write.memory.status == "rejected"
    assert write.memory.receipt is not None
    assert write.memory.receipt.reason == "it instructs the assistant"
