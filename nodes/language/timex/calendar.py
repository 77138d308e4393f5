"""Calendar arithmetic on the user's wall clock, and where its spans lie in time.

A `Span` is `[start, end)` in naive local datetimes. Days are counted on the calendar and turned into instants last, by
`instants`, so that a day across a change of daylight saving time has its 23 or 25 hours.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

Prefer = Literal["past", "future"]

ONE_DAY = timedelta(days=1)
_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Span:
    """A stretch of local time `[start, end)`, both naive."""

    start: datetime
    end: datetime


def days(first: date, count: int = 1) -> Span:
    """Return `count` whole days from `first` on."""
    start = datetime.combine(first, time())
    return Span(start, start + count * ONE_DAY)


def around(middle: date, reach: int) -> Span:
    """Return the days from `reach` days before `middle` to `reach` days after it."""
    return days(middle - reach * ONE_DAY, 2 * reach + 1)


def hours(day: date, first: int, end: int) -> Span:
    """Return the hours `[first, end)` of a day; an end above 24 reaches into the next morning."""
    midnight = datetime.combine(day, time())
    return Span(midnight + timedelta(hours=first), midnight + timedelta(hours=end))


def monday(day: date) -> date:
    """Return the Monday of the week a day is in: weeks start on Monday (ISO 8601)."""
    return day - day.weekday() * ONE_DAY


def month(year: int, number: int) -> Span:
    """Return a calendar month; `number` may lie outside 1..12 and then counts into the years around."""
    return months(year, number, 1)


def months(year: int, first: int, count: int) -> Span:
    """Return `count` calendar months from month `first` of a year on."""
    return Span(
        datetime.combine(_first_of(year, first), time()), datetime.combine(_first_of(year, first + count), time())
    )


def month_later(day: date, count: int) -> date:
    """Return the same day `count` months later (earlier, if negative), or the month's last day where it is shorter."""
    first = _first_of(day.year, day.month + count)
    length = (_first_of(first.year, first.month + 1) - first).days
    return first.replace(day=min(day.day, length))


def year(number: int) -> Span:
    """Return a calendar year."""
    return months(number, 1, 12)


def nth_weekday(year: int, number: int, weekday: int, nth: int) -> date:
    """Return the `nth` (from 1) given weekday (Monday is 0) of a month."""
    first = date(year, number, 1)
    return first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * ONE_DAY


def nearest(spans: Iterable[Span], now: datetime, prefer: Prefer) -> Span | None:
    """Return the latest span that has begun ("past"), or the earliest that is not over ("future")."""
    if prefer == "past":
        return max((span for span in spans if span.start <= now), key=lambda span: span.start, default=None)
    return min((span for span in spans if span.end > now), key=lambda span: span.start, default=None)


def instants(span: Span, zone: ZoneInfo) -> tuple[int, int]:
    """Return a span's start and end in epoch milliseconds, UTC.

    A wall time that daylight saving skips means the instant of the change, one that it repeats the first of the two.
    """
    return _instant(span.start, zone), _instant(span.end, zone)


def wall_clock(ms: int, zone: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows at an instant, naive."""
    return (_EPOCH + timedelta(milliseconds=ms)).astimezone(zone).replace(tzinfo=None)


def _instant(local: datetime, zone: ZoneInfo) -> int:
    return (local.replace(tzinfo=zone, fold=0).astimezone(UTC) - _EPOCH) // timedelta(milliseconds=1)


def _first_of(year: int, number: int) -> date:
    return date(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)
