"""Bringing the index up to the journal: what is drained carries what was said around it."""

from nodes.outbox import drain
from state.ports import TurnCommit
from state.records import Evidence, MemoryWrite
from tests.factories import NOW_MS, memory, turn
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal
from tests.fakes.long_term_memory import FakeLongTermMemory


async def test_a_memory_is_found_by_what_was_said_before_it_and_once_archived_after_it(clock: HandClock) -> None:
    journal, index = FakeJournal(clock), FakeLongTermMemory()
    session = {"user_id": "ann", "session_id": "s1"}

    async def say(text: str) -> None:
        await journal.write_ahead("ann", "s1", [turn(text, turn_id=text)], present=[])

    async def found(question: str) -> bool:
        await drain("ann", journal=journal, long_term_memory=index)
        (hit,) = await index.search("ann", question, statuses=["active"], depth=5)
        return hit.lexical_rank is not None

    await say("what did Priya get for her birthday")
    await say("a green scarf")
    scarf = memory(text="she got a scarf", evidence=(Evidence(turn_id="a green scarf", span="a green scarf"),))
    await journal.commit(TurnCommit(**session, actor="gate", at_ms=NOW_MS, writes=(MemoryWrite(memory=scarf),)))
    assert await found("birthday")
    await say("it was silk")
    assert not await found("silk")
    await journal.commit(TurnCommit(**session, actor="curator", at_ms=NOW_MS, archived=("a green scarf",)))
    assert await found("silk")
