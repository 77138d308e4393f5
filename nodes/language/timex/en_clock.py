"""English times on a clock: "half past four", "3:15pm", "nine fifty nine am", "from 9 to 11am"."""

import re
from datetime import datetime, time, timedelta

from nodes.language.timex.calendar import ONE_DAY, Span, nearest
from nodes.language.timex.compose import Meaning, Pattern
from nodes.language.timex.en_words import ZONE, key, number, plain
from nodes.language.timex.figures import nearest_clock
from nodes.language.timex.numerals import ENGLISH, english
from nodes.language.timex.rules import Asked

_HOUR = timedelta(hours=1)
_NOON = 12
_HALF = r"(?P<half>[ap]\.\s?m\.|[ap]\s?m(?![a-z\d_])|[ap]\b(?!\s?\.?\s?[a-z])\.?|in\s+the\s+[ap]m)"
_HOUR_WORD = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTE_WORD = (
    r"(?:twenty|thirty|forty|fifty)(?:[\s\-](?:one|two|three|four|five|six|seven|eight|nine))?|fifteen|ten|eleven|twelve"
    r"|(?:o|oh|ou|zero)[\s\-](?:one|two|three|four|five|six|seven|eight|nine)"
)
_HOUR_NUMBER = rf"(?P<hour>(?:2[0-4]|1\d|0?\d)(?!\d)|{_HOUR_WORD})"
_NOON_WORD = r"(?P<word>12\s+noon|noon(?:ish)?|midday|mid-?\s?night)"
_LEAD = r"(?:(?P<lead>(?:at|@|around|about|approximately|circa|for|by)(?:\s+(?:about|around|approximately))?)\s*)?"
# Words after which a bare number is a time; where a time is due or begins, they belong to what is around it.
_LED = re.compile(r"(?:\A|\b(?:at|by|until|till|before|after|since|from|between|around|about)|@)\s*\Z")


def _hour_of(text: str) -> int:
    return int(text) if text.isdecimal() else english(text)


def _minutes_of(text: str | None) -> int:
    if not text:
        return 0
    if text.isdecimal():
        return int(text)
    return english(" ".join(re.sub(r"\b(?:o|oh|ou|zero)[\s\-]", "", text).split()))


def _in_day(hour: int, half: str | None) -> tuple[int, bool]:
    """Return the hour of a day, and whether it may also be the other half of the day.

    Without "am" or "pm" hours from one to six are taken for the afternoon.
    """
    if half:
        letter = re.sub(r"[^ap]", "", half.replace("in the", ""))[:1]
        return hour % _NOON + (_NOON if letter == "p" else 0) if hour <= _NOON else hour, False
    if 1 <= hour <= 6:
        return hour + _NOON, True
    return hour, 7 <= hour <= _NOON


def _moment(day: datetime, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day.date(), time()) + timedelta(hours=hour, minutes=minute)


def _led(match: re.Match[str]) -> bool:
    return bool(_LED.search(match.string, max(0, match.start() - 12), match.start())) and match.start() > 0


def _clock(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "3pm", "at 15:30", "7 o'clock", "ten thirty", "5ish"; a bare number is a time only beside a day."""
    groups = match.groupdict()
    half, minute = groups.get("half"), groups.get("minute")
    hour, open_half = _in_day(_hour_of(match["hour"]), half)
    if match["hour"].startswith("0") and not half:
        hour, open_half = int(match["hour"]), False
    if hour > 24:
        return None
    span = nearest_clock(asked, (hour,), None if minute is None else _minutes_of(minute))
    led = key(groups.get("lead") or "about") not in ("for", "about") or _led(match)
    sure = "m" in (half or "") or groups.get("oclock") is not None or (led and minute is not None)
    return Meaning(span, "clock", sure, open_half, ends_day=hour == 24) if span else None


def _noon_or_midnight(match: re.Match[str], asked: Asked) -> Meaning | None:
    span = nearest_clock(asked, (0 if "night" in match["word"] else _NOON,), None)
    return Meaning(span, "clock") if span else None


def _past_hour(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "half past four", "a quarter to 9", "20 past 3pm", "15 minutes past noon"."""
    if match["word"]:
        hour, open_half = (0 if "night" in match["word"] else _NOON), False
    else:
        hour, open_half = _in_day(_hour_of(match["hour"]), match["half"])
    step = key(match["step"])
    minutes = 30 if step.startswith("half") else 15 if "quarter" in step else number(match["n"])
    if match["way"] in ("to", "before", "of", "til", "till"):
        minutes = -minutes
    start = _moment(asked.now, hour) + timedelta(minutes=minutes)
    span = nearest_clock(asked, (start.hour,), start.minute)
    # "16 to 18" is no time, "16 to noon" and "ten past 3pm" are.
    told = bool(match["word"] or match["half"] or "min" in step)
    sure = step.startswith("half past") or "quarter" in step or told
    return Meaning(span, "clock", sure, open_half) if span else None


def _range(match: re.Match[str], asked: Asked) -> Meaning | None:
    """Resolve "3-4pm", "from 9:30 till 11:00", "between 3 and 5": the second says which half of the day."""
    first, last = _hour_of(match["first"]), _hour_of(match["second"])
    if first > 24 or last > 24 or (match["to"] == "and" and "between" not in (match["word"] or "")):
        return None
    end, end_open = _in_day(last, match["second_half"])
    begin, begin_open = _in_day(first, match["first_half"])
    if match["second_half"] and begin_open and not match["first_half"]:
        # "9-11am", "11 to 1pm": the beginning is the last such hour before the end.
        begin = max((hour for hour in (first % _NOON, first % _NOON + _NOON) if hour < end), default=begin)
    start = _moment(asked.now, begin, _minutes_of(match["first_minute"]))
    stop = _moment(asked.now, end, _minutes_of(match["second_minute"]))
    if stop <= start:
        stop += ONE_DAY if not end_open else 12 * _HOUR
    figures = bool(match["first_half"] or match["second_half"] or (match["first_minute"] and match["second_minute"]))
    span = nearest((Span(start + n * ONE_DAY, stop + n * ONE_DAY, "hour") for n in (-1, 0, 1)), asked.now, asked.prefer)
    sure = bool(match["first_half"] or match["second_half"]) or (figures and bool(match["word"]))
    return Meaning(span, "clock", sure, begin_open and not match["second_half"]) if span else None


_RANGE_SIDE = (
    r"(?P<{0}>(?:2[0-4]|1\d|0?\d)(?!\d)|"
    + _HOUR_WORD
    + r")(?:[:.h](?P<{0}_minute>[0-5]\d)(?::[0-5]\d)?)?h?\s*(?P<{0}_half>[ap]\.\s?m\.|[ap]\s?m(?![a-z\d_])|[ap]\b)?"
)

BASE: tuple[Pattern, ...] = (
    plain("noon midday night", rf"(?:at\s+|around\s+|the\s+|at\s+the\s+)?{_NOON_WORD}", _noon_or_midnight),
    plain(
        "a p",
        rf"{_LEAD}{_HOUR_NUMBER}(?:\s?[:.h\s]\s?(?P<minute>[0-5]\d|{_MINUTE_WORD})(?::[0-5]\d)?)?\s*"
        rf"(?:o'?clock\s*)?{_HALF}",
        _clock,
    ),
    plain("a p", rf"{_LEAD}(?P<hour>1[0-2]|[1-9])(?P<minute>[0-5]\d)\s*{_HALF}", _clock),
    plain(
        "at @ around", r"(?:at|around|@)\s*(?P<hour>1[0-2]|[1-9])(?P<minute>[0-5]\d)(?!\s*[a-z]+s\b(?<!this))", _clock
    ),
    plain(
        ": h",
        rf"{_LEAD}{_HOUR_NUMBER}(?:[:h](?P<minute>[0-5]\d)(?::[0-5]\d)?h?|h)(?:\s*ish)?{ZONE}?(?![:.]\d|\s*aspect)",
        _clock,
    ),
    plain("clock", rf"{_LEAD}{_HOUR_NUMBER}\s+(?P<oclock>o'?\s?clock)", _clock),
    plain(
        "past to after before from half quarter",
        rf"(?:at\s+|around\s+|for\s+)?(?P<step>half(?:\s+past|\s+(?={_HOUR_WORD}\b))|(?:a\s+)?quarter"
        rf"|(?P<n>{ENGLISH})(?:\s+min(?:ute)?s?)?)(?:(?<=past)|(?<=half\s)|\s+(?P<way>past|to|after|before|from|of|till?))"
        rf"\s*(?:{_NOON_WORD}|{_HOUR_NUMBER}h?(?:\s*(?:{_HALF}|o'?clock))?)",
        _past_hour,
    ),
    plain(
        _HOUR_WORD.replace("|", " "),
        rf"{_LEAD}{_HOUR_NUMBER}[\s\-](?P<minute>{_MINUTE_WORD})(?:\s+minutes)?"
        rf"(?!\s*(?:{_HALF}|years|days|weeks|months|people|percent))",
        _clock,
    ),
    plain(
        "at @ around about by",
        rf"(?P<lead>at|@|around|about|by)\s*{_HOUR_NUMBER}(?:\.(?P<minute>[0-5]\d))?\s?h?(?:\s?ish)?"
        r"(?![:./%]|\s+(?:of|to|past|people|o'?clock|[a-z]+s\b(?<!this)))",
        _clock,
    ),
    plain("ish", rf"{_LEAD}{_HOUR_NUMBER}(?::?(?P<minute>[0-5]\d))?\s?ish", _clock),
    plain("", rf"\A{_HOUR_NUMBER}(?=,?\s+(?:tomorrow|tonight|this|in\s+the)\b)", _clock),
    plain(
        "- – to and til but through",
        rf"(?:(?P<word>from|(?:in\s+)?between|later\s+than|around|at)\s+)?{_RANGE_SIDE.format('first')}"
        rf"\s*(?P<to>-|–|to|and|till?|untill?|through|but\s+before)\s*{_RANGE_SIDE.format('second')}(?:\s*ish)?{ZONE}?"
        r"(?!\s*(?:%|people|persons|of\b|st\b|nd\b|rd\b|th\b|days|weeks|months|years|hours|minutes|times)|[:/\-.]\d)",
        _range,
    ),
)
