"""What the port Journal promises of a thread that a client changes or keeps, on the fake and on PostgreSQL."""

import pytest

from state.ports import Journal, TurnCommit
from state.records import Evidence, MemoryWrite, Turn
from tests.contract.conftest import Dump, both
from tests.factories import NOW_MS, memory, receipt_of, turn
from tests.fakes.clock import HandClock


def said(turn_id: str, text: str = "", **fields: object) -> Turn:
    return turn(text or turn_id, turn_id=turn_id, ordinal=0, at_ms=0, **fields)


def commit_of(**fields: object) -> TurnCommit:
    base = {"user_id": "ann", "session_id": "s1", "actor": "curator", "at_ms": NOW_MS}
    return TurnCommit.model_validate({**base, **fields})


async def transcript(journal: Journal) -> list[tuple[str, str, int, str | None]]:
    return [(one.turn_id, one.text, one.ordinal, one.reply_to) for one in await journal.transcript("ann", "s1")]


async def test_an_edit_keeps_the_old_words_under_an_id_of_their_own(journal: Journal, clock: HandClock) -> None:
    reply = said("a1", role="assistant", reply_to="u1")
    await journal.write_ahead("ann", "s1", [said("u1", "我住在北京"), reply], present=["u1", "a1"])
    clock.at_ms += 5_000
    done = await journal.write_ahead("ann", "s1", [said("u1", "我住在上海")], present=["u1"])

    (edited,) = done.turns
    assert (edited.turn_id, edited.text, edited.ordinal, edited.at_ms) == ("u1", "我住在上海", 3, NOW_MS + 5_000)
    assert done.previous_ordinal == 2
    assert await transcript(journal) == [
        ("u1~1", "我住在北京", 1, None),
        ("a1", "a1", 2, "u1~1"),
        ("u1", "我住在上海", 3, None),
    ]
    assert await journal.recent_turns("ann", "s1", 9) == [edited]
    waiting = await both(journal).undistilled(before_ms=NOW_MS + 9_999, limit=9)
    assert [one.turn_id for one in waiting] == ["u1"]


async def test_an_edit_written_twice_is_one_edit(journal: Journal, dump: Dump) -> None:
    await journal.write_ahead("ann", "s1", [said("u1", "a")], present=["u1"])
    first = await journal.write_ahead("ann", "s1", [said("u1", "b")], present=["u1"])
    before = await dump()
    again = await journal.write_ahead("ann", "s1", [said("u1", "b")], present=["u1"])

    assert (again.turns, await dump()) == (first.turns, before)
    await journal.write_ahead("ann", "s1", [said("u1", "c")], present=["u1"])
    assert [one[:2] for one in await transcript(journal)] == [("u1~1", "a"), ("u1~2", "b"), ("u1", "c")]


async def test_what_rests_on_edited_words_rests_on_them_still(journal: Journal) -> None:
    await journal.write_ahead("ann", "s1", [said("u1", "a"), said("u2")], present=["u1", "u2"])
    parts = [Evidence(turn_id=turn_id, span=turn_id) for turn_id in ("u2", "u1", "u1", "u3")]
    here, elsewhere = memory("m", evidence=tuple(parts)), memory("n", session_id="s2", evidence=(parts[1],))
    theirs = memory("m", user_id="bob", evidence=(parts[1],))
    await journal.commit(commit_of(writes=(MemoryWrite(memory=here), MemoryWrite(memory=elsewhere))))
    await journal.commit(commit_of(user_id="bob", writes=(MemoryWrite(memory=theirs),)))
    await journal.write_ahead("ann", "s1", [said("u1", "b")], present=["u1", "u2"])

    (kept,) = await journal.memories("ann", ["m"])
    assert [(part.turn_id, part.span) for part in kept.evidence] == [
        ("u2", "u2"),
        ("u1~1", "u1"),
        ("u1~1", "u1"),
        ("u3", "u3"),
    ]
    assert kept.model_copy(update={"evidence": here.evidence}) == here
    assert await journal.memories("ann", ["n"]) == [elsewhere]
    assert await journal.memories("bob", ["m"]) == [theirs]


async def test_a_verdict_under_way_does_not_put_back_the_evidence_that_an_edit_renamed(journal: Journal) -> None:
    await journal.write_ahead("ann", "s1", [said("u1", "我住在北京")], present=["u1"])
    waits = memory("m", evidence=(Evidence(turn_id="u1", span="我住在北京"),), status="pending", receipt=None)
    await journal.commit(commit_of(writes=(MemoryWrite(memory=waits),)))
    await journal.write_ahead("ann", "s1", [said("u1", "我喜欢茶")], present=["u1"])
    judged = waits.model_copy(update={"status": "active", "receipt": receipt_of("new", judged_ms=NOW_MS + 1)})
    (kept,) = (await journal.commit(commit_of(writes=(MemoryWrite(memory=judged),)))).memories

    assert (kept.status, kept.evidence) == ("active", (Evidence(turn_id="u1~1", span="我住在北京"),))


async def test_what_a_client_tells_of_itself_is_not_distilled(journal: Journal) -> None:
    await journal.write_ahead("ann", "s1", [said("known")], present=["known"])
    given = [said("known"), said("told"), said("a", role="assistant"), said("asked")]
    present = [one.turn_id for one in given]
    await journal.write_ahead("ann", "s1", given, present=present, heard=["known", "told", "a"])

    waiting = await both(journal).undistilled(before_ms=NOW_MS + 99, limit=9)
    assert [one.turn_id for one in waiting] == ["known", "asked"]
    edited = said("asked", "else")
    await journal.write_ahead("ann", "s1", [edited], present=present, heard=["asked"])
    waiting = await both(journal).undistilled(before_ms=NOW_MS + 99, limit=9)
    assert [one.turn_id for one in waiting] == ["known"]


async def test_the_journal_says_which_turns_of_the_thread_are_archived(journal: Journal) -> None:
    given = [said(one) for one in ("a", "b", "c")]
    first = await journal.write_ahead("ann", "s1", given, present=["a", "b", "c"])
    assert first.archived == ()
    await journal.commit(commit_of(archived=("a", "c")))

    again = await journal.write_ahead("ann", "s1", [said("d")], present=["c", "b", "a", "d"])
    assert again.archived == ("c", "a")
    assert (await journal.write_ahead("ann", "s1", [], present=["b", "a"])).archived == ("a",)
    edited = await journal.write_ahead("ann", "s1", [said("a", "else")], present=["a", "b", "c"])
    assert edited.archived == ("c",)  # the edited words are new, and in no episode


@pytest.mark.parametrize(("since_ms", "is_written"), [(NOW_MS - 1, False), (NOW_MS, True), (None, True)])
async def test_a_session_that_is_in_use_again_is_left_alone(
    journal: Journal, dump: Dump, since_ms: int | None, is_written: bool
) -> None:
    await journal.write_ahead("ann", "s1", [said("u1")], present=["u1"])
    before = await dump()
    writes = (MemoryWrite(memory=memory("e", kind="episode")),)
    done = await journal.commit(commit_of(writes=writes, archived=("u1",), idle_since_ms=since_ms))

    assert done.applied == is_written
    assert bool(done.memories) == is_written
    assert (await dump() == before) != is_written
    assert bool(await both(journal).idle_sessions(before_ms=NOW_MS + 1, limit=9)) != is_written


async def test_a_session_that_nobody_used_is_idle(journal: Journal) -> None:
    done = await journal.commit(commit_of(writes=(MemoryWrite(memory=memory("m")),), idle_since_ms=0))
    assert [one.memory_id for one in done.memories] == ["m"]
