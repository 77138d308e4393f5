"""What the port Journal promises of what was said around a memory, on the fake and on PostgreSQL."""

from typing import Any

from state.ports import Journal, TurnCommit
from state.records import Evidence, Memory
from tests.contract.conftest import Dump
from tests.contract.test_journal import drain, store
from tests.factories import NOW_MS, memory, turn


def resting(memory_id: str, *turn_ids: str, **fields: Any) -> Memory:
    evidence = tuple(
        Evidence(turn_id=turn_id, span="" if fields.get("kind") == "episode" else turn_id) for turn_id in turn_ids
    )
    return memory(memory_id, evidence=evidence, **fields)


async def talk(journal: Journal, *texts: str) -> None:
    """Write turns whose ids and texts are the same; the assistant's begin with "a"."""
    for text in texts:
        turns = [turn(text, turn_id=text, role="assistant" if text.startswith("a") else "user")]
        await journal.write_ahead("ann", "s1", turns, present=[])


async def nearby(journal: Journal) -> dict[str, list[tuple[int, str]]]:
    entries = await journal.outbox("ann", 100)
    return {entry.memory_id: [(said.distance, said.text) for said in entry.nearby] for entry in entries}


async def test_an_entry_carries_what_was_said_around_its_memory(journal: Journal) -> None:
    await talk(journal, "u1", "a2", "u3", "a4", "u5", "a6", "u7")
    await store(
        journal,
        resting("first", "u1"),
        resting("middle", "a4"),
        resting("wide", "u3", "u5"),
        resting("last", "u7"),
        resting("nowhere", "unknown"),
        resting("whole", "u3", "a4", kind="episode"),
    )

    assert await nearby(journal) == {
        "first": [(1, "a2"), (2, "u3")],
        "middle": [(2, "a2"), (1, "u3"), (1, "u5"), (2, "a6")],
        "wide": [(2, "u1"), (1, "a2"), (1, "a6"), (2, "u7")],
        "last": [(2, "u5"), (1, "a6")],
        "nowhere": [],
        "whole": [],
    }


async def test_what_is_nearby_is_of_the_same_session_and_user(journal: Journal) -> None:
    await talk(journal, "u1")
    for user, session in (("ann", "s2"), ("bob", "s3")):
        other = turn("u2", turn_id="u1", user_id=user, session_id=session)
        await journal.write_ahead(
            user, session, [other, turn("u3", turn_id="u3", user_id=user, session_id=session)], present=[]
        )
    await store(journal, resting("m", "u1"), resting("n", "u1", session_id="s2"))

    assert await nearby(journal) == {"m": [], "n": [(1, "u3")]}


async def test_a_reply_that_cites_memories_is_not_nearby(journal: Journal) -> None:
    await talk(journal, "u1 [1]", "a2 you said so [12]", "u3", "a4 see [note] and [123]")
    await store(journal, resting("m", "u3"))

    assert await nearby(journal) == {"m": [(2, "u1 [1]"), (1, "a4 see [note] and [123]")]}


async def test_turns_of_a_dead_branch_are_not_nearby(journal: Journal) -> None:
    await talk(journal, "u1", "a2", "u3")
    await journal.write_ahead("ann", "s1", [turn("u4", turn_id="u4")], present=["u1", "u4"])
    await store(journal, resting("m", "u4"))

    assert await nearby(journal) == {"m": [(1, "u1")]}


async def test_archived_turns_have_their_memories_indexed_again_once(journal: Journal, dump: Dump) -> None:
    await talk(journal, "u1", "u2", "u3")
    await store(
        journal,
        resting("m", "u1"),
        resting("old", "u1", "u3", status="superseded", superseded_by="m"),
        resting("waits", "u1", status="pending"),
        resting("whole", "u1", kind="episode"),
        resting("later", "u3"),
        resting("elsewhere", "u1", session_id="s2"),
    )
    await drain(journal)
    await talk(journal, "a4")
    archive = TurnCommit(user_id="ann", session_id="s1", actor="curator", at_ms=NOW_MS, archived=("u1", "u2"))
    await journal.commit(archive)

    assert await nearby(journal) == {"m": [(1, "u2"), (2, "u3")], "old": [(1, "a4")]}
    before = await dump()
    await journal.commit(archive)
    assert await dump() == before
    await drain(journal)
    await journal.commit(archive)
    assert await nearby(journal) == {}


async def test_turns_that_bore_a_forgotten_memory_and_replies_to_them_are_not_nearby(journal: Journal) -> None:
    await talk(journal, "u1", "u2", "u3", "u4", "u5", "u6")
    await journal.append_reply(turn("noted: u3", turn_id="a7", role="assistant", reply_to="u3"))
    await talk(journal, "u8", "u9")
    for user, session in (("ann", "s2"), ("bob", "s3")):
        others = [turn(text, turn_id=text, user_id=user, session_id=session) for text in ("u2", "u3")]
        await journal.write_ahead(user, session, others, present=["u2", "u3"])
    theirs = resting("theirs", "u2", user_id="bob", session_id="s3")
    await store(
        journal,
        resting("secret", "u3"),
        *(resting(f"m{place}", f"u{place}") for place in (1, 2, 4, 6, 8, 9)),
        resting("beside", "u3"),
        resting("old", "u4", status="superseded", superseded_by="m4"),
        resting("waits", "u4", status="pending"),
        resting("whole", "u2", kind="episode"),
        resting("elsewhere", "u2", session_id="s2"),
    )
    await store(journal, theirs)
    await drain(journal)
    await drain(journal, "bob")

    assert await journal.forget("ann", "secret", at_ms=NOW_MS)
    assert await nearby(journal) == {
        "secret": [],
        "m1": [(1, "u2")],
        "m2": [(1, "u1"), (2, "u4")],
        "m4": [(2, "u2"), (1, "u5"), (2, "u6")],
        "m6": [(2, "u4"), (1, "u5"), (2, "u8")],
        "m8": [(2, "u6"), (1, "u9")],
        "m9": [(1, "u8")],
        "old": [(2, "u2"), (1, "u5"), (2, "u6")],
    }
    assert await journal.outbox("bob", 9) == []
    assert await journal.forgotten_turns("ann", "s1") == {"u3"}
    assert await journal.forgotten_turns("ann", "s2") == await journal.forgotten_turns("bob", "s1") == frozenset()


async def test_the_new_words_of_an_edited_turn_are_known_to_have_borne_what_is_forgotten(journal: Journal) -> None:
    await talk(journal, "u1", "u2")
    await store(journal, resting("m", "u1"), resting("n", "u2"))
    await journal.write_ahead("ann", "s1", [turn("u1, corrected", turn_id="u1")], present=["u1", "u2"])
    await drain(journal)
    await journal.forget("ann", "m", at_ms=NOW_MS)

    assert await journal.forgotten_turns("ann", "s1") == {"u1~1", "u1"}
    assert await nearby(journal) == {"m": [], "n": []}
