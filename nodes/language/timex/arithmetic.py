"""Steps along the calendar by units that have a name: days, weeks, months, quarters, years, decades, hours."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from nodes.language.timex.calendar import ONE_DAY, Span, days, monday, month_later, months
from nodes.language.timex.rules import Asked
from state.records import Grain

ONE_WEEK = 7 * ONE_DAY
# How many months a unit has, and how far off the count people are when they say so many of it.
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120, "century": 1200}
_REACH = {"week": 3, "fortnight": 3, "month": 15, "quarter": 45, "season": 45, "year": 183, "decade": 1826}
_GRAINS: dict[str, Grain] = {
    "second": "minute",
    "minute": "minute",
    "hour": "hour",
    "day": "day",
    "weekend": "day",
    "week": "week",
    "fortnight": "week",
    "month": "month",
    "quarter": "quarter",
    "season": "quarter",
    "year": "year",
    "decade": "decade",
    "century": "decade",
}
_DECADE = 10
_SHORT_UNITS = {"second": 1, "minute": 60, "hour": 3600}


def grain_of(unit: str) -> Grain:
    """Return the grain a unit counts in."""
    return _GRAINS[unit]


def day_span(day: date) -> Span:
    """Return one day."""
    return days(day)


def whole(first: date, count: int, grain: Grain) -> Span:
    """Return `count` days from `first` on, counted in a coarser grain."""
    return replace(days(first, count), grain=grain)


def minute_of(asked: Asked) -> Span:
    """Return the minute that runs."""
    this = replace(asked, now=asked.now.replace(second=0, microsecond=0))
    return Span(this.now, this.later(timedelta(minutes=1)), "minute")


def moved(day: date, count: int, unit: str) -> date:
    """Return the day `count` units later, earlier if negative; the unit is a day or longer."""
    if unit in _MONTHS:
        return month_later(day, count * _MONTHS[unit])
    return day + count * {"day": 1, "week": 7, "fortnight": 14}[unit] * ONE_DAY


def is_short(unit: str) -> bool:
    """Say whether a unit is shorter than a day."""
    return unit in _SHORT_UNITS


def seconds(count: float, unit: str) -> timedelta:
    """Return the length of `count` units that are shorter than a day."""
    return timedelta(seconds=count * _SHORT_UNITS[unit])


def away(asked: Asked, count: float, unit: str) -> Span:
    """Return the time `count` units from now: a minute for short units, else that day and what people err by."""
    if is_short(unit):
        return minute_of(replace(asked, now=asked.later(seconds(count, unit))))
    reach = _REACH.get(unit, 0) * ONE_DAY
    return replace(days(moved(asked.today, int(count), unit)), grain=grain_of(unit), reach=reach)


def unit_of(day: date, unit: str, shift: int = 0, count: int = 1) -> Span:
    """Return the calendar unit a day is in, or `count` of them from the one `shift` units later on."""
    match unit:
        case "day":
            return days(day + shift * ONE_DAY, count)
        case "week":
            return whole(monday(day) + shift * ONE_WEEK, 7 * count, "week")
        case "fortnight":
            return whole(monday(day) + 2 * shift * ONE_WEEK, 14 * count, "week")
        case "weekend":
            return whole(monday(day) + shift * ONE_WEEK + 5 * ONE_DAY, 7 * count - 5, "day")
        case "month":
            return replace(months(day.year, day.month + shift, count), grain="month")
        case "quarter":
            return replace(months(day.year, (day.month - 1) // 3 * 3 + 1 + 3 * shift, 3 * count), grain="quarter")
        case "season":
            return replace(months(day.year, day.month // 3 * 3 + 3 * shift, 3 * count), grain="quarter")
        case _:
            length = _MONTHS[unit] // 12
            first = day.year // length * length + length * shift
            return replace(months(first, 1, 12 * length * count), grain=grain_of(unit))


def units_around(asked: Asked, count: int, unit: str, *, ahead: bool) -> Span:
    """Return the last or next `count` whole units without the one that runs; it is within `reach`."""
    if is_short(unit):
        length = seconds(count, unit)
        start, end = (asked.now, asked.later(length)) if ahead else (asked.later(-length), asked.now)
        return Span(start, end, grain_of(unit))
    span = unit_of(asked.today, unit, 1 if ahead else -count, count)
    return replace(span, reach=ONE_DAY if unit == "day" else _REACH.get(unit, 7) * ONE_DAY)


def rolling(asked: Asked, count: int, unit: str, *, ahead: bool) -> Span:
    """Return the `count` units up to today, or from tomorrow on, counted from today."""
    if is_short(unit):
        return units_around(asked, count, unit, ahead=ahead)
    today = asked.today
    first = today + ONE_DAY if ahead else moved(today, -count, unit)
    end = moved(first, count, unit) if ahead else today
    return replace(days(first, (end - first).days), grain=grain_of(unit), reach=ONE_DAY)


def nth_within(span: Span, nth: int, unit: str) -> Span | None:
    """Return the nth (from 1; from -1 backwards) unit of a span; a week counts where its Thursday is (ISO 8601)."""
    found = first_within(span, 1, unit, nth)
    return found if found and found.start < span.end else None


def first_within(span: Span, count: int, unit: str, nth: int = 1) -> Span | None:
    """Return `count` units from the nth of a span on, or its last ones for a negative `nth`; None for no such unit."""
    first, end = span.start.date(), span.end.date()
    if unit == "day":
        start = first + (nth - 1) * ONE_DAY if nth > 0 else end + (nth + 1 - count) * ONE_DAY
        return days(start, count)
    if unit in ("week", "weekend"):
        anchor = 3 if unit == "week" else 5
        if nth > 0:
            start = monday(first + (anchor - first.weekday()) % 7 * ONE_DAY) + (nth - 1) * ONE_WEEK
        else:
            last = end - ONE_DAY
            start = monday(last - (last.weekday() - anchor) % 7 * ONE_DAY) + (nth + 2 - count) * ONE_WEEK
        if unit == "weekend":
            return whole(start + 5 * ONE_DAY, 7 * count - 5, "day")
        return whole(start, 7 * count, "week")
    if unit in _MONTHS:
        step = _MONTHS[unit]
        number = first.month + (nth - 1) * step
        if nth < 0:
            number = first.month + (end.year - first.year) * 12 + end.month - first.month + (nth + 1 - count) * step
        return replace(months(first.year, number, step * count), grain=grain_of(unit))
    return None


def weekday_within(span: Span, weekday: int, nth: int) -> date | None:
    """Return the nth (from 1; from -1 backwards) given weekday (Monday is 0) in a span; None where it has none."""
    first, last = span.start.date(), (span.end - ONE_DAY).date()
    if nth > 0:
        day = first + ((weekday - first.weekday()) % 7) * ONE_DAY + (nth - 1) * ONE_WEEK
    else:
        day = last - ((last.weekday() - weekday) % 7) * ONE_DAY + (nth + 1) * ONE_WEEK
    return day if first <= day <= last else None


def third(span: Span, piece: str) -> Span:
    """Return the beginning, middle or end of a span, as English counts them.

    Of a month ten days each; of a year January to March, May to August, September on; of a week Monday to Wednesday,
    Thursday, Friday to Sunday; of a decade four, three and three years; of anything else a third.
    """
    start, end = span.start, span.end
    place = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}[piece]
    first = start.date()
    if span.grain == "decade" and (end.year - start.year) == _DECADE:
        number, count = ((0, 4), (4, 3), (7, 3))[place]
        return replace(months(first.year + number, 1, 12 * count), grain="year")
    if span.grain == "month":
        cut = [start, start + 10 * ONE_DAY, start + 20 * ONE_DAY, end]
    elif span.grain == "year" and first.month == 1:
        number, count = ((1, 3), (5, 4), (9, 4))[place]
        return replace(months(first.year, number, count), grain="month")
    elif span.grain == "week":
        cut = [start, start + 3 * ONE_DAY, start + 4 * ONE_DAY, end]
    else:
        length = (end - start) / 3
        cut = [start, *(_to_midnight(start + n * length, span) for n in (1, 2)), end]
    return replace(span, start=cut[place], end=cut[place + 1], grain="day")


def _to_midnight(moment: datetime, span: Span) -> datetime:
    return moment if span.end - span.start <= 2 * ONE_DAY else datetime.combine(moment.date(), time())
