"""Days of the lunar calendar, solar terms, feasts and days of remembrance in Chinese."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from nodes.language.timex import festivals
from nodes.language.timex.calendar import Span, days, nearest
from nodes.language.timex.lunar import AMBIGUOUS_TERMS, TERMS, WEATHER, lunar_day, lunar_month, solar_term
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Modifier, Rule
from nodes.language.timex.zh_words import FIGURE, YEAR_OF, YEAR_OR_SHORT, rule, said, year_of

_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_LUNAR = r"(?:农历|阴历|旧历)"
_LEAP = r"(?P<leap>闰)?"
_MONTH = rf"(?P<month>正|冬|腊|1[0-2]|[1-9]|十[一二]?|[{FIGURE}])月(?:份)?"
_ODD_MONTH = r"(?P<month>正|冬|腊)月"
_DAY = rf"(?P<number>初(?:10|\d|[{FIGURE}十])|三十|二十[{FIGURE}]?|廿[{FIGURE}]?|十[{FIGURE}]?|30|[12]\d|[{FIGURE}])"
_FIRST_DAYS = rf"(?P<number>初(?:10|\d|[{FIGURE}十])|廿[{FIGURE}]?)"
_PLAIN_DAY = rf"(?P<number>二十[{FIGURE}]?|十[{FIGURE}]|三十)"
# Where a lunar day without a sign ends.
_END = r"(?=$|[\s，。,、！？的]|那天|当天|晚|早|上午|下午|中午|夜|前后|之前|之后)"


def _number(month: str) -> int:
    return _MONTHS.get(month) or chinese(month)


def _day(match: re.Match[str], asked: Asked) -> Span | None:
    month = _number(said(match, "month") or "正")
    number = chinese(match["number"].removeprefix("初"))
    leap = said(match, "leap") is not None
    return asked.in_year(year_of(asked, match), lambda y: days(lunar_day(y, month, number, leap=leap)))


def _likely_day(match: re.Match[str], asked: Asked) -> Span | None:
    year = said(match, "year") or ""
    if year[:1] in ("一", "二"):  # 一九四五年八月十五: a date written out, of the Western calendar as its year is
        return days(date(chinese(year.removesuffix("年")), _number(match["month"]), chinese(match["number"])))
    found = _day(match, asked)
    return found and replace(found, confidence=0.6)


def _month(match: re.Match[str], asked: Asked) -> Span | None:
    month, leap = _number(match["month"]), said(match, "leap") is not None
    return asked.in_year(year_of(asked, match), lambda y: lunar_month(y, month, leap=leap))


def _term(match: re.Match[str], asked: Asked) -> Span | None:
    name = match["term"]
    said = bool(match["before"]) or (match["sign"] or "").startswith(("节", "时节"))
    near = bool(match["sign"] or match["year"] or match["short"]) or match.group() == match.string.strip()
    if not said and (name in WEATHER or (name in AMBIGUOUS_TERMS and not near)):
        return None
    return asked.in_year(year_of(asked, match), lambda y: solar_term(y, name))


def _festival(match: re.Match[str], asked: Asked) -> Span | None:
    festival = festivals.CHINESE[match["festival"]]
    if not (match["sign"] or match["length"] or match["festival"] in festivals.PLAIN_CHINESE):
        near = match["near"] is not None or match.group() == match.string.strip()
        if match["festival"] in festivals.WORDS_CHINESE or not (match["year"] or match["short"] or near):
            return None
    span_in = festival.holiday if match["length"] else festival.day
    if festival is festivals.NEW_YEARS_EVE_LUNAR and (match["year"] or match["short"]):
        return _new_years_eve(match, asked, span_in)
    if match["side"] and match["side"] != "这":
        asked = Asked(asked.now, "past" if match["side"] == "上" else "future", asked.zone)
    return asked.in_year(year_of(asked, match), span_in)


def _new_years_eve(match: re.Match[str], asked: Asked, span_in: Callable[[int], Span | None]) -> Span | None:
    """2023年除夕 ends the lunar year 2023, and lies in 2024; 今年除夕 is also the one of this January or February."""
    number = year_of(asked, match)
    if number is None:
        return None
    ending, beginning = span_in(number + 1), span_in(number)
    if ending and beginning and number == asked.today.year:
        found = nearest([beginning, ending], asked.now, asked.prefer)
        return replace(found, floating=False) if found else ending
    return ending


# Greetings, things and places that bear a feast's name; 十一月, 五一二.
_NOT_THE_FEAST = (
    r"(?!节?快乐|安康|礼物|老人|树|贺?卡|歌|帽|联欢|晚会|档|上河图|习俗|的?由来|的?来历|广场|路|街|村|饼|序曲|奖(?![金励])"
    r"|(?<=[一八四])[二三四五六七八九十月日号点个位名家人次])"
)
_NO_NAME = r"(?!老师|同学|小姐|先生|女士|说|姐|哥|这个名字|是[我你他她它咱]|粽|饺|汤圆|青鸟|未至)"
_FEASTS = "|".join(sorted(festivals.CHINESE, key=len, reverse=True))
_TERMS = "|".join(TERMS)

RULES: tuple[Rule, ...] = (
    rule("月", rf"{YEAR_OF}{_LUNAR}{_LEAP}{_MONTH}{_DAY}日?", _day),
    rule("月", rf"{_LUNAR}{YEAR_OR_SHORT}{_LEAP}{_MONTH}{_DAY}日?", _day),
    rule("月", rf"{YEAR_OR_SHORT}(?<![\d第两几十]){_LEAP}{_ODD_MONTH}{_DAY}", _day),
    rule("月", rf"{YEAR_OR_SHORT}(?<![\d第两几十]){_LEAP}{_MONTH}{_FIRST_DAYS}", _day),
    rule("月", rf"{YEAR_OR_SHORT}(?<![\d第两几十]){_LEAP}{_MONTH}{_PLAIN_DAY}{_END}", _likely_day),
    rule("初", rf"{YEAR_OR_SHORT}大?年{_FIRST_DAYS}", _day),
    rule("月", rf"{YEAR_OF}{_LUNAR}{_LEAP}{_MONTH}(?!{_DAY})", _month),
    rule("月", rf"{_LUNAR}{YEAR_OF}{_LEAP}{_MONTH}(?!{_DAY})", _month),
    rule("闰", rf"{YEAR_OF}(?P<leap>闰){_MONTH}(?!{_DAY})", _month),
    rule(
        "腊月 正月 冬月",
        rf"{YEAR_OR_SHORT}(?<![\d第两几十]){_ODD_MONTH}(?![{FIGURE}十廿初\d]|里的)",
        _month,
    ),
    rule(
        " ".join(TERMS),
        rf"{YEAR_OR_SHORT}(?P<before>节气)?(?<![李王张刘陈杨赵黄周吴徐孙朱马胡林叫姓小下场])(?P<term>{_TERMS})"
        rf"(?P<sign>节气?|那天|当天|当日|时节|前后|之前|之后|前一?[天周]|后一?[天周])?(?![膏茶酒鞋肥猪饱饭]){_NO_NAME}",
        _term,
    ),
    rule(
        " ".join(festivals.CHINESE),
        rf"{YEAR_OR_SHORT}(?:(?P<side>上|下|这)一?个)?(?<![李王张刘陈杨赵黄周吴徐孙朱马胡林建三第])(?<![\d])"
        rf"(?P<festival>{_FEASTS})"
        r"(?P<sign>节)?(?P<length>期间|的?[三五七八]天(?:长?假期?)?|假期|长假|小长假|黄金周|假日)?"
        r"(?P<near>(?=(?:之|以)?[前后](?:第|一|的|[两三四五六七几]?天|夕)|(?:之|以)[前后]|前后|那天|当天|当日|放假|回家|回老家)"
        r"|(?<=[五十六]一)(?=去|回|出[去游]|我|加班|打算|准备|想))"
        rf"?{_NOT_THE_FEAST}{_NO_NAME}",
        _festival,
    ),
)
MODIFIERS: tuple[Modifier, ...] = ()
