"""Words behind a time that pick a part of it or step away from it: 第一周, 最后一天, 后一天, 前夕, 那周, 前后."""

import re
from dataclasses import replace

from nodes.language.timex.calendar import (
    ONE_DAY,
    Span,
    about,
    day_after,
    day_before,
    days,
    last_weeks,
    month,
    month_later,
    months,
    nth_week,
    nth_weekday_in,
    week,
    week_after,
    week_before,
    year,
)
from nodes.language.timex.numerals import chinese
from nodes.language.timex.rules import Asked, Modifier
from nodes.language.timex.zh_words import WEEK, WEEKDAY, WEEKDAYS, modifier, said

_NUMBER = r"\d{1,3}|[一二两三四五六七八九十百廿]{1,5}"
_UNIT = r"(?P<unit>天|日|周末|周|星期|礼拜|季度|月)"
_MONTHS = {"月": 1, "季": 3}


def _unit(match: re.Match[str]) -> str:
    return {"星": "周", "礼": "周", "日": "天"}.get(match["unit"][0], match["unit"][0])


def _count(match: re.Match[str]) -> int:
    number = said(match, "n")
    return chinese(number) if number else 1


def _is_long(base: Span) -> bool:
    return base.end - base.start > ONE_DAY


def _nth(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    """第三周, 第一天, 第8个月 of what is longer."""
    if not _is_long(base):
        return None
    nth, unit = _count(match), _unit(match)
    if match["unit"] == "周末":
        saturday = nth_weekday_in(base, 5, nth)
        return saturday and days(saturday.start.date(), 2)
    if unit == "周":
        return nth_week(base, nth)
    if unit == "天":
        return _inside(days(base.start.date() + (nth - 1) * ONE_DAY), base)
    return _inside(_months_of(base, _MONTHS[unit] * (nth - 1), _MONTHS[unit]), base)


def _months_of(base: Span, skip: int, count: int) -> Span:
    whole = months(base.start.year, base.start.month + skip, count)
    return replace(whole, grain="quarter") if count == 3 else whole


def _inside(part: Span, base: Span) -> Span | None:
    return part if base.start <= part.start and part.end <= base.end else None


def _nth_weekday(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if not _is_long(base):
        return None
    nth = -1 if said(match, "last") is not None else _count(match)
    return nth_weekday_in(base, WEEKDAYS[match["weekday"]], nth)


def _first(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    """前两个季度, 头三天, 首月 of what is longer."""
    if not _is_long(base):
        return None
    count, unit = _count(match), _unit(match)
    if unit == "周":
        first = nth_week(base, 1)
        return first and replace(first, end=first.start + 7 * count * ONE_DAY)
    if unit == "天":
        return _inside(days(base.start.date(), count), base)
    return _inside(_months_of(base, 0, _MONTHS[unit] * count), base)


def _last(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    """最后三周, 后三个月, 末日 of what is longer."""
    if not _is_long(base):
        return None
    count, unit = _count(match), _unit(match)
    if match["unit"] == "周末":
        saturday = nth_weekday_in(base, 5, -1)
        return saturday and days(saturday.start.date(), 2)
    if unit == "周":
        return last_weeks(base, count)
    if unit == "天":
        return _inside(days(base.end.date() - count * ONE_DAY, count), base)
    size = _MONTHS[unit] * count
    end = base.end
    return _inside(months(end.year, end.month - size, size), base)


def _last_of_long(base: Span, match: re.Match[str], asked: Asked) -> Span | None:
    return _last(base, match, asked) if base.grain in ("month", "quarter", "year") else None


def _stepped(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    """后第三天, 前一天, 后一周 of a day or a few."""
    if base.grain not in ("day", "hour") or base.end - base.start > 20 * ONE_DAY:
        return None
    after, count, unit = match["way"] == "后", _count(match), _unit(match)
    if match["unit"] != "周末" and not (match["n"] or match["that"]):
        return None
    if match["unit"] == "周末":
        saturday = base.end.date() if after else base.start.date() - 7 * ONE_DAY
        saturday += (5 - saturday.weekday()) % 7 * ONE_DAY
        return days(saturday, 2)
    if unit == "天":
        if match["nth"] or count == 1:
            return day_after(base, count) if after else day_before(base, count)
        first = day_after(base) if after else day_before(base, count)
        return days(first.start.date(), count)
    if unit == "周" and (match["that"] or match["nth"]):
        whole = week_after(base) if after else week_before(base)
        further = 7 * (count - 1) * ONE_DAY * (1 if after else -1)
        return replace(whole, start=whole.start + further, end=whole.end + further)
    if unit == "周":
        first = day_after(base) if after else day_before(base, 7 * count)
        return replace(days(first.start.date(), 7 * count), grain="week")
    if unit == "月":
        beside = day_after(base).start.date() if after else day_before(base).start.date()
        other = month_later(beside, count if after else -count)
        begin, end = (beside, other) if after else (other + ONE_DAY, beside + ONE_DAY)
        return replace(days(begin, (end - begin).days), grain="month")
    return None


def _eve(base: Span, _match: re.Match[str], _asked: Asked) -> Span | None:
    return day_before(base) if base.grain == "day" else None


def _next_day(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    if _is_long(base):
        return None
    return day_after(base, _count(match) - 1 if match["n"] else 1)


def _that(base: Span, match: re.Match[str], _asked: Asked) -> Span | None:
    """那周, 当月: the calendar unit around a day."""
    day, unit = base.start.date(), _unit(match)
    if unit == "天":
        return None if _is_long(base) else base
    if _is_long(base):
        return None
    if unit == "周":
        return week(day)
    return month(day.year, day.month)


def _that_day_of(base: Span, _match: re.Match[str], asked: Asked) -> Span | None:
    """去年的今天, 上周的今天: what today is in another year, month or week."""
    if base.grain == "year" and _is_long(base):
        return days(month_later(asked.today, 12 * (base.start.year - asked.today.year)))
    if base.grain == "month" and _is_long(base):
        return days(base.start.date().replace(day=asked.today.day))
    if base.grain == "week" and _is_long(base):
        return days(base.start.date() + asked.today.weekday() * ONE_DAY)
    return None if _is_long(base) else replace(base, reach=0 * ONE_DAY)


def _that_year(base: Span, _match: re.Match[str], _asked: Asked) -> Span | None:
    return year(base.start.year)


def _weekend_of(base: Span, _match: re.Match[str], _asked: Asked) -> Span | None:
    return (
        days(base.start.date() + 5 * ONE_DAY, 2)
        if base.grain == "week" and base.end - base.start == 7 * ONE_DAY
        else None
    )


def _on_weekday(base: Span, match: re.Match[str], asked: Asked) -> Span | None:
    """二月十号星期天: of the nearest before and after, the one on that weekday."""
    if not base.floating or _is_long(base):
        return None
    near = match.string[max(0, match.start() - _DATE_LENGTH) : match.start()]
    step = (12 if _MONTH_SAID.search(near) else 1) * (1 if asked.prefer == "past" else -1)
    day = base.start.date()
    other = month_later(day, step)
    for found in (day, other):
        if found.weekday() == WEEKDAYS[match["on"]] and found.day == day.day:
            return replace(days(found), grain=base.grain)
    return None


def _same(base: Span, _match: re.Match[str], _asked: Asked) -> Span | None:
    return None if _is_long(base) else base


# A weekday that stands beside a date.
_BESIDE = r"(?<![周期拜][一二三四五六日天])[,，(（]?\s*(?:周|星期|礼拜){}[)）]?(?![到至])"
_DATE_LENGTH, _MONTH_SAID = 9, re.compile(r"月|[/.\-]\d")
_NTH = rf"(?:的|\s)*第\s?(?P<n>{_NUMBER})\s?个?"
_LAST = r"(?:的|\s)*最[后後]\s?"

MODIFIERS: tuple[Modifier, ...] = (
    modifier(rf"{_NTH}{WEEK}{WEEKDAY}", _nth_weekday),
    modifier(rf"{_LAST}(?:一个)?(?P<last>){WEEK}{WEEKDAY}", _nth_weekday),
    modifier(rf"{_NTH}{_UNIT}", _nth),
    modifier(rf"(?:的|\s)*(?:首(?=[日周月季])|头(?P<n>{_NUMBER})?\s?个?){_UNIT}", _first),
    modifier(rf"(?:的|\s)*前\s?(?P<n>{_NUMBER})\s?个?{_UNIT}", _first),
    modifier(rf"{_LAST}(?P<n>{_NUMBER})?\s?个?{_UNIT}", _last),
    modifier(rf"(?:的|\s)*后\s?(?P<n>{_NUMBER})\s?个?{_UNIT}", _last_of_long),
    modifier(
        rf"的?(?:之|以)?(?P<way>前|后)\s?的?(?P<that>[那下上]个?(?:一(?=[个周星]))?个?)?(?P<nth>第)?(?P<n>{_NUMBER})?\s?个?{_UNIT}(?!前|后)",
        _stepped,
    ),
    modifier(r"(?:的?(?:前夕|前夜|头一天|前一日|先一天))", _eve),
    modifier(rf"的?(?:次日|翌日|隔天|隔日|第(?P<n>{_NUMBER})天)", _next_day),
    modifier(r"的?(?:当|那一?个?|所在的?(?:那一?个?)?)(?P<unit>天|日|周|星期|礼拜|月)(?!末|前|后)", _that),
    modifier(r"的?(?:当|那一?|所在的?(?:那一?)?)年", _that_year),
    modifier(r"的?(?:今天|今日|这一?天)", _that_day_of),
    modifier(r"的?周末", _weekend_of),
    modifier(_BESIDE.format("(?P<on>[一二三四五六日天])"), _on_weekday),
    modifier(_BESIDE.format("[一二三四五六日天]"), _same),
    modifier(r"的?(?:前后|左右|上下|附近)", lambda base, _match, _asked: about(base)),
)
