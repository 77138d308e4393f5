"""The ids of turns where what is stored is not what was given: rules without a database."""

import re
from collections.abc import Iterable, Sequence

from state.ports import WriteAhead
from state.records import Evidence, Turn
from state.stores.boundary import storable

_RENAMED = re.compile(r"~\d+$")


def renamed(turn: Turn) -> str:
    """Return the id under which the words of a turn are kept that was edited since."""
    return f"{turn.turn_id}~{turn.ordinal}"


def bearing(evidence: Iterable[Evidence]) -> list[str]:
    """Return the ids of the turns that may hold these words: those named, and of an edited one what it became."""
    named = [part.turn_id for part in evidence]
    return list(dict.fromkeys([*named, *(_RENAMED.sub("", turn_id) for turn_id in named)]))


def as_given(done: WriteAhead, turns: Sequence[Turn], present: Sequence[str]) -> WriteAhead:
    """Return what was done under the ids the caller gave, so that it finds its own messages again."""
    written = [
        kept.model_copy(update={"turn_id": given.turn_id}) for kept, given in zip(done.turns, turns, strict=True)
    ]
    archived = tuple(turn_id for turn_id in present if storable(turn_id) in done.archived)
    return done.model_copy(update={"turns": tuple(written), "archived": archived})
