"""What came of a case."""

import json
from dataclasses import dataclass
from typing import Literal

from state.records import Resolution, Status, Verdict
from tests.bench.gate.own_cases import Case

Fate = Status | Literal["mentioned", "resolved", "dropped"]


@dataclass(frozen=True)
class Outcome:
    """What came of a case, as the journal shows it afterwards. Numbers are places among the case's memories.

    `got` is the class the gate came to; `concerned` are the memories it acted on; `lost` are active ones that no longer
    stand although the case leaves them standing; `similarity` is the greatest cosine to an active one.
    """

    case: Case
    got: str
    fate: Fate
    verdict: Verdict | None
    reason: str
    text: str
    concerned: tuple[int, ...] = ()
    resolution: Resolution | None = None
    lost: tuple[int, ...] = ()
    similarity: float = 0.0

    @property
    def right(self) -> bool:
        """Say whether class, memories concerned and resolution are those expected."""
        return self.got == self.case.label and self.concerns_right and self.resolution_right

    @property
    def concerns_right(self) -> bool:
        """Say whether the gate acted on the memories the case names; one of them is enough for a duplicate."""
        expected = set(self.case.expect.concerns)
        if self.case.label == "partial":
            return True
        if self.case.label == "duplicate":
            return bool(self.concerned) and set(self.concerned) <= expected
        return set(self.concerned) == expected

    @property
    def resolution_right(self) -> bool:
        return self.case.label != "resolves" or self.resolution == self.case.expect.resolution

    def row(self) -> str:
        """Return the case with what came of it, as one line of JSON."""
        case = self.case
        told = case.model_dump(mode="json", by_alias=True, exclude_none=True)
        got = {
            "class": self.got,
            "fate": self.fate,
            "verdict": self.verdict.row() if self.verdict else None,
            "reason": self.reason,
            "text": self.text,
            "concerned": self.concerned,
            "resolution": self.resolution,
            "lost": self.lost,
        }
        return json.dumps({**told, "got": got}, ensure_ascii=False)
