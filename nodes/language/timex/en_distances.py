"""English distances from now: "three days ago", "in two weeks", "the last few months", "within 3 days"."""

import re
from dataclasses import replace
from datetime import datetime, time

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import ONE_DAY, Span, around, days
from nodes.language.timex.compose import Meaning, Pattern
from nodes.language.timex.en_words import (
    FULL_WEEKDAY,
    LONG_UNIT,
    SHIFTS,
    UNIT,
    N,
    number,
    plain,
    unit_key,
    weekday_number,
)
from nodes.language.timex.numerals import ENGLISH, is_vague
from nodes.language.timex.rules import Asked

# Half of a unit in smaller ones.
_HALVES = {
    "hour": (30, "minute"),
    "day": (12, "hour"),
    "week": (4, "day"),
    "fortnight": (7, "day"),
    "month": (15, "day"),
    "quarter": (45, "day"),
    "year": (6, "month"),
    "decade": (5, "year"),
}
# What is said of a future that is counted from now, not of how long something takes.
_AHEAD = re.compile(r"\b(?:will|'ll|shall|remind|back|leav\w+|meet|see you|due|again|going to|call|start\w*)\b")
_FRIDAY = 4
_VAGUE = 0.7


def _unsure_if_vague(span: Span, words: str, unit: str) -> Span:
    if not is_vague(words):
        return span
    return replace(span, confidence=_VAGUE, reach=max(span.reach, (2 if unit == "day" else 7) * ONE_DAY))


def _on(span: Span, end: datetime) -> Span:
    """Return the day of a moment, with what else is known of a span."""
    day = days(end.date())
    return replace(span, start=day.start, end=day.end)


def _stepped(asked: Asked, sign: int, steps: list[tuple[float, str]]) -> Asked:
    """Return one who asks some units later, at the same time of day where all of them are days or longer."""
    for count, unit in steps:
        if arithmetic.is_short(unit):
            now = asked.later(sign * arithmetic.seconds(count, unit))
        else:
            now = datetime.combine(arithmetic.moved(asked.today, sign * int(count), unit), asked.now.time())
        asked = replace(asked, now=now)
    return asked


def _count(match: re.Match[str]) -> float:
    """Return the number that a match counts with: "three", "1.5", "two and a half" without the half."""
    return number(match["n"]) + (float(match["decimal"]) if (match["decimal"] or "").startswith(".") else 0)


def _distance(match: re.Match[str], asked: Asked) -> Meaning:
    """Resolve "three days ago", "an hour and a half ago", "2 years, 1 month and 21 days later"."""
    way, unit = match["way"].split()[0], unit_key(match["unit"])
    sign, sure = (-1 if way in ("ago", "back") else 1), way in ("ago", "from")
    steps: list[tuple[float, str]] = [] if match["half"] else [(_count(match), unit)]
    if match["half"] or match["and_half"] or match["half_too"]:
        if unit not in _HALVES:
            raise ValueError(unit)
        steps.append(_HALVES[unit])
    for count, more in (("more", "more_unit"), ("most", "most_unit")):
        if match[more]:
            steps.append((number(match[count]), unit_key(match[more])))
    end = _stepped(asked, sign, steps)
    if any(arithmetic.is_short(step) for _, step in steps):
        return Meaning(arithmetic.away(end, 0, "minute"), sure=sure)
    span = arithmetic.away(asked, 0, steps[0][1])
    return Meaning(_unsure_if_vague(_on(span, end.now), match["n"] or "", unit), sure=sure)


def _ahead(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "in two weeks"; "in a week" may also say how long something takes."""
    unit, words = unit_key(match["unit"]), match["n"] or ""
    told = match["time"] or _AHEAD.search(match.string, max(0, match.start() - 40), match.start())
    if match["share"]:
        words = match["share"]
        share = 0.5 if words.startswith(("half", "1/2")) else 0.75 if words.startswith(("three", "3/4")) else 0.25
        steps: list[tuple[float, str]] = [(share, unit)] if arithmetic.is_short(unit) else [_HALVES[unit]]
        return _moment(_stepped(asked, 1, steps), steps[0][1], sure=bool(told))
    count = _count(match)
    if match["decimal"] and not match["decimal"].startswith("."):
        count += 0.5
    span = arithmetic.away(asked, count, unit)
    takes_as_long = arithmetic.is_short(unit) or words in ("a", "an", "one") or match["decimal"] is not None
    return Meaning(_unsure_if_vague(span, words, unit), sure=bool(told) or not takes_as_long)


def _moment(end: Asked, unit: str, *, sure: bool) -> Meaning:
    return Meaning(arithmetic.away(end, 0, "minute" if arithmetic.is_short(unit) else unit), sure=sure)


def _after_a_while(match: re.Match[str], asked: Asked) -> Meaning:
    return Meaning(arithmetic.away(asked, number(match["n"]), unit_key(match["unit"])), sure=False)


def _several(match: re.Match[str], asked: Asked) -> Meaning:
    """Resolve "the last three weeks", "next few days", "the past 3 months and 2 weeks"."""
    unit, count, ahead = unit_key(match["unit"]), number(match["n"]), SHIFTS[match["side"]] > 0
    if match["more_unit"]:
        first = _stepped(asked, -1, [(count, unit), (number(match["more"]), unit_key(match["more_unit"]))])
        start = datetime.combine(first.today, time())
        return _period(Span(start, days(asked.today).start, arithmetic.grain_of(unit), ONE_DAY))
    span = arithmetic.units_around(asked, count, unit, ahead=ahead)
    return _period(replace(span, confidence=_VAGUE) if is_vague(match["n"]) else span)


def _several_rolling(match: re.Match[str], asked: Asked) -> Meaning:
    """Resolve "the 3 past weeks", "5 upcoming years": so many up to today, or from tomorrow on."""
    ahead = SHIFTS[match["side"]] > 0
    return _period(arithmetic.rolling(asked, number(match["n"]), unit_key(match["unit"]), ahead=ahead))


def _past_one(match: re.Match[str], asked: Asked) -> Meaning:
    return _period(arithmetic.rolling(asked, 1, match["unit"], ahead=False))


def _within(match: re.Match[str], asked: Asked) -> Meaning:
    unit = unit_key(match["unit"])
    end = arithmetic.away(asked, number(match["n"]), unit)
    return _period(Span(asked.now, end.end if unit == "day" else end.start, arithmetic.grain_of(unit)))


def _period(span: Span) -> Meaning:
    return Meaning(span, "period" if span.end - span.start > ONE_DAY else "day")


def _weekdays_away(match: re.Match[str], asked: Asked) -> Meaning:
    """Resolve "three Fridays from now", "two Sundays ago"."""
    weekday, weeks, today = weekday_number(match["weekday"]), number(match["n"]) - 1, asked.today
    if match["way"] == "ago":
        return Meaning(days(today - ((today.weekday() - weekday - 1) % 7 + 1 + 7 * weeks) * ONE_DAY))
    return Meaning(days(today + ((weekday - today.weekday() - 1) % 7 + 1 + 7 * weeks) * ONE_DAY))


def _business_days(match: re.Match[str], asked: Asked) -> Meaning:
    step = ONE_DAY if SHIFTS[match["side"]] > 0 else -ONE_DAY
    day, passed = asked.today, list[datetime]()
    for _ in range(number(match["n"])):
        day += step
        while day.weekday() > _FRIDAY:
            day += step
        passed.append(datetime.combine(day, time()))
    return _period(Span(min(passed), max(passed) + ONE_DAY))


def _other_day(_match: re.Match[str], asked: Asked) -> Meaning:
    return Meaning(replace(around(asked.today - 3 * ONE_DAY, 4), confidence=0.6))


def _recently(_match: re.Match[str], asked: Asked) -> Meaning:
    return Meaning(replace(around(asked.today - 7 * ONE_DAY, 14), confidence=0.5), sure=False)


_HALF_TOO = r"\s+and\s+an?\s+half"
_SHARE = r"(?P<share>half\s+an?|(?:an?|three)[\s\-]quarters?\s+of\s+an?|1/2|[13]/4)"
_LEAD = r"(?:(?:in|over|during|for|within)\s+)?(?:the\s+)?"
_SIDES = r"(?P<side>last|past|previous|next|coming|upcoming|following)"
_SIDE_CUES = "last past previous next coming following"

BASE: tuple[Pattern, ...] = (
    plain(
        "ago later from hence back",
        rf"(?<!over )(?<!than )(?<!every )(?:(?P<half>half)\s+an?|{N}(?P<decimal>\.\d)?(?P<and_half>{_HALF_TOO})?)"
        rf"\s*{UNIT}"
        rf"(?P<half_too>{_HALF_TOO})?"
        rf"(?:(?:\s*,|\s+and)?\s+(?P<more>{ENGLISH})\s+(?P<more_unit>days?|weeks?|months?|hours?|minutes?)"
        rf"(?:(?:\s*,|\s+and)?\s+(?P<most>{ENGLISH})\s+(?P<most_unit>days?|weeks?))?)?"
        r"\s+(?P<way>ago|later|hence|back|from\s+(?:now|today|right\s+now))",
        _distance,
    ),
    plain(
        "in",
        rf"(?<!time\s)(?<!times\s)in\s+(?:about\s+|around\s+)?(?:{_SHARE}|{N}(?P<decimal>\.\d|{_HALF_TOO})?)\s*{UNIT}"
        r"(?P<time>'?s?'?\s+time)?(?!\s+(?:of|straight|flat|or|old|long)\b)",
        _ahead,
    ),
    plain("after", rf"(?<=after\s){N}\s+{LONG_UNIT}(?!\s+(?:of|after|from|before|in)\b)", _after_a_while),
    plain(
        _SIDE_CUES,
        rf"{_LEAD}{_SIDES}\s+{N}(?<!\ba)(?<!\ban)\s+{UNIT}"
        rf"(?:\s+and\s+(?P<more>{ENGLISH})\s+(?P<more_unit>days?|weeks?|months?)(?!\s+ago))?(?!\s+of\b)",
        _several,
    ),
    plain(_SIDE_CUES, rf"{_LEAD}{N}\s+{_SIDES}\s+{UNIT}(?!\s+of\b)", _several_rolling),
    plain(
        "last past",
        r"(?:in|within|over|during)\s+the\s+(?:last|past)\s+(?P<unit>minute|hour|day)(?!\s+of\b)",
        _past_one,
    ),
    plain("within", rf"within\s+{N}\s*{UNIT}(?!\s+of\b)", _within),
    plain(
        "from ago",
        rf"{N}\s+(?P<weekday>{FULL_WEEKDAY}|mon|tue|wed|thu|fri|sat|sun)s?\s+(?P<way>ago|from\s+(?:now|today))",
        _weekdays_away,
    ),
    plain("business working", rf"(?:the\s+)?{_SIDES}\s+{N}\s+(?:business|working)\s+days", _business_days),
    plain("other", r"the\s+other\s+(?:day|night|evening)", _other_day),
    plain("recently lately", r"(?:recently|lately)", _recently),
)
