"""English hours of a day: "tomorrow morning", "3pm on Friday", "Monday from 9 to 11am", "from 2pm for 2 hours"."""

import re
from dataclasses import replace
from datetime import timedelta

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import ONE_DAY, Span
from nodes.language.timex.compose import CLOCK, DAY, LAST_CLOCK, PART, Meaning, Parts, Pattern
from nodes.language.timex.en_days import hours_of
from nodes.language.timex.en_words import UNIT, N, number, pattern, unit_key
from nodes.language.timex.figures import nearest_clock
from nodes.language.timex.rules import Asked

_HOUR = timedelta(hours=1)
_HALF_A_DAY = 12 * _HOUR
# The hours that are the end of a day at work.
_END_OF_DAY = (17, 24)


def _clock_and_part(_match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "3 in the morning", "in the evening at eight"."""
    clock, part = parts["clock"], parts["part"]
    placed = _placed(clock, part.span, asked)
    span = nearest_clock(asked, (placed.start.hour,), placed.start.minute if placed.grain == "minute" else None)
    return Meaning(span, "clock") if span else None


def _part_and_day(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    # "Lunch yesterday" is a meal, "at lunch yesterday" a time.
    return None if parts.raw("part").lower().startswith("lunch") else _day_and_part(match, asked, parts)


def _day_and_part(_match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    day, part = parts["day"].span, parts["part"].span
    if day.end - day.start != ONE_DAY:
        return None
    midnight = part.start.replace(hour=0, minute=0)
    first, end = ((at - midnight) // _HOUR for at in (part.start, part.end))
    return Meaning(hours_of(day, (first, end)))


def _day_up_to_clock(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "today before 4pm", "Thursday after 1pm": the hours of that day."""
    day, clock = parts["day"].span, parts["clock"]
    if day.end - day.start != ONE_DAY:
        return None
    moment = _placed(clock, day, asked).start
    if match["way"] == "after":
        return Meaning(replace(day, start=moment, grain="hour"))
    return Meaning(replace(day, end=moment, grain="hour"))


def _end_of_day(_match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    day = parts["day"].span
    return Meaning(hours_of(day, _END_OF_DAY)) if day.end - day.start == ONE_DAY else None


def _day_and_clock(_match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    day, clock = parts["day"].span, parts["clock"]
    if day.end - day.start > ONE_DAY or day.end - day.start <= timedelta(minutes=1):
        return None
    return Meaning(replace(_placed(clock, day, asked), floating=False))


def _placed(clock: Meaning, day: Span, asked: Asked) -> Span:
    """Return a time on a clock on a day, or in the part of a day where it fits best."""
    first = day.start.replace(hour=0, minute=0)
    length = clock.span.end - clock.span.start
    offset = clock.span.start - clock.span.start.replace(hour=0, minute=0)
    if day.end - day.start < ONE_DAY and clock.open_half:
        middle = day.start + (day.end - day.start) / 2
        starts = [first + offset % _HALF_A_DAY + n * _HALF_A_DAY for n in range(4)]
        start = min(starts, key=lambda at: abs(at - middle))
    else:
        start = first + offset + (ONE_DAY if clock.ends_day else timedelta(0))
        # A night reaches into the next morning: midnight tonight, one in the morning last night. At half past midnight
        # one in the morning tonight is still to come.
        next_morning = start < day.start and start + ONE_DAY <= day.end < day.start + ONE_DAY
        if next_morning and not first <= asked.now < start:
            start += ONE_DAY
    return Span(start, start + length, clock.span.grain)


def _for_a_while(match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    """Resolve "from 2pm for 2 hours"."""
    clock, unit = parts["clock"], unit_key(match["unit"])
    if not arithmetic.is_short(unit):
        return None
    count = float(f"{match['n']}{match['decimal']}") if match["decimal"] else number(match["n"])
    return replace(clock, span=replace(clock.span, end=clock.span.start + arithmetic.seconds(count, unit)))


def _clock_to_clock(_match: re.Match[str], _asked: Asked, parts: Parts) -> Meaning | None:
    first, last = parts["clock"], parts["last_clock"]
    if last.open_half and not first.open_half and last.span.start <= first.span.start:
        last = replace(last, span=replace(last.span, start=last.span.start + _HALF_A_DAY))
    end = last.span.start if last.span.start > first.span.start else last.span.start + ONE_DAY
    return replace(first, span=replace(first.span, end=end, grain="hour"))


_ON = r"(?:\s*,)?\s*(?:(?:at|from|between|around|by|@|in)\s+)?"
OF_A_DAY: tuple[Pattern, ...] = (
    pattern("", rf"{CLOCK}\s*,?\s*(?:in\s+the\s+)?{PART}", _clock_and_part),
    pattern("", rf"{PART}\s*,?\s*{CLOCK}", _clock_and_part),
    pattern("", rf"{DAY}\s*,?\s*(?:(?:in|at|during)\s+(?:the\s+)?)?{PART}", _day_and_part),
    pattern("", rf"(?:the\s+)?{PART}\s+(?:of\s+|on\s+)?(?:the\s+)?{DAY}", _part_and_day),
)
WHILE: tuple[Pattern, ...] = (
    pattern("for", rf"(?:from\s+)?{CLOCK}\s+for\s+{N}(?P<decimal>\.\d)?\s*{UNIT}", _for_a_while),
    pattern("for", rf"for\s+{N}(?P<decimal>\.\d)?\s*{UNIT}\s+(?:starting\s+)?(?:from|at)\s+{CLOCK}", _for_a_while),
    pattern("", rf"(?:from\s+|between\s+)?{CLOCK}\s*(?:-|–|to|till|until|and)\s*{LAST_CLOCK}", _clock_to_clock),
)
AT_A_TIME: tuple[Pattern, ...] = (
    pattern("", rf"{DAY}\s*,?\s*(?P<way>before|until|till|by|after)\s+{CLOCK}", _day_up_to_clock),
    pattern("end", rf"(?:at\s+)?(?:the\s+)?end\s+of\s+(?:the\s+)?{DAY}", _end_of_day),
    pattern("", rf"{DAY}{_ON}{CLOCK}", _day_and_clock),
    pattern("", rf"{CLOCK}\s*,?\s*(?:on\s+|in\s+)?(?:the\s+)?{DAY}", _day_and_clock),
)
