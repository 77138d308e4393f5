"""What a parser is asked, what it answers, and how that is scored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import NamedTuple

from nodes.language.timex.calendar import Prefer
from tests.bench.figures import Figures, rate
from tests.bench.time.sets import Case, Days


class Question(NamedTuple):
    """A text, when it was said (naive, UTC), its language, and the side that a date leans to that could be both.

    `whole` says that the text is the expression itself, not a sentence in which to look for some.
    """

    text: str
    whole: bool
    said: datetime
    language: str
    prefer: Prefer


class Found(NamedTuple):
    """A time found at `[start, end)` of a text, and its days."""

    start: int
    end: int
    days: Days


class Answer(NamedTuple):
    """All times found in a text, and the milliseconds it took."""

    found: tuple[Found, ...]
    ms: float

    @property
    def days(self) -> Days | None:
        """The days of the one that covers most of the text; None where none was found."""
        return max(self.found, key=lambda one: one.end - one.start).days if self.found else None


@dataclass(frozen=True)
class Outcome:
    """What a parser made of a case: of the expression alone, and, where it was asked, of its sentence.

    Of a set that leans to either side it was asked for both readings of the expression; what it answers on the
    `other_side` counts as much.
    """

    case: Case
    alone: Answer
    sentence: Answer | None = None
    other_side: Answer | None = None

    @property
    def readings(self) -> list[Days]:
        """The days of the expression alone, on the sides it was asked for."""
        return [each.days for each in (self.alone, self.other_side) if each is not None and each.days is not None]

    @property
    def start_right(self) -> bool:
        """Whether the first day is the one of a right reading, or of one that is open there."""
        return any(_first_right(days, right) for days in self.readings for right in self.case.right)

    @property
    def right(self) -> bool:
        """Whether the first and the last day are those of one right reading."""
        return any(is_right(days, self.case) for days in self.readings)

    @property
    def right_inclusive(self) -> bool:
        """Whether it is right, or is the reading of a range with the whole of its end in it."""
        return self.right or any(days in self.case.inclusive for days in self.readings)

    @property
    def sentence_right(self) -> bool | None:
        """Whether a time with the right days was found where the expression stands; None if no sentence was asked."""
        if self.sentence is None:
            return None
        there = [one for one in self.sentence.found if one.start < self.case.end and self.case.start < one.end]
        return any(is_right(one.days, self.case) for one in there)


def is_right(days: Days, case: Case) -> bool:
    """Say whether the days are those of a right reading; a side that this one leaves open is not looked at."""
    return any(_first_right(days, right) and (right.last is None or days.last == right.last) for right in case.right)


def _first_right(days: Days, right: Days) -> bool:
    return right.first is None or days.first == right.first


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """Return the shares that are right and parsed, and the median milliseconds of an expression alone.

    The name of the share with both days right is empty.
    """
    found = {
        "": rate(outcomes, lambda outcome: outcome.right),
        ".start": rate(outcomes, lambda outcome: outcome.start_right),
        ".parsed": rate(outcomes, lambda outcome: bool(outcome.readings)),
        ".ms": median(outcome.alone.ms for outcome in outcomes),
    }
    asked = [outcome for outcome in outcomes if outcome.sentence is not None]
    if asked:
        found[".sentence"] = rate(asked, lambda outcome: bool(outcome.sentence_right))
    if any(outcome.case.inclusive for outcome in outcomes):
        found[".inclusive"] = rate(outcomes, lambda outcome: outcome.right_inclusive)
    return found
