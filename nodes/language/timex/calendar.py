"""Calendar arithmetic on the user's wall clock, and where its spans lie in time.

A `Span` is `[start, end)` in naive local datetimes. Days are counted on the calendar and turned into instants last, by
`instants`, so that a day across a change of daylight saving time has its 23 or 25 hours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from state.records import Grain

Prefer = Literal["past", "future"]

ONE_DAY = timedelta(days=1)
_DECADE = 10
# How far beside what they say people mean who say "about" it, and how sure it is then.
_ABOUT = {
    "day": 3 * ONE_DAY,
    "week": 4 * ONE_DAY,
    "month": 15 * ONE_DAY,
    "quarter": 45 * ONE_DAY,
    "year": 183 * ONE_DAY,
    "decade": 730 * ONE_DAY,
}
_ABOUT_CONFIDENCE = 0.8
_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Span:
    """A stretch of local time `[start, end)`, both naive, as the words have it.

    `reach` is how far beside it, on either side, people who use these words may mean: "three months ago" is a day on
    the calendar and some two weeks around it. `confidence` is below 1 where the words may mean another time.
    `floating` says that the words name one of many, as "June" or "at three", and the preferred side chose.
    """

    start: datetime
    end: datetime
    grain: Grain = "day"
    reach: timedelta = timedelta(0)
    confidence: float = 1.0
    floating: bool = False


def days(first: date, count: int = 1) -> Span:
    """Return `count` whole days from `first` on."""
    start = datetime.combine(first, time())
    return Span(start, start + count * ONE_DAY)


def around(middle: date, reach: int) -> Span:
    """Return a day that is meant give or take `reach` days."""
    return replace(days(middle), reach=reach * ONE_DAY)


def hours(day: date, first: int, end: int) -> Span:
    """Return the hours `[first, end)` of a day; an end above 24 reaches into the next morning."""
    midnight = datetime.combine(day, time())
    grain: Grain = "day" if (first, end) == (0, 24) else "hour"
    return Span(midnight + timedelta(hours=first), midnight + timedelta(hours=end), grain)


def about(span: Span) -> Span:
    """Return a span that is meant give or take some of its grain: 三月中旬左右, "around June"."""
    reach = max(span.reach, _ABOUT.get(span.grain, timedelta(minutes=30)))
    return replace(span, reach=reach, confidence=min(span.confidence, _ABOUT_CONFIDENCE))


def monday(day: date) -> date:
    """Return the Monday of the week a day is in: weeks start on Monday (ISO 8601)."""
    return day - day.weekday() * ONE_DAY


def week(day: date, later: int = 0) -> Span:
    """Return the calendar week a day is in, or one `later` weeks later (earlier, if negative)."""
    return replace(days(monday(day) + 7 * later * ONE_DAY, 7), grain="week")


def week_after(span: Span) -> Span:
    """Return the calendar week after the one in which a span ends."""
    return week((span.end - timedelta(microseconds=1)).date(), 1)


def week_before(span: Span) -> Span:
    """Return the calendar week before the one in which a span begins."""
    return week(span.start.date(), -1)


def day_after(span: Span, nth: int = 1) -> Span:
    """Return the `nth` day (from 1) after a span is over."""
    return days((span.end - timedelta(microseconds=1)).date() + nth * ONE_DAY)


def day_before(span: Span, nth: int = 1) -> Span:
    """Return the `nth` day (from 1) before a span begins."""
    return days(span.start.date() - nth * ONE_DAY)


def nth_week(span: Span, nth: int) -> Span | None:
    """Return the `nth` week (from 1) that begins in a span; None where it has no such week."""
    first = span.start.date()
    found = week(first + ((-first.weekday()) % 7 + 7 * (nth - 1)) * ONE_DAY)
    return found if found.start < span.end else None


def last_weeks(span: Span, count: int) -> Span:
    """Return the last `count` weeks of a span: the last is the last with most of its days in it (ISO 8601)."""
    last = week(day_before(Span(span.end, span.end), 4).start.date())
    return replace(last, start=last.start - 7 * (count - 1) * ONE_DAY)


def nth_weekday_in(span: Span, weekday: int, nth: int) -> Span | None:
    """Return the `nth` given weekday (Monday is 0) in a span, -1 for the last; None where it has no such day."""
    if nth < 0:
        last = (span.end - timedelta(microseconds=1)).date()
        found = days(last - ((last.weekday() - weekday) % 7 + 7 * (-nth - 1)) * ONE_DAY)
        return found if found.start >= span.start else None
    first = span.start.date()
    found = days(first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * ONE_DAY)
    return found if found.start < span.end else None


def month(year: int, number: int) -> Span:
    """Return a calendar month; `number` may lie outside 1..12 and then counts into the years around."""
    return months(year, number, 1)


def months(year: int, first: int, count: int) -> Span:
    """Return `count` calendar months from month `first` of a year on."""
    start, end = (datetime.combine(_first_of(year, number), time()) for number in (first, first + count))
    return Span(start, end, "month")


def quarter(year: int, number: int) -> Span:
    """Return a quarter of a year; `number` may lie outside 1..4 and then counts into the years around."""
    return replace(months(year, 3 * number - 2, 3), grain="quarter")


def month_later(day: date, count: int) -> date:
    """Return the same day `count` months later (earlier, if negative), or the month's last day where it is shorter."""
    first = _first_of(day.year, day.month + count)
    length = (_first_of(first.year, first.month + 1) - first).days
    return first.replace(day=min(day.day, length))


def year(number: int) -> Span:
    """Return a calendar year."""
    return replace(months(number, 1, 12), grain="year")


def years(first: int, count: int) -> Span:
    """Return `count` calendar years from `first` on; ten of them or more are decades."""
    return replace(months(first, 1, 12 * count), grain="year" if count < _DECADE else "decade")


def nth_weekday(year: int, number: int, weekday: int, nth: int) -> date:
    """Return the `nth` (from 1) given weekday (Monday is 0) of a month."""
    first = date(year, number, 1)
    return first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * ONE_DAY


def nearest(spans: Iterable[Span], now: datetime, prefer: Prefer) -> Span | None:
    """Return the latest span that has begun ("past"), or the earliest that is not over ("future")."""
    if prefer == "past":
        found = max((span for span in spans if span.start <= now), key=lambda span: span.start, default=None)
    else:
        found = min((span for span in spans if span.end > now), key=lambda span: span.start, default=None)
    return replace(found, floating=True) if found else None


def nearest_moment(spans: Iterable[Span], now: datetime, prefer: Prefer) -> Span | None:
    """Return the latest that has begun ("past"), or the earliest that is yet to begin ("future").

    For times on a clock: at a quarter past three, three o'clock is over.
    """
    if prefer == "future":
        spans = [span for span in spans if span.start >= now.replace(second=0, microsecond=0)]
    return nearest(spans, now, prefer)


def instants(span: Span, zone: ZoneInfo) -> tuple[int, int]:
    """Return a span's start and end with its reach, in epoch milliseconds, UTC.

    A wall time that daylight saving skips means the instant of the change, one that it repeats the first of the two
    unless its `fold` says the second. A reach of hours is so much time, one of days is counted on the calendar.
    """
    if span.reach < ONE_DAY:
        reach = span.reach // timedelta(milliseconds=1)
        return _instant(span.start, zone) - reach, _instant(span.end, zone) + reach
    return _instant(span.start - span.reach, zone), _instant(span.end + span.reach, zone)


def wall_clock(ms: int, zone: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows at an instant, naive; `fold` says which of an hour that is repeated."""
    return (_EPOCH + timedelta(milliseconds=ms)).astimezone(zone).replace(tzinfo=None)


def _instant(local: datetime, zone: ZoneInfo) -> int:
    return (local.replace(tzinfo=zone).astimezone(UTC) - _EPOCH) // timedelta(milliseconds=1)


def _first_of(year: int, number: int) -> date:
    return date(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)
