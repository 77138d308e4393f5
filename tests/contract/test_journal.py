"""What the port Journal promises of memories read, forgotten and indexed, on the fake and on PostgreSQL."""

import pytest

from state.errors import TenantMissing
from state.ports import Journal, TurnCommit
from state.records import Evidence, Memory, MemoryWrite
from tests.contract.conftest import Dump
from tests.factories import NOW_MS, memory, receipt_of


async def store(journal: Journal, *memories: Memory, at_ms: int = NOW_MS) -> list[Memory]:
    writes = tuple(MemoryWrite(memory=one) for one in memories)
    base = {"session_id": "s1", "actor": "gate", "at_ms": at_ms}
    return list((await journal.commit(TurnCommit(user_id=memories[0].user_id, writes=writes, **base))).memories)


async def drain(journal: Journal, user_id: str = "ann") -> None:
    await journal.settle(user_id, await journal.outbox(user_id, 100))


async def test_everything_of_a_memory_comes_back(journal: Journal) -> None:
    given = memory(
        "m1",
        "喜欢 \"引号\" and 'quotes' %s",
        kind="event",
        slot="user.likes",
        weight=2.0,
        event_start_ms=-5,
        event_end_ms=7,
        valid_from_ms=3,
        status="disputed",
        opposes=("x", "y"),
        receipt=receipt_of("conflict", neighbours=("x",), confidence=1 / 3),
    )

    assert (await store(journal, memory("x"), memory("y"), given))[2] == given
    assert await journal.memories("ann", ["m1"]) == [given]


async def test_memories_come_in_the_order_asked_and_unknown_ones_are_left_out(journal: Journal) -> None:
    a, b, c = await store(journal, memory("a"), memory("b"), memory("c"))

    assert await journal.memories("ann", ["c", "nope", "a"]) == [c, a]
    assert await journal.memories("ann", []) == []
    assert await journal.memories("ann", ["b"]) == [b]


async def test_a_list_is_by_status_newest_first_and_paged(journal: Journal) -> None:
    await store(
        journal,
        memory("old", mentioned_ms=1),
        memory("new", mentioned_ms=3),
        memory("waits", mentioned_ms=2, status="pending"),
        memory("held", mentioned_ms=4, status="disputed", opposes=("old",)),
    )

    async def ids(*statuses: str, limit: int = 9, offset: int = 0) -> list[str]:
        found = await journal.list_memories("ann", statuses=statuses, limit=limit, offset=offset)  # type: ignore[arg-type]
        return [one.memory_id for one in found]

    assert await ids("active", "pending") == ["new", "waits", "old"]
    assert await ids("active", "pending", limit=1, offset=1) == ["waits"]
    assert await ids("disputed") == ["held"]
    assert await ids() == []
    assert await journal.count_memories("ann", ["active", "pending"]) == 3
    assert await journal.count_memories("ann", []) == 0


async def test_in_slot_are_the_active_ones_or_those_asked_for(journal: Journal) -> None:
    await store(
        journal,
        memory("b", slot="user.likes", mentioned_ms=2),
        memory("a", slot="user.likes", mentioned_ms=1),
        memory("c", slot="user.likes", status="pending"),
        memory("d", slot="user.pet"),
        memory("e"),
    )

    assert [one.memory_id for one in await journal.in_slot("ann", "user.likes")] == ["a", "b"]
    found = await journal.in_slot("ann", "user.likes", statuses=["pending", "active"])
    assert [one.memory_id for one in found] == ["a", "b", "c"]
    assert await journal.in_slot("ann", "user.likes", statuses=[]) == []
    assert await journal.in_slot("ann", "user.skill") == []


async def test_the_outbox_holds_what_is_indexed_oldest_first(journal: Journal) -> None:
    a, _, c, _ = await store(
        journal,
        memory("a"),
        memory("b", status="pending"),
        memory("c", status="superseded", superseded_by="a"),
        memory("d", status="rejected"),
    )
    entries = await journal.outbox("ann", 9)

    assert [(entry.memory_id, entry.memory) for entry in entries] == [("a", a), ("c", c)]
    assert [entry.memory_id for entry in await journal.outbox("ann", 1)] == ["a"]


async def test_an_applied_entry_is_removed_and_a_changed_one_stays(journal: Journal) -> None:
    first = memory("a", receipt=receipt_of("new", provisional=True))
    await store(journal, first, memory("b"))
    entries = await journal.outbox("ann", 9)
    again = memory("a", "我住在上海", evidence=memory("a").evidence, receipt=receipt_of("new", judged_ms=NOW_MS + 1))
    await store(journal, again)
    await journal.settle("ann", entries)

    (left,) = await journal.outbox("ann", 9)
    assert (left.memory_id, left.memory) == ("a", again.model_copy(update={"version": 2}))
    await journal.settle("ann", [left])
    assert await journal.outbox("ann", 9) == []


async def test_an_entry_that_somebody_else_settled_comes_back(journal: Journal) -> None:
    """One reads a, it changes, another copies the new a and settles it, then the first one copies the old a."""
    await store(journal, memory("a", receipt=receipt_of("new", provisional=True)), memory("b"))
    slow = await journal.outbox("ann", 9)
    again = memory("a", "我住在上海", evidence=memory("a").evidence, receipt=receipt_of("new", judged_ms=NOW_MS + 1))
    await store(journal, again)
    await drain(journal)
    assert await journal.outbox("ann", 9) == []
    await journal.settle("ann", slow)

    left = await journal.outbox("ann", 9)
    assert sorted(entry.memory_id for entry in left) == ["a", "b"]
    assert {entry.memory_id: entry.memory for entry in left}["a"] == again.model_copy(update={"version": 2})
    assert not {entry.revision for entry in left} & {entry.revision for entry in slow}
    await drain(journal)
    assert await journal.outbox("ann", 9) == []


async def test_a_memory_that_leaves_the_index_is_to_be_removed_there(journal: Journal) -> None:
    await store(journal, memory("a", receipt=receipt_of("new", provisional=True)))
    await drain(journal)
    await store(journal, memory("a", status="rejected", receipt=receipt_of("new", grounded="unsupported")))

    (entry,) = await journal.outbox("ann", 9)
    assert (entry.memory_id, entry.memory) == ("a", None)


async def test_forgetting_leaves_no_word_and_an_entry_for_the_index(journal: Journal, dump: Dump) -> None:
    secret = memory("a", "住在颐和园路", receipt=receipt_of("new", reason="she said 颐和园路"))
    past = memory("c", status="superseded", superseded_by="a")
    await store(journal, secret, memory("x"), memory("b", status="disputed", opposes=("a", "x")), past)
    again = MemoryWrite(memory=memory("again"), mention_of="a")
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    await journal.commit(TurnCommit(**base, writes=(again,), cited=("a",)))
    await drain(journal)

    assert await journal.forget("ann", "a", at_ms=NOW_MS + 9)
    assert "颐和园路" not in str(await dump())
    assert await journal.memories("ann", ["a"]) == []
    b, c = await journal.memories("ann", ["b", "c"])
    assert (b.status, b.opposes) == ("disputed", ("x",))
    assert c == past
    assert [(one.memory_id, one.memory) for one in await journal.outbox("ann", 9)] == [("a", None)]
    events = [(one.at_ms, one.from_status, one.to_status, one.reason) for one in await journal.history("ann", "a")]
    assert events == [(NOW_MS, None, "active", ""), (NOW_MS + 9, "active", None, "forgotten")]


async def test_what_was_forgotten_does_not_come_back(journal: Journal, dump: Dump) -> None:
    first, other = memory("a"), memory("b", "别的")
    again = MemoryWrite(memory=memory("again"), mention_of="a", company={"a": 1})
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    writes = (MemoryWrite(memory=first), again, MemoryWrite(memory=other))
    await journal.commit(TurnCommit(**base, writes=writes))
    await journal.forget("ann", "a", at_ms=NOW_MS + 9)
    before = await dump()

    done = await journal.commit(TurnCommit(**base, writes=writes))
    assert done.memories == (other,)
    assert await dump() == before
    assert await store(journal, memory("a", user_id="bob")) == [memory("a", user_id="bob")]


async def test_held_back_are_the_words_behind_what_is_no_belief(journal: Journal) -> None:
    fates = ["pending", "active", "disputed", "superseded", "rejected"]
    named = {"disputed": {"opposes": ("active",)}, "superseded": {"superseded_by": "active"}}
    rows = [
        memory(name, name, status=name, mentioned_ms=NOW_MS - place, **named.get(name, {}))
        for place, name in enumerate(fates)
    ]
    episode = memory("e", status="pending", kind="episode", evidence=(Evidence(turn_id="t1", span=""),))
    await store(journal, *rows, episode, memory("x", "elsewhere", status="pending", session_id="s2"))
    await store(journal, memory("y", "another's", status="pending", user_id="bob"))

    held = await journal.held_back("ann", "s1")
    assert held == [Evidence(turn_id="t1", span=word) for word in ("rejected", "superseded", "disputed", "pending")]
    assert await journal.held_back("ann", "nowhere") == []


async def test_what_is_not_there_cannot_be_forgotten(journal: Journal, dump: Dump) -> None:
    await store(journal, memory("a"))
    before = await dump()

    assert not await journal.forget("ann", "nope", at_ms=NOW_MS)
    assert not await journal.forget("bob", "a", at_ms=NOW_MS)
    assert await dump() == before


async def test_no_user_sees_or_touches_the_memories_of_another(journal: Journal) -> None:
    (mine,) = await store(journal, memory("a", slot="user.likes"))
    (theirs,) = await store(journal, memory("a", "别的", user_id="bob", slot="user.likes"))
    (entry,) = await journal.outbox("ann", 9)
    await journal.settle("bob", [entry])

    for user_id, own in (("ann", [mine]), ("bob", [theirs]), ("eve", [])):
        assert await journal.memories(user_id, ["a"]) == own
        assert await journal.list_memories(user_id, statuses=["active"], limit=9) == own
        assert await journal.count_memories(user_id, ["active"]) == len(own)
        assert await journal.in_slot(user_id, "user.likes") == own
        assert len(await journal.history(user_id, "a")) == len(own)
    assert [entry.memory for entry in await journal.outbox("ann", 9)] == [mine]
    assert [entry.memory for entry in await journal.outbox("bob", 9)] == [theirs]


async def test_a_company_of_another_user_counts_for_nothing(journal: Journal) -> None:
    await store(journal, memory("theirs", user_id="bob"))
    named = MemoryWrite(memory=memory("a"), supersedes=("theirs",), company={"theirs": 1})
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    (kept,) = (await journal.commit(TurnCommit(**base, writes=(named,), cited=("theirs",)))).memories

    assert kept.status == "pending"
    (theirs,) = await journal.memories("bob", ["theirs"])
    assert (theirs.status, theirs.citations) == ("active", 0)


async def test_a_memory_of_another_user_is_refused(journal: Journal, dump: Dump) -> None:
    before = await dump()
    base = {"user_id": "ann", "session_id": "s1", "actor": "gate", "at_ms": NOW_MS}
    with pytest.raises(ValueError, match="another user"):
        await journal.commit(TurnCommit(**base, writes=(MemoryWrite(memory=memory("a", user_id="bob")),)))
    assert await dump() == before


@pytest.mark.parametrize("nobody", ["", "  ", None, "a\x00"])
async def test_memories_need_a_user(journal: Journal, nobody: str) -> None:
    calls = [
        lambda: journal.memories(nobody, ["a"]),
        lambda: journal.list_memories(nobody, statuses=["active"], limit=9),
        lambda: journal.count_memories(nobody, ["active"]),
        lambda: journal.in_slot(nobody, "user.likes"),
        lambda: journal.replaced_by(nobody, "a"),
        lambda: journal.open_disputes(nobody, 9),
        lambda: journal.decide(nobody, "a", "confirm", at_ms=NOW_MS),
        lambda: journal.history(nobody, "a"),
        lambda: journal.forget(nobody, "a", at_ms=NOW_MS),
        lambda: journal.held_back(nobody, "s1"),
        lambda: journal.forgotten_turns(nobody, "s1"),
        lambda: journal.spoken(nobody, ["t1"]),
        lambda: journal.open_tasks(nobody, 9),
        lambda: journal.outbox(nobody, 9),
        lambda: journal.settle(nobody, []),
        lambda: journal.usage(nobody),
    ]
    if nobody is not None:
        commit = TurnCommit(user_id=nobody, session_id="s1", actor="gate", at_ms=NOW_MS)
        calls.append(lambda: journal.commit(commit))
    for call in calls:
        with pytest.raises(TenantMissing):
            await call()


async def test_a_journal_that_is_there_answers(journal: Journal) -> None:
    await journal.ping()
