"""Finds expressions that are made of expressions: "two days after the last Monday of May at 5pm".

Patterns run in passes. What a pass finds is masked in the text by one character for its kind and a filler for the rest,
so that a later pattern can ask for "a day" or "a period" at a place, however it was put in words, and places stay.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from string import ascii_lowercase, ascii_uppercase
from typing import Literal

from nodes.language.timex.calendar import Span
from nodes.language.timex.occasions import in_its_year
from nodes.language.timex.rules import Asked

# A day or several; a week or longer; a time on a clock, of whichever day; a part of a day, of whichever day.
Kind = Literal["day", "period", "clock", "part"]
_SIGNS: dict[Kind, str] = {"day": "\ue000", "period": "\ue001", "clock": "\ue002", "part": "\ue003"}
_FILLER = "\ue00f"
# Lower case of ASCII only, so that places stay; signs that stand in the text itself are none.
_LOWERED = str.maketrans(
    {**dict(zip(ascii_uppercase, ascii_lowercase, strict=True)), **dict.fromkeys([*_SIGNS.values(), _FILLER], " ")}
)
_AROUND = " \t\n.,;:!?'\"()"
# What may stand before an expression that is all that was said.
_LEAD_IN = frozenset(
    {"", "since", "after", "before", "until", "till", "by", "from", "around", "about", "at", "on", "in", "for", "the"}
    | {"any", "time", "anytime", "sometime", "sometimes"}
)
_LEAD_IN_LENGTH = 30
_HYPHENATED = re.compile(r"\b(mid|early|late)-(?=[a-z0-9])")

DAY = rf"(?P<day>{_SIGNS['day']}{_FILLER}*+)"
PERIOD = rf"(?P<period>{_SIGNS['period']}{_FILLER}*+)"
CLOCK = rf"(?P<clock>{_SIGNS['clock']}{_FILLER}*+)"
LAST_CLOCK = rf"(?P<last_clock>{_SIGNS['clock']}{_FILLER}*+)"
PART = rf"(?P<part>{_SIGNS['part']}{_FILLER}*+)"
LAST = rf"(?P<last>[{_SIGNS['day']}{_SIGNS['period']}]{_FILLER}*+)"
SPAN = rf"(?P<span>[{_SIGNS['day']}{_SIGNS['period']}]{_FILLER}*+)"


@dataclass(frozen=True)
class Meaning:
    """What words mean. Those that are not `sure` mean it only beside others, or when nothing else is said.

    `open_half` says of a time on a clock that it may be before or after noon ("at 3"), `ends_day` that it is the
    midnight with which its day ends ("24:00").
    """

    span: Span
    kind: Kind = "day"
    sure: bool = True
    open_half: bool = False
    ends_day: bool = False


@dataclass(frozen=True)
class Piece:
    """An expression at `[start, end)` of the text, how it is read, and what it means to the one who asked."""

    start: int
    end: int
    read: Callable[[Asked], Meaning | None]
    meaning: Meaning


class Parts:
    """The expressions that a match is made of, by the group that matched them, as one who asks reads them."""

    def __init__(self, match: re.Match[str], source: str, found: Mapping[int, Piece], asked: Asked) -> None:
        self._match, self._found, self._asked = match, found, asked
        self.source = source
        self.floating, self.confidence = False, 1.0

    def __getitem__(self, group: str) -> Meaning:
        """Return what a part means.

        Raises:
            ValueError: To the one who asks now it means nothing.
        """
        meaning = self._found[self._match.start(group)].read(self._asked)
        if meaning is None:
            raise ValueError(group)
        self.floating = self.floating or meaning.span.floating
        self.confidence = min(self.confidence, meaning.span.confidence)
        return meaning

    def later(self, group: str, begin: Span) -> Meaning:
        """Return what the end of a range means, the first that follows its beginning where it names one of many.

        Raises:
            ValueError: It means nothing.
        """
        meaning = self[group]
        if meaning.span.floating:
            after = Asked(begin.start, "future", self._asked.zone)
            meaning = self._found[self._match.start(group)].read(after) or meaning
        return meaning

    def earlier(self, group: str, end: Span) -> Meaning:
        """Return what the beginning of a range means, the last before its end.

        Raises:
            ValueError: It means nothing.
        """
        return self._found[self._match.start(group)].read(Asked(end.start, "past", self._asked.zone)) or self[group]

    def of_year(self, group: str, year: int) -> Meaning:
        """Return what a part means in a year.

        Raises:
            ValueError: Nothing, or what it means does not come once a year.
        """
        meaning = self._found[self._match.start(group)].read(Asked(datetime(year, 12, 31), "past"))
        if meaning is None or not meaning.span.floating or meaning.span.start.year != year:
            raise ValueError(group)
        return meaning

    def raw(self, group: str | int = 0) -> str:
        """Return the words of a group as they stand in the text, with their capitals; "" where it did not match."""
        return self.source[self._match.start(group) : self._match.end(group)] if self._match[group] else ""


Resolve = Callable[[re.Match[str], Asked, Parts], Meaning | Span | None]


@dataclass(frozen=True)
class Pattern:
    """One kind of expression; `resolve` may give None, or raise ValueError or OverflowError: then it names no time.

    Every match contains one of the `cues` (lower case), if there are any: a text without them is spared the pattern.
    What is `reckoned` from another time is meant of that year's which puts it on the preferred side.
    """

    pattern: re.Pattern[str]
    resolve: Resolve
    cues: tuple[str, ...] = ()
    reckoned: bool = False


def find(text: str, asked: Asked, passes: Sequence[Sequence[Pattern]]) -> list[Piece]:
    """Return the expressions of a text in order."""
    lowered, found = _HYPHENATED.sub(r"\1 ", text.translate(_LOWERED)), dict[int, Piece]()
    masked = lowered
    for patterns in passes:
        fresh = [
            piece
            for pattern in patterns
            if not pattern.cues or any(cue in lowered for cue in pattern.cues)
            for piece in _matches(pattern, text, masked, asked, found)
        ]
        if fresh:
            found = _merged(found, fresh)
            masked = _masked(lowered, found)
    end = len(text.rstrip(_AROUND))
    return [
        piece
        for _, piece in sorted(found.items())
        if piece.meaning.sure or (piece.end >= end and _is_lead_in(lowered, piece.start))
    ]


def _is_lead_in(lowered: str, end: int) -> bool:
    """Say whether all before a place is words that lead to a time, so that nothing else was said."""
    return len(lowered[:end]) <= _LEAD_IN_LENGTH and all(
        word.strip(_AROUND) in _LEAD_IN for word in lowered[:end].split()
    )


def _matches(pattern: Pattern, source: str, masked: str, asked: Asked, found: Mapping[int, Piece]) -> list[Piece]:
    pieces = []
    for match in pattern.pattern.finditer(masked):
        read = _reading(pattern, match, source, found)
        read = _in_its_year(read) if pattern.reckoned else read
        if (meaning := read(asked)) is not None:
            pieces.append(Piece(match.start(), match.end(), read, meaning))
    return pieces


def _reading(
    pattern: Pattern, match: re.Match[str], source: str, found: Mapping[int, Piece]
) -> Callable[[Asked], Meaning | None]:
    def read(asked: Asked) -> Meaning | None:
        parts = Parts(match, source, found, asked)
        try:
            meaning = pattern.resolve(match, asked, parts)
        except (ValueError, OverflowError):
            return None
        if isinstance(meaning, Span):
            meaning = Meaning(meaning)
        if meaning is None or _is_empty(meaning.span):
            return None
        span = meaning.span
        return replace(
            meaning,
            span=replace(
                span,
                floating=span.floating or parts.floating,
                confidence=min(span.confidence, parts.confidence),
            ),
        )

    return read


def _is_empty(span: Span) -> bool:
    """Say whether a span ends before it begins; in an hour that is repeated it may end earlier on the clock."""
    return span.start >= span.end and span.start.fold >= span.end.fold


def _in_its_year(read: Callable[[Asked], Meaning | None]) -> Callable[[Asked], Meaning | None]:
    def span_of(asked: Asked) -> Span | None:
        meaning = read(asked)
        return meaning.span if meaning else None

    def read_in_its_year(asked: Asked) -> Meaning | None:
        meaning = read(asked)
        if meaning is None or not meaning.span.floating:
            return meaning
        span = in_its_year(span_of, asked)
        return replace(meaning, span=span) if span else None

    return read_in_its_year


def _merged(found: Mapping[int, Piece], fresh: Sequence[Piece]) -> dict[int, Piece]:
    """Return the fresh ones, of two that overlap the longer, and the old ones that they leave."""
    kept: list[Piece] = []
    for one in sorted(fresh, key=lambda one: (one.start, -one.end, not one.meaning.sure)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end - one.start > kept[-1].end - kept[-1].start:
            kept[-1] = one
    old = [one for one in found.values() if not any(new.start < one.end and one.start < new.end for new in kept)]
    return {one.start: one for one in [*old, *kept]}


def _masked(text: str, found: Mapping[int, Piece]) -> str:
    pieces, done = [], 0
    for start, one in sorted(found.items()):
        pieces += [text[done:start], _SIGNS[one.meaning.kind], _FILLER * (one.end - one.start - 1)]
        done = one.end
    return "".join([*pieces, text[done:]])
