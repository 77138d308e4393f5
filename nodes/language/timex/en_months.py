"""English weeks, months and seasons, by name and beside now: "last week", "in June", "the rest of the month"."""

import re
from dataclasses import replace

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import ONE_DAY, Span, month, months
from nodes.language.timex.compose import Meaning, Parts, Pattern
from nodes.language.timex.en_words import (
    MONTH,
    MONTH_CUES,
    SHIFTS,
    SIDE,
    YEAR_AFTER,
    YEAR_BEFORE,
    YEAR_FIGURES,
    beside_now,
    led_by_time_word,
    month_number,
    named_year,
    pattern,
    period,
    plain,
    unit_key,
)
from nodes.language.timex.rules import Asked

# First month (counted from January of the year) and number of months.
_SEASONS = {"spring": (3, 3), "summer": (6, 3), "autumn": (9, 3), "fall": (9, 3), "winter": (12, 3)}
# These are also persons' names or verbs, and need a word that only a time can follow.
_NAMES = ("may", "april", "june", "august", "mar", "jan", "jun", "march")
_VERBS = ("may", "march")
_UNTIL = re.compile(r"\b(?:until|till|since)\s+\Z")
_SATURDAY = 5


def _named_month(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    name, side = parts.raw("month"), match["side"]
    if name in _VERBS and side == "this":
        return None  # "this may take a while"
    number = month_number(name)
    year = named_year(match, asked)
    if year is not None:
        return period(month(year, number))
    if match["after_next"]:
        span = beside_now(asked, "next", lambda year: month(year, number))
        return period(month(span.start.year + 1, number)) if span else None
    near = max(0, match.start() - 12)
    led = _UNTIL.search(match.string, near, match.start()) or (name.lower() not in _NAMES and led_by_time_word(match))
    sure = bool(side or match["word"] or led)
    return period(beside_now(asked, side, lambda year: month(year, number)), sure=sure)


def _months_range(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "May to October 2020", "between August and October": the year is said once, if at all."""
    first, last = month_number(match["month"]), month_number(match["last"])
    count, end_year = (last - first) % 12 + 1, named_year(match, asked)
    if end_year is not None:
        return period(months(end_year - (1 if last < first else 0), first, count))
    return period(asked.in_year(None, lambda year: months(year, first, count)), sure=match["word"] is not None)


def _year_and_month(match: re.Match[str], _asked: Asked) -> Meaning | None:
    return period(month(int(match["year"]), month_number(match["month"])))


def _figures(match: re.Match[str], _asked: Asked) -> Meaning | None:
    return period(month(int(match["year"]), int(match["number"])), sure=bool(match["word"]) or led_by_time_word(match))


def _beside(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "last week", "the past month", "this working week", "the coming weekend"."""
    side, unit = match["side"], unit_key(match["unit"])
    if match["fiscal"]:
        return None
    if match["working"]:
        whole = arithmetic.unit_of(asked.today, "week", SHIFTS[side])
        return period(Span(whole.start, whole.start + 5 * ONE_DAY, "week"))
    # The coming weekend is the next to begin, "next weekend" that of next week.
    soon = unit == "weekend" and side.endswith("coming") and asked.today.weekday() < _SATURDAY
    span = arithmetic.unit_of(asked.today, unit, 0 if soon else SHIFTS[side])
    if match["the"] and side == "past":  # up to today, more often than the one on the calendar
        span = replace(span, reach=span.end - span.start)
    told = match["the"] and side in ("same", "following", "previous")
    return period(span, sure=not told and unit != "season")


def _second(match: re.Match[str], asked: Asked) -> Meaning | None:
    shift = -2 if "last" in match["way"] else 2
    return period(arithmetic.unit_of(asked.today, unit_key(match["unit"]), shift))


def _running(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "the week", "all year", "later this month", "the rest of the week"."""
    span, today = arithmetic.unit_of(asked.today, match["unit"]), arithmetic.day_span(asked.today)
    if match["early"]:
        span = replace(span, end=max(today.start, span.start + ONE_DAY))
    elif match["late"]:
        span = replace(span, start=min(today.end, span.end - ONE_DAY))
    elif match["rest"]:
        span = replace(span, start=today.start)
    return period(span, sure=match["the"] is None)


def _season(match: re.Match[str], asked: Asked) -> Meaning | None:
    first, count = _SEASONS[match["season"]]

    def span_in(year: int) -> Span:
        return replace(months(year, first, count), grain="quarter")

    year = named_year(match, asked)
    if year is not None:
        return period(span_in(year))
    if match["side"]:
        return period(beside_now(asked, match["side"], span_in))
    # "In summer" is any, "in the summer" more often one.
    span = asked.in_year(None, span_in)
    return period(replace(span, confidence=0.6), sure=bool(match["word"] and match["the"])) if span else None


_UNITS = r"(?P<unit>(?>week-?\s?end|wkend|week|wk|month|quarter|qtr|year|yr|decade|century|fortnight|seasons?))"
_WHILE = r"(?:(?P<word>in|during|throughout)\s+)?"
_ABOUT_UNITS = "which|that|my|our|it"
_NEXT_TO_UNIT = r"\s+(?:\d|of|after|before|following|starting|beginning|commencing|containing)\b"
_NO_SEASON = (
    r"(?!\s+(?:onions?|in\s+prices|down|off|apart|asleep|festival|break|rolls?|water|cleaning|back|into|for|behind"
    r"|over)\b)"
)

BASE: tuple[Pattern, ...] = (
    plain(
        " ".join(SHIFTS),
        r"(?:(?:in|during|over|for|throughout|within)\s+)?(?P<the>the\s+)?(?:(?:around|about)\s+)?"
        rf"{SIDE}\s+(?P<working>(?:working|business)\s+)?(?P<fiscal>(?:fiscal|school|academic)\s+)?(?:calendar\s+)?"
        rf"{_UNITS}(?!\s+\d|\s+(?:before|after)\s+(?:last|next)\b|\s+of\s+(?!{_ABOUT_UNITS}))",
        _beside,
    ),
    plain("before after", rf"(?:the\s+)?{_UNITS}\s+(?P<way>before\s+last|after\s+next)", _second),
    plain(
        "week month year quarter fortnight",
        r"(?:(?P<early>early|earlier)\s+(?:on\s+)?(?:in\s+the|this)|(?P<late>later?)\s+(?:on\s+)?(?:in\s+the|this)|all"
        r"|(?P<rest>(?:the\s+)?(?:rest|remainder|remaining)\s+of(?:\s+(?:the|this))?)|(?P<the>the))"
        rf"\s+(?P<unit>week(?:end)?|month|quarter|year|fortnight)(?!{_NEXT_TO_UNIT})",
        _running,
    ),
    pattern(
        MONTH_CUES,
        rf"{YEAR_BEFORE}?{_WHILE}(?:{SIDE}\s+)?{MONTH}(?:{YEAR_AFTER}|(?P<after_next>\s+after\s+next))?(?!'s|\s*\d)",
        _named_month,
    ),
    plain(MONTH_CUES, rf"(?P<year>{YEAR_FIGURES})[\s\-/]+{MONTH}(?!\s*\d)", _year_and_month),
    plain(
        MONTH_CUES,
        rf"(?:(?P<word>from|between)\s+)?{MONTH}\s*(?:-|–|to|and|through|until|till)\s*"
        rf"{MONTH.replace('month', 'last', 1)}{YEAR_AFTER}?(?!\s*\d)",
        _months_range,
    ),
    plain(
        "1 2",
        rf"{_WHILE}(?P<year>{YEAR_FIGURES})[\-/](?P<number>1[0-2]|0?[1-9])(?![\d/\-:]|\.\d)",
        _figures,
    ),
    plain("1 2", rf"{_WHILE}(?P<number>1[0-2]|0?[1-9])/(?P<year>{YEAR_FIGURES})(?![\d/\-:]|\.\d)", _figures),
    plain(
        "spring summer autumn fall winter",
        rf"{_WHILE}(?P<the>the\s+)?(?:{SIDE}\s+)?(?P<season>spring|summer|autumn|fall|winter){YEAR_AFTER}?{_NO_SEASON}",
        _season,
    ),
)
