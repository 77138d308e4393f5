"""Which of many occasions is meant of a time that is reckoned from one of them, as the week after a feast is."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from nodes.language.timex.calendar import Span
from nodes.language.timex.rules import Asked

Reading = Callable[[Asked], Span | None]

# How far back or ahead another occasion is looked for: the next one of a day, a week, a month or a year.
_OTHER_OCCASIONS = tuple(timedelta(days=count) for count in (1, 7, 31, 366))
# What comes once a year, by whichever calendar, comes no sooner than this: lunar years have 353 days or more.
_HARDLY_A_YEAR = timedelta(days=340)
# For so long after a feast people speak of the time after it and mean this one.
_STILL_AFTER = timedelta(days=31)


def on_its_side(read: Reading, asked: Asked) -> Span | None:
    """Return what is read, of that occasion of its base that puts the whole nearest on the preferred side.

    The week after a feast may be this one when the feast is over, and that before it when the feast is to come.
    """
    span = read(asked)
    return asked.occasion(span, _others(read, asked)) if span is not None and span.floating else span


def in_its_year(read: Reading, asked: Asked) -> Span | None:
    """Return what is read, on its side where its base comes once a year, else as it stands.

    Said on a Wednesday, "the day after Tuesday" is to come, though today is one too.
    """
    span = read(asked)
    if span is None or not span.floating:
        return span
    others = _others(read, asked)
    if any(timedelta(0) < abs(other.start - span.start) < _HARDLY_A_YEAR for other in others):
        return span
    return asked.occasion(span, others)


def just_over(read: Reading, asked: Asked) -> Span | None:
    """Return what is read of the occasion before the one ahead if it comes once a year and is hardly over, else None.

    What a plan is to follow (国庆节后我要去体检) may be over already: then the time after it has begun.
    """
    ahead, last = read(asked), read(replace(asked, prefer="past"))
    if ahead is None or last is None or not ahead.floating or ahead.start - last.start < _HARDLY_A_YEAR:
        return None
    return last if asked.now - last.end < _STILL_AFTER else None


def _others(read: Reading, asked: Asked) -> list[Span]:
    elsewhere = [replace(asked, now=asked.now + sign * far) for far in _OTHER_OCCASIONS for sign in (1, -1)]
    return [other for one in elsewhere if (other := read(one)) is not None]
