"""Years, halves and quarters of years, seasons, decades and centuries in Chinese."""

import re

from nodes.language.timex.calendar import Span, month, months, quarter, year, years
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Modifier, Rule
from nodes.language.timex.zh_words import FIGURE, SHIFT, YEAR, YEAR_OR_SHORT, modifier, rule, said, shift_of, year_of

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
# First year of ten and number of years.
_PARTS_OF_DECADE = {"初": (0, 3), "前": (0, 3), "早": (0, 3), "中": (3, 4), "末": (7, 3), "后": (7, 3), "晚": (7, 3)}
# Two figures in a row that count: 三四年 is three or four years, 三五年 some.
_NO_NUMBER = r"(?!一二|二三|三四|三五|四五|五六|六七|七八|八九)"
_YEAR_FIGURES = rf"(?:19|20)\d\d|[一二][〇零{FIGURE}]{{3}}"
_CENTURY = r"(?:(?P<last>上个?|本)|(?P<century>1\d|2[01]|[1-9]|二十一?|十[一二三四五六七八九]?))世纪"
_TO = r"\s*(?:到|至|-|~|–|—{1,2})\s*"


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


RULES: tuple[Rule, ...] = (
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

MODIFIERS: tuple[Modifier, ...] = (modifier(r"的?(?P<piece>[初末])", _end_of_quarter),)
