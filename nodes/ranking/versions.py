"""Two memories in nearly the same words are two versions of one thing: the newer comes first."""

from collections.abc import Sequence

from nodes.language.grounding import overlap
from state.schema import RankedRow

# As alike in words, and as near in score, as versions of one plan are; new words make it another memory.
ALIKE = 0.5
NEAR = 0.9


def newer_first(rows: Sequence[RankedRow]) -> list[RankedRow]:
    """Return rows, best first, with a newer version put before the older one where it is hardly worse."""
    ordered: list[RankedRow] = []
    for row in rows:
        place = next((place for place, other in enumerate(ordered) if _is_newer(row, other)), len(ordered))
        ordered.insert(place, row)
    return ordered


def _is_newer(row: RankedRow, other: RankedRow) -> bool:
    if row["parts"]["importance"] < other["parts"]["importance"]:
        return False  # what the user marked yields to nothing that was merely said again
    return (
        row["mentioned_ms"] > other["mentioned_ms"]
        and row["score"] >= NEAR * other["score"]
        and overlap(row["text"], other["text"]) >= ALIKE
    )
