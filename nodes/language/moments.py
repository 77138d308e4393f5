"""Days, times of day, weekdays and school years as a text names them, by value and without a calendar (zh + en).

"3pm" and 下午三点 are minute 900 of a day, "June 12" and 6月12日 are 0612 of any year. Which day "next Friday" is, is
for `nodes.language.timex` to say.
"""

import re

from nodes.language.numerals import NUMBER, value
from nodes.language.quantity import Quantity
from nodes.language.timex.numerals import english_ordinal

_PART = r"(?P<part>凌晨|清晨|早上|早晨|早|上午|中午|午后|下午|傍晚|晚上|晚间|夜里|半夜|今晚|明晚|昨晚|晚)?"
_CLOCK_ZH = re.compile(
    _PART + r"的?(?P<hour>\d{1,2}|[零〇一二两三四五六七八九十]{1,3})"
    r"(?:点(?![都也儿]|[^\d，。点]{1,3}[都也])钟?|时(?![间候常代]))"
    r"(?:(?P<half>半)|(?P<quarter>[一三])刻|过?(?P<minute>\d{1,2}|[零〇一二三四五六七八九十]{1,3})分?(?!天|人|个|号"
    r"|月))?"
)
_CLOCK_EN = re.compile(
    r"(?P<part0>凌晨|早上|上午|中午|下午|傍晚|晚上|晚)?\s?(?<![\d.:/-])(?P<hour>\d{1,2})(?:[:：](?P<minute>\d{2}))(?!\d"
    r"|:\d)\s?(?P<part>[ap]\.?m\b\.?)?"
    r"|(?<![\d.:/-])\b(?P<hour2>\d{1,2})(?:[.](?P<minute2>\d{2}))?\s?(?P<part2>[ap]\.?m\b\.?|o'?clock)"
    r"|\b(?P<word>noon|midday|midnight)\b|(?P<noon>正午|(?<![今明昨每])中午(?=12点)?)(?!\d|[一二十])"
    r"|\b(?:(?P<past>half past|quarter past|quarter to) )?(?P<spelt>one|two|three|four|five|six|seven|eight|nine"
    r"|ten|eleven|twelve)"
    r"(?:-(?P<thirty>thirty|fifteen))?(?: o'clock| ?(?P<part3>[ap]\.?m\b\.?)|(?= in the (?:morning|afternoon"
    r"|evening)))",
    re.IGNORECASE,
)
_IN_THE = re.compile(r"\s?in the (?P<part>morning|afternoon|evening)|\s?at night", re.IGNORECASE)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH_EN = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    r"(?:(?P<y1>(?:19|20)\d\d)\s?[年/.-]\s?)?(?P<m1>\d{1,2}|十[一二]?|[一二三四五六七八九])\s?月\s?(?:(?:(?P<d1>\d{1,2}"
    r"|[一二三四五六七八九十廿]{1,3})[日号]?)(?!\s?[个份年月]))?"
    r"|(?<!\d)(?P<y2>(?:19|20)\d\d)[-/.](?P<m2>\d{1,2})[-/.](?P<d2>\d{1,2})(?!\d)"
    rf"|\b{_MONTH_EN.format('m3')} (?:the )?(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<y3>(?:19|20)\d\d))?"
    rf"|\b(?:the )?(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH_EN.format('m4')}\b(?:,? (?P<y4>(?:19|20)\d\d))?"
    r"|(?<![\d一二三四五六七八九十])(?P<d5>\d{1,2}"
    r"|[一二三四五六七八九十廿]{1,3})[号日](?![楼线院馆店机码柜桌床门车窗房库坑铺厅仓])"
    r"|\b(?:on )?the (?P<d6>\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|street|avenue|grade|edition|time|row))"
    rf"|\b(?:in |of |by )(?P<m7>{_MONTH_EN.format('x7')})\b(?: (?P<y7>(?:19|20)\d\d))?",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?P<which>上上|下下|上|下|这|本)?个?(?:星期|礼拜|周)(?P<zh>[一二三四五六日天]|末)|\b(?:(?P<which2>next|last"
    r"|this) )?(?P<en>mon|tue"
    r"|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?s?\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?:年|\b)(?!\s?(?:元|块|米|公里|m\b|km\b|dollars|yuan|个|人))")


def small(text: str | None) -> int:
    """Return the value of a small number in figures or Chinese characters; 0 where there is none."""
    if not text:
        return 0
    if text.isdecimal():
        return int(text)
    match = NUMBER.fullmatch(text.replace("廿", "二十"))
    return int((value(match) if match else None) or 0)


def dates(words: str) -> list[Quantity]:
    """Return the days, months and years a text names, in figures."""
    found = []
    for match in _DATE.finditer(words):
        groups = match.groupdict()
        pick = {
            part: next((groups[name] for name in groups if name[0] == part and name != "x7" and groups[name]), None)
            for part in "ymd"
        }
        month = pick["m"]
        number = (
            _MONTHS.index(month[:3].lower()) + 1
            if month and month[:1].isascii() and month[:1].isalpha()
            else small(month)
        )
        day, year = small(pick["d"]), small(pick["y"])
        if number <= 12 and day <= 31 and (number or day):
            found.append(Quantity("date", year * 10_000 + number * 100 + day, match.group(), *match.span()))
    for match in _YEAR.finditer(words):
        if not any(one.start <= match.start() < one.end for one in found):
            found.append(Quantity("date", int(match["y"]) * 10_000, match.group(), *match.span()))
    return found


_STAGES = {"小": 0, "初": 6, "高": 9, "大": 12, "研": 16}
_STAGE = re.compile(
    r"(?<![身提升增最月年太])(?P<stage>[初高大研])(?P<year>[一二三四])(?![\d个只条米千百万号日公厘十些点会直])"
)
_NURSERY = re.compile(r"(?P<stage>[小中大])班(?!长|车|主任)")
_ORDINAL = re.compile(
    r"\b(?P<which>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth) (?P<of>grade"
    r"|floor|year)\b",
    re.IGNORECASE,
)
_SCHOOL_YEAR = re.compile(r"(?<=[a-z] )year (?P<n>1[0-3]|[1-9])\b(?! (?:of|ago))", re.IGNORECASE)


def ordinals(words: str) -> list[Quantity]:
    """Return the school years and floors a text names by their ordinal: 高二, "third grade"."""
    found = [
        Quantity("grade", _STAGES[match["stage"]] + "一二三四".index(match["year"]) + 1, match.group(), *match.span())
        for match in _STAGE.finditer(words)
    ]
    found += [
        Quantity("grade", "小中大".index(match["stage"]) - 2, match.group(), *match.span())
        for match in _NURSERY.finditer(words)
    ]
    found += [
        Quantity("grade", int(match["n"]), match.group(), *match.span()) for match in _SCHOOL_YEAR.finditer(words)
    ]
    return found + [
        Quantity(
            match["of"].lower().replace("year", "grade"),
            english_ordinal(match["which"]),
            match.group(),
            *match.span(),
        )
        for match in _ORDINAL.finditer(words)
    ]


def clocks(words: str) -> list[Quantity]:
    """Return the times of day a text names."""
    found = []
    for match in _CLOCK_ZH.finditer(words):
        hour = small(match["hour"])
        minute = 30 if match["half"] else {"一": 15, "三": 45}.get(match["quarter"] or "", small(match["minute"]))
        found.append(_clock(hour, minute, match["part"], match.group(), match.span()))
    for match in _CLOCK_EN.finditer(words):
        if any(one.start < match.end() and match.start() < one.end for one in found if one is not None):
            continue
        found.append(_clock_en(match, words))
    return [one for one in found if one is not None]


def _clock_en(match: re.Match[str], words: str) -> Quantity | None:
    if match["word"] or match["noon"]:
        return Quantity(
            "clock", 0 if (match["word"] or "").lower() == "midnight" else 720, match.group(), *match.span()
        )
    hour_text = match["hour"] or match["hour2"]
    hour = int(hour_text) if hour_text else _small_en(match["spelt"])
    minute = int(match["minute"] or match["minute2"] or 0)
    if match["thirty"] or match["past"]:
        minute = (
            30 if (match["thirty"] or "").lower() == "thirty" or (match["past"] or "").lower() == "half past" else 15
        )
        if (match["past"] or "").lower() == "quarter to":
            hour, minute = hour - 1, 45
    part = match["part"] or match["part2"] or match["part3"] or match["part0"]
    end = match.end()
    after = _IN_THE.match(words, end)
    if part is None and after:
        part, end = after["part"] or "pm", after.end()
    return _clock(hour, minute, part, words[match.start() : end], (match.start(), end))


def _small_en(word: str) -> int:
    match = NUMBER.fullmatch(word)
    return int((value(match) if match else None) or 0)


def _clock(hour: int, minute: int, part: str | None, text: str, at: tuple[int, int]) -> Quantity | None:
    if hour > 24 or minute > 59:
        return None
    named = (part or "").lower().replace(".", "")
    late = named in ("pm", "afternoon", "evening") or re.search("午后|下午|傍晚|晚|中午", named) is not None
    early = named in ("am", "morning") or re.search("凌晨|早|晨|上午|夜", named) is not None
    if late and hour < 12 and not (re.search("中午", named) and hour == 11):
        hour += 12
    if early and hour == 12:
        hour = 0
    written = ":" in text and len(text.split(":")[0].strip()) == 2
    loose = not late and not early and 1 <= hour <= 12 and not written
    return Quantity("clock", hour * 60 + minute, text, *at, loose=loose)


def weekdays(words: str) -> list[Quantity]:
    """Return the weekdays a text names."""
    found = []
    for match in _WEEKDAY.finditer(words):
        english = (match["en"] or "").lower()
        if (
            english in ("sat", "sun", "wed", "mar")
            and match.group().lower().endswith(english)
            and not match.group()[:1].isupper()
        ):
            continue  # "I sat down", "in the sun"
        number = (
            ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].index(english)
            if english
            else "一二三四五六日末".index(match["zh"].replace("天", "日"))
        )
        found.append(Quantity("weekday", number, match.group(), *match.span()))
    return found
