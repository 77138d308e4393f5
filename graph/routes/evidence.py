"""Why a memory is believed: where it comes from, what it was judged beside, and what became of it."""

from pydantic import BaseModel

from nodes.provenance import source_turns
from state.ports import Journal
from state.records import Memory, MemoryEvent, Turn


class Source(BaseModel):
    """One piece of a memory's evidence: the words of it, verbatim, and the turn they were said in.

    An episode rests on whole turns and names no words. `turn` is None where the transcript no longer has it.
    """

    turn_id: str
    span: str
    turn: Turn | None


class MemoryDetail(BaseModel):
    """One memory and why it is believed.

    `compared` are the memories its verdict was made beside, as far as they are still there. `replaced` are those whose
    place it took, `replaced_by` is the one that took its place. `opposes` are the memories it contradicts, `opposed_by`
    the open disputes that contradict it.
    """

    memory: Memory
    history: list[MemoryEvent]
    sources: list[Source]
    compared: list[Memory]
    replaced: list[Memory]
    replaced_by: Memory | None
    opposes: list[Memory]
    opposed_by: list[Memory]


async def detail(memory: Memory, journal: Journal) -> MemoryDetail:
    """Gather all that the journal knows about one memory."""
    user_id, memory_id = memory.user_id, memory.memory_id
    said = {turn.turn_id: turn for turn in await source_turns(memory, journal)}
    compared = memory.receipt.neighbours if memory.receipt is not None else ()
    successor = (memory.superseded_by,) if memory.superseded_by is not None else ()
    found = {row.memory_id: row for row in await journal.memories(user_id, [*compared, *successor, *memory.opposes])}
    disputed = await journal.list_memories(
        user_id, statuses=["disputed"], limit=await journal.count_memories(user_id, ["disputed"])
    )
    return MemoryDetail(
        memory=memory,
        history=await journal.history(user_id, memory_id),
        sources=[Source(turn_id=part.turn_id, span=part.span, turn=said.get(part.turn_id)) for part in memory.evidence],
        compared=[found[each] for each in compared if each in found],
        replaced=await journal.replaced_by(user_id, memory_id),
        replaced_by=found.get(memory.superseded_by) if memory.superseded_by is not None else None,
        opposes=[found[each] for each in memory.opposes if each in found],
        opposed_by=[row for row in disputed if memory_id in row.opposes],
    )
