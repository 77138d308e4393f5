"""English feasts: "Christmas Eve 2024", "last Easter", "Black Friday", "Labor Day weekend"."""

import re

from nodes.language.timex import festivals
from nodes.language.timex.calendar import ONE_DAY, Span, days, monday
from nodes.language.timex.compose import Meaning, Pattern
from nodes.language.timex.en_words import (
    NO_OTHER_YEAR,
    SIDE,
    YEAR_AFTER,
    YEAR_BEFORE,
    beside_now,
    key,
    named_year,
    plain,
)
from nodes.language.timex.rules import Asked

_OF_A_FEAST = (
    "tree|card|gift|present|carol|song|movie|market|light|decoration|sweater|cookie|story|stories|spirit|agreement|deal|sale"
    "|bunny|egg|island|dinner\\s+recipe|costume|resolution|parade\\s+float"
)
_NAMES = "|".join(
    re.escape(name).replace("'", "'?").replace(r"\ ", r"\s+").replace(r"\-", r"[\s\-]")
    for name in sorted(festivals.ENGLISH, key=len, reverse=True)
)


def _spelling(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


_BY_SPELLING = {_spelling(name): festival for name, festival in festivals.ENGLISH.items()}


def _feast(match: re.Match[str], asked: Asked) -> Meaning | None:
    festival = _BY_SPELLING[_spelling(match["festival"])]
    length = key(match["length"] or "")

    def span_in(year: int) -> Span | None:
        day = festival.day(year)
        if day is None or not length:
            return day
        if length == "week":
            return days(monday(day.start.date()), 7)
        if length == "weekend":
            return _weekend(day)
        return festival.holiday(year)

    year = named_year(match, asked)
    span = span_in(year) if year is not None else beside_now(asked, match["side"], span_in)
    return Meaning(span, "day" if not length else "period") if span else None


def _weekend(day: Span) -> Span:
    """Return the Saturday and Sunday at a feast, with the feast where it touches them."""
    first = day.start.date()
    if first.weekday() in (0, 1):
        return days(monday(first) - 2 * ONE_DAY, 2 + first.weekday() + 1)
    saturday = monday(first) + 5 * ONE_DAY
    start = first if first.weekday() in (3, 4) else saturday
    return days(start, (saturday - start).days + 2)


BASE: tuple[Pattern, ...] = (
    plain(
        " ".join(sorted({name.split()[0].replace("'", "")[:4] for name in festivals.ENGLISH})),
        rf"(?<!merry )(?<!happy ){YEAR_BEFORE}?(?:{SIDE}\s+)?(?P<festival>{_NAMES})(?:\s+day)?"
        rf"(?:\s+(?P<length>holidays?|break|week(?:end)?|vacation))?(?:\s+of)?{YEAR_AFTER}?{NO_OTHER_YEAR}(?!\s+(?:{_OF_A_FEAST})s?\b)",
        _feast,
    ),
)
