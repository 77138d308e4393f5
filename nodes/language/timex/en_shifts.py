"""English times that are counted from others, and ranges: "two days after Christmas", "June 3 to June 5"."""

import re
from dataclasses import replace
from datetime import date, timedelta

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import (
    ONE_DAY,
    Span,
    day_after,
    day_before,
    days,
    week,
    week_after,
    week_before,
)
from nodes.language.timex.compose import DAY, LAST, SPAN, Meaning, Parts, Pattern
from nodes.language.timex.en_words import (
    FULL_WEEKDAY,
    LONG_UNIT,
    N,
    key,
    number,
    pattern,
    unit_key,
    weekday_number,
)
from nodes.language.timex.numerals import ENGLISH_ORDINAL, english_ordinal, is_vague
from nodes.language.timex.rules import Asked

_HOUR = timedelta(hours=1)
_SUNDAY = 6


def _counted_from(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "two weeks after Christmas", "3 days from Tuesday", "a month before that date"."""
    span, unit, way = parts["span"].span, unit_key(match["unit"]), key(match["way"])
    count = number(match["n"])
    anchor = span.start.date() if way in ("before", "prior to") else day_before(Span(span.end, span.end)).start.date()
    sign = -1 if way in ("before", "prior to") else 1
    if unit == "weekend":
        saturday = _weekend_beside(anchor, sign) + sign * (count - 1) * arithmetic.ONE_WEEK
        return Meaning(days(saturday, 2), "period")
    found = replace(days(arithmetic.moved(anchor, sign * count, unit)), grain=arithmetic.grain_of(unit))
    if is_vague(match["n"]):
        found = replace(found, reach=2 * ONE_DAY, confidence=0.7)
    return Meaning(found)


def _stretch_beside(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "the two weeks after Christmas", "the 3 days before her exam"."""
    span, count, unit = parts["span"].span, number(match["n"]), unit_key(match["unit"])
    if match["way"] == "before":
        end = span.start.date()
        start = arithmetic.moved(end, -count, unit)
    else:
        start = day_after(span).start.date()
        end = arithmetic.moved(start, count, unit)
    return Meaning(replace(days(start, (end - start).days), grain=arithmetic.grain_of(unit)), "period")


def _weekend_beside(day: date, sign: int) -> date:
    """Return the Saturday of the weekend that begins after a day (1), or that is over before it (-1)."""
    if sign > 0:
        return day + ((5 - day.weekday() - 1) % 7 + 1) * ONE_DAY
    return day - ((day.weekday() - 6 - 1) % 7 + 2) * ONE_DAY


def _next_to(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "the week after Thanksgiving", "the day before Easter", "the weekend following her birthday"."""
    span, unit, after = parts["span"].span, unit_key(match["unit"]), key(match["way"]) in ("after", "following")
    last = day_before(Span(span.end, span.end)).start.date()
    match unit:
        case "day":
            return Meaning(day_after(span) if after else day_before(span))
        case "week":
            # The week before a Sunday is the one that ends with it.
            ends = span.start.weekday() == _SUNDAY and not after
            found = week_after(span) if after else week(span.start.date()) if ends else week_before(span)
            return Meaning(found, "period")
        case "weekend":
            saturday = _weekend_beside(last, 1) if after else _weekend_beside(span.start.date(), -1)
            return Meaning(days(saturday, 2), "period")
        case _:
            found = arithmetic.unit_of(last if after else span.start.date(), unit, 1 if after else -1)
            return Meaning(found, "period")


def _weekday_after(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "the Monday after Easter", "third Tuesday after Christmas"."""
    name = _WEEKDAY_NAME.fullmatch(parts.raw("day").lower())
    if name is None:
        return None
    span, weekday = parts["span"].span, weekday_number(name[1])
    count = english_ordinal(key(match["nth"])) if match["nth"] else 1
    if key(match["way"]) in ("after", "following"):
        first = day_after(span).start.date()
        return Meaning(days(first + ((weekday - first.weekday()) % 7 + 7 * (count - 1)) * ONE_DAY))
    last = day_before(span).start.date()
    return Meaning(days(last - ((last.weekday() - weekday) % 7 + 7 * (count - 1)) * ONE_DAY))


def _range(_match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "June 3 to June 5", "between now and Friday"; "Monday to Friday" is a habit."""
    begin = parts["span"]
    end = parts.later("last", begin.span)
    if begin.span.floating and not end.span.floating:
        begin = parts.earlier("span", end.span)
    if not begin.sure and not end.sure:
        return None
    last = end.span.start if end.span.end - end.span.start <= _HOUR else end.span.end
    if last <= begin.span.start:
        return None
    return Meaning(replace(begin.span, end=last, reach=max(begin.span.reach, end.span.reach)), "period")


def _week_of(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    day = parts["day"].span.start.date()
    return Meaning(arithmetic.unit_of(day, match["unit"]), "period")


def _units_from(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "two weeks starting May 20th", "May 20th for two weeks": as many units from that day on."""
    unit = unit_key(match["unit"])
    first = parts["day"].span.start.date()
    end = arithmetic.moved(first, number(match["n"]), unit)
    return Meaning(replace(days(first, (end - first).days), grain=arithmetic.grain_of(unit)), "period")


_WEEKDAY_NAME = re.compile(rf"(?:on\s+)?(?:the\s+)?({FULL_WEEKDAY})")
_LONG = LONG_UNIT.removeprefix("(?P<unit>").removesuffix(")")

RANGES: tuple[Pattern, ...] = (
    pattern(
        "to - – ~ til through thru",
        rf"(?:(?P<word>from|between)\s+)?{SPAN}\s*(?:to|-|–|~|till|until|through|thru)\s*(?:the\s+)?{LAST}",
        _range,
    ),
    pattern("between", rf"(?P<word>between)\s+(?:the\s+)?{SPAN}\s+and\s+(?:the\s+)?{LAST}", _range),
)
FROM_A_DAY: tuple[Pattern, ...] = (
    pattern(
        "after before following",
        rf"(?:in\s+|during\s+)?(?:the\s+)(?:first\s+)?{N}\s+{LONG_UNIT}\s+(?P<way>after|before|following)\s+(?:the\s+)?{SPAN}",
        _stretch_beside,
        reckoned=True,
    ),
    pattern(
        "after before from following prior",
        rf"(?<!than ){N}\s+(?P<unit>weekends?|{_LONG})\s+(?P<way>after|before|from|following|prior\s+to)\s+"
        rf"(?:the\s+)?{SPAN}",
        _counted_from,
        reckoned=True,
    ),
    pattern(
        "after before following",
        r"(?:on\s+|in\s+)?(?:the\s+|that\s+)?(?P<unit>day|week|weekend|month|quarter|year)\s+(?:right\s+)?"
        rf"(?P<way>after|before|following)\s+(?:the\s+)?{SPAN}",
        _next_to,
        reckoned=True,
    ),
    pattern(
        "after before following",
        rf"(?:on\s+)?(?:the\s+)?(?:(?P<nth>{ENGLISH_ORDINAL})\s+)?{DAY}\s+(?P<way>after|before|following)\s+"
        rf"(?:the\s+)?{SPAN}",
        _weekday_after,
        reckoned=True,
    ),
    pattern(
        "week",
        r"(?:in\s+|during\s+)?(?:the\s+)?(?P<unit>week(?:end)?)\s+"
        rf"(?:of|containing|beginning|commencing|starting)(?:\s+(?:on|from))?\s+(?:the\s+)?{DAY}",
        _week_of,
    ),
    pattern(
        "start begin from commenc",
        rf"(?:for\s+)?{N}\s+{LONG_UNIT},?\s+(?:starting|beginning|commencing)(?:\s+(?:on|from))?\s+(?:the\s+)?{DAY}",
        _units_from,
    ),
    pattern("for", rf"for\s+{N}\s+{LONG_UNIT},?\s+(?:starting\s+)?from\s+(?:the\s+)?{DAY}", _units_from),
    pattern("for", rf"{DAY}\s+for\s+{N}\s+{LONG_UNIT}", _units_from),
)
