"""Time expressions of English, and dates in figures. Patterns see folded text with its capitals.

Capitals matter where a word is a time only in lower case or only with a capital: "USA Today", "may", "march on".
"""

import re
from collections.abc import Callable
from datetime import date

from nodes.language.timex import festivals
from nodes.language.timex.calendar import ONE_DAY, Span, around, days, monday, month, month_later, months, year
from nodes.language.timex.numerals import ENGLISH, english
from nodes.language.timex.rules import Asked, Rule, day_or_part

_DAYS = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
_WEEKDAYS = {name: number for number, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
# Hours of a day; a night ends in the next morning.
_PARTS = {"morning": (6, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}
# First month (counted from January of the year) and number of months.
_SEASONS = {"spring": (3, 3), "summer": (6, 3), "autumn": (9, 3), "fall": (9, 3), "winter": (12, 3)}
_PIECES = {"early": (0, 10), "mid": (10, 10), "late": (20, 11)}
_BEGIN = r"(?<![A-Za-z0-9_'\-])"
_END = r"(?![A-Za-z0-9_]|-[A-Za-z0-9])"
_N = rf"(?P<n>{ENGLISH})"
_PART = r"(?:\s+(?:at\s+)?(?P<part>morning|noon|afternoon|evening|night))"
_WEEKDAY = r"(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day"
_BARE_WEEKDAY = rf"{_WEEKDAY.replace('weekday', 'bare')}(?!\s+(?-i:[A-Z][a-z]))"
_SHORT_WEEKDAY = r"(?P<short>mon|tues?|thu(?:rs?)?|fri)\b\.?"
_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = rf"(?P<month>{'|'.join(_MONTH_NAMES)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:\.(?=\s*\d))?"
_FULL_MONTH = rf"(?P<month>{'|'.join(_MONTH_NAMES)})"
_DAY_NUMBER = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR_NUMBER = r"(?:19|20)\d\d"
_YEAR_AFTER = (
    rf"(?:(?:\s*,\s*|\s+)(?:(?:of|in)\s+)?(?:(?P<year>{_YEAR_NUMBER})(?![\d.,]*\d)|(?P<which>last|this|next)\s+year))"
)
_YEAR_BEFORE = r"(?:(?P<before>last|this|next)\s+year(?:'s|,?\s+(?:in|on|at))\s+)"
_NOT_A_NUMBER = r"(?![\d:%]|\.\d|,\d{3}|\s*(?:%|percent|people|persons|users|miles|blocks|dollars|times)\b)"
_ON = rf"(?:(?P<on>on|by|until|since|from)\s+)?(?:(?:{_WEEKDAY}|{_SHORT_WEEKDAY}),?\s+)?"
_SHIFTS = {"last": -1, "this": 0, "next": 1}


def _key(word: str) -> str:
    return " ".join(word.lower().split())


def _part(match: re.Match[str]) -> tuple[int, int] | None:
    return _PARTS.get((match["part"] or "").lower())


def _year(asked: Asked, match: re.Match[str]) -> int | None:
    """Return the year an expression names before or after its month, day or feast; None where it names none."""
    groups = match.groupdict()
    if groups.get("year"):
        return int(groups["year"])
    word = groups.get("which") or groups.get("before")
    return asked.today.year + _SHIFTS[word.lower()] if word else None


def _relative_day(match: re.Match[str], asked: Asked) -> Span:
    word = _key(match["day"])
    return day_or_part(asked.today + _DAYS[word if word in _DAYS else f"the {word}"] * ONE_DAY, _part(match))


def _part_of_day(match: re.Match[str], asked: Asked) -> Span:
    if match["part"] is None:  # "tonight"
        return day_or_part(asked.today, _PARTS["night"])
    return day_or_part(asked.today + _SHIFTS[match["which"].lower()] * ONE_DAY, _part(match))


def _units_away(match: re.Match[str], asked: Asked) -> Span:
    count = english(match["n"]) * (-1 if match["ago"] else 1)
    match match["unit"].lower():
        case "day":
            return days(asked.today + count * ONE_DAY)
        case "week":
            return around(asked.today + 7 * count * ONE_DAY, 3)
        case "month":
            return around(month_later(asked.today, count), 15)
        case _:
            middle = month_later(asked.today, 12 * count)
            return Span(days(month_later(middle, -6)).start, days(month_later(middle, 6)).end)


def _unit(asked: Asked, unit: str, shift: int) -> Span:
    today = asked.today
    first = monday(today) + 7 * shift * ONE_DAY
    match unit:
        case "week":
            return days(first, 7)
        case "weekend":
            return days(first + 5 * ONE_DAY, 2)
        case "month":
            return month(today.year, today.month + shift)
        case "quarter":
            return months(today.year, (today.month - 1) // 3 * 3 + 1 + 3 * shift, 3)
        case _:
            return year(today.year + shift)


def _relative_unit(match: re.Match[str], asked: Asked) -> Span:
    return _unit(asked, match["unit"].lower(), _SHIFTS[match["which"].lower()])


def _second_unit(match: re.Match[str], asked: Asked) -> Span:
    return _unit(asked, match["unit"].lower(), -2 if match["way"].lower() == "before last" else 2)


def _season(match: re.Match[str], asked: Asked) -> Span | None:
    def span_in(number: int) -> Span:
        return months(number, *_SEASONS[match["season"].lower()])

    if match["year"] or match["of"]:
        return span_in(int(match["year"]) if match["year"] else asked.today.year + _SHIFTS[match["of"].lower()])
    return _named(asked, match["side"], span_in)


def _named(asked: Asked, side: str | None, span_in: Callable[[int], Span | None]) -> Span | None:
    """Return the one of this year ("this"), the last that is over, the next that is to come, or the nearest."""
    word, this_year = (side or "").lower(), asked.today.year
    if word == "this":
        return span_in(this_year)
    around_now = [span for number in range(this_year - 2, this_year + 3) if (span := span_in(number))]
    if word == "last":
        return max((span for span in around_now if span.end <= asked.now), key=lambda span: span.start)
    if word == "next":
        return min((span for span in around_now if span.start > asked.now), key=lambda span: span.start)
    return asked.in_year(None, span_in)


def _weekday(match: re.Match[str], asked: Asked) -> Span | None:
    weekday = _WEEKDAYS[(match["weekday"] or match["short"] or match["bare"]).lower()[:3]]
    week, side = match["before"] or match["week"] or match["later"], (match["side"] or "").lower()
    if week:
        return day_or_part(monday(asked.today) + (7 * _SHIFTS[week.lower()] + weekday) * ONE_DAY, _part(match))
    if side in ("last", "previous"):
        back = (asked.today.weekday() - weekday - 1) % 7 + 1
        return day_or_part(asked.today - back * ONE_DAY, _part(match))
    if side in _SHIFTS:
        return day_or_part(monday(asked.today) + (7 * _SHIFTS[side] + weekday) * ONE_DAY, _part(match))
    if side in ("coming", "upcoming"):
        return day_or_part(asked.today + ((weekday - asked.today.weekday() - 1) % 7 + 1) * ONE_DAY, _part(match))
    return asked.on_weekday(weekday, _part(match))


def _named_month(match: re.Match[str], asked: Asked) -> Span | None:
    number = _MONTHS[match["month"].lower()[:3]]
    if match["month"] in ("may", "march") and (match["side"] or "").lower() == "this":
        return None  # "this may take a while"

    def span_in(of_year: int) -> Span:
        whole = month(of_year, number)
        if not match["piece"]:
            return whole
        skip, count = _PIECES[match["piece"].lower()]
        piece = days(whole.start.date() + skip * ONE_DAY, count)
        return Span(piece.start, min(piece.end, whole.end))

    if (of_year := _year(asked, match)) is not None:
        return span_in(of_year)
    if not (match["side"] or match["piece"] or match["word"]):
        return None  # a bare "May" or "June" may be a verb or a person
    return _named(asked, match["side"], span_in)


def _month_and_day(match: re.Match[str], asked: Asked) -> Span | None:
    name = match["month"]
    if name in ("may", "march", "mar", "jan", "jun") and not (match["on"] or match["th"]):
        return None  # "you may 5 times", "march 3 miles"
    number, first, last = _MONTHS[name.lower()[:3]], int(match["number"]), match["last"]

    def span_in(of_year: int) -> Span:
        day = date(of_year, number, first)
        return day_or_part(day, _part(match)) if last is None else days(day, int(last) - first + 1)

    if last is not None and int(last) <= first:
        return None
    return asked.in_year(_year(asked, match), span_in)


def _figures(match: re.Match[str], _asked: Asked) -> Span:
    return days(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _named_year(match: re.Match[str], _asked: Asked) -> Span:
    return year(int(match["year"]))


def _festival(match: re.Match[str], asked: Asked) -> Span | None:
    name = _key(match["festival"]).replace("years ", "year's ").replace("valentines", "valentine's")
    name = name.replace("mid autumn", "mid-autumn")
    festival = festivals.ENGLISH.get(name) or festivals.ENGLISH[name.removesuffix(" day")]
    span_in = festival.holiday if match["length"] else festival.day
    if (of_year := _year(asked, match)) is not None:
        return span_in(of_year)
    return _named(asked, match["side"], span_in)


def _rule(cues: str, pattern: str, resolve: Callable[[re.Match[str], Asked], Span | None]) -> Rule:
    return Rule(re.compile(f"(?i){_BEGIN}{pattern}{_END}"), resolve, tuple(cues.split()))


# A capital inside a sentence makes a title of it: USA Today, the Tomorrow project.
_NO_TITLE = r"(?:(?<=[A-Za-z,]\s)(?-i:(?=[a-z]))|(?<![A-Za-z,]\s))"
_NO_WEEKDAY_AFTER = (
    r"\s*(?:-|–|to|through|thru|and|or|&|,)\s*(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    rf"|\s+(?:after\s+next|before\s+last|(?:of|in)\s+(?:the|this|next|last|{'|'.join(_MONTH_NAMES)})\b)"
)
_NO_WEEKDAY_BEFORE = (
    r"(?<!day to )(?<!day through )(?<!day thru )(?<!day and )(?<!day or )(?<!day-)(?<!day - )(?<!day, )"
)
_OF_A_FEAST = "tree|card|gift|present|carol|song|movie|market|light|decoration|sweater|cookie|story|stories|spirit"
_FEAST_DAYS = ("black", "good", "cyber", "casual", "ash", "palm", "easter", "giving", "super", "bloody")
_NO_FEAST = "".join(f"(?<!{word} )" for word in ("first", "second", "third", "fourth", "following", *_FEAST_DAYS))

RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            rf"(?<![A-Za-z\d./\-])(?<!version )(?<!版本)(?<!版本 )(?P<year>{_YEAR_NUMBER})(?P<sep>[-/.])"
            rf"(?P<month>1[0-2]|0?[1-9])(?P=sep)(?P<day>{_DAY_NUMBER})"
            r"(?![\d/\-]|\.\d)"
        ),
        _figures,
        ("19", "20"),
    ),
    _rule(
        "yesterday today tomorrow",
        rf"{_NO_TITLE}(?P<day>(?:the\s+)?day\s+(?:before\s+yesterday|after\s+tomorrow)|yesterday|today|tomorrow)"
        rf"{_PART}?",
        _relative_day,
    ),
    _rule(
        "tonight last this",
        r"(?:tonight|(?P<which>last|this)\s+(?P<part>morning|afternoon|evening|night))",
        _part_of_day,
    ),
    _rule("ago", rf"(?<!over )(?<!than )(?<!every ){_N}\s+(?P<unit>day|week|month|year)s?\s+(?P<ago>ago)", _units_away),
    _rule(
        "day week month year",
        rf"in\s+(?!an?\s+(?!couple)|one\s+day){_N}\s+(?P<unit>day|week|month|year)s?(?:'?\s+time)?(?P<ago>)"
        r"(?!\s+(?:of|straight|flat|or)\b)",
        _units_away,
    ),
    _rule("from", rf"{_N}\s+(?P<unit>day|week|month|year)s?\s+from\s+(?:now|today)(?P<ago>)", _units_away),
    _rule(
        "last this next",
        r"(?<!the )(?P<which>last|this|next)\s+(?P<unit>week(?:end)?|month|quarter|year)(?!\s+(?:of|before|after)\b)",
        _relative_unit,
    ),
    _rule(
        "last next",
        r"the\s+(?P<unit>week(?:end)?|month|quarter|year)\s+(?P<way>before\s+last|after\s+next)",
        _second_unit,
    ),
    _rule(
        "spring summer autumn fall winter",
        rf"(?:(?:in\s+)?(?:the\s+)?(?P<side>last|this|next)\s+)?(?P<season>spring|summer|autumn|fall|winter)"
        rf"(?:\s+(?:of\s+)?(?:(?P<year>{_YEAR_NUMBER})|(?P<of>last|this|next)\s+year))?",
        lambda match, asked: _season(match, asked) if match["side"] or match["year"] or match["of"] else None,
    ),
    _rule(
        "day mon tue thu fri",
        rf"{_NO_WEEKDAY_BEFORE}{_NO_FEAST}(?:(?P<before>last|this|next)\s+week,?\s+(?:on\s+)?)?"
        rf"(?:(?P<side>last|previous|this|next|on|coming|upcoming)\s+(?:{_WEEKDAY}|{_SHORT_WEEKDAY})|{_BARE_WEEKDAY})"
        r"(?!s)"
        rf"(?:\s+(?:of\s+)?(?P<week>last|this|next)\s+week)?{_PART}?(?:\s+(?P<later>last|this|next)\s+week)?"
        rf"(?!{_NO_WEEKDAY_AFTER})",
        _weekday,
    ),
    _rule(
        " ".join(_MONTHS),
        rf"{_YEAR_BEFORE}?(?:(?P<word>in|during|throughout|until|till|since)\s+)?"
        rf"(?:(?P<side>last|this|next)\s+|(?P<piece>early|mid|late)[\s\-]+)?"
        rf"{_FULL_MONTH}{_YEAR_AFTER}?(?!\s+{_DAY_NUMBER}(?!\d)|'s|\s+(?:1st|2nd|3rd))",
        _named_month,
    ),
    _rule(
        " ".join(_MONTHS),
        rf"{_YEAR_BEFORE}?{_ON}{_MONTH}\s+(?:the\s+)?(?P<number>{_DAY_NUMBER})(?P<th>st|nd|rd|th)?"
        rf"(?:\s*(?:-|–|to)\s*(?P<last>{_DAY_NUMBER})(?:st|nd|rd|th)?)?{_NOT_A_NUMBER}{_YEAR_AFTER}?{_PART}?",
        _month_and_day,
    ),
    _rule(
        " ".join(_MONTHS),
        rf"{_YEAR_BEFORE}?{_ON}(?:the\s+)?(?<![:.$€£¥])(?<![$€£¥]\s)(?P<number>{_DAY_NUMBER})(?P<th>st|nd|rd|th)?"
        rf"(?:\s*(?:-|–|to)\s*(?:the\s+)?(?P<last>{_DAY_NUMBER})(?:st|nd|rd|th)?)?"
        rf"\s+(?:of\s+)?{_MONTH}{_YEAR_AFTER}?{_PART}?",
        _month_and_day,
    ),
    _rule(
        "19 20",
        rf"(?:back\s+in|in|during|throughout|(?:the\s+)?year)\s+(?P<year>{_YEAR_NUMBER})"
        r"(?![.,]\d|\s*%|\s+(?!was|is|has|this|as|its)[a-z]+s\b)",
        _named_year,
    ),
    _rule(
        "year festival qingming valentine halloween thanksgiving christmas xmas",
        rf"(?<!merry )(?<!happy ){_YEAR_BEFORE}?(?:(?P<side>last|this|next)\s+)?"
        r"(?P<festival>(?:chinese|lunar)\s+new\s+year|spring\s+festival|lantern\s+festival|qingming"
        r"|dragon\s+boat\s+festival|mid[\s\-]autumn\s+festival|double\s+ninth\s+festival|new\s+year'?s\s+(?:eve|day)"
        r"|valentine'?s\s+day|halloween|thanksgiving(?:\s+day)?|christmas\s+eve|christmas(?:\s+day)?|xmas)"
        rf"(?P<length>\s+(?:holidays?|break|week|vacation))?{_YEAR_AFTER}?(?!\s+(?:{_OF_A_FEAST})s?\b)",
        _festival,
    ),
)
