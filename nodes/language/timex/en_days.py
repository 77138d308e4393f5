"""English days: today and its neighbours, days of the week, days of the month, and the parts of a day."""

import re
from dataclasses import replace
from datetime import timedelta

from nodes.language.timex import arithmetic
from nodes.language.timex.calendar import ONE_DAY, Span, days, hours, monday
from nodes.language.timex.compose import Meaning, Parts, Pattern
from nodes.language.timex.en_words import (
    ANY_WEEKDAY,
    DAY_WORD,
    FULL_WEEKDAY,
    MONTH_NAMES,
    SHIFTS,
    N,
    day_number,
    key,
    led_by_time_word,
    number,
    pattern,
    plain,
    weekday_number,
)
from nodes.language.timex.rules import Asked

_DAYS = {
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
# In a story they are counted from a day told before.
_DAYS_OF_A_STORY = {
    "day before": -1,
    "day after": 1,
    "next day": 1,
    "previous day": -1,
    "following day": 1,
    "same day": 0,
    "day": 0,
}
# Hours of a day; a night ends in the next morning.
_PARTS = {
    "morning": (6, 12),
    "lunch": (11, 14),
    "lunchtime": (11, 14),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 30),
}
_EARLY = {"morning": (6, 9), "night": (18, 21)}
_LATE = {"morning": (9, 12), "afternoon": (15, 18), "night": (22, 30)}
# A capital inside a sentence makes a title of it: USA Today, the Tomorrow project.
_INSIDE = re.compile(r"[A-Za-z,]\s\Z")
_AT_THE_END = re.compile(r"\s*(?:\Z|[.,;!?])")
_NAME_AFTER = re.compile(r"\s+[A-Z][a-z]")
# Days of the week that are listed are a habit, as a range of them is: "Monday to Friday".
_JOINT = r"\s*(?:-|–|to|through|thru|and|&|,)\s*(?:on\s+)?"
_LISTED_AFTER = re.compile(rf"{_JOINT}(?:{FULL_WEEKDAY}|(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)\b)")
_LISTED_BEFORE = re.compile(rf"{FULL_WEEKDAY}{_JOINT}\Z")
_FEAST_DAYS = ("black", "good", "cyber", "casual", "ash", "palm", "easter", "giving", "super", "bloody", "whit", "holy")
_NO_FEAST = "".join(f"(?<!{word} )" for word in _FEAST_DAYS)
# How many months are searched for a Friday the 13th.
_MONTHS_AROUND = 60


def part_of(name: str, edge: str = "") -> tuple[int, int]:
    """Return the hours of a part of a day, of those the early or the late ones."""
    name = "night" if name == "nite" else name
    first, end = _PARTS[name]
    if edge.startswith("earl"):
        return _EARLY.get(name, (first, first + 3))
    return _LATE.get(name, (end - 3, end)) if edge.startswith("late") else (first, end)


def hours_of(span: Span, part: tuple[int, int]) -> Span:
    """Return the hours of the first day of a span."""
    return replace(hours(span.start.date(), *part), grain="hour", confidence=span.confidence)


def _relative_day(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    start = match.start()
    if parts.source[start].isupper() and _INSIDE.search(parts.source, max(0, start - 2), start):
        return None
    return Meaning(days(asked.today + _DAYS[key(match["word"])] * ONE_DAY))


def _day_of_a_story(match: re.Match[str], asked: Asked) -> Meaning:
    return Meaning(days(asked.today + _DAYS_OF_A_STORY[key(match["word"])] * ONE_DAY), sure=False)


def _part_of_near_day(match: re.Match[str], asked: Asked) -> Meaning:
    """Resolve "tonight", "this morning", "late last night", "today evening"."""
    shift = SHIFTS[match["which"]] if match["which"] else 0
    part = part_of(match["name"] or match["today"] or "night", match["edge"] or match["late"] or "")
    return Meaning(hours_of(days(asked.today + shift * ONE_DAY), part))


def _bare_part(match: re.Match[str], asked: Asked) -> Meaning:
    return Meaning(hours_of(days(asked.today), part_of(match["name"], match["edge"] or "")), "part", sure=False)


def _nights_ago(match: re.Match[str], asked: Asked) -> Meaning:
    count = number(match["n"]) if match["n"] else 2
    return Meaning(hours_of(days(asked.today - count * ONE_DAY), _PARTS["night"]))


def _now(_match: re.Match[str], asked: Asked) -> Meaning:
    # In a sentence "right now" is seldom what is asked about; it may begin or end a range.
    return Meaning(arithmetic.minute_of(asked), sure=False)


def _weekday(match: re.Match[str], asked: Asked, parts: Parts) -> Meaning | None:
    weekday, side = weekday_number(match["weekday"]), match["side"]
    ahead = days(asked.today + ((weekday - asked.today.weekday() - 1) % 7 + 1) * ONE_DAY)
    this_week = days(monday(asked.today) + weekday * ONE_DAY)
    # "This sun" is none, "this Sun" may be.
    clear = match["weekday"].endswith("day") or parts.raw("weekday")[0].isupper()
    match "after next" if match["after_next"] else side:
        case "after next":
            return Meaning(days(max(this_week.start, ahead.start).date() + 7 * ONE_DAY))
        case "last":
            return Meaning(days(asked.today - ((asked.today.weekday() - weekday - 1) % 7 + 1) * ONE_DAY))
        case "previous" | "past":
            return Meaning(days(this_week.start.date() - 7 * ONE_DAY), sure=clear)
        case "next" | "following":
            return Meaning(days(this_week.start.date() + 7 * ONE_DAY))
        case "coming" | "upcoming":
            return Meaning(ahead)
        case "this":
            over = asked.prefer == "future" and this_week.end <= asked.now
            return Meaning(ahead if over else this_week, sure=clear)
    span = asked.on_weekday(weekday, None)
    return Meaning(span, sure=_stands_alone(match, parts)) if span else None


def _stands_alone(match: re.Match[str], parts: Parts) -> bool:
    """Say whether a bare day of the week is that of a certain week: no name, no habit, nothing it describes."""
    if _LISTED_AFTER.match(match.string, match.end()) or _LISTED_BEFORE.search(match.string, 0, match.start()):
        return False
    name, is_last = match["weekday"], _AT_THE_END.match(match.string, match.end()) is not None
    if not name.endswith("day") and not is_last and parts.raw("weekday")[0].islower():
        return False  # "on sun cream"
    named = name.endswith("day") and not _NAME_AFTER.match(parts.source, match.end())
    return match["the"] is None and (named or led_by_time_word(match))


def _weekday_and_number(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Return the nearest day that is both, as "Friday the 13th" in some month."""
    weekday, nth = weekday_number(match["weekday"]), day_number(match["number"])
    step = -1 if asked.prefer == "past" else 1
    for count in range(_MONTHS_AROUND):
        month = arithmetic.moved(asked.today.replace(day=1), step * count, "month")
        if nth > (arithmetic.moved(month, 1, "month") - month).days:
            continue
        day = month.replace(day=nth)
        if day.weekday() == weekday and (day - asked.today) * step >= timedelta(0):
            return Meaning(days(day))
    return None


def _day_of_month(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "on the 15th"; "the first" alone is rarely a day."""
    written, on = match["number"][0].isdecimal(), match["on"] is not None
    if not (written or match["the"] or on):
        return None
    span = asked.on_day(day_number(match["number"]))
    sure = (led_by_time_word(match) or on) and (written or match["the"] is not None)
    return Meaning(span, sure=sure) if span else None


_DAY_NAMES = " ".join(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
_ORDINAL_CUES = (
    "1 2 3 4 5 6 7 8 9 first second third fourth fifth sixth seventh eighth ninth tenth elev twel teenth tieth"
)
_AFTER_A_DAY = "at|from|between|in|this|and|or|to|till|until|with|for|i|we|please"

BASE: tuple[Pattern, ...] = (
    pattern(
        "yesterday today tomorrow",
        r"(?:the\s+)?(?P<word>day\s+(?:before\s+yesterday|after\s+tomorrow)|yesterday|today|tomorrow)(?:'?s(?=\s|$))?",
        _relative_day,
    ),
    plain(
        "day",
        r"the\s+(?P<word>day(?:\s+(?:before|after))?|(?:next|previous|following|same)\s+day)(?=\s*(?:$|[.?!,;]))",
        _day_of_a_story,
    ),
    plain(
        "tonight tonite last this next today",
        r"(?:(?P<late>late|earl(?:y|ier)|later)\s+(?:on\s+)?)?(?:tonight|tonite|today\s+(?P<today>evening)"
        r"|(?P<which>last|this|next)\s+(?:(?P<edge>early|late)\s+)?(?P<name>morning|afternoon|evening|night|nite))",
        _part_of_near_day,
    ),
    plain("night", rf"(?:the\s+night\s+before\s+last|{N}\s+nights\s+ago)", _nights_ago),
    plain(
        "morning afternoon evening night lunch",
        r"(?:(?:in|during|at)\s+)?(?:the\s+)?"
        r"(?:(?P<edge>early|later?|earlier)(?:\s+(?:on\s+)?in\s+the|\s+hours\s+of\s+the)?\s+)?"
        r"(?P<name>morning|afternoon|evening|night|lunchtime|lunch)(?:ish)?",
        _bare_part,
    ),
    plain(
        "now moment present atm this",
        r"(?:(?:right\s+|just\s+)?now|at\s+the\s+moment|at\s+(?:the\s+)?present(?:\s+time)?|at\s+this\s+time"
        r"|atm)(?!\s+(?:that|on)\b)",
        _now,
    ),
    plain(
        "date",
        r"(?:(?:the\s+)?current\s+date|(?<=to\s)date|(?<=till\s)date)",
        lambda _match, asked: Meaning(days(asked.today), sure=False),
    ),
    pattern(
        _DAY_NAMES,
        rf"{_NO_FEAST}(?:on\s+)?(?:(?P<the>the)\s+|this\s+(?=last|past|coming|upcoming|next))?"
        r"(?:(?P<side>last|previous|past|this|next|coming|upcoming|following)\s+)?"
        rf"(?P<weekday>{ANY_WEEKDAY})(?P<after_next>\s+after\s+next)?(?!\s+before\s+last\b)",
        _weekday,
    ),
    plain(
        _DAY_NAMES,
        rf"(?:on\s+)?(?P<weekday>{ANY_WEEKDAY}),?\s+(?:the\s+)?(?P<number>{DAY_WORD})"
        rf"(?!\s*(?:of|[\-/:.]\s*\d|[ap]\.?m\b|o'?clock|{MONTH_NAMES}|in\s+the|people|[a-z]+s\b))",
        _weekday_and_number,
    ),
    plain(
        _ORDINAL_CUES,
        r"(?:(?P<on>on)\s+|around\s+)?(?P<the>the\s+)?"
        rf"(?P<number>{DAY_WORD})(?:(?<!\d)|(?<=the\s\d)|(?<=the\s\d\d))"
        rf"(?!\s+(?!(?:{_AFTER_A_DAY})\b)[a-z]|[%:/]|[.,]\d|-\d)",
        _day_of_month,
    ),
)
