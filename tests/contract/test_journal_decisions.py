"""What the port Journal promises of the user's own decisions, on the fake and on PostgreSQL."""

from typing import Any

import pytest

from state.errors import DecisionRefused
from state.ports import Journal, TurnCommit
from state.records import Decision, Memory, MemoryWrite
from tests.contract.conftest import Dump
from tests.factories import NOW_MS, memory, receipt_of

HOME = "user.home_city"
LATER = NOW_MS + 1_000


def home(memory_id: str, text: str = "我住在北京", **fields: Any) -> Memory:
    return memory(memory_id, text, slot=HOME, single_valued=True, valid_from_ms=NOW_MS, **fields)


async def commit(journal: Journal, *writes: MemoryWrite | Memory) -> None:
    given = tuple(MemoryWrite(memory=one) if isinstance(one, Memory) else one for one in writes)
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    await journal.commit(TurnCommit.model_validate({**base, "writes": given}))


async def decide(journal: Journal, memory_id: str, decision: Decision) -> list[Memory]:
    changed = await journal.decide("ann", memory_id, decision, at_ms=LATER)
    assert changed is not None
    assert changed == await journal.memories("ann", [one.memory_id for one in changed])
    return changed


def told(changed: list[Memory]) -> list[tuple[str, str]]:
    return [(one.memory_id, one.status) for one in changed]


async def drain(journal: Journal) -> None:
    await journal.settle("ann", await journal.outbox("ann", 100))


async def indexed(journal: Journal) -> dict[str, str | None]:
    entries = await journal.outbox("ann", 100)
    return {entry.memory_id: entry.memory.status if entry.memory else None for entry in entries}


async def last_change(journal: Journal, memory_id: str) -> tuple[Any, ...]:
    event = (await journal.history("ann", memory_id))[-1]
    return event.from_status, event.to_status, event.actor, event.at_ms, event.reason


async def in_dispute(journal: Journal) -> None:
    """x stands in the home city and y in no slot; d, in the home city, contradicts both."""
    await commit(journal, home("x"), memory("y"))
    disputed = home("d", "我住在上海", status="disputed", opposes=("x", "y"), receipt=receipt_of("conflict"))
    await commit(journal, MemoryWrite(memory=disputed, company={"x": 1, "y": 1}))
    await drain(journal)


@pytest.mark.parametrize(
    ("decision", "changes", "points", "reason"),
    [
        (
            "keep_new",
            [("d", "active"), ("x", "superseded"), ("y", "superseded")],
            {"d": "active", "x": "superseded", "y": "superseded"},
            "the user keeps the new one",
        ),
        ("keep_old", [("d", "rejected")], {}, "the user keeps the old one"),
        ("keep_both", [("d", "active"), ("x", "active")], {"d": "active"}, "the user keeps both"),
    ],
)
async def test_the_user_ends_a_dispute(
    journal: Journal, decision: Decision, changes: list[Any], points: dict[str, Any], reason: str
) -> None:
    await in_dispute(journal)
    changed = await decide(journal, "d", decision)

    assert told(changed) == changes
    d = changed[0]
    assert (d.opposes, d.version, d.mentions) == ((), 2, 1)
    expected = {"verifier": "user", "reason": reason, "confidence": 1.0, "prompt_hash": "", "judged_ms": LATER}
    assert d.receipt == receipt_of("resolves", neighbours=("x", "y"), **expected)
    assert await last_change(journal, "d") == ("disputed", d.status, "user", LATER, reason)
    assert await indexed(journal) == points
    assert await journal.open_disputes("ann", 9) == []
    for one in changed[1:] if decision == "keep_new" else []:
        assert (one.superseded_by, one.valid_to_ms, one.version) == ("d", NOW_MS, 2)
        assert await last_change(journal, one.memory_id) == ("active", "superseded", "user", LATER, "superseded by d")


async def test_keeping_the_new_one_replaces_whatever_else_stands_in_its_slot(journal: Journal) -> None:
    await commit(journal, home("x"), memory("y"))
    disputed = home("d", "我住在上海", status="disputed", opposes=("y",), receipt=receipt_of("conflict"))
    await commit(journal, MemoryWrite(memory=disputed, company={"x": 1, "y": 1}))

    assert told(await decide(journal, "d", "keep_new")) == [
        *(("d", "active"), ("x", "superseded"), ("y", "superseded")),
    ]


async def test_keeping_both_widens_the_slot_for_this_user(journal: Journal) -> None:
    await in_dispute(journal)
    changed = await decide(journal, "d", "keep_both")
    assert [one.single_valued for one in changed] == [False, False]
    await commit(journal, home("third", "我住在深圳"))

    (third,) = await journal.memories("ann", ["third"])
    assert (third.status, third.single_valued) == ("active", False)


async def test_keeping_both_leaves_a_slot_alone_in_which_they_do_not_meet(journal: Journal) -> None:
    await commit(journal, memory("y"))
    disputed = home("d", status="disputed", opposes=("y",), receipt=receipt_of("conflict"))
    await commit(journal, MemoryWrite(memory=disputed, company={"y": 1}))
    (d,) = await decide(journal, "d", "keep_both")
    assert (d.status, d.single_valued) == ("active", True)


async def test_disputes_about_what_the_user_replaced_follow(journal: Journal) -> None:
    await commit(journal, home("x", mentioned_ms=1))
    for name, said_ms in (("d", 5), ("older", 4), ("newer", 6)):
        row = home(name, "我住在上海", status="disputed", opposes=("x",), mentioned_ms=said_ms)
        await commit(journal, MemoryWrite(memory=row, company={"x": 1}))

    changed = told(await decide(journal, "d", "keep_new"))
    assert changed[0] == ("d", "active")
    assert sorted(changed[1:]) == [("newer", "pending"), ("older", "rejected"), ("x", "superseded")]


async def test_a_pending_memory_is_confirmed(journal: Journal) -> None:
    await commit(journal, home("m", status="pending", receipt=receipt_of("undecided", grounded="partial")))
    (m,) = await decide(journal, "m", "confirm")

    assert (m.status, m.version) == ("active", 2)
    expected = {"verifier": "user", "reason": "the user confirms it", "confidence": 1.0, "prompt_hash": ""}
    assert m.receipt == receipt_of("new", judged_ms=LATER, **expected)
    assert await last_change(journal, "m") == ("pending", "active", "user", LATER, "the user confirms it")
    assert await indexed(journal) == {"m": "active"}


async def test_what_meets_another_in_its_slot_becomes_a_dispute_when_confirmed(journal: Journal) -> None:
    await commit(journal, home("x"), home("m", "我住在上海", status="pending", receipt=None))
    (m,) = await decide(journal, "m", "confirm")

    assert (m.status, m.opposes) == ("disputed", ("x",))
    assert m.receipt is not None
    assert (m.receipt.relation, m.receipt.verifier, m.receipt.provisional) == ("conflict", "user", False)
    (dispute,) = await journal.open_disputes("ann", 9)
    assert (dispute.memory, dispute.raised_ms, dispute.raised_by) == (m, None, ())
    assert told(await decide(journal, "m", "keep_new")) == [("m", "active"), ("x", "superseded")]


async def test_a_provisional_verdict_is_made_final(journal: Journal, dump: Dump) -> None:
    await commit(journal, home("x"))
    guess = receipt_of("update", provisional=True)
    await commit(journal, MemoryWrite(memory=home("m", receipt=guess), supersedes=("x",), company={"x": 1}))
    await drain(journal)
    (m,) = await decide(journal, "m", "confirm")

    assert (m.status, m.version) == ("active", 1)
    assert m.receipt is not None
    assert (m.receipt.relation, m.receipt.verifier, m.receipt.provisional) == ("update", "user", False)
    assert len(await journal.history("ann", "m")) == 1
    assert await indexed(journal) == {}
    before = await dump()
    late = home("m", status="rejected", receipt=receipt_of("new", judged_ms=LATER + 1))
    await commit(journal, late)
    assert await dump() == before


async def test_what_a_rejected_memory_had_replaced_comes_back(journal: Journal) -> None:
    await commit(journal, home("x"))
    await commit(journal, MemoryWrite(memory=home("m", "我搬到上海"), supersedes=("x",), company={"x": 1}))
    await commit(journal, memory("d", status="disputed", opposes=("m",)))
    await drain(journal)
    changed = await decide(journal, "m", "reject")

    assert sorted(told(changed)) == [("d", "pending"), ("m", "rejected"), ("x", "active")]
    assert changed[0].memory_id == "m"
    assert changed[0].receipt is not None
    assert (changed[0].receipt.verifier, changed[0].receipt.reason) == ("user", "the user rejects it")
    (x,) = await journal.memories("ann", ["x"])
    assert (x.superseded_by, x.valid_to_ms) == (None, None)
    assert await last_change(journal, "x") == ("superseded", "active", "user", LATER, "no longer superseded by m")
    assert await indexed(journal) == {"m": None, "x": "active"}


async def test_a_pending_memory_is_rejected(journal: Journal) -> None:
    await commit(journal, memory("m", status="pending", receipt=None))
    (m,) = await decide(journal, "m", "reject")
    assert m.receipt is not None
    assert (m.status, m.receipt.relation, m.receipt.grounded) == ("rejected", "undecided", "unsupported")


KEPT = "only an open dispute can be kept or not"
WHICH = "say whether to keep the new one, the old one, or both"
REJECTED = "only a pending or an active memory can be rejected"
CONFIRMED = "only a pending memory, or one that is verified provisionally, can be confirmed"


@pytest.mark.parametrize(
    ("memory_id", "decision", "sentence"),
    [
        ("active", "keep_new", f"Memory active is active: {KEPT}."),
        ("pending", "keep_old", f"Memory pending is pending: {KEPT}."),
        ("rejected", "keep_both", f"Memory rejected is rejected: {KEPT}."),
        ("active", "confirm", f"Memory active is active: {CONFIRMED}."),
        ("rejected", "confirm", f"Memory rejected is rejected: {CONFIRMED}."),
        ("superseded", "confirm", f"Memory superseded is superseded: {CONFIRMED}."),
        ("disputed", "confirm", f"Memory disputed is disputed: {WHICH}."),
        ("disputed", "reject", f"Memory disputed is disputed: {WHICH}."),
        (
            "superseded",
            "reject",
            "Memory superseded is superseded: only a pending or an active memory can be rejected.",
        ),
    ],
)
async def test_a_decision_the_status_does_not_allow_is_refused(
    journal: Journal, dump: Dump, memory_id: str, decision: Decision, sentence: str
) -> None:
    await commit(
        journal,
        memory("active"),
        memory("pending", status="pending"),
        memory("rejected", status="rejected"),
        memory("disputed", status="disputed", opposes=("active",)),
        memory("superseded", status="superseded", superseded_by="active"),
    )
    before = await dump()
    with pytest.raises(DecisionRefused) as caught:
        await decide(journal, memory_id, decision)
    assert str(caught.value) == sentence
    assert await dump() == before


async def test_what_is_not_there_cannot_be_decided(journal: Journal, dump: Dump) -> None:
    await in_dispute(journal)
    before = await dump()
    assert await journal.decide("ann", "nope", "confirm", at_ms=LATER) is None
    assert await journal.decide("bob", "d", "keep_new", at_ms=LATER) is None
    assert await dump() == before


# Forgetting


@pytest.mark.parametrize(("forgotten", "status"), [("x", "disputed"), ("d", None)])
async def test_a_side_of_a_dispute_is_forgotten(journal: Journal, forgotten: str, status: str | None) -> None:
    await in_dispute(journal)
    await journal.forget("ann", forgotten, at_ms=LATER)
    found = await journal.memories("ann", ["d"])
    assert [(one.status, one.opposes, one.version) for one in found] == ([(status, ("y",), 1)] if status else [])
    await journal.forget("ann", "y", at_ms=LATER + 1)

    if status:
        (d,) = await journal.memories("ann", ["d"])
        assert (d.status, d.opposes, d.version) == ("pending", (), 2)
        reason = "opened again: what it contradicts does not stand any more"
        assert await last_change(journal, "d") == ("disputed", "pending", "user", LATER + 1, reason)


async def test_a_link_of_a_chain_is_forgotten(journal: Journal) -> None:
    await commit(journal, home("a"))
    await commit(journal, MemoryWrite(memory=home("b"), supersedes=("a",), company={"a": 1}))
    await commit(journal, MemoryWrite(memory=home("c"), supersedes=("b",), company={"b": 1}))
    await drain(journal)

    await journal.forget("ann", "b", at_ms=LATER)
    (a,) = await journal.memories("ann", ["a"])
    assert (a.status, a.superseded_by, a.version) == ("superseded", "c", 2)
    assert await indexed(journal) == {"b": None}
    await journal.forget("ann", "c", at_ms=LATER)
    (a,) = await journal.memories("ann", ["a"])
    assert (a.status, a.superseded_by) == ("superseded", "c")
