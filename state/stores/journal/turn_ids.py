"""The ids of turns where what is stored is not what was given: rules without a database."""

from collections.abc import Sequence

from state.ports import WriteAhead
from state.records import Turn
from state.stores.boundary import storable


def renamed(turn: Turn) -> str:
    """Return the id under which the words of a turn are kept that was edited since."""
    return f"{turn.turn_id}~{turn.ordinal}"


def as_given(done: WriteAhead, turns: Sequence[Turn], present: Sequence[str]) -> WriteAhead:
    """Return what was done under the ids the caller gave, so that it finds its own messages again."""
    written = [
        kept.model_copy(update={"turn_id": given.turn_id}) for kept, given in zip(done.turns, turns, strict=True)
    ]
    archived = tuple(turn_id for turn_id in present if storable(turn_id) in done.archived)
    return done.model_copy(update={"turns": tuple(written), "archived": archived})
