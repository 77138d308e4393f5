"""Words and figures that the English time expressions share: weekdays, months, days of a month, years, numbers."""

import re
from collections.abc import Callable
from datetime import date

from nodes.language.timex.calendar import Span
from nodes.language.timex.compose import Meaning, Parts, Pattern, Resolve
from nodes.language.timex.numerals import ENGLISH, ENGLISH_ORDINAL, english, english_ordinal
from nodes.language.timex.rules import Asked

BEGIN = r"(?<![a-z0-9_'\-$€£¥#/.])"
END = r"(?![a-z0-9_]|-[a-z0-9])"
N = rf"(?P<n>{ENGLISH})"
UNIT_WORDS = {
    "second": r"seconds?|secs?",
    "minute": r"minutes?|mins?",
    "hour": r"hours?|hrs?|h",
    "day": r"days?",
    "week": r"weeks?|wks?",
    "fortnight": r"fortnights?",
    "month": r"months?",
    "quarter": r"quarters?|qtrs?",
    "year": r"years?|yrs?",
    "decade": r"decades?",
}
_UNIT_KEYS = {
    "sec": "second",
    "min": "minute",
    "h": "hour",
    "hr": "hour",
    "wk": "week",
    "wkend": "weekend",
    "week end": "weekend",
    "week-end": "weekend",
    "qtr": "quarter",
    "yr": "year",
    "centurie": "century",
}
ZONE = r"(?:\s*\(?(?:gmt|utc|est|edt|cst|cdt|mst|pst|pdt|cet|bst|ist)\)?(?![a-z]))"
UNIT = rf"(?P<unit>{'|'.join(UNIT_WORDS.values())})"
LONG_UNIT = r"(?P<unit>days?|weeks?|wks?|fortnights?|months?|quarters?|qtrs?|years?|yrs?|decades?)"
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_CUES = " ".join(MONTHS)
MONTH_NAMES = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept(?:ember)?|sep|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
MONTH = (
    rf"(?P<month>{MONTH_NAMES})(?![a-z])(?:(?<!ry)(?<!ch)(?<!il)(?<!ne)(?<!ly)(?<!st)(?<!er)\.(?=\s*[\d,]|\s+[a-z]))?"
)
FULL_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
ANY_WEEKDAY = rf"(?:{FULL_WEEKDAY}|(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b\.?)"
WEEKDAY = rf"(?P<weekday>{ANY_WEEKDAY})"
SHIFTS = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this": 0,
    "current": 0,
    "same": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
    "following": 1,
}
SIDE = rf"(?P<side>{'|'.join(SHIFTS)})"
DAY_FIGURES = r"(?:3[01]|[12]\d|0?[1-9])"
DAY_WORD = rf"(?:{ENGLISH_ORDINAL}|{DAY_FIGURES}(?!\d))"
YEAR_FIGURES = r"(?:1[5-9]|20|21)\d\d"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TWO_FIGURES = (
    rf"(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[\s\-](?:{_ONES}))?|(?:thir|four|fif|six|seven|eigh|nine)teen"
    rf"|ten|eleven|twelve|oh?[\s\-](?:{_ONES})|{_ONES})"
)
YEAR_WORDS = (
    rf"(?:(?:two\s+thousand|(?:(?:seven|eigh|nine)teen|twenty)(?:[\s\-]hundred)?)(?:\s+and)?(?:[\s\-]{_TWO_FIGURES})?)"
)
_WHICH_YEAR = r"(?P<which>last|this|next|the\s+(?:following|previous))\s+(?:year|yr)"
YEAR_AFTER = (
    rf"(?:(?:\s*,\s*|\s+|[\-/](?=\d{{4}}))(?:(?:of|in)\s+)?(?:the\s+year\s+)?"
    rf"(?:(?P<year>{YEAR_FIGURES})(?![\d.,]*\d|:)|(?P<year_words>{YEAR_WORDS})|{_WHICH_YEAR})"
    r"|(?:\s+(?:of\s+)?'|\s+(?:of|in)\s+)(?P<short_year>\d\d)(?![\d:%]|\s*[ap]\.?m\b))"
)
# Years that are named and not read: a feast or a date of the year 9999 is none of a year near now.
NO_OTHER_YEAR = r"(?!\s*,?\s+(?:in\s+|of\s+)?(?:2[4-9]|[3-9]\d)\d\d(?!\d))"
YEAR_BEFORE = r"(?:(?P<before>last|this|next)\s+year(?:'s|,?\s+(?:in|on|at))\s+)"
_TIME_WORD = re.compile(r"\b(?:by|until|till|since|from|after|before)\s+\Z")


def key(text: str) -> str:
    """Return words in lower case with single spaces."""
    return " ".join(text.lower().split())


def unit_key(text: str) -> str:
    """Return the name of a unit: "wks" is "week"."""
    word = key(text)
    word = word if word == "h" else word.removesuffix("s")
    return _UNIT_KEYS.get(word, word)


def number(text: str) -> int:
    """Return the value of a number in figures or words.

    Raises:
        ValueError: It is none.
    """
    try:
        return english(" ".join(text.split()))
    except KeyError as error:
        raise ValueError(text) from error


def weekday_number(text: str) -> int:
    """Return the number of a day of the week, Monday is 0."""
    return WEEKDAYS.index(text.lower()[:3])


def month_number(text: str) -> int:
    """Return the number of a month, January is 1."""
    return MONTHS.index(text.lower()[:3]) + 1


def day_number(text: str) -> int:
    """Return the day of a month that figures or an ordinal give.

    Raises:
        ValueError: They give none.
    """
    word = key(text)
    if word.isdecimal():
        return int(word)
    try:
        return english_ordinal(word)
    except KeyError as error:
        raise ValueError(text) from error


def year_of_two(text: str, today: date) -> int:
    """Return the year that two figures mean: the one at most twenty years ahead."""
    year = 2000 + int(text)
    return year if year <= today.year + 20 else year - 100


def year_in_words(text: str) -> int:
    """Return a year such as "nineteen eighty-six" or "two thousand and fifteen".

    Raises:
        ValueError: The words are none, as "twenty five".
    """
    words = [word for word in re.split(r"[\s\-]+", text.lower()) if word not in ("and", "o", "oh")]
    if words[:2] == ["two", "thousand"]:
        return 2000 + (number(" ".join(words[2:])) if words[2:] else 0)
    rest = words[2:] if words[1:2] == ["hundred"] else words[1:]
    found = number(words[0]) * 100 + (number(" ".join(rest)) if rest else 0)
    if len(words) < 2 or (words[1] in _ONES.split("|") and words[0] == "twenty"):
        raise ValueError(text)
    return found


def led_by_time_word(match: re.Match[str]) -> bool:
    """Say whether a word stands before a match, or begins it, after which a time is expected."""
    return (
        match[0].startswith("on ")
        or _TIME_WORD.search(match.string, max(0, match.start() - 12), match.start()) is not None
    )


def named_year(match: re.Match[str], asked: Asked) -> int | None:
    """Return the year that an expression names before or after its month, day or feast; None where it names none."""
    groups = match.groupdict()
    if groups.get("year"):
        return int(groups["year"])
    if groups.get("year_words"):
        return year_in_words(groups["year_words"])
    if groups.get("short_year"):
        return year_of_two(groups["short_year"], asked.today)
    word = groups.get("which") or groups.get("before")
    return asked.today.year + SHIFTS[key(word).removeprefix("the ")] if word else None


def beside_now(asked: Asked, side: str | None, span_in: Callable[[int], Span | None]) -> Span | None:
    """Return of what comes once a year the one of this year, the last that is over, the next, or the nearest."""
    shift, this_year = (SHIFTS[side.lower()] if side else None), asked.today.year
    if shift is None:
        return asked.in_year(None, span_in)
    years = range(this_year - 2, this_year + 3)
    spans = [span for year in years if (span := or_none(span_in, year)) is not None]
    if shift == 0:
        running = [span for span in spans if span.start <= asked.now < span.end]
        return running[0] if running else span_in(this_year)
    if shift < 0:
        return max((span for span in spans if span.end <= asked.now), key=lambda span: span.start, default=None)
    return min((span for span in spans if span.start > asked.now), key=lambda span: span.start, default=None)


def pattern(cues: str, regex: str, resolve: Resolve, *, reckoned: bool = False) -> Pattern:
    """Return a pattern over lower case with its borders."""
    return Pattern(re.compile(f"{BEGIN}{regex}{END}"), resolve, tuple(cues.split()), reckoned)


def period(span: Span | None, *, sure: bool = True) -> Meaning | None:
    """Return a span of a week or longer as a meaning."""
    return Meaning(span, "period", sure) if span else None


def plain(cues: str, regex: str, resolve: Callable[[re.Match[str], Asked], Meaning | Span | None]) -> Pattern:
    """Return a pattern that is made of words only."""

    def resolve_words(match: re.Match[str], asked: Asked, _parts: Parts) -> Meaning | Span | None:
        return resolve(match, asked)

    return pattern(cues, regex, resolve_words)


def or_none(span_in: Callable[[int], Span | None], year: int) -> Span | None:
    """Return what falls in a year; None where that year has none."""
    try:
        return span_in(year)
    except ValueError:
        return None
