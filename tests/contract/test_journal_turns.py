"""What the port Journal promises of turns, on the fake and on PostgreSQL."""

import pytest

from state.errors import InputRejected, TenantMissing
from state.ports import Journal, TurnCommit
from state.records import Turn
from tests.contract.conftest import Dump, both
from tests.factories import NOW_MS, turn
from tests.fakes.clock import HandClock


def said(turn_id: str, *, user: str = "ann", session: str = "s1", **fields: object) -> Turn:
    return turn(turn_id, user_id=user, session_id=session, turn_id=turn_id, ordinal=0, at_ms=0, **fields)


async def write(journal: Journal, *turn_ids: str, present: list[str] | None = None, **fields: object) -> list[Turn]:
    turns = [said(turn_id, **fields) for turn_id in turn_ids]
    held = list(turn_ids) if present is None else present
    return list((await journal.write_ahead(turns[0].user_id, turns[0].session_id, turns, present=held)).turns)


async def live(journal: Journal, session: str = "s1") -> list[str]:
    return [one.turn_id for one in await journal.recent_turns("ann", session, 100)]


async def test_a_written_turn_gets_the_next_ordinal_and_the_time_of_the_clock(journal: Journal) -> None:
    done = await journal.write_ahead("ann", "s1", [said("a"), said("b")], present=["a", "b"])

    assert [(one.turn_id, one.ordinal, one.at_ms) for one in done.turns] == [("a", 1, NOW_MS), ("b", 2, NOW_MS + 1)]
    assert done.previous_ordinal == 0
    assert await journal.transcript("ann", "s1") == list(done.turns)


async def test_everything_of_a_turn_comes_back(journal: Journal) -> None:
    given = said("a", role="assistant", reply_to="q", time_zone="Europe/Paris")
    (kept,) = (await journal.write_ahead("ann", "s1", [given], present=["a"])).turns

    assert kept == given.model_copy(update={"ordinal": 1, "at_ms": NOW_MS})
    assert await journal.transcript("ann", "s1") == [kept]


async def test_a_turn_that_is_there_comes_back_as_it_was_first_written(journal: Journal, clock: HandClock) -> None:
    (first,) = await write(journal, "a")
    clock.at_ms += 5_000
    again = await journal.write_ahead("ann", "s1", [said("a", time_zone="Europe/Paris")], present=["a"])

    assert again.turns == (first,)
    assert again.previous_ordinal == 0
    assert await journal.transcript("ann", "s1") == [first]


@pytest.mark.parametrize(
    ("given", "ordinals", "previous"),
    [
        (["c"], [3], 2),  # new: where the session ended
        (["b"], [2], 1),  # there already: where it ended before
        (["b", "c"], [2, 3], 2),  # some new: where it ended before the first new one
        (["c", "b"], [3, 2], 2),  # the order given is the order returned
        (["b", "a"], [2, 1], 0),
        (["c", "c"], [3, 3], 2),
        ([], [], 2),
    ],
)
async def test_previous_ordinal_is_where_the_session_ended(
    journal: Journal, given: list[str], ordinals: list[int], previous: int
) -> None:
    await write(journal, "a", "b")
    done = await journal.write_ahead("ann", "s1", [said(one) for one in given], present=["a", "b", *given])

    assert [one.ordinal for one in done.turns] == ordinals
    assert done.previous_ordinal == previous


@pytest.mark.parametrize("step_ms", [0, -60_000, 1, 60_000])
async def test_times_rise_strictly_whatever_the_clock_does(journal: Journal, clock: HandClock, step_ms: int) -> None:
    times = []
    for turn_id in "abcd":
        times += [one.at_ms for one in await write(journal, turn_id)]
        clock.at_ms += step_ms

    assert times == [NOW_MS + max(step_ms, 1) * place for place in range(4)]


async def test_sessions_count_for_themselves(journal: Journal) -> None:
    await write(journal, "a", "b")
    (other,) = await write(journal, "a", session="s2")

    assert (other.ordinal, other.at_ms) == (1, NOW_MS)
    assert await live(journal) == ["a", "b"]
    assert await live(journal, "s2") == ["a"]


async def test_turns_that_the_thread_no_longer_holds_are_abandoned(journal: Journal) -> None:
    await write(journal, "u1", "a1", "u2", "a2")
    await write(journal, "u3", present=["u1", "a1", "u3"])

    assert await live(journal) == ["u1", "a1", "u3"]
    assert [one.turn_id for one in await journal.transcript("ann", "s1")] == ["u1", "a1", "u2", "a2", "u3"]


async def test_an_abandoned_turn_lives_again_once_the_thread_holds_it(journal: Journal) -> None:
    await write(journal, "u1", "a1", "u2")
    await write(journal, "u3", present=["u1", "u3"])
    await write(journal, "u2", present=["u1", "a1", "u2"])

    assert await live(journal) == ["u1", "a1", "u2"]


@pytest.mark.parametrize("present", [[], ["u3"], ["never-seen", "u3"]])
async def test_nothing_is_abandoned_where_the_thread_holds_no_known_turn(journal: Journal, present: list[str]) -> None:
    await write(journal, "u1", "a1")
    await write(journal, "u3", present=present)

    assert await live(journal) == ["u1", "a1", "u3"]


async def test_archived_turns_are_not_abandoned_and_not_in_the_window(journal: Journal) -> None:
    await write(journal, "u1", "u2")
    await journal.append_reply(said("a1", role="assistant"))
    archive = {"user_id": "ann", "session_id": "s1", "actor": "curator", "at_ms": NOW_MS}
    await journal.commit(TurnCommit(**archive, archived=("u1", "a1")))
    await write(journal, "u3", present=["u2", "u3"])

    assert await live(journal) == ["u2", "u3"]
    waiting = await both(journal).undistilled(before_ms=NOW_MS + 99, limit=9)
    assert [one.turn_id for one in waiting] == ["u1", "u2", "u3"]  # an abandoned one would not be distilled


async def test_a_reply_is_appended_once(journal: Journal, clock: HandClock) -> None:
    await write(journal, "u1")
    clock.at_ms += 3_000
    reply = said("a1", role="assistant", reply_to="u1")
    first = await journal.append_reply(reply)
    clock.at_ms += 3_000

    assert (first.ordinal, first.at_ms, first.reply_to) == (2, NOW_MS + 3_000, "u1")
    assert await journal.append_reply(reply.model_copy(update={"text": "else"})) == first
    assert [one.turn_id for one in await journal.transcript("ann", "s1")] == ["u1", "a1"]


async def test_a_reply_abandons_nothing(journal: Journal) -> None:
    await write(journal, "u1", "a1", "u2")
    await journal.append_reply(said("a2", role="assistant"))

    assert await live(journal) == ["u1", "a1", "u2", "a2"]


@pytest.mark.parametrize(("limit", "expected"), [(0, []), (2, ["b", "c"]), (9, ["a", "b", "c"]), (-1, [])])
async def test_recent_turns_are_the_last_ones_oldest_first(journal: Journal, limit: int, expected: list[str]) -> None:
    await write(journal, "a", "b", "c")

    assert [one.turn_id for one in await journal.recent_turns("ann", "s1", limit)] == expected


@pytest.mark.parametrize(
    ("given", "kept"), [("a\x00b", "a\ufffdb"), ("\ud83d half", "\ufffd half"), ("中文 🐈 ok", "中文 🐈 ok")]
)
async def test_what_no_store_can_hold_is_replaced(journal: Journal, given: str, kept: str) -> None:
    await journal.write_ahead("ann", given, [said(given, session=given)], present=[given])

    (found,) = await journal.transcript("ann", given)
    assert (found.text, found.turn_id, found.session_id) == (kept, kept, kept)
    again = await journal.write_ahead("ann", given, [said(given, session=given)], present=[given])
    # Under the caller's own id, by which it looks for its message.
    assert again.turns == (found.model_copy(update={"turn_id": given}),)
    assert await journal.transcript("ann", given) == [found]
    await journal.commit(TurnCommit(user_id="ann", session_id=given, actor="curator", at_ms=NOW_MS, archived=(given,)))
    assert (await journal.write_ahead("ann", given, [], present=[given])).archived == (given,)


async def test_a_session_belongs_to_whoever_began_it(journal: Journal, dump: Dump) -> None:
    await write(journal, "a")
    before = await dump()
    with pytest.raises(InputRejected, match="belongs to another user: start a new one"):
        await write(journal, "b", user="bob")
    with pytest.raises(InputRejected):
        await journal.write_ahead("bob", "s1", [], present=[])
    assert await dump() == before
    await write(journal, "b", user="bob", session="s2")


async def test_a_turn_of_another_session_or_user_is_refused(journal: Journal) -> None:
    for stranger in (said("a", session="s2"), said("a", user="bob")):
        with pytest.raises(ValueError, match="another session"):
            await journal.write_ahead("ann", "s1", [stranger], present=["a"])
    assert await journal.transcript("ann", "s1") == []


async def test_no_user_sees_or_touches_the_turns_of_another(journal: Journal) -> None:
    await write(journal, "a", "b")
    await journal.append_reply(said("c", user="bob"))

    assert await live(journal) == ["a", "b"]
    assert [one.turn_id for one in await journal.transcript("bob", "s1")] == ["c"]
    assert await journal.recent_turns("eve", "s1", 9) == await journal.transcript("eve", "s1") == []


@pytest.mark.parametrize("nobody", ["", "  ", None, "a\x00"])
async def test_turns_need_a_user(journal: Journal, nobody: str) -> None:
    with pytest.raises(TenantMissing):
        await journal.write_ahead(nobody, "s1", [], present=[])
    with pytest.raises(TenantMissing):
        await journal.recent_turns(nobody, "s1", 9)
    with pytest.raises(TenantMissing):
        await journal.transcript(nobody, "s1")
    if nobody is not None:
        with pytest.raises(TenantMissing):
            await journal.append_reply(said("a", user=nobody))


async def test_turns_are_found_by_their_ids_as_far_as_they_are_live(journal: Journal, clock: HandClock) -> None:
    await write(journal, "u1", "a1", "u2", "u3")
    clock.at_ms += 5_000
    await write(journal, "u1", session="s2")
    await write(journal, "u1", user="bob", session="s3")
    archive = {"user_id": "ann", "session_id": "s1", "actor": "curator", "at_ms": NOW_MS}
    await journal.commit(TurnCommit(**archive, archived=("u1",)))
    edited = said("u3").model_copy(update={"text": "else"})
    (last,) = (await journal.write_ahead("ann", "s1", [edited], present=["u1", "a1", "u3"])).turns

    found = await journal.spoken("ann", ["u3", "u1", "u2", "u3~4", "unknown"])
    assert [(one.session_id, one.turn_id, one.text) for one in found] == [
        ("s1", "u1", "u1"),
        ("s2", "u1", "u1"),
        ("s1", "u3", "else"),
    ]
    assert found[-1] == last
    assert await journal.spoken("ann", []) == []
