"""Time expressions of English, of all its patterns.

Patterns see folded text in lower case. Capitals matter where a word is a time only in lower case or only with a
capital ("USA Today", "may", "march on"): those that resolve them look at the text as it stands.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from nodes.language.timex import (
    en_clock,
    en_dates,
    en_days,
    en_distances,
    en_feasts,
    en_hours,
    en_months,
    en_ordinals,
    en_shifts,
    en_years,
)
from nodes.language.timex.calendar import Span
from nodes.language.timex.compose import Meaning, Piece, find
from nodes.language.timex.found import Found
from nodes.language.timex.rules import Asked

_PASSES = (
    (*en_dates.BASE, *en_feasts.BASE, *en_months.BASE, *en_years.BASE),
    en_ordinals.OF_A_PERIOD,
    (*en_days.BASE, *en_distances.BASE, *en_clock.BASE),
    en_shifts.FROM_A_DAY,
    en_hours.OF_A_DAY,
    en_hours.WHILE,
    en_hours.AT_A_TIME,
    en_shifts.RANGES,
)
_ON_OR_AT = re.compile(r"(?:on|at)\s+", re.IGNORECASE)
_HABIT = re.compile(
    r"\b(?:every|each|daily|nightly|weekly|always|usually|usual|weekdays|weekends"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b[^.?!]*\Z",
    re.IGNORECASE,
)
_USUALLY = re.compile(r"\b(?:usually|always|normally|typically|generally|often)\b[^.?!,;]*\Z", re.IGNORECASE)
_HABIT_AFTER = re.compile(
    r"\s*,?\s*(?:on\s+)?(?:every|each|daily|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)


def read(text: str, asked: Asked) -> list[Piece]:
    """Return the expressions of a text in order."""
    return find(text, asked, _PASSES)


def atoms(text: str, asked: Asked) -> list[Found]:
    """Return the expressions of a text, in order, none of which overlap."""
    return [
        Found(_start(text, one), one.end, _reading(one), _span(one.meaning))
        for one in read(text, asked)
        if not _is_usual(text, one)
    ]


def _reading(piece: Piece) -> Callable[[Asked], Span | None]:
    def read_again(one: Asked) -> Span | None:
        meaning = piece.read(one)
        return _span(meaning) if meaning else None

    return read_again


def _start(text: str, piece: Piece) -> int:
    match = _ON_OR_AT.match(text, piece.start) if piece.meaning.kind in ("day", "period") else None
    return match.end() if match else piece.start


def _is_usual(text: str, piece: Piece) -> bool:
    """Say whether a time is one of every day or year: "each day at noon", "we usually go in February"."""
    if piece.meaning.span.floating and _USUALLY.search(text, max(0, piece.start - 40), piece.start):
        return True
    if piece.meaning.kind not in ("clock", "part"):
        return False
    before = _HABIT.search(text, max(0, piece.start - 40), piece.start)
    return before is not None or _HABIT_AFTER.match(text, piece.end) is not None


def _span(meaning: Meaning) -> Span:
    """Return what words mean; a time of day without a day is often that of every day."""
    if meaning.kind in ("clock", "part"):
        return replace(meaning.span, confidence=min(meaning.span.confidence, 0.5))
    return meaning.span
