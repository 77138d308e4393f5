"""Months and days of months, quarters, seasons, years, decades and centuries in Chinese."""

import re
from dataclasses import replace
from datetime import date

from nodes.language.timex.calendar import ONE_DAY, Span, days, month, months, nearest, quarter, year, years
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Modifier, Rule
from nodes.language.timex.zh_words import (
    DAY_NUMBER,
    DAY_SIGN,
    FIGURE,
    MONTH,
    SHIFT,
    YEAR,
    YEAR_OR_SHORT,
    modifier,
    rule,
    said,
    shift_of,
    year_of,
)

# First month (counted from January of the year) and number of months.
_PARTS_OF_YEAR = {
    "上半": (1, 6),
    "前半": (1, 6),
    "下半": (7, 6),
    "后半": (7, 6),
    "初": (1, 2),
    "中": (6, 2),
    "底": (11, 2),
    "末": (11, 2),
}
_SEASONS = {"春": (3, 3), "夏": (6, 3), "秋": (9, 3), "冬": (12, 3), "暑假": (7, 2), "寒假": (1, 2)}
# First day, number of days, and how many days beside them people mean too.
_PARTS_OF_MONTH = {"上旬": (1, 10, 0), "中旬": (11, 10, 0), "下旬": (21, 11, 0), "初": (1, 5, 5), "中": (11, 10, 0)}
_LAST_DAYS = 25
# First year of ten and number of years.
_PARTS_OF_DECADE = {"初": (0, 3), "前": (0, 3), "早": (0, 3), "中": (3, 4), "末": (7, 3), "后": (7, 3), "晚": (7, 3)}

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


def _named_year(match: re.Match[str], asked: Asked) -> Span:
    number = year_of(asked, match)
    if number is None:
        raise ValueError("no year")
    if match["piece"]:
        return months(number, *_PARTS_OF_YEAR[match["piece"]])
    return months(number, *_SEASONS[match["season"]]) if match["season"] else year(number)


def _short_year(match: re.Match[str], asked: Asked) -> Span | None:
    number = year_of(asked, match)
    return None if number is None else year(number)


def _years(match: re.Match[str], _asked: Asked) -> Span | None:
    first, last = chinese(match["first"]), chinese(match["last"])
    return years(first, last - first + 1) if first < last else None


def _part_of_some_year(match: re.Match[str], asked: Asked) -> Span | None:
    return asked.in_year(None, lambda y: months(y, *_PARTS_OF_YEAR[match["piece"]]))


def _part_of_some_month(match: re.Match[str], asked: Asked) -> Span | None:
    near = (_part_of_month(asked.today.year, asked.today.month + later, match["piece"]) for later in (-1, 0, 1))
    return nearest(near, asked.now, asked.prefer)


def _half_year(match: re.Match[str], asked: Asked) -> Span:
    this = (asked.today.month - 1) // 6
    return months(asked.today.year, 6 * (this + shift_of(match["shift"])) + 1, 6)


def _quarter(match: re.Match[str], asked: Asked) -> Span | None:
    if shift := said(match, "shift"):
        return quarter(asked.today.year, (asked.today.month - 1) // 3 + 1 + shift_of(shift))
    number = chinese(match["quarter"])
    return asked.in_year(year_of(asked, match), lambda y: quarter(y, number))


def _season(match: re.Match[str], asked: Asked) -> Span | None:
    return asked.in_year(None, lambda y: months(y, *_SEASONS[match["season"]]))


def _decade(match: re.Match[str], asked: Asked) -> Span | None:
    tens = chinese(match["tens"]) * (10 if match["also"] else 1)
    if tens % 10 or not 10 <= tens <= 90:
        return None
    if match["century"] or match["last"]:
        hundreds = _century(match, asked)
    else:  # 二十年代 is that of this century, 八十年代 that of the last
        hundreds = 2000 if 2000 + tens <= asked.today.year else 1900
    if match["also"]:  # 五六十年代
        return years(hundreds + tens, 20) if chinese(match["also"]) == tens // 10 + 1 else None
    return _piece_of_years(years(hundreds + tens, 10), match["piece"])


def _century(match: re.Match[str], asked: Asked) -> int:
    if match["last"]:
        return (asked.today.year // 100 - (1 if match["last"][0] == "上" else 0)) * 100
    return (chinese(match["century"]) - 1) * 100


def _named_century(match: re.Match[str], asked: Asked) -> Span | None:
    first = _century(match, asked)
    if not 0 < first < 3000:
        return None
    if match["piece"]:
        return years(first + {"初": 0, "中": 40, "末": 80}[match["piece"]], 20)
    return years(first, 100)


def _piece_of_years(decade: Span, piece: str | None) -> Span:
    if not piece:
        return decade
    skip, count = _PARTS_OF_DECADE[piece[0]]
    return years(decade.start.year + skip, count)


def _end_of_quarter(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if base.grain != "quarter":
        return None
    first = base.start.month + (0 if match["piece"] == "初" else 2)
    return month(base.start.year, first)


def _piece_of_month(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if base.grain != "month" or base.end - base.start > 31 * ONE_DAY:
        return None
    return replace(_part_of_month(base.start.year, base.start.month, match["piece"]))


# Two figures in a row that count: 三四年 is three or four years, 三五年 some.
_NO_NUMBER = r"(?!一二|二三|三四|三五|四五|五六|六七|七八|八九)"
_YEAR_FIGURES = rf"(?:19|20)\d\d|[一二][〇零{FIGURE}]{{3}}"
_CENTURY = r"(?:(?P<last>上个?|本)|(?P<century>1\d|2[01]|[1-9]|二十一?|十[一二三四五六七八九]?))世纪"
_TO = r"\s*(?:到|至|-|~|–|—{1,2})\s*"

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
        "年",
        rf"{YEAR}(?:(?:的|年)?(?P<piece>[上下前后]半(?=年)|[初底末](?![一二三四五六七八九])|中(?![国文间午心秋元央])))?"
        r"(?:的?(?P<season>[春夏秋冬](?=[天季日])|[暑寒]假)[天季日]?)?(?:(?<=半)年)?(?![轻龄级代糕货会])(?!年[轻龄])",
        _named_year,
    ),
    # Not 七八年, which is seven or eight years, nor 住了85年.
    rule(
        "年",
        rf"(?<![\d一二三四五六七八九十两百千万了过有近满共约第]){_NO_NUMBER}"
        rf"(?P<short>0\d|[6-9][1-9]|90|[678]0(?=\s?年(?:第|[初底末春夏秋冬]))|[〇零{FIGURE}][〇零{FIGURE}])\s?年(?![级龄轻代])(?!(?<=[1-9]\d年)前)",
        _short_year,
    ),
    rule("年", rf"(?<![\d.])(?P<first>{_YEAR_FIGURES})\s*年?{_TO}(?P<last>{_YEAR_FIGURES})\s*年(?!级)", _years),
    rule(
        "年",
        r"(?<![去今明前后本每次年大上下这一\d一二三四五六七八九〇零])年(?P<piece>初(?!一)|底|末)",
        _part_of_some_year,
    ),
    rule(
        "月",
        r"(?<![个上下这本当每月岁日腊正闰\d一二三四五六七八九十年])月(?P<piece>初(?![一二三四五六七八九十])|上旬|中旬|下旬|底|末)",
        _part_of_some_month,
    ),
    rule("半年", r"(?<![年早晚马])(?P<piece>[上下]半)年(?!级)", _part_of_some_year),
    rule("半年", rf"{SHIFT.replace('个?', '个')}半年", _half_year),
    rule(
        "季度",
        rf"(?:{SHIFT}季度|{YEAR_OR_SHORT}(?<!前)(?:第|Q)?(?P<quarter>[一二三四1-4])季度(?!假))",
        _quarter,
    ),
    rule(
        "q",
        r"(?<!奥迪)(?<![A-Za-z\d])(?:(?P<year>(?:19|20)\d\d年?)\s?)?[Qq](?P<quarter>[1-4])(?![A-Za-z\d])",
        _quarter,
    ),
    rule(
        "年代",
        rf"(?:{_CENTURY}的?)?(?<![\d一二三四五六七八九十])(?P<tens>[1-9]0|[{FIGURE}]?十|[{FIGURE}](?=[{FIGURE}]十))(?:(?P<also>[{FIGURE}])十)?年代(?!久远)(?P<piece>初期?|[前早中末后晚]期|末)?",
        _decade,
    ),
    rule("年代", r"(?<!\d)(?P<first>(?:19|20)\d0)年代(?!久远)", lambda match, _asked: years(int(match["first"]), 10)),
    rule(
        "世纪",
        rf"(?<![\d一二三四五六七八九十第跨新半]){_CENTURY}(?P<piece>[初中末](?![国心间]))?(?!的?[\d一二三四五六七八九]十?0?年代)",
        _named_century,
    ),
    rule("季", r"\A\s*(?P<season>[春夏秋冬])季\s*\Z", _season),
    rule("假", r"(?<![放过])(?P<season>[暑寒]假)(?!工|作业|班)(?=里|期间|我|的时候|时|去|$|[，。,])", _season),
)

MODIFIERS: tuple[Modifier, ...] = (
    modifier(r"的?(?P<piece>[初末])", _end_of_quarter),
    modifier(r"的?(?P<piece>上旬|中旬|下旬|月?[底末]|初)", _piece_of_month),
)
