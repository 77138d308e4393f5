"""What the Chinese patterns share. Text comes folded: half width, and simplified in the characters they use.

Each pattern names what it must not touch, since Chinese has no word borders: 上周三 in 上周三亚, 后天 in 后天性,
前年 in 以前年轻.
"""

import re
from collections.abc import Callable

from nodes.language.timex.calendar import Span
from nodes.language.timex.numerals import CHINESE, chinese
from nodes.language.timex.rules import Asked, Modifier, Modify, Rule

FIGURE = "一二三四五六七八九"
# A number that is not the end of a longer one, nor one of many.
N = rf"(?!0(?!\.))(?<![\d.第每几数多好零〇一二两三四五六七八九十百千万亿])(?P<n>{CHINESE})"
DAY_NUMBER = rf"3[01]|[12]\d|0?[1-9]|三十一?|二十[{FIGURE}]?|廿[{FIGURE}]?|十[{FIGURE}]?|[{FIGURE}]"
DAY_SIGN = r"(?:日(?![元报游内间])|号(?![楼线院房店桌门机位车台床选球]))"
WEEK = r"(?:周|星期|礼拜)"
SHIFT = (
    r"(?P<shift>(?<![早晚马身地路世街网线以楼天海水大])上+|(?<![以之余地私楼天水])下+|这|本|今(?=个|星|礼))"
    r"(?:一(?=[个周星礼]))?个?"
)
WEEKDAYS = {char: number for number, chars in enumerate(("一", "二", "三", "四", "五", "六", "日天")) for char in chars}
# What follows a weekday or a month where it is none: 一起, 三个人, 三亚, 四川, 日本, 天气 ...
WEEKDAY = (
    r"(?P<weekday>一(?![直起些样定共般旦边方次步切向半线个]|下(?!午))|二(?!手(?!术)|环|期)|三(?!亚|星|多(?=教授|老师|先生|博士|主编|编著)|国(?!庆)|峡|里屯)|四(?![川处])"
    r"|五(?!道口|台山)|六(?!福|安(?!排))|日(?!报|常|光|记(?!得|录)|本(?!来))|天(?![气天空性津]))"
    r"(?![个次位件场名条篇份种项]|家(?![里长人庭中访]))"
)
YEARS = {
    "大前年": -3,
    "前年": -2,
    "去年": -1,
    "上年": -1,
    "上一年": -1,
    "今年": 0,
    "本年": 0,
    "这一年": 0,
    "明年": 1,
    "下年": 1,
    "下一年": 1,
    "后年": 2,
    "大后年": 3,
}
_CALENDAR_YEAR = rf"(?:19|20)\d\d|[一二][〇零{FIGURE}]{{3}}"
YEAR = (
    r"(?P<year>大前年|(?<![以之目从大])前年|(?<![过失])去年|(?<![如至当现而])今年|本年(?!级)|(?<![说证表声])明年"
    r"|(?<![早晚马身])上一?年(?![级纪龄轻])|(?<![余底])下一?年(?![级纪])|这一年"
    rf"|大后年|(?<![以之大])后年|(?<![\d一二三四五六七八九〇零])(?:{_CALENDAR_YEAR})\s?年(?!级)(?!(?<=000年)前))"
)
YEAR_OF = rf"(?:{YEAR}\s*的?)?"
# Before a month or a feast two figures are a year too (91年5月); one of another kind (康熙三年五月) leaves no meaning.
# Not a year of a reign: 康熙20年, 民国20年.
SHORT_YEAR = (
    rf"(?<![熙隆正庆光绪统治历嘉和成国龙观武乐德祯\d一二三四五六七八九十〇零])(?P<short>\d\d|[〇零{FIGURE}]{{2}})\s?年"
)
YEAR_OR_SHORT = rf"(?:(?:{YEAR}|{SHORT_YEAR})的?\s*|(?<!年))"
MONTH = (
    rf"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[{FIGURE}])月"
    r"(?![饼亮球嫂兰子]|花(?![了费钱的开展市期店就掉]))(?:份(?!额|量|子))?"
)


def rule(cues: str, pattern: str, resolve: Callable[[re.Match[str], Asked], Span | None]) -> Rule:
    """Return a rule of a pattern and the cues, parted by blanks, without which it cannot match."""
    return Rule(pattern, resolve, tuple(cues.split()))


def modifier(pattern: str, resolve: Modify) -> Modifier:
    """Return a modifier of a pattern."""
    return Modifier(pattern, resolve)


def said(match: re.Match[str], group: str) -> str | None:
    """Return the words of a group; None where they were not said, or the pattern has no such group."""
    return match.groupdict().get(group)


def year_of(asked: Asked, match: re.Match[str]) -> int | None:
    """Return the year that the group `year` names, or in two figures the group `short`; None where neither does."""
    word = said(match, "year")
    if word is not None:
        word = word.replace(" ", "")
        return asked.today.year + YEARS[word] if word in YEARS else chinese(word.removesuffix("年"))
    short = said(match, "short")
    if short is None:
        return None
    number = 2000 + chinese(short)
    return number if number <= asked.today.year + 10 else number - 100


def shift_of(word: str) -> int:
    """Return how many units 上, 下, 上上, 这 ... are from now."""
    return {"上": -1, "下": 1}.get(word[0], 0) * len(word)
