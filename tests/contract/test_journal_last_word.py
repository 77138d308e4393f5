"""What the user has decided no verdict undoes, and what only the offline verifier found another one may."""

from typing import Any

import pytest

from state.ports import Journal
from state.records import Decision, Memory, MemoryWrite, Receipt, Resolution
from tests.contract.conftest import Dump, both
from tests.contract.test_journal_disputes import LATER, against, answer, commit, drain, home, indexed, one, statuses
from tests.factories import DAY_MS, NOW_MS, memory, receipt_of

GUESS = receipt_of("new", provisional=True, verifier="offline", reason="nothing like it")


async def waiting(journal: Journal, *, provisional: bool = True) -> list[str]:
    found = await both(journal).pending(before_ms=NOW_MS + 99 * DAY_MS, limit=99, provisional=provisional)
    return [each.memory_id for each in found]


async def guessed_dispute(journal: Journal) -> None:
    """x and y stand, d contradicts both: so the offline verifier has judged of all three, but for y."""
    await commit(journal, home("x", receipt=GUESS), memory("y"))
    guess = receipt_of("conflict", provisional=True)
    await commit(
        journal, MemoryWrite(memory=against("d", "x", "y", mentioned_ms=LATER, receipt=guess), company={"x": 1, "y": 1})
    )
    await drain(journal)
    assert await waiting(journal) == ["d", "x"]


async def end(journal: Journal, resolution: Resolution, by: str) -> Receipt:
    """End the dispute and return the receipt of that: the user's decision, or the answer in chat."""
    if by == "decision":
        await journal.decide("ann", "d", resolution, at_ms=LATER)
    else:
        await commit(journal, answer("m", "d", resolution, {"d": 1, "x": 1, "y": 1}), at_ms=LATER)
    receipt = (await one(journal, "d")).receipt
    assert receipt is not None
    return receipt


@pytest.mark.parametrize("by", ["decision", "answer"])
@pytest.mark.parametrize("resolution", ["keep_new", "keep_old", "keep_both"])
async def test_no_side_of_a_dispute_that_the_user_ended_is_judged_again(
    journal: Journal, dump: Dump, resolution: Resolution, by: str
) -> None:
    await guessed_dispute(journal)
    receipt = await end(journal, resolution, by)
    assert (receipt.relation, receipt.provisional) == ("resolves", False)
    assert await waiting(journal) == []

    before = await dump()
    for name in ("x", "d"):
        later = {"receipt": receipt_of("new", grounded="unsupported", judged_ms=LATER + 1), "status": "rejected"}
        await commit(journal, home(name, **later), actor="curator", at_ms=LATER + 1)
        doubt = {"receipt": receipt_of("conflict", judged_ms=LATER + 1), "status": "disputed", "opposes": ("y",)}
        await commit(journal, MemoryWrite(memory=home(name, **doubt), company={"y": 1}), actor="curator")
    assert await dump() == before


@pytest.mark.parametrize("by", ["decision", "answer"])
@pytest.mark.parametrize("resolution", ["keep_old", "keep_both"])
async def test_what_the_user_keeps_of_the_old_ones_says_so(journal: Journal, resolution: Resolution, by: str) -> None:
    """Where a provisional verdict was its reason. A final one goes on to be: the user has changed nothing about it."""
    await guessed_dispute(journal)
    y = await one(journal, "y")
    receipt = await end(journal, resolution, by)

    x = await one(journal, "x")
    others = ("d", *(each for each in receipt.neighbours if each not in ("d", "x")))
    assert x.receipt == receipt.model_copy(update={"neighbours": others})
    assert (x.status, x.version, len(await journal.history("ann", "x"))) == ("active", 1, 1)
    assert (await one(journal, "y")).receipt == y.receipt
    assert await indexed(journal) == ({"d": "active"} if resolution == "keep_both" else {})


async def confirmed(journal: Journal) -> None:
    """x stands by a provisional verdict; the user has confirmed m, which contradicts it in their slot."""
    await commit(journal, home("x", receipt=GUESS))
    await commit(journal, MemoryWrite(memory=home("m", "我住在上海", status="pending", receipt=None)))
    await journal.decide("ann", "m", "confirm", at_ms=LATER)
    assert await statuses(journal, "x", "m") == ["active", "disputed"]


async def take_x_away(journal: Journal, how: str) -> None:
    if how == "forget":
        await journal.forget("ann", "x", at_ms=LATER + 1)
    elif how == "reject":
        await journal.decide("ann", "x", "reject", at_ms=LATER + 1)
    else:
        unsaid = receipt_of("new", grounded="unsupported", judged_ms=LATER + 1)
        await commit(journal, home("x", status="rejected", receipt=unsaid), actor="curator", at_ms=LATER + 1)


@pytest.mark.parametrize("how", ["forget", "reject", "judge again"])
async def test_what_the_user_confirmed_stands_once_nothing_contradicts_it(journal: Journal, how: str) -> None:
    await confirmed(journal)
    receipt = (await one(journal, "m")).receipt
    await take_x_away(journal, how)

    m = await one(journal, "m")
    assert (m.status, m.opposes, m.receipt) == ("active", (), receipt)
    assert (await journal.history("ann", "m"))[-1].reason == "what it contradicts does not stand any more"
    assert await waiting(journal) == []


@pytest.mark.parametrize(
    ("said_ms", "status", "opposes"), [(LATER, "disputed", ("n",)), (LATER + 1, "rejected", ())], ids=["older", "newer"]
)
async def test_only_a_newer_word_of_the_user_goes_beyond_what_the_user_confirmed(
    journal: Journal, said_ms: int, status: str, opposes: tuple[str, ...]
) -> None:
    await confirmed(journal)
    moved = home("n", "我搬到深圳", mentioned_ms=said_ms)
    await commit(journal, MemoryWrite(memory=moved, supersedes=("x",), company={"x": 1, "m": 2}))

    m = await one(journal, "m")
    assert (m.status, m.opposes) == (status, opposes)
    assert [each.memory.memory_id for each in await journal.open_disputes("ann", 9)] == (["m"] if opposes else [])


# What only the offline verifier rejected

UNSAID = receipt_of("new", grounded="unsupported", provisional=True, verifier="offline")


def judged(memory_id: str, status: str, relation: str, **fields: Any) -> Memory:
    receipt = receipt_of(relation, judged_ms=LATER, **fields.pop("verdict", {}))
    return memory(memory_id, status=status, receipt=receipt, **fields)


@pytest.mark.parametrize(
    ("write", "found"),
    [
        (MemoryWrite(memory=judged("m", "active", "new")), "active"),
        (MemoryWrite(memory=judged("m", "active", "update"), supersedes=("x",), company={"x": 1}), "active"),
        (MemoryWrite(memory=judged("m", "disputed", "conflict", opposes=("x",)), company={"x": 1}), "disputed"),
        (MemoryWrite(memory=judged("m", "superseded", "update", superseded_by="x"), company={"x": 1}), "superseded"),
        (MemoryWrite(memory=judged("m", "active", "duplicate"), mention_of="x", company={"x": 1}), "rejected"),
        (MemoryWrite(memory=judged("m", "rejected", "new", verdict={"grounded": "unsupported"})), "rejected"),
    ],
    ids=["new", "update", "conflict", "past", "duplicate", "unsupported"],
)
async def test_what_was_rejected_offline_is_judged_again(
    journal: Journal, dump: Dump, write: MemoryWrite, found: str
) -> None:
    await commit(journal, memory("x"), memory("m", status="rejected", receipt=UNSAID))
    assert await waiting(journal) == ["m"]
    assert await waiting(journal, provisional=False) == []
    await commit(journal, write, actor="curator", at_ms=LATER)

    m = await one(journal, "m")
    assert (m.status, m.receipt) == (found, write.memory.receipt)
    assert m.version == (1 if found == "rejected" else 2)
    assert (await one(journal, "x")).mentions == (2 if write.mention_of else 1)
    assert ("m" in await indexed(journal)) == (found in ("active", "superseded"))
    assert await waiting(journal) == []
    before = await dump()
    await commit(journal, write, actor="curator", at_ms=LATER + 1)
    assert await dump() == before


@pytest.mark.parametrize(
    "write",
    [
        MemoryWrite(memory=memory("m", status="pending", receipt=None)),
        MemoryWrite(memory=judged("m", "pending", "undecided")),
        MemoryWrite(memory=judged("m", "active", "new"), company={"gone": 1}),
    ],
    ids=["unjudged", "undecided", "company changed"],
)
async def test_an_attempt_of_no_avail_leaves_what_was_rejected_so_and_puts_it_off(
    journal: Journal, write: MemoryWrite
) -> None:
    first = memory("m", status="rejected", receipt=UNSAID)
    await commit(journal, first)
    await commit(journal, write, actor="curator", at_ms=LATER)

    assert await journal.memories("ann", ["m"]) == [first]
    for before_ms, due in ((LATER + 120_000, []), (LATER + 120_001, ["m"])):
        found = await both(journal).pending(before_ms=before_ms, limit=9, provisional=True)
        assert [each.memory_id for each in found] == due


@pytest.mark.parametrize("decision", ["reject", "keep_old"])
async def test_what_the_user_rejected_stays_so(journal: Journal, dump: Dump, decision: Decision) -> None:
    status = {"reject": "active", "keep_old": "disputed"}[decision]
    opposes = ("x",) if status == "disputed" else ()
    await commit(journal, memory("x"), memory("m", status=status, opposes=opposes, receipt=GUESS))
    await journal.decide("ann", "m", decision, at_ms=LATER)
    await stays_rejected(journal, dump)


async def test_what_a_rule_refused_stays_so(journal: Journal, dump: Dump) -> None:
    refused = receipt_of("undecided", grounded="unsupported", verifier="rules")
    await commit(journal, memory("m", status="rejected", receipt=refused))
    await stays_rejected(journal, dump)


@pytest.mark.parametrize("by", ["name", "slot"])
async def test_what_a_newer_word_settled_stays_so(journal: Journal, dump: Dump, by: str) -> None:
    """The dispute was found offline; that it is over is no guess."""
    await commit(journal, home("x"))
    guess = {"status": "disputed", "opposes": ("x",), "receipt": receipt_of("conflict", provisional=True)}
    await commit(journal, MemoryWrite(memory=home("m", "我住在上海", **guess), company={"x": 1}))
    moved = home("n", "我搬到深圳", mentioned_ms=LATER)
    settles = ("m",) if by == "name" else ()
    await commit(journal, MemoryWrite(memory=moved, supersedes=("x",), settles=settles, company={"x": 1, "m": 1}))
    await stays_rejected(journal, dump)


async def stays_rejected(journal: Journal, dump: Dump) -> None:
    assert await statuses(journal, "m") == ["rejected"]
    assert await waiting(journal) == []
    before = await dump()
    revived = memory("m", receipt=receipt_of("new", judged_ms=LATER + 1))
    await commit(journal, revived, actor="curator", at_ms=LATER + 1)
    assert await dump() == before
