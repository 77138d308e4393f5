"""The Chinese lunar calendar and the solar terms, from tables of `borax` for 1900 to 2100."""

import functools
from dataclasses import replace
from datetime import date

from borax.calendars.lunardate import TERMS_CN, LunarDate, TermUtils

from nodes.language.timex.calendar import Span, days

FIRST_YEAR, LAST_YEAR = 1901, 2099
TERMS: tuple[str, ...] = tuple(TERMS_CN)

# Those that are names or plain words too, and of them those that are weather even beside a year or a day.
WEATHER = frozenset(("小寒", "大寒", "雨水", "小满", "小暑", "大暑", "白露", "霜降", "小雪", "大雪"))
AMBIGUOUS_TERMS = WEATHER | {"清明", "谷雨", "寒露"}


@functools.lru_cache(maxsize=4096)
def lunar_day(year: int, month: int, day: int, *, leap: bool = False) -> date:
    """Return the date in the Western calendar of a day of the lunar year that begins in `year`.

    Raises:
        ValueError: That lunar month has no such day, the year no such leap month, or it is outside the tables.
    """
    found: date = LunarDate(year, month, day, 1 if leap else 0).to_solar_date()
    return found


def lunar_month(year: int, month: int, *, leap: bool = False) -> Span:
    """Return a month of the lunar year that begins in `year`.

    Raises:
        ValueError: The year has no such leap month, or is outside the tables.
    """
    first = lunar_day(year, month, 1, leap=leap)
    try:
        last = lunar_day(year, month, 30, leap=leap)
    except ValueError:
        last = lunar_day(year, month, 29, leap=leap)
    return replace(days(first, (last - first).days + 1), grain="month")


def solar_term(year: int, name: str) -> Span | None:
    """Return the day of a solar term in a calendar year; None outside the years of the tables."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    found: date = TermUtils.nth_term_day(year, term_name=name)
    return days(found)
