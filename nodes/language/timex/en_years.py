"""English quarters, years, decades and centuries: "Q1 2018", "in 2014", "the 90s", "the end of the year"."""

import re
from dataclasses import replace

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import ONE_DAY, Span, months, year, years
from nodes.language.timex.compose import Meaning, Parts, Pattern
from nodes.language.timex.en_words import (
    SHIFTS,
    YEAR_FIGURES,
    YEAR_WORDS,
    key,
    led_by_time_word,
    pattern,
    period,
    plain,
    year_in_words,
    year_of_two,
)
from nodes.language.timex.numerals import ENGLISH_ORDINAL, english_ordinal
from nodes.language.timex.rules import Asked

_DECADES = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_UNITS = {"y": "year", "m": "month", "w": "week", "q": "quarter"}
# The hours that are the end of a day at work.
_END_OF_DAY = 17


def _part_of_year(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "Q1 2018", "2018Q4", "third quarter", "2019 H2"."""
    words = key(match["nth"])
    nth = int(words) if words.isdecimal() else english_ordinal(words)
    length = 6 if match["letter"] in ("h", "half") else 3
    if nth * length > 12:
        return None

    def span_in(number: int) -> Span:
        return replace(months(number, (nth - 1) * length + 1, length), grain="quarter")

    of_year = _year_beside(match, asked)
    if of_year is not None:
        return period(span_in(of_year))
    # What is planned for a quarter is planned for one of this year.
    span = span_in(asked.today.year) if asked.prefer == "future" else asked.in_year(None, span_in)
    return period(span, sure=parts.raw("letter") == "Q")


def _year_beside(match: re.Match[str], asked: Asked) -> int | None:
    which = match["which"] or match.groupdict().get("whose")
    if which:
        return asked.today.year + SHIFTS[which]
    figures = match["first_year"] or match["year"]
    if figures is None:
        return asked.today.year if match["running"] else None
    return int(figures) if len(figures) == 4 else year_of_two(figures, asked.today)


def _year(match: re.Match[str], _asked: Asked) -> Meaning | None:
    number = int(match["year"]) if match["year"] else year_in_words(match["year_words"])
    return period(year(number), sure=bool(match["word"] or match["era"]) or led_by_time_word(match))


def _short_year(match: re.Match[str], asked: Asked) -> Meaning | None:
    return period(year(year_of_two(match["year"], asked.today)))


def _years(match: re.Match[str], _asked: Asked) -> Meaning | None:
    first, last = int(match["year"]), int(match["last"])
    if last <= first or (match["to"] == "and" and match["word"] != "between"):
        return None
    span = replace(years(first, last - first + 1), grain="year")
    return period(span, sure=bool(match["word"]) or match["to"].isalpha())


def _decade(match: re.Match[str], asked: Asked) -> Meaning | None:
    figures = match["start"] or str(_DECADES[match["word"]])
    start = int(figures) if len(figures) == 4 else year_of_two(figures, asked.today)
    return period(years(start, 10), sure=bool(match["the"]) or len(figures) == 4)


def _century(match: re.Match[str], _asked: Asked) -> Meaning | None:
    return period(years(100 * (english_ordinal(key(match["nth"])) - 1), 100))


def _week_number(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "week 31": weeks are counted by ISO 8601."""
    of_year = _year_beside(match, asked)
    span = arithmetic.nth_within(year(of_year or asked.today.year), int(match["number"]), "week")
    return period(span, sure=of_year is not None)


def _edge(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve EOY, EOM, EOD and "end of year"."""
    letter = (match["letter"] or match["unit"])[0]
    edge = match["edge"] or ("beginning" if match["bound"] == "bo" else "end")
    sure = match["unit"] is not None or match["the"] is not None or led_by_time_word(match)
    if letter == "d":
        if edge != "end":
            return None
        first = arithmetic.day_span(asked.today).start
        return Meaning(Span(first.replace(hour=_END_OF_DAY), first + ONE_DAY, "hour"), sure=sure)
    return period(arithmetic.third(arithmetic.unit_of(asked.today, _UNITS[letter]), edge), sure=sure)


_WHICH = r"(?P<which>last|this|next)\s+(?:year|yr)"
_YEAR_TAIL = (
    rf"(?:\s*[\-,]?\s*(?:of\s+)?(?P<year>{YEAR_FIGURES})(?!\d)|\s+(?:of\s+)?{_WHICH}|\s+of\s+(?P<running>the\s+year))"
)
_WORD = r"(?:(?P<word>back\s+in|in|during|throughout|(?:in\s+)?(?:the\s+)?(?:calendar\s+)?year(?:\s+of)?|cy)\s+)?"
_COUNTED = r"(?![.,:/\-]\d|\s*%|\s+(?!was|is|has|this|as|its)[a-z]+s\b|\s*(?:dollars|people|h|pm|am)\b)"

BASE: tuple[Pattern, ...] = (
    pattern(
        "q h",
        rf"(?:(?P<first_year>{YEAR_FIGURES}|\d\d)\s*-?\s*)?(?P<letter>[qh])\s?(?P<nth>[1-4]){_YEAR_TAIL}?",
        _part_of_year,
    ),
    pattern(
        "quarter qtr half",
        rf"(?:(?P<whose>last|this|next)\s+year's\s+|the\s+)?(?P<nth>{ENGLISH_ORDINAL})\s+(?P<letter>quarter|qtr|half)"
        rf"{_YEAR_TAIL}?(?P<first_year>(?!))?"
        r"(?!\s+of\b)",
        _part_of_year,
    ),
    plain(
        "1 2 nineteen twenty two eighteen seventeen",
        rf"{_WORD}(?:(?P<year>{YEAR_FIGURES}){_COUNTED}|(?P<year_words>{YEAR_WORDS}))(?P<era>\s*a\.?d\.?)?",
        _year,
    ),
    plain(
        "1 2",
        rf"(?:(?P<word>from|between|in)\s+)?(?P<year>{YEAR_FIGURES})\s*(?P<to>-|–|~|to|through|and|till|until)\s*"
        rf"(?P<last>{YEAR_FIGURES})(?![.,:/\-]?\d)",
        _years,
    ),
    plain("'", r"(?:in|since|until|before|after|back\s+in)\s+'(?P<year>\d\d)", _short_year),
    plain(
        "0 ies",
        rf"(?P<the>(?:in\s+)?the\s+)?(?:'?(?P<start>(?:1[5-9]|20)\d0|[2-9]0)(?:'s|\s?s)|(?P<word>{'|'.join(_DECADES)}))",
        _decade,
    ),
    plain("century", rf"(?:the\s+)?(?P<nth>{ENGLISH_ORDINAL})[\s\-]+century", _century),
    plain("week", rf"(?:the\s+)?week\s+(?P<number>\d\d?){_YEAR_TAIL}?(?P<first_year>(?!))?", _week_number),
    plain(
        "eo bom end begin start middle",
        r"(?P<the>the\s+)?(?:(?P<bound>eo|bo(?=m))(?P<letter>[ymdwq])"
        r"|(?P<edge>end|beginning|start|middle)\s+of\s+(?:the\s+)?(?P<unit>year|month|week|quarter|day)(?!\s+\d))",
        _edge,
    ),
)
