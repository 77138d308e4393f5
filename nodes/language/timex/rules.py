"""What a rule for time expressions is: a pattern over folded text and a function from its match to a span."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from nodes.language.timex.calendar import ONE_DAY, Prefer, Span, days, hours, month, nearest

# How far from now a date without a year is looked for: February 29 is up to eight years away (1896 to 1904).
_YEARS_AROUND = 8


@dataclass(frozen=True)
class Asked:
    """When a text was said, on the user's wall clock (naive), and which side an ambiguous expression leans to.

    In a `zone` hours pass as they do across a change of daylight saving time, without one as the clock shows them.
    """

    now: datetime
    prefer: Prefer
    zone: ZoneInfo | None = None

    @property
    def today(self) -> date:
        """The local day."""
        return self.now.date()

    def later(self, length: timedelta) -> datetime:
        """Return what the clock shows when so much time has passed, or had still to pass; `fold` as in PEP 495."""
        if self.zone is None:
            return self.now + length
        passed = self.now.replace(tzinfo=self.zone).astimezone(UTC) + length
        return passed.astimezone(self.zone).replace(tzinfo=None)

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

    def occasion(self, span: Span, others: Iterable[Span]) -> Span:
        """Return which is meant of a time reckoned from one of many occasions, and of those from the others."""
        return nearest([span, *others], self.now, self.prefer) or span

    def on_weekday(self, weekday: int, part: tuple[int, int] | None) -> Span | None:
        """Return the nearest such day of the week (Monday is 0) on the preferred side, or the part of it."""
        near = [self.today + offset * ONE_DAY for offset in range(-7, 8)]
        return nearest((day_or_part(day, part) for day in near if day.weekday() == weekday), self.now, self.prefer)

    def on_day(self, number: int) -> Span | None:
        """Return the nearest day with that number in its month (1 to 31) on the preferred side."""
        near = []
        for later in range(-2, 3):
            whole = month(self.today.year, self.today.month + later)
            day = days(whole.start.date() + (number - 1) * ONE_DAY)
            if day.start < whole.end:
                near.append(day)
        return nearest(near, self.now, self.prefer)


@dataclass(frozen=True)
class Planning(Asked):
    """Someone who asks what was planned: what comes once a year may be ahead or over, and the nearest is meant."""

    def in_year(self, year: int | None, span_in: Callable[[int], Span | None]) -> Span | None:
        """Return what falls in a year, or without one the nearest on either side."""
        if year is not None:
            return span_in(year)
        sides: tuple[Prefer, ...] = ("past", "future")
        found = [Asked(self.now, prefer, self.zone).in_year(None, span_in) for prefer in sides]
        near = [span for span in found if span is not None]
        return min(near, key=lambda span: max(span.start - self.now, self.now - span.end), default=None)

    def occasion(self, span: Span, others: Iterable[Span]) -> Span:
        """Return the time itself: what it is reckoned from was the nearest."""
        del others
        return span


Resolve = Callable[[re.Match[str], Asked], Span | None]


@dataclass(frozen=True)
class Rule:
    """One kind of expression. `resolve` may give None, or raise ValueError or OverflowError: then it names no time.

    Every match contains one of the `cues` (lower case): a text without them is spared the pattern, which costs a
    hundred times as much. Patterns are compiled when they are first needed: all of them take a third of a second.
    """

    source: str
    resolve: Resolve
    cues: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.source)


Modify = Callable[[Span, re.Match[str], Asked], Span | None]


@dataclass(frozen=True)
class Modifier:
    """Words behind an expression that make another time of it: 第一周 in 十月第一周, 后一天 in 春节后一天.

    `resolve` gets the span before the words, and gives None or raises as that of a `Rule`: then the words are left
    alone. The pattern has to match where the expression ends.
    """

    source: str
    resolve: Modify

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.source)


def day_or_part(day: date, part: tuple[int, int] | None) -> Span:
    """Return the hours `part` of a day, the whole day without one."""
    return hours(day, *(part or (0, 24)))
