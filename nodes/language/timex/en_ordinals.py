"""English parts of a period: "the last Monday of May", "the 20th of next month", "mid-March", "March in a year"."""

import re
from dataclasses import replace

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import ONE_DAY, Span, days, monday
from nodes.language.timex.compose import PERIOD, SPAN, Meaning, Parts, Pattern
from nodes.language.timex.en_days import hours_of, part_of
from nodes.language.timex.en_words import (
    DAY_WORD,
    FULL_WEEKDAY,
    MONTH_CUES,
    WEEKDAYS,
    N,
    day_number,
    key,
    number,
    pattern,
    unit_key,
    weekday_number,
)
from nodes.language.timex.numerals import ENGLISH_ORDINAL, english_ordinal
from nodes.language.timex.rules import Asked


def _nth(text: str) -> int:
    """Return the place that words give, -1 for the last, -3 for the third last."""
    words = key(text).split()
    if words[-1] in ("last", "final"):
        return -english_ordinal(" ".join(words[:-1])) if words[:-1] else -1
    return english_ordinal(" ".join(words))


def _ordinal_of(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "the last Monday of March", "third week of 2018", "the first 3 days of next month"."""
    period, nth = parts["period"].span, _nth(match["nth"])
    if match["weekday"]:
        day = arithmetic.weekday_within(period, weekday_number(match["weekday"]), nth)
        return _on_day(days(day), match) if day else None
    count, unit = (number(match["n"]) if match["n"] else 1), unit_key(match["unit"])
    span = arithmetic.first_within(period, count, unit, nth)
    if span is None or span.start >= period.end:
        return None
    return Meaning(span, "day" if unit == "day" and count == 1 else "period")


def _piece_of(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "early May", "mid-March", "the end of last year"."""
    span = arithmetic.third(parts["period"].span, match["piece"])
    around = match["around"] is not None
    return Meaning(replace(span, reach=5 * ONE_DAY, confidence=0.8) if around else span, "period")


def _half_of(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    span = parts["period"].span
    if span.grain == "month":
        cut = span.start + 15 * ONE_DAY
    elif span.grain == "year":
        cut = span.start.replace(month=7)
    else:
        cut = span.start + (span.end - span.start) / 2
    first = key(match["nth"]) in ("first", "1st")
    return Meaning(replace(span, end=cut) if first else replace(span, start=cut), "period")


def _day_of_month(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "the 20th of next month", "the 21st this month", "4-23 in next month"."""
    span = parts["period"].span
    if span.grain != "month" or span.start.day != 1:
        return None
    if match["number"].isdecimal() and not (match["the"] or match["of"] or match["last"]):
        return None  # "we sold 5 in March"
    first = span.start.date().replace(day=day_number(match["number"]))
    last = span.start.date().replace(day=day_number(match["last"])) if match["last"] else first
    return Meaning(days(first, (last - first).days + 1))


def _weekday_of_week(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    span = parts["period"].span
    if span.grain != "week" or parts.raw("period").lower().startswith("week"):
        return None
    return _on_day(days(monday(span.start.date()) + weekday_number(match["weekday"]) * ONE_DAY), match)


def _on_day(span: Span, match: re.Match[str]) -> Meaning:
    hours = match.groupdict().get("hours")
    return Meaning(hours_of(span, part_of(hours)) if hours else span)


def _years_away(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "Christmas two years ago", "March in a year": what comes once a year, of another year."""
    count = number(match["n"]) * (-1 if match["way"] == "ago" else 1)
    meaning = parts.of_year("span", asked.today.year + count)
    return replace(meaning, span=replace(meaning.span, floating=False), sure=True)


_DAY_NAMES = " ".join(WEEKDAYS)
_MONTH = f"month {MONTH_CUES}"
_WEEKDAY = rf"(?P<weekday>{FULL_WEEKDAY}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)"
_UNIT = r"(?P<unit>days?|weeks?|wks?|week-?\s?ends?|wkends?|months?|quarters?|years?)"
_PART_OF_DAY = r"(?:\s+(?P<hours>morning|afternoon|evening|night))?"
_OF = r"\s+(?:(?:of|in|from)\s+)?(?:the\s+)?"
_NTH = rf"(?:the\s+)?(?P<nth>(?:{ENGLISH_ORDINAL}\s+)?(?:last|final)|{ENGLISH_ORDINAL})"
_AROUND = r"(?:(?P<around>around|about|roughly)\s+)?"

OF_A_PERIOD: tuple[Pattern, ...] = (
    pattern("ago", rf"{SPAN}\s+{N}\s+years?\s+(?P<way>ago)", _years_away),
    pattern("year", rf"{SPAN}\s+(?P<way>in)\s+{N}\s+years?", _years_away),
    pattern(
        "day week wk month quarter year",
        rf"(?:in\s+|on\s+|during\s+)?{_NTH}\s+(?:{N}\s+)?(?:{_WEEKDAY}{_PART_OF_DAY}|{_UNIT}){_OF}{PERIOD}",
        _ordinal_of,
    ),
    pattern("'s", rf"{PERIOD}'s\s+{_NTH}\s+(?:{N}\s+)?(?:{_WEEKDAY}{_PART_OF_DAY}|{_UNIT})", _ordinal_of),
    pattern(
        "early mid late end begin start middle",
        rf"(?:(?:in|at|from|by)\s+(?=the\b|early|mid|late))?{_AROUND}(?:the\s+)?"
        rf"(?P<piece>early|late|mid)[\s\-]+(?:in\s+)?(?:the\s+)?{PERIOD}",
        _piece_of,
    ),
    pattern(
        "end begin start middle",
        rf"(?:at\s+)?{_AROUND}(?:the\s+)?(?:very\s+)?(?P<piece>beginning|start|middle|end)\s+of\s+"
        rf"(?:the\s+)?(?:around\s+)?{PERIOD}",
        _piece_of,
    ),
    pattern("half", rf"(?:in\s+)?(?:the\s+)?(?P<nth>first|second|1st|2nd|last)\s+half\s+of\s+{PERIOD}", _half_of),
    pattern(
        _MONTH,
        rf"(?:on\s+|around\s+)?(?:from\s+)?(?P<the>the\s+)?(?P<number>{DAY_WORD})"
        rf"(?:\s*(?:-|–|to)\s*(?P<last>{DAY_WORD}))?(?:\s+day)?\s+(?P<of>(?:of|in)\s+(?:the\s+)?)?{PERIOD}",
        _day_of_month,
    ),
    pattern(
        _MONTH,
        rf"{PERIOD}\s*,?\s*on\s+(?P<the>the)\s+(?P<number>{DAY_WORD})(?P<last>(?!))?(?P<of>(?!))?",
        _day_of_month,
    ),
    pattern(_DAY_NAMES, rf"(?:on\s+)?{_WEEKDAY}{_PART_OF_DAY}{_OF}{PERIOD}", _weekday_of_week),
    pattern(_DAY_NAMES, rf"{PERIOD}\s*(?:'s|,|-)?\s*(?:on\s+)?{_WEEKDAY}", _weekday_of_week),
)
