"""Parts of a day and times on a clock in Chinese: 下午三点半, 晚上8点许, 三点一刻, 差五分八点, 零点."""

import re
from dataclasses import replace
from datetime import date, timedelta

from nodes.language.timex.calendar import ONE_DAY, Span, days, hours, nearest, nearest_moment
from nodes.language.timex.figures import clock, nearest_clock
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Modifier, Rule
from nodes.language.timex.zh_words import modifier, rule

# Hours of a day; a night ends in the next morning.
_PARTS = {
    "凌晨": (0, 6),
    "黎明": (4, 7),
    "拂晓": (4, 7),
    "清晨": (5, 10),
    "清早": (5, 10),
    "大清早": (5, 10),
    "早晨": (5, 10),
    "早上": (5, 10),
    "早间": (5, 10),
    "朝早": (5, 10),
    "一大早": (5, 10),
    "大早上": (5, 10),
    "早": (5, 10),
    "晨": (5, 10),
    "上午": (6, 12),
    "上昼": (6, 12),
    "中午": (11, 14),
    "正午": (11, 14),
    "午间": (11, 14),
    "午后": (12, 18),
    "下午": (12, 18),
    "下昼": (12, 18),
    "晏昼": (12, 18),
    "傍晚": (17, 20),
    "黄昏": (17, 20),
    "晚上": (18, 30),
    "夜晚": (18, 30),
    "晚间": (18, 30),
    "夜间": (18, 30),
    "夜里": (18, 30),
    "深夜": (18, 30),
    "半夜": (18, 30),
    "大半夜": (18, 30),
    "前半夜": (18, 24),
    "上半夜": (18, 24),
    "后半夜": (24, 30),
    "下半夜": (24, 30),
    "晚": (18, 30),
    "夜": (18, 30),
    "白天": (6, 19),
    "全天": (0, 24),
    "一整天": (0, 24),
    "整天": (0, 24),
}
_LONG = sorted((part for part in _PARTS if len(part) > 1), key=len, reverse=True)
PART = rf"(?P<part>{'|'.join(_LONG)})"
_SHORT_PART = r"(?P<part>[早晚夜晨])"
_HALVES = ("晚", "夜")
_NOON, _MIDNIGHT, _EVENING = 12, 24, 5

_HOUR = r"(?P<hour>2[0-4]|[01]?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九])"
_NUMBER = r"(?:[0-5]?\d|[二三四五]?十[一二三四五六七八九]?|[零〇]?[一二三四五六七八九])"
_MINUTES = (
    rf"(?:(?P<half>[搭踏]?半)|(?P<quarter>[一三])刻|[搭踏](?P<fives>{_NUMBER})|(?P<signs>{_NUMBER})个字"
    rf"|(?P<minute>{_NUMBER})(?:分(?!钟热)(?:{_NUMBER}秒)?)?(?![\d个点时人次位件元块年月天号]))"
)
# What 点 is of where it is no time: 三点建议, 两点意见, 五点一下.
_NO_CLOCK = r"(?![建意要原理内想好坏感水名体数值子头评赞击餐菜单播燃缀出儿小])"
_SIGN = r"(?:点(?:钟|整|正)?|时(?![候间常光刻代而不期尚装]))"
_FIGURES = r"(?P<h>2[0-4]|[01]?\d):(?P<m>[0-5]\d)(?::[0-5]\d)?(?![\d:%])时?"
CLOCK = rf"(?:{_HOUR}\s?{_SIGN}(?:\s?{_MINUTES}|{_NO_CLOCK})|{_FIGURES})(?:整|多钟?|许)?"
# 差五分八点, 八点差五分.
_TO = rf"差(?:(?P<lacking>{_NUMBER})分钟?|(?P<lacking_quarter>一刻)钟?)(?:到|就)?{_HOUR}点"
_TO_AFTER = rf"{_HOUR}点差(?:(?P<lacking>{_NUMBER})分|(?P<lacking_quarter>一刻))"


def _minute(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("lacking") or groups.get("lacking_quarter"):
        return -(15 if groups["lacking_quarter"] else chinese(groups["lacking"]))
    if groups.get("m"):
        return int(groups["m"])
    if groups.get("half"):
        return 30
    if groups.get("quarter"):
        return 15 * chinese(groups["quarter"])
    if fives := groups.get("fives") or groups.get("signs"):
        return 5 * chinese(fives)
    return chinese(groups["minute"].lstrip("零〇") or "零") if groups.get("minute") else None


def _hour(match: re.Match[str]) -> int:
    groups = match.groupdict()
    return chinese(groups.get("hour") or groups["h"])


def _hour_in(part: str, hour: int) -> int:
    """Return which of the 30 hours of a day and the night after it a clock means in a part of the day."""
    if hour > _NOON:
        return hour
    first, end = _PARTS[part]
    if "半夜" in part or part == "深夜":  # from eleven to five, at the day's end or, as many say it, at its beginning
        return hour + _NOON if _EVENING < hour < _NOON else hour % _NOON + (_MIDNIGHT if hour == _NOON else 0)
    if end > _MIDNIGHT:
        return hour + _NOON if hour >= _EVENING else hour + _MIDNIGHT
    if first >= _NOON or (first == _NOON - 1 and hour < _NOON - 2):
        return hour + _NOON if hour < _NOON else hour
    return 0 if hour == _NOON and first == 0 else hour


def _at(day: date, hour: int, minute: int | None) -> Span:
    if minute is not None and minute < 0:
        start = clock(day, hour, 0).start + timedelta(minutes=minute)
        return Span(start, start + timedelta(minutes=1), "minute")
    if hour > _MIDNIGHT:
        return clock(day + ONE_DAY, hour - _MIDNIGHT, minute)
    return clock(day, hour, minute)


def _is_one_day(span: Span) -> bool:
    return span.end - span.start == ONE_DAY and span.start == days(span.start.date()).start


def _part_of_day(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if not _is_one_day(base):
        return None
    part = hours(base.start.date(), *_PARTS[match["part"]])
    return replace(part, reach=base.reach)


def _clock_of_day(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if not _is_one_day(base):
        return None
    part = match.groupdict().get("part")
    hour = _hour(match)
    return _at(base.start.date(), _hour_in(part, hour) if part else hour, _minute(match))


def _evening_of_day(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if not _is_one_day(base):
        return None
    day = base.start.date()
    return evening_clock(day, match) if match["hour"] or match["h"] else hours(day, *_PARTS[match["part"]])


_DAYS = {"前": -2, "昨": -1, "寻": -1, "琴": -1, "今": 0, "当": 0, "明": 1, "听": 1}


def evening_clock(day: date, match: re.Match[str]) -> Span:
    """Return the time of the evening of a day, or of the night after it, that a match of `CLOCK` shows."""
    return _at(day, _hour_in("晚", _hour(match)), _minute(match))


def _evening(match: re.Match[str], asked: Asked) -> Span | None:
    day = asked.today + _DAYS[match["day"]] * ONE_DAY
    part = match["part"]
    if not (match["hour"] or match["h"]):
        return hours(day, *_PARTS[part])
    return _at(day, _hour_in(part, _hour(match)), _minute(match))


def _part_and_clock(match: re.Match[str], asked: Asked) -> Span | None:
    part, hour, minute = match["part"], _hour(match), _minute(match)
    around = (asked.today + offset * ONE_DAY for offset in (-2, -1, 0, 1))
    found = nearest_moment((_at(day, _hour_in(part, hour), minute) for day in around), asked.now, asked.prefer)
    return found and replace(found, confidence=0.7)


def _only_part(match: re.Match[str], asked: Asked) -> Span | None:
    part = match["part"]
    around = (asked.today + offset * ONE_DAY for offset in (-2, -1, 0, 1))
    return nearest((hours(day, *_PARTS[part]) for day in around), asked.now, asked.prefer)


def _only_clock(match: re.Match[str], asked: Asked) -> Span | None:
    hour, minute = _hour(match), _minute(match)
    if minute is not None and minute < 0:
        around = (asked.today + offset * ONE_DAY for offset in (-1, 0, 1))
        return nearest(
            (_at(day, half, minute) for day in around for half in (hour, hour + _NOON)), asked.now, asked.prefer
        )
    halves = (hour, hour + _NOON) if 0 < hour < _NOON else (hour % _MIDNIGHT,)
    return nearest_clock(asked, halves, minute)


def _clocks(match: re.Match[str], asked: Asked) -> Span | None:
    """九到十二点半, 晚上9~11点: the first without its sign."""
    part = match["part"]
    first, last = chinese(match["first"]), _hour(match)
    if part:
        first, last = _hour_in(part, first), _hour_in(part, last)
    if last <= first:
        last += _NOON
    around = (asked.today + offset * ONE_DAY for offset in (-1, 0, 1))
    minute = _minute(match)
    return nearest(
        (replace(_at(day, first, None), end=_at(day, last, minute).start) for day in around), asked.now, asked.prefer
    )


def _clocks_of_day(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    return _clocks(match, Asked(base.start, "future")) if _is_one_day(base) else None


def _now(_match: re.Match[str], asked: Asked) -> Span:
    return Span(asked.now, asked.later(timedelta(minutes=1)), "minute")


# 早上七点起床 is every morning.
_NO_ROUTINE = r"(?!\s*(?:就|才|准时|左右)?(?:起床?|睡觉?|上班|下班|上学|放学)(?![了的晚]))"
# Where a bare time of day is one: at the end, before "or so", before the moment or beside another.
_MEANT = (
    r"(?=\s*(?:的时候|之前|之后|以前|以后|左右|前后|开始|开会|见面?|集合|出发|到\s*[\d一二三四五六七八九十]|至|$"
    r"|[,，。！？!?]))"
)
# 十点过去, 三点的飞机; not 两点来说.
_DOES = (
    r"(?=过[去来]|回[家来去]|到家|出门|出发|集合|起飞|登机|开会|开始|见面?(?!解)|下课|打烊|关门"
    r"|的(?:飞机|火车|高铁|航班|班车|船|会议?(?![员计])))"
)
# 讲到一点 is a point, not one o'clock.
_AT = r"(?<=[在约从到至于])(?![一两三]点(?![钟整半一三过]))"
_RANGE = rf"(?:{PART}的?)?(?<![\d:.])(?P<first>2[0-3]|1?\d|十[一二]?|[一二三四五六七八九])(?:到|至|-|~|–|—)"

RULES: tuple[Rule, ...] = (
    rule(
        "晚 夜 早 晨",
        rf"(?P<day>昨|今|(?<![以之目从提])前(?=晚)|寻(?=晚)|琴(?=晚)|听(?=[晚早])|(?<![说证表声])明)(?P<part>晚|夜|早|晨)(?!报|餐|饭|点[^\d])上?\s?(?:的?{CLOCK})?",
        _evening,
    ),
    rule(
        "点 时 :",
        rf"{PART}\s?的?{CLOCK}{_NO_ROUTINE}",
        _part_and_clock,
    ),
    rule(
        "早 晚",
        rf"(?<![最太更很大小今昨明前后当每一不])(?P<part>[早晚])(?!一点(?![钟半多整许一三]))(?![点时]){CLOCK}{_NO_ROUTINE}",
        _part_and_clock,
    ),
    rule("点", rf"{_RANGE}{CLOCK}", _clocks),
    *(
        rule("差", rf"{part}{way}", resolve)
        for way in (_TO, _TO_AFTER)
        for part, resolve in ((rf"{PART}的?", _part_and_clock), ("", _only_clock))
    ),
    rule("点 时", rf"{_AT}(?<!第){CLOCK}", _only_clock),
    rule("点 时", rf"(?<![\d零〇一二三四五六七八九十百两第几好有]){CLOCK}(?=[之以][前后])", _only_clock),
    rule("点 时", rf"\A\s*{CLOCK}\s*\Z", _only_clock),
    rule(
        "零点 半 刻 整 钟",
        rf"(?<![\d零〇一二三四五六七八九十百两第几好]){_HOUR}点(?:{_MINUTES}|钟|整){_MEANT}",
        _only_clock,
    ),
    rule("点", rf"(?<![\d零〇一二三四五六七八九十百两第几好有这那])(?!一点){CLOCK}{_DOES}", _only_clock),
    rule(" ".join(_LONG), rf"\A\s*{PART}\s*\Z", _only_part),
    rule(
        "现在 目前 此时 此刻 当前 依家 而家 今",
        r"\A\s*(?:现在|此时|此刻|当前|目前|依家|而家)\s*\Z|(?<=[到至])(?:现在|目前|此刻|今(?=$|[，。,\s已]))",
        _now,
    ),
)

MODIFIERS: tuple[Modifier, ...] = (
    modifier(rf"\s*的?{_RANGE}{CLOCK}", _clocks_of_day),
    modifier(rf"的?当(?P<part>[晚夜])(?:的?{CLOCK})?", _evening_of_day),
    modifier(rf"\s*的?{PART}\s?的?{CLOCK}", _clock_of_day),
    modifier(rf"\s*的?{_SHORT_PART}{CLOCK}", _clock_of_day),
    modifier(rf"\s*的?{CLOCK}", _clock_of_day),
    modifier(rf"\s*的?{PART}", _part_of_day),
    modifier(rf"{_SHORT_PART}(?=$|[，。,、\s])", _part_of_day),
)
