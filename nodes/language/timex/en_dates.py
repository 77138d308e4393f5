"""English dates: "June 19th", "the 3rd to the 5th of May", "31/Oct/1974", and dates in figures.

Figures are month first, as in 4/22, and day first where only that gives a date, as in 22/4.
"""

import re
from collections.abc import Callable
from datetime import date

from nodes.language.timex.calendar import Span, days, month_later, nearest
from nodes.language.timex.compose import Meaning, Parts, Pattern
from nodes.language.timex.en_words import (
    ANY_WEEKDAY,
    DAY_FIGURES,
    DAY_WORD,
    MONTH,
    MONTH_CUES,
    MONTH_NAMES,
    NO_OTHER_YEAR,
    SIDE,
    YEAR_AFTER,
    YEAR_BEFORE,
    YEAR_FIGURES,
    beside_now,
    day_number,
    led_by_time_word,
    month_number,
    named_year,
    or_none,
    pattern,
    plain,
    weekday_number,
    year_of_two,
)
from nodes.language.timex.numerals import english
from nodes.language.timex.rules import Asked

_FIRST_NUMBER = (
    rf"(?P<number>{DAY_WORD}|(?:twen|thir)ty[\s\-](?:one|two|three|four|five|six|seven|eight|nine)"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen)"
)
_LAST_NUMBER = rf"(?P<last>{DAY_WORD})"
_TO = r"\s*(?:-|–|~|to|till?|until|through|thru)\s*(?:the\s+)?"
_NOT_A_NUMBER = (
    r"(?![\d:%]|\.\d|,\d{3}|\s*(?:%|percent|people|persons|users|miles|blocks|dollars|times|hours|minutes|years?)\b"
    r"|\s*[ap]\.?m\b)"
)
_LEAD = rf"(?:on\s+)?(?:{SIDE}\s+)?(?:(?P<weekday>{ANY_WEEKDAY}),?\s+)?"
_SEPARATOR = r"[/\-.]"
_FIGURE_LEAD = rf"(?:on\s+)?(?:(?P<side>next|last)\s+)?(?:(?P<weekday>{ANY_WEEKDAY}),?\s+)?"
_NO_MORE = (
    r"(?!\d|[/\-.:,]\d|\s*%|\s*h(?:ours?)?\b|\s*[ap]\.?m\b"
    r"|\s+(?:cups?|people|inch|inches|of\s+(?:the|a)|teaspoons?|tablespoons?|pounds?|miles?)\b)"
)
_NO_CAPITAL = ("may", "march", "mar", "jan", "jun", "sun", "dec")
_VERBS = ("may", "march", "mar")


def _day(text: str) -> int:
    try:
        return day_number(text)
    except ValueError:
        return english(" ".join(text.lower().split()))


def _days_of(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve a day or a range of days of a month with a name."""
    month, first = month_number(match["month"]), _day(match["number"])
    last = _day(match["last"]) if match["last"] else None
    if last is not None and last <= first and not match["the"]:
        return None

    def span_in(year: int) -> Span:
        start = date(year, month, first)
        if last is None:
            return days(start)
        end = date(year, month, last)
        return days(start, ((month_later(end, 1) if end < start else end) - start).days + 1)

    year = year_of_two(match["tail"], asked.today) if match["tail"] else named_year(match, asked)
    if year is not None:
        return Meaning(span_in(year))
    if match["side"]:
        span = beside_now(asked, match["side"], span_in)
    else:
        span = _on_weekday(match["weekday"], span_in, asked) or asked.in_year(None, span_in)
    return Meaning(span, sure=not _is_verb(match, parts)) if span else None


def _is_verb(match: re.Match[str], parts: Parts) -> bool:
    """Say whether the month may be another word: "you may 5 times", "the first may be", "march 3 miles"."""
    name, text = parts.raw("month"), match["number"]
    if led_by_time_word(match) or match["weekday"] or name not in _NO_CAPITAL:
        return False
    ordinal = text[-2:] in ("st", "nd", "rd", "th")
    return not ordinal or (name in _VERBS and not match["of"] and not text[0].isdecimal())


def _on_weekday(weekday: str | None, span_in: Callable[[int], Span | None], asked: Asked) -> Span | None:
    """Return the date in the years around that is such a day of the week, as "Fri, Jul 18" is in 2025."""
    if weekday is None:
        return None
    years = range(asked.today.year - 2, asked.today.year + 3)
    spans = [span for year in years if (span := or_none(span_in, year)) is not None]
    return nearest((span for span in spans if span.start.weekday() == weekday_number(weekday)), asked.now, asked.prefer)


def _year_of(text: str, asked: Asked) -> int:
    return int(text) if len(text) == 4 else year_of_two(text, asked.today)


def _month_day(first: int, second: int) -> tuple[int, int]:
    """Return month and day: month first, unless only the other way round makes a date."""
    return (first, second) if first <= 12 else (second, first)


def _year_first(match: re.Match[str], _asked: Asked) -> Span:
    first, second = int(match["first"]), int(match["second"])
    return days(date(int(match["year"]), *_month_day(first, second)))


def _year_last(match: re.Match[str], asked: Asked) -> Meaning:
    month, day = _month_day(int(match["first"]), int(match["second"]))
    sure = match["separator"] == "/" or len(match["year"]) == 4 or led_by_time_word(match) or bool(match["weekday"])
    return Meaning(days(date(_year_of(match["year"], asked), month, day)), sure=sure)


def _no_year(match: re.Match[str], asked: Asked) -> Meaning | None:
    month, day = _month_day(int(match["first"]), int(match["second"]))
    span = beside_now(asked, match["side"], lambda year: days(date(year, month, day)))
    if span is None:
        return None
    led = led_by_time_word(match) or bool(match["side"])
    if "/" not in match["separator"]:
        # "Monday 12-4" is a time of day unless that day is a Monday; "3-1" is a score.
        if match["weekday"]:
            return Meaning(span) if span.start.weekday() == weekday_number(match["weekday"]) else None
        led = match[0].startswith("on ")
        return Meaning(span, sure=led) if led or match[0] == match.string.strip() else None
    return Meaning(span, sure=led or bool(match["weekday"]))


def _named_month_between(match: re.Match[str], asked: Asked) -> Span:
    return days(date(_year_of(match["year"], asked), month_number(match["month"]), int(match["day"])))


def _figures_range(match: re.Match[str], asked: Asked) -> Meaning:
    """Resolve "5/1-5/7/2020" and "10/1/2018 - 10/7/2018"."""
    year = _year_of(match["year"], asked)
    first_year = _year_of(match["first_year"], asked) if match["first_year"] else year
    start = date(first_year, *_month_day(int(match["first"]), int(match["second"])))
    end = date(year, *_month_day(int(match["third"]), int(match["fourth"])))
    return Meaning(days(start, (end - start).days + 1))


_YEAR = rf"(?:{YEAR_AFTER}|\s+(?P<tail>\d\d)(?=\s*$))?"
_FIGURE_CUES = "0 1 2 3 4 5 6 7 8 9"
BASE: tuple[Pattern, ...] = (
    pattern(
        MONTH_CUES,
        rf"{YEAR_BEFORE}?{_LEAD}(?P<month>{MONTH_NAMES})(?![a-z])(?:\.?\s*[\-/]?\s*)(?P<the>the\s+)?(?P<of>(?!))?"
        rf"{_FIRST_NUMBER}"
        rf"(?:{_TO}{_LAST_NUMBER}(?!\s*(?:{MONTH_NAMES})\b))?{_NOT_A_NUMBER}{_YEAR}{NO_OTHER_YEAR}",
        _days_of,
    ),
    pattern(
        MONTH_CUES,
        rf"{YEAR_BEFORE}?{_LEAD}(?P<the>the\s+)?{_FIRST_NUMBER}"
        rf"(?:(?:{_TO}|(?:(?<=between \d)|(?<=between \d\d)|(?<=th)|(?<=st))\s+and\s+(?:the\s+)?){_LAST_NUMBER})?"
        rf"(?:\s+day)?(?:\s*(?P<of>of\s+)?|[\-/]){MONTH}{_YEAR}{NO_OTHER_YEAR}",
        _days_of,
    ),
    plain(
        _FIGURE_CUES,
        rf"{_FIGURE_LEAD}(?<!version\s)(?P<year>{YEAR_FIGURES})(?P<separator>[/\-.]|\s)(?P<first>\d\d?)(?P=separator)"
        r"(?P<second>\d\d?)(?![\d/\-]|\.\d)",
        _year_first,
    ),
    plain(
        _FIGURE_CUES,
        rf"{_FIGURE_LEAD}(?P<first>\d\d?)\s?(?P<separator>{_SEPARATOR})\s?(?P<second>\d\d?)\s?(?P=separator)\s?"
        rf"(?P<year>{YEAR_FIGURES}|\d\d)(?![\d/\-]|[.:]\d)",
        _year_last,
    ),
    plain(
        _FIGURE_CUES,
        rf"{_FIGURE_LEAD}(?P<first>\d\d?)(?P<separator>\s?[/\-.]\s?)(?P<second>\d\d?){_NO_MORE}",
        _no_year,
    ),
    plain(
        MONTH_CUES,
        rf"(?:(?P<day>{DAY_FIGURES})(?P<separator>[/\-.\s])(?P<month>{MONTH_NAMES})(?P=separator)"
        rf"(?P<year>{YEAR_FIGURES}|\d\d))(?![\d:])",
        _named_month_between,
    ),
    plain(
        MONTH_CUES,
        rf"(?P<year>{YEAR_FIGURES})(?P<separator>[/\-.\s])(?P<month>{MONTH_NAMES})(?P=separator)"
        rf"(?P<day>{DAY_FIGURES})(?!\d)",
        _named_month_between,
    ),
    plain(
        MONTH_CUES,
        rf"(?P<year>{YEAR_FIGURES})(?P<separator>[/\-.])(?P<day>{DAY_FIGURES})(?P=separator)(?P<month>{MONTH_NAMES})",
        _named_month_between,
    ),
    plain(
        _FIGURE_CUES,
        rf"(?:from\s+)?(?P<first>\d\d?)(?P<separator>[/\-])(?P<second>\d\d?)(?:(?P=separator)(?P<first_year>{YEAR_FIGURES}))?"
        r"\s?(?:-|–|to)\s?(?P<third>\d\d?)(?P=separator)(?P<fourth>\d\d?)(?P=separator)"
        rf"(?P<year>{YEAR_FIGURES})(?![\d/\-])",
        _figures_range,
    ),
)
