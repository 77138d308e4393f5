"""Dates and times of day in figures, as both languages write them: 2026-06-19, 6/19/2026, 15:30, 3pm."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from nodes.language.timex.calendar import ONE_DAY, Span, days, month, nearest_moment, year
from nodes.language.timex.rules import Asked, Modifier, Rule

_YEAR = r"(?:19|20)\d\d"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_CLOCK = r"(?P<hour>2[0-4]|[01]?\d):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
_HALF = r"(?:\s*(?P<half>[ap])\.?m?(?![A-Za-z\d_])\.?)"
# Before and after which figures are a version, a number, a path or a price.
_FREE = r"(?<![A-Za-z\d./\-:$€£¥])(?<!version )(?<!版本)(?<!版本 )(?<!比分)(?<!比分 )(?<!第)"
_UNNUMBERED = r"(?<![号码#编单])(?<![号码编单] )" + "".join(
    rf"(?<!\b{word} )"
    for word in ("order", "invoice", "ticket", "tracking", "booking", "case", "number", "no", "no\\.", "id")
)
_OVER = r"(?![\d/:%]|-(?!(?:19|20)\d\d[-/.]|\d{1,2}/\d)|\.\d)"
_AFTER_DATE = r"(?<=[:/.\-]\d\d[-~–])|(?<=/\d[-~–])|(?<=/(?:19|20)\d\d[-~–])"
_ALONE = r"\A\s*{}\s*\Z"
_NOON = 12


def clock(day: date, hour: int, minute: int | None) -> Span:
    """Return the hour or the minute of a day that a clock shows; 24 is the midnight it ends with."""
    start = datetime.combine(day, datetime.min.time()) + timedelta(hours=hour, minutes=minute or 0)
    if minute is None:
        return Span(start, start + timedelta(hours=1), "hour")
    return Span(start, start + timedelta(minutes=1), "minute")


def nearest_clock(asked: Asked, hours: tuple[int, ...], minute: int | None) -> Span | None:
    """Return the nearest time of day on the preferred side that one of the hours, with the minute, may mean."""
    around = (asked.today + offset * ONE_DAY for offset in (-1, 0, 1))
    return nearest_moment((clock(day, hour, minute) for day in around for hour in hours), asked.now, asked.prefer)


def _both_halves(hour: int) -> tuple[int, ...]:
    return (hour, hour + _NOON) if 0 < hour < _NOON else (hour,)


def _hours(match: re.Match[str]) -> tuple[int, ...]:
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if not half:
        # Two figures are those of a clock with 24 hours: 08:00 is in the morning.
        return (hour,) if match["hour"].startswith("0") else _both_halves(hour)
    if not 1 <= hour <= _NOON:
        raise ValueError("no hour of half a day")
    return (hour % _NOON + (_NOON if half == "p" else 0),)


def _minute(match: re.Match[str]) -> int | None:
    return None if match["minute"] is None else int(match["minute"])


def _day(match: re.Match[str], _asked: Asked) -> Span:
    return days(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _short_day(match: re.Match[str], asked: Asked) -> Span:
    return days(date(_full_year(match["year"], asked), int(match["month"]), int(match["day"])))


def _american_day(match: re.Match[str], asked: Asked) -> Span:
    """Month first, as in the United States; the other way round where that gives none. Of two ways one is a guess."""
    first, second, number = int(match["first"]), int(match["second"]), _full_year(match["year"], asked)
    if first > _NOON:
        return days(date(number, second, first))
    unsure = second <= _NOON and first != second
    return replace(days(date(number, first, second)), confidence=0.6 if unsure else 1.0)


def _full_year(figures: str, asked: Asked) -> int:
    number = int(figures)
    if len(figures) > 2:
        return number
    return 2000 + number if 2000 + number <= asked.today.year + 10 else 1900 + number


def _month_of_year(match: re.Match[str], _asked: Asked) -> Span:
    return month(int(match["year"]), int(match["month"]))


def _day_of_year(match: re.Match[str], asked: Asked) -> Span | None:
    number, day = int(match["month"]), int(match["day"])
    return asked.in_year(None, lambda of_year: days(date(of_year, number, day)))


def _time_of_day(match: re.Match[str], asked: Asked) -> Span | None:
    return nearest_clock(asked, _hours(match), _minute(match))


def _at_time(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    """The time of day of a day before it, or in the part of a day before it (下午3:30)."""
    minute = _minute(match)
    if base.grain == "day" and base.end - base.start == ONE_DAY:
        return clock(base.start.date(), _hours(match)[0], minute)
    if base.grain == "hour" and base.end - base.start > timedelta(hours=1):
        return in_part(base, _hours(match), minute)
    return None


def in_part(base: Span, hours: tuple[int, ...], minute: int | None) -> Span | None:
    """Return the time of day that lies in a part of a day, or nearest to it where people stretch its limits."""
    first = base.start.date()
    found = [clock(first + day * ONE_DAY, hour, minute) for day in (0, 1) for hour in hours]
    middle = base.start + (base.end - base.start) / 2
    return min(found, key=lambda span: abs(span.start - middle))


def _rule(cues: str, pattern: str, resolve: Callable[[re.Match[str], Asked], Span | None]) -> Rule:
    return Rule(f"(?i){pattern}", resolve, tuple(cues.split()))


RULES: tuple[Rule, ...] = (
    _rule(
        "19 20",
        rf"(?:{_FREE}|{_AFTER_DATE})(?P<year>{_YEAR})(?P<sep>[-/.])(?P<month>{_MONTH})(?P=sep)(?P<day>3[01]|[012]\d|[1-9])"
        rf"(?:(?=[012]\d:[0-5]\d)|{_OVER})",
        _day,
    ),
    _rule(
        "19 20",
        rf"{_FREE}{_UNNUMBERED}(?P<year>{_YEAR})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?![\d.,/\-:%])",
        _day,
    ),
    _rule("19 20", _ALONE.format(rf"(?P<year>{_YEAR}) (?P<month>{_MONTH}) (?P<day>{_DAY})"), _day),
    _rule(
        "/",
        rf"(?:{_FREE}|{_AFTER_DATE})(?P<first>{_DAY})/(?P<second>{_DAY})/(?P<year>{_YEAR}|\d\d)(?![\d/:%]|\.\d)",
        _american_day,
    ),
    _rule("-", _ALONE.format(rf"(?P<year>\d\d)-(?P<month>{_MONTH})-(?P<day>{_DAY})"), _short_day),
    _rule(
        "19 20",
        rf"{_FREE}(?P<year>{_YEAR})[.](?P<month>0[1-9]|1[0-2])(?=-{_YEAR}[.](?:0[1-9]|1[0-2])(?!\d))",
        _month_of_year,
    ),
    _rule("19 20", rf"(?<=\d[.]\d\d-)(?P<year>{_YEAR})[.](?P<month>0[1-9]|1[0-2])(?![\d.])", _month_of_year),
    _rule("19 20", _ALONE.format(rf"(?P<year>{_YEAR})[-/.](?P<month>0[1-9]|1[0-2])"), _month_of_year),
    _rule("-", rf"{_FREE}(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?=\s+[012]\d:[0-5]\d)", _day_of_year),
    _rule("- /", _ALONE.format(rf"(?P<month>{_MONTH})[-/](?P<day>{_DAY})"), _day_of_year),
    _rule("19 20", _ALONE.format(rf"(?P<year>{_YEAR})"), lambda match, _asked: year(int(match["year"]))),
    _rule(":", rf"{_FREE}{_CLOCK}{_HALF}?{_OVER}(?=(?:\s*[-~–—至到]\s*\d|\s*(?:之|以)[前后]))", _time_of_day),
    _rule(":", rf"(?<=[-~–—至到])\s*{_CLOCK}{_HALF}?{_OVER}", _time_of_day),
    _rule(":", _ALONE.format(rf"{_CLOCK}{_HALF}?"), _time_of_day),
)
MODIFIERS: tuple[Modifier, ...] = (Modifier(rf"(?i)\s*(?:at\s+)?{_CLOCK}{_HALF}?(?![\d:%])时?", _at_time),)
