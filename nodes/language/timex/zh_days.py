"""Days and weeks in Chinese: 昨天, 大后天, 上周三, 这周末, 29日."""

import re
from dataclasses import replace

from nodes.language.timex.calendar import ONE_DAY, Span, days, monday, nearest, week, years
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Rule
from nodes.language.timex.zh_words import DAY_NUMBER, FIGURE, SHIFT, WEEK, WEEKDAY, WEEKDAYS, rule, shift_of

_DAYS = {
    "大前": -3,
    "前": -2,
    "昨": -1,
    "寻": -1,
    "琴": -1,
    "今": 0,
    "明": 1,
    "听": 1,
    "后": 2,
    "大后": 3,
    "大大前": -4,
    "大大后": 4,
}
_RANGE_OF_WEEKDAYS = r"(?!\s*[到至、和~\-—]\s*(?:周|星期|礼拜)?[一二三四五六日天])"


def _relative_day(match: re.Match[str], asked: Asked) -> Span:
    return days(asked.today + _DAYS[match["day"] or match["date"]] * ONE_DAY)


def _today_and(match: re.Match[str], asked: Asked) -> Span:
    if match["unit"] == "天":
        return days(asked.today + {"昨": -1, "今": 0, "明": 1, "前": -2}[match["two"][0]] * ONE_DAY, 2)
    first = asked.today.year + (-1 if match["two"][0] in "昨去" else 0)
    return years(first, 2)


def _week(match: re.Match[str], asked: Asked) -> Span:
    first = monday(asked.today) + 7 * shift_of(match["shift"]) * ONE_DAY
    if match["weekday"]:
        return days(first + WEEKDAYS[match["weekday"]] * ONE_DAY)
    return days(first + 5 * ONE_DAY, 2) if match["end"] else week(first)


def _weekdays(match: re.Match[str], asked: Asked) -> Span:
    first = monday(asked.today) + 7 * shift_of(match["shift"]) * ONE_DAY
    begin, end = WEEKDAYS[match["first"]], WEEKDAYS[match["weekday"]]
    if end <= begin:
        raise ValueError("a range that runs backwards")
    return days(first + begin * ONE_DAY, end - begin + 1)


def _weekday(match: re.Match[str], asked: Asked) -> Span | None:
    return asked.on_weekday(WEEKDAYS[match["weekday"]], None)


def _weekend(_match: re.Match[str], asked: Asked) -> Span | None:
    first = monday(asked.today)
    near = (days(first + later * ONE_DAY, 2) for later in (-2, 5, 12))
    return nearest(near, asked.now, asked.prefer)


def _day_of_month(match: re.Match[str], asked: Asked) -> Span | None:
    return asked.on_day(chinese(match["number"]))


def _days_of_month(match: re.Match[str], asked: Asked) -> Span | None:
    first = asked.on_day(chinese(match["first"]))
    count = chinese(match["number"]) - chinese(match["first"]) + 1
    if first is None or count < 2:
        return None
    return replace(first, end=first.start + count * ONE_DAY)


def _some_days(match: re.Match[str], asked: Asked) -> Span:
    """前几天: some days before today, nobody knows which."""
    start, count = (-3, 4) if match["this"] else (-7, 7)
    return replace(days(asked.today + start * ONE_DAY, count), reach=2 * ONE_DAY, confidence=0.6)


def _some_weeks(_match: re.Match[str], asked: Asked) -> Span:
    """前段时间: not yesterday, and not last year."""
    return replace(days(asked.today - 60 * ONE_DAY, 57), grain="week", reach=3 * ONE_DAY, confidence=0.5)


# Where a day of the month without its month begins: not in an address, a list or the name of a thing.
_BEGINS = r"(?<![^\s，。、；：,.;:!?！？（(在于到至我你他她们就从自是的和与及和跟把定约改订了])"
_ENDS = (
    r"(?=$|[\s，。、；：,.;:!?！？）)到至\-~—]|[前后](?![卫勤])|之[前后]|以[前后]|左右|那天|当天|上午|下午|中午|早|晚|凌晨|夜"
    r"|[\d零一二三四五六七八九十]{1,3}[点时:]|的|[你我他她它咱]|去|来|要|开(?!关)|交|会(?![员长])|有|是|回|到|出发|见|截止|周[一二三四五六日]"
    r"|星期|发|能|可|想|得|请|给|参|考)"
)

RULES: tuple[Rule, ...] = (
    rule(
        "天 日",
        r"(?:(?P<day>大{0,2}(?<![以之目从先])前|昨|今|琴(?=日)|寻(?=日)|听(?=日)|(?<![说证表声发])明|大{0,2}(?<![以之此最今先])后)"
        r"(?<!大大大前)(?:天(?![天性]|(?<=后天)(?:[习养培获]|的?努力|形成|因素))|(?<=[琴寻听后])日(?![报后光])(?<![以之今往日]后日))"
        r"|(?P<date>昨|今|(?<![说证表声发])明)日(?!头条|本|份|方舟))",
        _relative_day,
    ),
    rule("儿", r"(?P<day>前|昨|今|明)(?P<date>儿)(?!子|女|童|媳|孙|科|歌)个?", _relative_day),
    rule("今明 昨今 去今 明后", r"(?P<two>今明|昨今|去今|明后(?=两?天))两?(?P<unit>天|年)", _today_and),
    rule(
        "天 日 前",
        r"(?:前(?=[几些])|(?P<this>这(?=[几些两三])))(?:几|些|两|三)(?:天|日子)(?!数)",
        _some_days,
    ),
    rule("前", r"(?<![以之目])前一?(?:阵子?|段(?:时间|日子))", _some_weeks),
    rule(
        "周 星期 礼拜",
        rf"{SHIFT}{WEEK}(?:(?P<end>末)|{WEEKDAY}|(?![期边围年转身长岁游刊报全密杰迅星末庄瑜]))",
        _week,
    ),
    rule(
        "周 星期 礼拜",
        rf"{SHIFT}{WEEK}(?P<first>[一二三四五六])(?:到|至|~|-|—){WEEK}?{WEEKDAY}",
        _weekdays,
    ),
    rule(
        "周 星期 礼拜",
        rf"(?<![{FIGURE}两十几每\d半整数隔单双各逢上下这本个今老小大])(?<![周期拜][一二三四五六日天][到至、和~\-—])"
        rf"{WEEK}{WEEKDAY}{_RANGE_OF_WEEKDAYS}",
        _weekday,
    ),
    rule(
        "周 星期 礼拜",
        rf"(?<![每逢上下这本个今]){WEEK}六(?:[和、]?{WEEK})?[日天](?![报常光记本气])",
        _weekend,
    ),
    rule(
        "日 号",
        rf"{_BEGINS}(?<![第\d月年.])(?P<first>{DAY_NUMBER})[日号]?[-~–到至](?P<number>{DAY_NUMBER})[日号]{_ENDS}",
        _days_of_month,
    ),
    rule("日 号", rf"{_BEGINS}(?<![第\d月年.])(?!一日)(?P<number>{DAY_NUMBER})[日号]{_ENDS}", _day_of_month),
)
