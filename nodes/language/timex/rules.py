"""What a rule for time expressions is: a pattern over folded text and a function from its match to a span."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from nodes.language.timex.calendar import ONE_DAY, Prefer, Span, hours, nearest

# How far from now a date without a year is looked for: February 29 is up to eight years away (1896 to 1904).
_YEARS_AROUND = 8


@dataclass(frozen=True)
class Asked:
    """When a text was said, on the user's wall clock (naive), and which side an ambiguous expression leans to."""

    now: datetime
    prefer: Prefer

    @property
    def today(self) -> date:
        """The local day."""
        return self.now.date()

    def in_year(self, year: int | None, span_in: Callable[[int], Span | None]) -> Span | None:
        """Return what falls in a year, or without one the nearest on the preferred side; None where there is none.

        `span_in` gives the span in a year, None or ValueError where that year has none (February 29).
        """
        if year is not None:
            return span_in(year)
        step = -1 if self.prefer == "past" else 1
        for number in range(self.today.year - step, self.today.year + step * (_YEARS_AROUND + 1), step):
            try:
                span = span_in(number)
            except ValueError:
                continue
            if span is not None and (found := nearest([span], self.now, self.prefer)):
                return found
        return None

    def on_weekday(self, weekday: int, part: tuple[int, int] | None) -> Span | None:
        """Return the nearest such day of the week (Monday is 0) on the preferred side, or the part of it."""
        near = [self.today + offset * ONE_DAY for offset in range(-7, 8)]
        return nearest((day_or_part(day, part) for day in near if day.weekday() == weekday), self.now, self.prefer)


Resolve = Callable[[re.Match[str], Asked], Span | None]


@dataclass(frozen=True)
class Rule:
    """One kind of expression. `resolve` may give None, or raise ValueError or OverflowError: then it names no time.

    Every match contains one of the `cues` (lower case): a text without them is spared the pattern, which costs a
    hundred times as much.
    """

    pattern: re.Pattern[str]
    resolve: Resolve
    cues: tuple[str, ...]


def day_or_part(day: date, part: tuple[int, int] | None) -> Span:
    """Return the hours `part` of a day, the whole day without one."""
    return hours(day, *(part or (0, 24)))
