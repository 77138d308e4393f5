"""Distances from now in Chinese: 三天前, 两个半月后, 最近三天, 过去两周, 前两个月, 三天内."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from nodes.language.timex.calendar import ONE_DAY, Span, days, monday, month, month_later, months, week, year, years
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Rule
from nodes.language.timex.zh_words import FIGURE, N, rule
from state.records import Grain

_SECONDS = {"秒": 1, "分": 60, "刻": 900, "时": 3600}
_MONTHS = {"月": 1, "季": 3, "年": 12}
_GRAINS: dict[str, Grain] = {
    "秒": "minute",
    "分": "minute",
    "刻": "minute",
    "时": "hour",
    "天": "day",
    "周": "week",
    "月": "month",
    "季": "quarter",
    "年": "year",
}
_UNITS = {"小": "时", "钟": "时", "日": "天", "星": "周", "礼": "周"}
# How far off people are, in days, beside the day, the week or the year that they name.
_REACH = {"周": 2, "月": 15, "季": 15, "年": 92}
_SOME = 5  # what 几 stands for, give or take half of it
_ONE_OR_THE_NEXT = frozenset(["一二", "一两", "二三", "两三", "三四", "三五", "四五", "五六", "六七", "七八", "八九"])
_MOST_YEARS = 200  # 二〇二一年后 is no distance

_UNIT = (
    r"(?P<unit>秒|分(?=钟|半)|刻(?=钟)|小时|钟头|(?<=个)钟|天|日|周|星期|礼拜|季度|月|年(?![级龄轻]))"
    r"钟?(?P<tail>半)?钟?"
)
_NUMBER = (
    rf"(?:(?P<tens>(?<![\d第百千万])(?:好?几十|[{FIGURE}]?十几))|{N}|(?<![十百千万\d])(?P<some>好?几|数|若干)(?!十))"
    r"(?P<more>[多几余来])?"
)
_ONLY_HALF = r"(?<![一二两三四五六七八九十\d年大上下前后夜])(?P<only>半)个?"
_AMOUNT = rf"(?:{_NUMBER}\s?(?P<one>个)?多?(?P<half>半)?|{_ONLY_HALF}){_UNIT}"


@dataclass(frozen=True)
class _Amount:
    """So many units and, with `half`, half of one more; `vague` where the number is not said.

    With `spread` it may be as many more: 二十几 is 20 and up to 10 more, 几十 is 20 and up to 80 more.
    """

    count: int
    half: bool
    unit: str
    vague: bool
    spread: int = 0

    def moved(self, day: date, sign: int) -> date:
        """Return the day this far from another; the unit is a day or longer."""
        halves = 2 * self.count + self.half
        if self.unit in _MONTHS:
            in_months = sign * _MONTHS[self.unit] * halves
            return (
                month_later(day, in_months // 2 if sign > 0 else -(-in_months // 2))
                + sign * 15 * (in_months % 2) * ONE_DAY
            )
        size = {"天": 1, "周": 7}[self.unit]
        return day + sign * (size * halves // 2) * ONE_DAY

    @property
    def length(self) -> timedelta:
        """How long it is, where the unit is shorter than a day."""
        return timedelta(seconds=_SECONDS[self.unit] * (self.count + 0.5 * self.half))

    @property
    def is_short(self) -> bool:
        """Whether it is counted in less than days."""
        return self.unit in _SECONDS


def _amount(match: re.Match[str]) -> _Amount:
    unit = _UNITS.get(match["unit"][0], match["unit"][0])
    if match["unit"] == "日" and match.string[: match.start("n")].endswith("月"):
        raise ValueError("a day of a month, no number of days")
    if match["only"]:
        if unit in "天周":
            raise ValueError("half a day is a long while")
        return _Amount(0, True, unit, False)
    if tens := match["tens"]:
        few = tens.endswith("几十")
        return _Amount(20 if few else chinese(tens.removesuffix("几")), False, unit, True, 80 if few else 10)
    if (words := match["n"] or "") in _ONE_OR_THE_NEXT:  # 三四年, 三五天
        first, last = (chinese(char) for char in words)
        return _Amount(first, False, unit, True, last - first)
    count = _SOME if match["some"] else chinese(match["n"])
    if unit == "年" and (count > _MOST_YEARS or (match["n"] or "")[:1] in tuple("0零〇")):
        raise ValueError("a year, no number of years")
    spread = 10 if match["more"] and count >= 10 and count % 10 == 0 else 0
    return _Amount(count, bool(match["half"] or match["tail"]), unit, bool(match["some"] or match["more"]), spread)


def _away(match: re.Match[str], asked: Asked) -> Span | None:
    amount = _amount(match)
    if amount.unit == "月" and not (match["one"] or match["only"]):
        return None  # 三月前 is before March
    return _at(asked, amount, 1 if match["way"] in ("后", "过") else -1)


def _at(asked: Asked, amount: _Amount, sign: int) -> Span:
    grain = _GRAINS[amount.unit]
    if amount.is_short:
        length, one = sign * amount.length, timedelta(seconds=_SECONDS[amount.unit])
        return Span(asked.later(length), asked.later(length + one), grain, reach=amount.length / 4)
    if amount.spread:
        further = replace(amount, count=amount.count + amount.spread)
        first, last = sorted((amount.moved(asked.today, sign), further.moved(asked.today, sign)))
        return _between(first, last, grain)
    reach = _REACH.get(amount.unit, 0)
    if amount.half and amount.unit == "年":
        reach = _REACH["月"]
    elif amount.half and amount.unit == "月" and amount.count == 0:
        reach = 3
    if amount.vague:
        reach = max(reach, 2) * 2
    there = _unit_around(amount.moved(asked.today, sign), amount)
    return replace(there, reach=reach * ONE_DAY, confidence=0.6 if amount.vague else 1.0)


def _unit_around(day: date, amount: _Amount) -> Span:
    """Return what is so far away: the year for years, the month for half years and quarters, the week, the day.

    So many months away is a day: who says 三个月前 has no calendar month in mind, but the time around it.
    """
    if amount.unit == "季" or (amount.unit == "年" and amount.half):
        return month(day.year, day.month)
    if amount.unit == "年":
        return year(day.year)
    if amount.unit == "周" and not amount.half:
        return week(day)
    return replace(days(day), grain=_GRAINS[amount.unit])


def _between(first: date, last: date, grain: Grain) -> Span:
    """Return the days, the months or the years from one to another, both whole."""
    if grain == "year":
        found = years(first.year, last.year - first.year + 1)
    elif grain in ("month", "quarter"):
        found = months(first.year, first.month, 12 * (last.year - first.year) + last.month - first.month + 1)
    else:
        found = replace(days(first, (last - first).days + 1), grain=grain)
    return replace(found, confidence=0.6)


def _later_on(match: re.Match[str], asked: Asked) -> Span:
    span = _at(asked, _amount(match), 1)
    # 过两天 is soon, not the day after tomorrow.
    return replace(span, reach=max(span.reach, ONE_DAY), confidence=0.7) if match["soon"] else span


def _until_now(asked: Asked, amount: _Amount) -> Span:
    if amount.is_short:
        return Span(asked.later(-amount.length), asked.now, _GRAINS[amount.unit])
    start = datetime.combine(amount.moved(asked.today, -1), time())
    return Span(start, days(asked.today).end, _GRAINS[amount.unit], confidence=0.6 if amount.vague else 1.0)


def _from_now(asked: Asked, amount: _Amount) -> Span:
    if amount.is_short:
        return Span(asked.now, asked.later(amount.length), _GRAINS[amount.unit])
    # 未来五年 are five whole years, 未来七天 reach into the seventh day after today.
    last = days(amount.moved(asked.today, 1))
    end = last.start if amount.unit in _MONTHS else last.end
    return Span(days(asked.today).start, end, _GRAINS[amount.unit], confidence=0.6 if amount.vague else 1.0)


def _recent(match: re.Match[str], asked: Asked) -> Span | None:
    amount = _amount(match)
    until_now = _until_now(asked, amount)
    # 过去十年 are ten whole years; 近十年 come up to now.
    return replace(until_now, end=until_now.end - ONE_DAY) if match["whole"] and amount.unit == "年" else until_now


def _ever_since(match: re.Match[str], asked: Asked) -> Span | None:
    amount = _amount(match)
    if amount.unit == "月" and not (match["one"] or match["only"] or match["near"]):
        return None  # 五月以来 is since May
    return _until_now(asked, amount)


def _last_hour(_match: re.Match[str], asked: Asked) -> Span:
    return Span(asked.later(-timedelta(hours=1)), asked.now, "hour")


def _coming(match: re.Match[str], asked: Asked) -> Span | None:
    return _from_now(asked, _amount(match))


def _within(match: re.Match[str], asked: Asked) -> Span | None:
    amount = _amount(match)
    return _until_now(asked, amount) if asked.prefer == "past" else _from_now(asked, amount)


def _whole_units(match: re.Match[str], asked: Asked) -> Span | None:
    """前两个月, 后三天: the whole units before or after that of today."""
    amount = _amount(match)
    if amount.half or amount.vague or (amount.count < 2 and match["n"] != "1"):
        return None
    before, count, today = match["way"] in "前上", amount.count, asked.today
    if amount.is_short:
        return _until_now(asked, amount) if before else _from_now(asked, amount)
    if count == 1:  # 前1周, unlike 上周, ends today
        near = _until_now(asked, amount) if before else _from_now(asked, amount)
        if before:
            return replace(near, end=near.end - ONE_DAY)
        end = near.end + (ONE_DAY if amount.unit in _MONTHS else timedelta(0))
        return replace(near, start=near.start + ONE_DAY, end=end)
    if amount.unit in _MONTHS:
        per = _MONTHS[amount.unit]
        this = (today.month - 1) // per * per + 1
        if amount.unit == "年":
            return years(today.year - count if before else today.year + 1, count)
        return replace(
            months(today.year, this + (-per * count if before else per), per * count), grain=_GRAINS[amount.unit]
        )
    size, first = (1, today) if amount.unit == "天" else (7, monday(today))
    whole = days(first + (-size * count if before else size) * ONE_DAY, size * count)
    return replace(whole, grain=_GRAINS[amount.unit], reach=min(count, 3) * ONE_DAY, confidence=0.8)


def _working_days(match: re.Match[str], asked: Asked) -> Span:
    """五个工作日后, 十五个工作日内: Mondays to Fridays; public holidays differ from year to year."""
    sign = 1 if match["way"] != "前" and (match["way"] or asked.prefer == "future") else -1
    day, left = asked.today, chinese(match["n"])
    while left:
        day += sign * ONE_DAY
        left -= day.weekday() < 5
    if match["way"]:
        return days(day)
    first, last = sorted((asked.today, day))
    return days(first, (last - first).days + 1)


_WAY = r"(?:以|之)?(?P<way>前|后)(?![来后端台面排])"
# Not 毕业后三年 or 出发前两天, which count from something else.
_AFTER_SPEAKER = r"(?<![^\s，。、；：,.;:!?！？我你他她它们咱于的这是在到和跟说自从妈爸姐哥弟妹师板友事王李张家])"
_INSIDE = r"(?:(?:之|以)?内)?"
_CUES = "秒 分 刻 时 钟 天 日 周 星期 礼拜 季度 月 年"

RULES: tuple[Rule, ...] = (
    rule(_CUES, rf"(?<!近){_AMOUNT}{_WAY}", _away),
    rule(
        "过", rf"(?:(?<![再已经不超路通度难走来错])(?P<soon>过)(?=[两几])|(?:再|\A)过)\s?{_AMOUNT}(?![的了])", _later_on
    ),
    rule("工作日 交易日", rf"{N}\s?个(?:工作|交易)日(?:{_WAY}|(?:之|以)?内)", _working_days),
    rule("上", r"上一?个(?:小时|钟头)", _last_hour),
    rule("来", rf"(?P<near>近|这)?{_AMOUNT}(?:以来|(?<=[年月周天])来(?![自电往到看说]))", _ever_since),
    rule(
        "近 去 往 前 这",
        rf"(?:最近的?|(?<![了是有过达长用花最附将])近|(?P<whole>过去|过往)的?|之前的?|此前的?|这(?=[几两三]))(?:这|那|整)?整?\s?{_AMOUNT}{_INSIDE}(?!前|以前|之前|半)",
        _recent,
    ),
    rule(
        "未来 今后 接下来 将来 往后 后 还剩",
        rf"(?:未来的?|今后的?|接下来的?|将来的?|往后的?|之后的?|此后的?|还剩)(?:这|整)?\s?{_AMOUNT}{_INSIDE}",
        _coming,
    ),
    rule("内", rf"{_AMOUNT}(?:之|以)?内(?![容部存地科向心在])", _within),
    rule(
        "前 后 上 下",
        rf"{_AFTER_SPEAKER}(?P<way>[前后上下]){_AMOUNT}(?!的?时候)(?![前后内])",
        _whole_units,
    ),
)
