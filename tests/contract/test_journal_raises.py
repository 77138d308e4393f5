"""What the port Journal promises of who told the user of a dispute or asked, on the fake and on PostgreSQL."""

from state.ports import Journal
from state.records import MemoryWrite, Turn
from tests.contract.conftest import Dump
from tests.contract.test_journal_disputes import LATER, against, answer, commit, home, in_dispute, statuses
from tests.factories import NOW_MS, memory, receipt_of, turn
from tests.fakes.clock import HandClock


def reply(turn_id: str, **fields: object) -> Turn:
    return turn("哪个对？", turn_id=turn_id, role="assistant", **fields)


async def raised(journal: Journal) -> tuple[int | None, tuple[str, ...]]:
    (dispute,) = await journal.open_disputes("ann", 9)
    return dispute.raised_ms, dispute.raised_by


async def test_disputes_come_unasked_first_then_the_longest_unasked(journal: Journal) -> None:
    await commit(journal, *(memory(name) for name in "wxyz"))
    for place, name in enumerate("wxyz"):
        dispute = memory(f"d{name}", status="disputed", opposes=(name,), mentioned_ms=NOW_MS - place)
        await commit(journal, MemoryWrite(memory=dispute, company={name: 1}))
    for place, (reply, raised) in enumerate((("r1", ("dw", "dx")), ("r2", ("dw",)))):
        said = turn("好", turn_id=reply, role="assistant")
        await commit(journal, reply=said, raised=raised, at_ms=LATER + place)

    found = await journal.open_disputes("ann", 9)
    assert [(each.memory.memory_id, each.raised_ms, each.raised_by) for each in found] == [
        ("dz", None, ()),
        ("dy", None, ()),
        ("dx", LATER, ("r1",)),
        ("dw", LATER + 1, ("r1", "r2")),
    ]
    assert [each.memory_id for each in found[0].against] == ["z"]
    assert [each.memory.memory_id for each in await journal.open_disputes("ann", 1)] == ["dz"]
    assert await journal.open_disputes("bob", 9) == []


async def test_the_user_knows_of_a_dispute_since_the_reply_that_came_with_it(journal: Journal, dump: Dump) -> None:
    await commit(journal, home("x"))
    write = MemoryWrite(memory=against("d", "x"), company={"x": 1})
    reply = turn("好的", turn_id="r1", role="assistant")
    await commit(journal, write, reply=reply)

    (dispute,) = await journal.open_disputes("ann", 9)
    assert (dispute.raised_ms, dispute.raised_by) == (None, ("r1",))
    before = await dump()
    await commit(journal, write, reply=reply, at_ms=LATER)
    assert await dump() == before


async def test_a_reply_asks_once_and_a_later_one_counts(journal: Journal, dump: Dump) -> None:
    await in_dispute(journal)
    first, second = (turn("?", turn_id=name, role="assistant") for name in ("r1", "r2"))
    await commit(journal, reply=first, raised=("d", "x", "gone"), at_ms=LATER)
    await commit(journal, reply=second, raised=("d",), at_ms=LATER + 1)
    before = await dump()
    for reply, at_ms in ((first, LATER), (second, LATER + 1), (second, LATER + 9)):
        await commit(journal, reply=reply, raised=("d",), at_ms=at_ms)
    assert await dump() == before
    (dispute,) = await journal.open_disputes("ann", 9)
    assert (dispute.raised_ms, dispute.raised_by) == (LATER + 1, ("r1", "r2"))


async def test_a_dispute_that_ends_in_the_reply_that_asks_is_not_raised(journal: Journal) -> None:
    await in_dispute(journal)
    reply = turn("?", turn_id="r1", role="assistant")
    await commit(journal, answer("m", "d", "keep_old", {"d": 1, "x": 1}), reply=reply, raised=("d",), at_ms=LATER)
    assert await journal.open_disputes("ann", 9) == []


async def test_a_dispute_that_comes_up_anew_was_not_raised_yet(journal: Journal) -> None:
    guess = receipt_of("conflict", provisional=True)
    await commit(journal, memory("a"), memory("b"))
    await commit(journal, memory("d", status="disputed", opposes=("a",), receipt=guess))
    await commit(journal, reply=turn("?", turn_id="r1", role="assistant"), raised=("d",), at_ms=LATER)
    await journal.decide("ann", "a", "reject", at_ms=LATER)
    assert await statuses(journal, "d") == ["pending"]
    await commit(journal, memory("d", status="disputed", opposes=("b",)), actor="curator")

    (dispute,) = await journal.open_disputes("ann", 9)
    assert (dispute.raised_ms, dispute.raised_by) == (None, ())


async def test_a_reply_has_asked_as_soon_as_it_is_durable(journal: Journal, dump: Dump, clock: HandClock) -> None:
    """Whatever becomes of the commit of its turn; and that commit says nothing new."""
    await in_dispute(journal)
    clock.at_ms = LATER
    kept = await journal.append_reply(reply("r1"), raised=("d", "x", "gone", "d\x00"))
    assert kept.at_ms == LATER
    assert await raised(journal) == (LATER, ("r1",))

    before = await dump()
    clock.at_ms += 5_000
    assert await journal.append_reply(reply("r1"), raised=("d",)) == kept
    await commit(journal, reply=reply("r1"), raised=("d",), at_ms=LATER + 9)
    assert await dump() == before


async def test_a_reply_that_was_durable_before_asks_by_its_commit(journal: Journal) -> None:
    await in_dispute(journal)
    await journal.append_reply(reply("r1"))
    assert await raised(journal) == (None, ())
    await commit(journal, reply=reply("r1"), raised=("d",), at_ms=LATER)
    assert await raised(journal) == (LATER, ("r1",))


async def test_several_talks_ask_and_none_takes_it_from_another(journal: Journal) -> None:
    await in_dispute(journal)
    # The second commit of x1 comes late, and an earlier time of asking does not undo a later one.
    for session, turn_id, at_ms in (("x2", "r2", LATER + 5), ("x1", "r1", LATER), ("x1", "r3", LATER + 1)):
        await commit(journal, session_id=session, reply=reply(turn_id, session_id=session), raised=("d",), at_ms=at_ms)
    assert await raised(journal) == (LATER + 5, ("r1", "r3", "r2"))
    await commit(journal, session_id="x3", reply=reply("r1", session_id="x3"), raised=("d",), at_ms=LATER + 6)
    assert await raised(journal) == (LATER + 6, ("r1", "r3", "r2", "r1"))


async def test_a_reply_that_told_has_not_asked_until_another_does(journal: Journal) -> None:
    await commit(journal, home("x"))
    await commit(journal, MemoryWrite(memory=against("d", "x"), company={"x": 1}), reply=reply("r1"))
    await commit(journal, reply=reply("r1"), raised=("d",), at_ms=LATER)
    assert await raised(journal) == (None, ("r1",))
    await commit(journal, reply=reply("r2"), raised=("d",), at_ms=LATER)
    assert await raised(journal) == (LATER, ("r1", "r2"))


async def test_what_is_still_in_dispute_keeps_who_asked(journal: Journal) -> None:
    """A mention, a side that is forgotten and a later verdict leave it as it was."""
    await commit(journal, home("x"), memory("y"))
    guess = against("d", "x", "y", receipt=receipt_of("conflict", provisional=True))
    await commit(journal, MemoryWrite(memory=guess, company={"x": 1, "y": 1}))
    await commit(journal, reply=reply("r1"), raised=("d",), at_ms=LATER)
    await commit(journal, MemoryWrite(memory=home("m"), mention_of="d", company={"d": 1, "x": 1}))
    await journal.forget("ann", "y", at_ms=LATER)
    final = against("d", "x", receipt=receipt_of("conflict", judged_ms=NOW_MS + 1))
    await commit(journal, MemoryWrite(memory=final, company={"x": 1}), actor="curator", reply=reply("r9"))
    assert await raised(journal) == (LATER, ("r1",))


async def test_nobody_asked_about_a_dispute_of_another_user(journal: Journal, dump: Dump) -> None:
    await in_dispute(journal)
    await journal.append_reply(reply("r1", user_id="bob"))
    before = await dump()
    await commit(journal, user_id="bob", reply=reply("r1", user_id="bob"), raised=("d",))
    await journal.append_reply(reply("r1", user_id="bob"), raised=("d",))
    assert await dump() == before


async def test_nothing_is_left_of_who_asked_once_a_dispute_is_forgotten(journal: Journal) -> None:
    await in_dispute(journal)
    write = MemoryWrite(memory=against("e", "x", mentioned_ms=LATER + 1), company={"x": 1, "d": 1})
    await commit(journal, write, reply=reply("r0"))
    await commit(journal, reply=reply("r1"), raised=("d", "e"), at_ms=LATER)
    await journal.forget("ann", "d", at_ms=LATER)
    (dispute,) = await journal.open_disputes("ann", 9)
    assert (dispute.memory.memory_id, dispute.raised_by) == ("e", ("r0", "r1"))
