"""Time expressions of Chinese. Patterns see folded text: half-width, and simplified in the characters they use.

Each pattern names what it must not touch, since Chinese has no word borders: 上周三 in 上周三亚, 后天 in 后天性,
前年 in 以前年轻.
"""

import re
from collections.abc import Callable
from datetime import date

from nodes.language.timex import festivals
from nodes.language.timex.calendar import ONE_DAY, Span, around, days, monday, month, month_later, months, year
from nodes.language.timex.festivals import lunar_day
from nodes.language.timex.numerals import CHINESE, chinese
from nodes.language.timex.rules import Asked, Rule, day_or_part

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
_WEEKDAYS = {
    char: number for number, chars in enumerate(("一", "二", "三", "四", "五", "六", "日天")) for char in chars
}
# Hours of a day; a night ends in the next morning.
_PARTS = {
    "凌晨": (0, 6),
    "清晨": (5, 10),
    "早晨": (5, 10),
    "早上": (5, 10),
    "早": (5, 10),
    "晨": (5, 10),
    "上午": (6, 12),
    "中午": (11, 14),
    "午后": (12, 18),
    "下午": (12, 18),
    "傍晚": (17, 20),
    "晚上": (18, 30),
    "晚间": (18, 30),
    "夜里": (18, 30),
    "夜晚": (18, 30),
    "深夜": (18, 30),
    "半夜": (18, 30),
    "晚": (18, 30),
    "夜": (18, 30),
}
# First month (counted from January of the year) and number of months.
_PARTS_OF_YEAR = {"上半": (1, 6), "下半": (7, 6), "初": (1, 2), "中": (6, 2), "底": (11, 2), "末": (11, 2)}
_SEASONS = {"春": (3, 3), "夏": (6, 3), "秋": (9, 3), "冬": (12, 3), "暑假": (7, 2), "寒假": (1, 2)}
# First day and number of days; the end of a month counts from its last day.
_PARTS_OF_MONTH = {
    "初": (1, 10),
    "上旬": (1, 10),
    "中旬": (11, 10),
    "中": (11, 10),
    "下旬": (21, 11),
    "底": (21, 11),
    "末": (21, 11),
}
_N = rf"(?!0)(?<![\d.第每近前零〇一二两三四五六七八九十百千万亿几数多])(?P<n>{CHINESE})"
_AGO = r"(?:以|之)?(?P<way>前|后)(?![来后])"
_PART = rf"(?:的)?(?P<part>{'|'.join(sorted((part for part in _PARTS if len(part) > 1), key=len, reverse=True))})"
_FIGURE = "一二三四五六七八九"
_CALENDAR_YEAR = rf"(?:19|20)\d\d|[一二][〇零{_FIGURE}]{{3}}"
_YEAR = (
    r"(?P<year>大前年|(?<![以之目从])前年|(?<![过失])去年|(?<![如至当现而])今年|本年|(?<![说证表声])明年|(?<![以之])后年"
    rf"|(?<![\d一二三四五六七八九〇零])(?:{_CALENDAR_YEAR})年(?!(?:以|之)?[前后]))"
)
_YEAR_OF = rf"(?:{_YEAR}的?)?"
# Before a month or a feast two figures are a year too (91年5月); one of another kind (康熙三年五月) leaves no meaning.
_YEAR_OR_SHORT = (
    rf"(?:(?:{_YEAR}|(?<![\d一二三四五六七八九十〇零])(?P<short>\d\d|[〇零一二三四五六七八九]{{2}})年)的?|(?<!年))"
)
# What follows a weekday or a month where it is none: 一起, 三个人, 三亚, 四川, 日本, 天气 ...
_WEEKDAY = (
    r"(?P<weekday>一(?![直起些下样定共般旦边方次步切向半线个])|二(?![手环期])|三(?![亚星国峡里])|四(?![川处])|五(?![道台])|六(?![福安])"
    r"|日(?![报常光记本])|天(?![气天空性津]))(?![个次位件场名条篇份家种项])"
)
_WEEK = r"(?:周|星期|礼拜)"
_SHIFT = r"(?P<shift>(?<![早晚马身地路世街网线以楼天海水])上+|(?<![以之余地私楼天水])下+|这|本)(?:一(?=[个周星礼]))?个?"
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?"
_DAY_NUMBER = rf"3[01]|[12]\d|0?[1-9]|三十一?|二十[{_FIGURE}]?|十[{_FIGURE}]?|[{_FIGURE}]"
_DAY_SIGN = r"(?:日(?![元报游内间])|号(?![楼线院房店桌门机位车台床选球]))"
_NO_PERSON_BEFORE = r"(?<![叫姓小阿和跟问给找陪请与])"
_PERSON = r"同事|同学|朋友|老师|老板|邻居|闺蜜|室友|学生|客户|助理|秘书|姐|妹|哥|弟|女儿|儿子|孩子|猫|狗|名字|笔名|网名"
_NO_PERSON_AFTER = (
    rf"(?!说|叫|姐|哥|妹|弟|老师|同学|小姐|先生|女士|告诉|问|天的|是[我你他她它咱]?们?家?的?.{{0,4}}?(?:{_PERSON}))"
)


def _year(asked: Asked, word: str | None) -> int | None:
    if word is None or word in _YEARS:
        return None if word is None else asked.today.year + _YEARS[word]
    return chinese(word.removesuffix("年"))


def _year_or_short(asked: Asked, match: re.Match[str]) -> int | None:
    if match["short"] is None:
        return _year(asked, match["year"])
    number = 2000 + chinese(match["short"])
    return number if number <= asked.today.year + 10 else number - 100


def _shift(word: str) -> int:
    return {"上": -1, "下": 1}.get(word[0], 0) * len(word)


def _part(match: re.Match[str]) -> tuple[int, int] | None:
    return _PARTS.get(match["part"] or "")


def _away(match: re.Match[str], per_unit: int = 1) -> int:
    return chinese(match["n"]) * per_unit * (1 if match["way"] == "后" else -1)


def _relative_day(match: re.Match[str], asked: Asked) -> Span:
    return day_or_part(asked.today + _DAYS[match["day"] or match["date"]] * ONE_DAY, _part(match))


def _days_away(match: re.Match[str], asked: Asked) -> Span:
    return day_or_part(asked.today + _away(match) * ONE_DAY, _part(match))


def _week(match: re.Match[str], asked: Asked) -> Span:
    first = monday(asked.today) + 7 * _shift(match["shift"]) * ONE_DAY
    if match["weekday"]:
        return day_or_part(first + _WEEKDAYS[match["weekday"]] * ONE_DAY, _part(match))
    return days(first + 5 * ONE_DAY, 2) if match["end"] else days(first, 7)


def _weekday(match: re.Match[str], asked: Asked) -> Span | None:
    return asked.on_weekday(_WEEKDAYS[match["weekday"]], _part(match))


def _weeks_away(match: re.Match[str], asked: Asked) -> Span:
    return around(asked.today + _away(match, 7) * ONE_DAY, 3)


def _part_of_month(year_number: int, number: int, part: str | None) -> Span:
    whole = month(year_number, number)
    if part is None:
        return whole
    first, count = _PARTS_OF_MONTH[part]
    piece = days(whole.start.date() + (first - 1) * ONE_DAY, count)
    return Span(piece.start, min(piece.end, whole.end))


def _days_of_month(first: date, number: str, last: str | None, part: tuple[int, int] | None) -> Span:
    day = first.replace(day=chinese(number))
    if last is None:
        return day_or_part(day, part)
    end = first.replace(day=chinese(last))
    if end < day:
        raise ValueError("a range that runs backwards")
    return days(day, (end - day).days + 1)


def _relative_month(match: re.Match[str], asked: Asked) -> Span:
    number = asked.today.month + _shift(match["shift"])
    if match["number"] is None:
        return _part_of_month(asked.today.year, number, match["piece"])
    first = month(asked.today.year, number).start.date()
    return _days_of_month(first, match["number"], match["last"], _part(match))


def _months_away(match: re.Match[str], asked: Asked) -> Span:
    # "Half a month" is two weeks, give or take.
    if match["half"]:
        return around(asked.today + (15 if match["way"] == "后" else -15) * ONE_DAY, 3)
    return around(month_later(asked.today, _away(match)), 15)


def _named_month(match: re.Match[str], asked: Asked) -> Span | None:
    number = chinese(match["month"])
    return asked.in_year(_year_or_short(asked, match), lambda y: _part_of_month(y, number, match["piece"]))


def _month_and_day(match: re.Match[str], asked: Asked) -> Span | None:
    number, part = chinese(match["month"]), _part(match)
    return asked.in_year(
        _year_or_short(asked, match),
        lambda y: _days_of_month(date(y, number, 1), match["number"], match["last"], part),
    )


def _lunar_day(match: re.Match[str], asked: Asked) -> Span | None:
    number = {"正": 1, "冬": 11, "腊": 12}.get(match["month"]) or chinese(match["month"])
    day_number = chinese(match["number"].removeprefix("初"))
    return asked.in_year(_year(asked, match["year"]), lambda y: days(lunar_day(y, number, day_number)))


def _named_year(match: re.Match[str], asked: Asked) -> Span:
    number = _year(asked, match["year"])
    if number is None:
        raise ValueError("no year")
    if match["piece"]:
        return months(number, *_PARTS_OF_YEAR[match["piece"]])
    return months(number, *_SEASONS[match["season"]]) if match["season"] else year(number)


def _end_of_year(match: re.Match[str], asked: Asked) -> Span | None:
    return asked.in_year(None, lambda y: months(y, *_PARTS_OF_YEAR[match["piece"]]))


def _years_away(match: re.Match[str], asked: Asked) -> Span | None:
    if match["n"] and chinese(match["n"]) > 200:
        return None  # 二〇二一年后 is no distance
    if match["half"]:
        return around(month_later(asked.today, 6 if match["way"] == "后" else -6), 15)
    middle = month_later(asked.today, _away(match, 12))
    return Span(days(month_later(middle, -6)).start, days(month_later(middle, 6)).end)


def _quarter(match: re.Match[str], asked: Asked) -> Span | None:
    if match["shift"]:
        return months(asked.today.year, (asked.today.month - 1) // 3 * 3 + 1 + 3 * _shift(match["shift"]), 3)
    first = 3 * chinese(match["quarter"]) - 2
    return asked.in_year(_year(asked, match["year"]), lambda y: months(y, first, 3))


def _festival(match: re.Match[str], asked: Asked) -> Span | None:
    festival = festivals.CHINESE[match["festival"]]
    if match["festival"] not in festivals.PLAIN_CHINESE and not (
        match["sign"] or match["year"] or match["short"] or match["length"]
    ):
        return None
    part = _PARTS["夜"] if match["night"] else _part(match)

    def span_in(of_year: int) -> Span | None:
        if part is not None:
            return day_or_part(festival.day_of(of_year), part)
        if match["length"] == "前后":
            return festival.neighbourhood(of_year)
        return festival.holiday(of_year) if match["length"] else festival.day(of_year)

    if match["side"] and match["side"] != "这":
        asked = Asked(asked.now, "past" if match["side"] == "上" else "future")
    return asked.in_year(_year_or_short(asked, match), span_in)


def _rule(cues: str, pattern: str, resolve: Callable[[re.Match[str], Asked], Span | None]) -> Rule:
    return Rule(re.compile(pattern), resolve, tuple(cues.split()))


# Greetings, things and places that bear a feast's name; 十一月, 五一二.
_NOT_THE_FEAST = (
    r"(?!节?快乐|安康|礼物|老人|树|贺?卡|歌|帽|联欢|晚会|档|上河图|习俗|的?由来|的?来历|广场"
    r"|[二三四五六七八九十月日号点个])"
)
_RANGE_OF_WEEKDAYS = r"(?!\s*[到至、和~\-—]\s*(?:周|星期|礼拜)?[一二三四五六日天])"
_LAST = rf"(?:日|号)?(?:到|至|-|~|—)(?P<last>{_DAY_NUMBER})(?={_DAY_SIGN})"

RULES: tuple[Rule, ...] = (
    _rule(
        "天 日",
        r"(?:(?P<day>(?<!大)大前|(?<![以之目从先大])前|昨|今|(?<![说证表声发])明|(?<!大)大后|(?<![以之此最今先大])后)"
        r"天(?![天性])"
        rf"|(?P<date>昨|今|(?<![说证表声发])明)日(?!头条|本|份))(?:{_PART})?",
        _relative_day,
    ),
    _rule("儿", rf"(?P<day>前|昨|今|明)(?P<date>儿)(?!子|女|童|媳|孙|科|歌)个?(?:{_PART})?", _relative_day),
    _rule("晚 夜 早 晨", r"(?P<day>昨|今|(?<![说证表声])明)(?P<part>晚|夜|早|晨)(?!报)上?", _relative_day),
    _rule("天", rf"{_N}天{_AGO}(?:{_PART})?", _days_away),
    _rule(
        "周 星期 礼拜",
        rf"{_SHIFT}{_WEEK}(?:(?P<end>末)|{_WEEKDAY}(?:{_PART})?|(?![期边围年转身长岁游刊报全密杰迅星末]))",
        _week,
    ),
    _rule(
        "周 星期 礼拜",
        rf"(?<![{_FIGURE}两十几每\d半整数隔单双各逢上下这本个老小大])(?<![周期拜][一二三四五六日天][到至、和~\-—])"
        rf"{_WEEK}{_WEEKDAY}{_RANGE_OF_WEEKDAYS}(?:{_PART})?",
        _weekday,
    ),
    _rule("周 星期 礼拜", rf"{_N}个?(?:周|星期|礼拜){_AGO}", _weeks_away),
    _rule(
        "月",
        rf"{_SHIFT}月(?![球亮饼光台嫂经票薪历子])(?:(?P<piece>初|上旬|中旬|下旬|底|末|中(?![国文间午心]))"
        rf"|(?P<number>{_DAY_NUMBER})(?:{_LAST})?{_DAY_SIGN}(?:{_PART})?)?",
        _relative_month,
    ),
    _rule("个月", rf"(?:(?P<half>(?<!一)半)|{_N})个月{_AGO}", _months_away),
    _rule(
        "月",
        rf"{_YEAR_OR_SHORT}{_NO_PERSON_BEFORE}(?<!农历)(?<!阴历)(?<![\d.\-/第两几数每半十个近]){_MONTH}"
        rf"(?P<piece>初(?![{_FIGURE}十])|上旬|中旬|下旬|底|末|中(?![国文间午心秋]))?"
        rf"(?!\d|(?:{_DAY_NUMBER})[日号]|初[{_FIGURE}十]|十五|[龄大天]|革命|怀胎|一次|两次|三次|也有){_NO_PERSON_AFTER}",
        _named_month,
    ),
    _rule(
        "月",
        rf"{_YEAR_OR_SHORT}(?<!农历)(?<!阴历)(?<![\d.\-/第两几数每半十个近]){_MONTH}的?(?P<number>{_DAY_NUMBER})"
        rf"(?:(?:{_LAST})?{_DAY_SIGN}|(?<=\d)(?![\d.%:/]|\s*[元块个人万岁斤米年月]))(?:{_PART})?",
        _month_and_day,
    ),
    _rule(
        "月",
        rf"{_YEAR_OF}(?:(?:农历|阴历|旧历)(?P<month>正|冬|腊|十[一二]?|[{_FIGURE}])月"
        rf"(?P<number>初?(?:三十|二十[{_FIGURE}]?|十[{_FIGURE}]?|[{_FIGURE}]))日?)",
        _lunar_day,
    ),
    _rule(
        "月",
        rf"{_YEAR_OF}(?P<month>正|冬|腊)月(?P<number>初[{_FIGURE}十]|二十[{_FIGURE}]?|十[{_FIGURE}])",
        _lunar_day,
    ),
    _rule(
        "年",
        rf"{_YEAR}(?:(?:的|年)?(?P<piece>上半(?=年)|下半(?=年)|[初底末](?![一二三四五六七八九])|中(?![国文间午心秋元])))?"
        r"(?:的?(?P<season>[春夏秋冬](?=[天季日])|[暑寒]假)[天季日]?)?(?:(?<=半)年)?(?![轻龄级代糕货会])(?!年[轻龄])",
        _named_year,
    ),
    _rule("年", r"(?<![去今明前后本每次年大\d一二三四五六七八九〇零])年(?P<piece>初(?!一)|底|末)", _end_of_year),
    _rule("年", rf"(?:(?P<half>(?<![一二两三四五六七八九十\d年])半)|{_N})年{_AGO}", _years_away),
    _rule("季度", rf"(?:{_SHIFT}季度|{_YEAR_OF}(?<!前)第?(?P<quarter>[一二三四1-4])季度)", _quarter),
    _rule(
        " ".join(festivals.CHINESE),
        rf"{_YEAR_OR_SHORT}(?:(?P<side>上|下|这)一?个)?(?<![李王张刘陈杨赵黄周吴徐孙朱马胡林建三])"
        rf"(?P<festival>{'|'.join(festivals.CHINESE)})"
        r"(?P<sign>节)?(?P<length>期间|假期|长假|小长假|黄金周|前后)?(?:那天|当天|当日)?"
        rf"(?:的?{_PART}|(?P<night>夜))?{_NOT_THE_FEAST}",
        _festival,
    ),
)
