"""Months, their parts and the days of months in Chinese."""

import re
from dataclasses import replace
from datetime import date

from nodes.language.timex.calendar import ONE_DAY, Span, days, month, months, nearest
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Modifier, Rule
from nodes.language.timex.zh_words import (
    DAY_NUMBER,
    DAY_SIGN,
    FIGURE,
    MONTH,
    SHIFT,
    YEAR_OR_SHORT,
    modifier,
    rule,
    said,
    shift_of,
    year_of,
)

# First day, number of days, and how many days beside them people mean too.
_PARTS_OF_MONTH = {"上旬": (1, 10, 0), "中旬": (11, 10, 0), "下旬": (21, 11, 0), "初": (1, 5, 5), "中": (11, 10, 0)}
_LAST_DAYS = 25

_NO_PERSON_BEFORE = r"(?<![叫姓小阿和跟问给找陪请与])"
_SURNAMES = "王李张刘陈杨赵吴徐孙朱胡郭何林罗郑梁谢唐许邓冯韩曹曾彭萧蔡潘田董袁余叶蒋杜苏魏吕丁沈姚卢姜崔谭陆汪"
_PERSON = r"同事|同学|朋友|老师|老板|邻居|闺蜜|室友|学生|客户|助理|秘书|姐|妹|哥|弟|女儿|儿子|孩子|猫|狗|名字|笔名|网名"
_NO_PERSON_AFTER = (
    rf"(?!说|叫|姐|哥|妹|弟|老师|同学|小姐|先生|女士|告诉|问|天的|是[我你他她它咱]?们?家?的?.{{0,4}}?(?:{_PERSON}))"
)
_NO_COUNT_BEFORE = r"(?<!农历)(?<!阴历)(?<!旧历)(?<![\d.\-/第两几数每半一二三四五六七八九十个近闰])"
_PIECE = rf"(?P<piece>初(?![{FIGURE}十])|上旬|中旬|下旬|(?:的?月)?[底末]|中(?![国文间午心秋央]))"
_LAST = rf"(?:日|号)?(?:到|至|-|~|—)(?P<last>{DAY_NUMBER})(?={DAY_SIGN})"


def _part_of_month(year_number: int, number: int, part: str | None) -> Span:
    whole = month(year_number, number)
    if part is None:
        return whole
    if part[-1] in "底末":
        first = whole.start + (_LAST_DAYS - 1) * ONE_DAY
        return Span(first, whole.end, "day", reach=4 * ONE_DAY)
    first_day, count, reach = _PARTS_OF_MONTH[part]
    piece = days(whole.start.date() + (first_day - 1) * ONE_DAY, count)
    return Span(piece.start, min(piece.end, whole.end), "day", reach=reach * ONE_DAY)


def _days_of_month(first: date, number: str, last: str | None) -> Span:
    day = first.replace(day=chinese(number))
    if last is None:
        return days(day)
    end = first.replace(day=chinese(last))
    if end < day:
        raise ValueError("a range that runs backwards")
    return days(day, (end - day).days + 1)


def _relative_month(match: re.Match[str], asked: Asked) -> Span:
    number = asked.today.month + shift_of(match["shift"])
    if match["number"] is None:
        return _part_of_month(asked.today.year, number, match["piece"])
    return _days_of_month(month(asked.today.year, number).start.date(), match["number"], said(match, "last"))


def _is_given_name(match: re.Match[str]) -> bool:
    """Say whether a month in characters follows a surname that begins the clause: 王十月, not 小王十月."""
    before = match.string[max(0, match.start() - 2) : match.start()]
    return re.fullmatch(rf"(?:\A|\W)?[{_SURNAMES}]", before) is not None and not match["month"].isascii()


def _named_month(match: re.Match[str], asked: Asked) -> Span | None:
    if _is_given_name(match):
        return None
    number = chinese(match["month"])
    return asked.in_year(year_of(asked, match), lambda y: _part_of_month(y, number, match["piece"]))


def _two_months(match: re.Match[str], asked: Asked) -> Span | None:
    """五六月份: one or the other."""
    first = chinese(match["first"])
    if chinese(match["second"]) != first + 1:
        return None
    return asked.in_year(year_of(asked, match), lambda y: replace(months(y, first, 2), confidence=0.8))


def _months_of_year(match: re.Match[str], asked: Asked) -> Span | None:
    first, last = chinese(match["first"]), chinese(match["month"])
    if not 1 <= first < last:
        return None
    return asked.in_year(year_of(asked, match), lambda y: months(y, first, last - first + 1))


def _month_and_day(match: re.Match[str], asked: Asked) -> Span | None:
    number = chinese(match["month"])
    return asked.in_year(
        year_of(asked, match), lambda y: _days_of_month(date(y, number, 1), match["number"], said(match, "last"))
    )


def _part_of_some_month(match: re.Match[str], asked: Asked) -> Span | None:
    near = (_part_of_month(asked.today.year, asked.today.month + later, match["piece"]) for later in (-1, 0, 1))
    return nearest(near, asked.now, asked.prefer)


def _piece_of_month(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if base.grain != "month" or base.end - base.start > 31 * ONE_DAY:
        return None
    return replace(_part_of_month(base.start.year, base.start.month, match["piece"]))


RULES: tuple[Rule, ...] = (
    rule(
        "月",
        rf"(?:{SHIFT}|(?P<same>当)(?=月))月(?![球亮饼光台嫂经票薪历子])"
        rf"(?:{_PIECE}|(?P<number>{DAY_NUMBER})(?:{_LAST})?{DAY_SIGN})?",
        lambda match, asked: (
            _relative_month(match, asked) if match["shift"] else month(asked.today.year, asked.today.month)
        ),
    ),
    rule(
        "月",
        rf"{YEAR_OR_SHORT}(?:{_NO_PERSON_BEFORE}|(?=\d)){_NO_COUNT_BEFORE}{MONTH}{_PIECE}?"
        rf"(?!\d|(?:{DAY_NUMBER})[日号]|初[{FIGURE}十]|廿|十[一二三四五六七八九五]|[龄大天]|革命|怀胎|一次|两次|三次|也有|份[额量子])"
        rf"{_NO_PERSON_AFTER}",
        _named_month,
    ),
    rule(
        "月",
        rf"{YEAR_OR_SHORT}{_NO_COUNT_BEFORE}(?P<first>[{FIGURE}])(?P<second>[{FIGURE}])月份?(?![大的]?孩|[龄大])",
        _two_months,
    ),
    rule(
        "月",
        rf"{YEAR_OR_SHORT}{_NO_COUNT_BEFORE}(?P<first>1[0-2]|0?[1-9]|十[一二]?|[{FIGURE}])(?:月份?)?(?:到|至|-|~|–|—){MONTH}"
        rf"(?!\d|(?:{DAY_NUMBER})[日号]|[龄大])",
        _months_of_year,
    ),
    rule(
        "月",
        rf"{YEAR_OR_SHORT}{_NO_COUNT_BEFORE}{MONTH}的?(?P<number>{DAY_NUMBER})"
        rf"(?:(?:{_LAST})?{DAY_SIGN}|(?<=\d)(?![\d.%:/]|\s*[元块个人万岁斤米年月]))",
        _month_and_day,
    ),
    rule(
        "/",
        r"(?<![\d/.\-])(?P<month>1[0-2]|0?[1-9])/(?P<number>3[01]|[12]\d|0?[1-9])[号日]",
        _month_and_day,
    ),
    rule(
        "月",
        r"(?<![个上下这本当每月岁日腊正闰\d一二三四五六七八九十年])月(?P<piece>初(?![一二三四五六七八九十])|上旬|中旬|下旬|底|末)",
        _part_of_some_month,
    ),
)

MODIFIERS: tuple[Modifier, ...] = (modifier(r"的?(?P<piece>上旬|中旬|下旬|月?[底末]|初)", _piece_of_month),)
