"""Where a memory comes from."""

from state.ports import Journal
from state.records import Memory, Turn


async def source_turns(memory: Memory, journal: Journal) -> list[Turn]:
    """Return the turns a memory rests on, in the order they were said."""
    of_evidence = {part.turn_id for part in memory.evidence}
    said = await journal.transcript(memory.user_id, memory.session_id)
    return [turn for turn in said if turn.turn_id in of_evidence]
