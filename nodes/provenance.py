"""Where a memory comes from, and what fact_check is given to find it."""

from collections.abc import Sequence
from typing import Literal

from state.ports import Journal
from state.records import Candidate, Memory, Turn
from state.schema import SourceRow

CONTEXT_TURNS = 4


async def source_turns(memory: Memory, journal: Journal) -> list[Turn]:
    """Return the turns a memory rests on, in the order they were said."""
    return resting_on(memory, await journal.transcript(memory.user_id, memory.session_id))


def resting_on(memory: Memory, said: Sequence[Turn]) -> list[Turn]:
    """Return the turns of a session that a memory rests on, in the order they were said."""
    of_evidence = {part.turn_id for part in memory.evidence}
    return [turn for turn in said if turn.turn_id in of_evidence]


def before(turns: Sequence[Turn], said: Sequence[Turn]) -> list[Turn]:
    """Return the last turns of a session before the first of these, oldest first."""
    first = min((turn.ordinal for turn in turns), default=0)
    return [turn for turn in said if turn.ordinal < first][-CONTEXT_TURNS:]


def source_row(
    kind: Literal["turn", "episode", "memory", "given"],
    turns: Sequence[Turn],
    *,
    context: Sequence[Turn] = (),
    memory: Memory | None = None,
    candidates: Sequence[Candidate] = (),
    asked: Sequence[str] = (),
) -> SourceRow:
    """Return a source of fact_check; see SourceRow."""
    return {
        "kind": kind,
        "turns": [turn.row() for turn in turns],
        "context": [turn.row() for turn in context],
        "memory": memory.row() if memory is not None else None,
        "candidates": [candidate.row() for candidate in candidates],
        "asked": list(asked),
    }
