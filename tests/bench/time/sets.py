"""The public sets of time expressions, as cases with the days that count as right.

What is scored is whole days on the wall clock, the first and the last: a set's points and spans of hours or minutes
count by the days they touch. Left out is what names no time of its own: durations ("for two days"), habits ("every
Monday"), hours without a day, and what its set gives no value for.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from nodes.language.timex.calendar import Prefer, month_later

# Between the two ends of a range.
_TO = re.compile(r"[-–—~到至和]|\b(?:to|through|till|until|and)\b", re.IGNORECASE)
# A deadline or a beginning, of which the other side is not said; 三天前 and 三个月以来 are distances.
_ONLY_END = re.compile(r"(?<![天周期拜月年钟时]之)(?<![个半多几]年)(?:[年月][底末初]|月|[日号]|年)(?:之|以)?前$")
_ONLY_START = re.compile(r"^从(?!.*[到至]).*起$")
_TICK = timedelta(microseconds=1)
_DATED = ("date", "daterange", "datetime", "datetimerange")
_FINE = ("second", "minute", "hour")
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


class Days(NamedTuple):
    """The first and the last day of a time, both in it; None where it is open on that side."""

    first: date | None
    last: date | None


@dataclass(frozen=True)
class Case:
    """An expression, when it was said (naive, UTC), and its right readings: any of them will do."""

    id: str
    text: str
    said: datetime
    right: tuple[Days, ...]
    sentence: str = ""  # where the expression stands, if the set has it
    start: int = 0  # the place of the expression in the sentence
    end: int = 0
    inclusive: tuple[Days, ...] = ()  # the right readings of "from A to B" with the whole of B in them


class TimeSet(NamedTuple):
    """One public set: its language, and the side that its readings lean to where a date could be past or ahead.

    A parser may be asked on several sides: of a set whose readings lean now here, now there, either answer counts.
    """

    name: str
    language: str
    sides: tuple[Prefer, ...]
    read: Callable[[Mapping[str, Any]], Iterator[Case]]

    def cases(self, data: Path) -> list[Case] | None:
        """Return the cases, None where the set is not there."""
        path = data / f"timex_{self.name}" / "cases.jsonl"
        if not path.exists():
            return None
        lines = path.read_text(encoding="utf-8").splitlines()
        return [case for line in lines for case in self.read(json.loads(line))]


def span_days(start: datetime, end: datetime) -> Days:
    """Return the days of `[start, end)`; of one without length the day it lies in."""
    return Days(start.date(), max(start, end - _TICK).date())


def jionlp(row: Mapping[str, Any]) -> Iterator[Case]:
    """Read a test of JioNLP: points and spans, the end included.

    Where one side of a deadline or a beginning is not said, the tests close it with the day of reference: it is open.
    Rows whose tests give no reference time are left out, and those read off the clock of the day the set was fetched:
    these alone have fractions of a second.
    """
    if row["type"] not in ("time_point", "time_span") or row["ref"] is None:
        return
    said = datetime.fromisoformat(row["ref"])
    if said.microsecond:
        return
    first, last = (None if "inf" in end else datetime.fromisoformat(end).date() for end in row["time"])
    if _ONLY_END.search(row["text"]) and first == said.date():
        first = None
    elif _ONLY_START.search(row["text"]) and last == said.date():
        last = None
    yield Case(row["id"], row["text"], said, (Days(first, last),))


def duckling(row: Mapping[str, Any]) -> Iterator[Case]:
    """Read an example of Duckling: a point lasts as long as its grain, an interval ends before its end."""
    said, start = datetime.fromisoformat(row["ref"]), datetime.fromisoformat(row["value"])
    if row["kind"] == "datetimeOpenInterval":
        side = Days(start.date(), None) if row["direction"] == "after" else Days(None, (start - _TICK).date())
    elif row["kind"] == "datetimeInterval":
        side = span_days(start, datetime.fromisoformat(row["end_exclusive"]))
    else:
        side = Days(start.date(), _after(start.date(), row["grain"]) - timedelta(days=1))
    yield Case(row["id"], row["text"], said, (side,))


def _after(first: date, grain: str) -> date:
    """Return the day after the last one of a point that has this grain."""
    if grain in _MONTHS:
        return month_later(first, _MONTHS[grain])
    return first + timedelta(days=1 if grain in _FINE else _DAYS[grain])


def recognizers(row: Mapping[str, Any]) -> Iterator[Case]:
    """Read a sentence of Recognizers-Text: dates and ranges of dates, with or without hours, that have a value.

    Open ones and those with a modifier ("before 2010", "mid today") are left out: what they leave open, and where they
    begin, is this library's own convention.
    """
    for number, found in enumerate(row["expressions"]):
        values = [value for value in found["values"] or [] if "Mod" not in value]
        if found["type"] not in _DATED or len(values) < len(found["values"] or []):
            continue
        right = tuple(days for value in values if (days := _valued(value)))
        if right:
            start = int(found["start"])
            end = int(found["end"]) + 1
            said = datetime.fromisoformat(row["ref"])
            text = row["text"][start:end]
            whole = tuple(days for value in values for days in _with_its_end(value)) if _TO.search(text) else ()
            yield Case(f"{row['id']}.{number}", text, said, right, row["text"], start, end, whole)


def _valued(value: Mapping[str, str]) -> Days | None:
    if "start" in value and "end" in value:
        return span_days(datetime.fromisoformat(value["start"]), datetime.fromisoformat(value["end"]))
    try:
        day = datetime.fromisoformat(value["value"]).date()
    except (KeyError, ValueError):
        return None
    return Days(day, day)


def _with_its_end(value: Mapping[str, str]) -> Iterator[Days]:
    """Yield the readings of a range that include the day, month, quarter or year that begins where the set ends it."""
    if "start" not in value or "end" not in value:
        return
    first, end = (datetime.fromisoformat(value[side]).date() for side in ("start", "end"))
    begins = {"day": True, "month": end.day == 1, "quarter": end.day == 1 and end.month % 3 == 1}
    begins["year"] = begins["month"] and end.month == 1
    for grain in (grain for grain, here in begins.items() if here):
        yield Days(first, _after(end, grain) - timedelta(days=1))


# Recognizers-Text accepts a past and a coming reading alike, Duckling says what is to come. JioNLP reads what names no
# year as of this one, now past, now ahead.
SETS = (
    TimeSet("jionlp_zh", "zh", ("future", "past"), jionlp),
    TimeSet("duckling_zh", "zh", ("future",), duckling),
    TimeSet("duckling_en", "en", ("future",), duckling),
    TimeSet("recognizers_zh", "zh", ("past",), recognizers),
    TimeSet("recognizers_en", "en", ("past",), recognizers),
)
