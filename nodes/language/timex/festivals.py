"""When the feasts of China and the West fall. Lunar dates and solar terms come from tables of `borax`, 1900 to 2100."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from borax.calendars.lunardate import LunarDate, TermUtils

from nodes.language.timex.calendar import ONE_DAY, Span, days, nth_weekday

FIRST_YEAR, LAST_YEAR = 1901, 2099


@dataclass(frozen=True)
class Festival:
    """A yearly day, and how many days before and after it people are off for it."""

    day_of: Callable[[int], date]
    before: int = 1
    after: int = 1

    def day(self, year: int) -> Span | None:
        """Return the day in a calendar year; None outside the years the tables cover."""
        return days(self.day_of(year)) if FIRST_YEAR <= year <= LAST_YEAR else None

    def holiday(self, year: int) -> Span | None:
        """Return the days off around it; None as for `day`."""
        return self._widened(year, self.before, self.after)

    def neighbourhood(self, year: int) -> Span | None:
        """Return the week around it, for words such as 前后; None as for `day`."""
        return self._widened(year, 3, 3)

    def _widened(self, year: int, before: int, after: int) -> Span | None:
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        return days(self.day_of(year) - before * ONE_DAY, before + 1 + after)


def lunar_day(year: int, month: int, day: int) -> date:
    """Return the date in the Western calendar of a day of the lunar year that begins in `year`; no leap months.

    Raises:
        ValueError: That lunar month has no such day, or the year is outside the tables.
    """
    found: date = LunarDate(year, month, day).to_solar_date()
    return found


def _lunar(month: int, day: int) -> Callable[[int], date]:
    return lambda year: lunar_day(year, month, day)


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _qingming(year: int) -> date:
    found: date = TermUtils.nth_term_day(year, term_name="清明")
    return found


SPRING_FESTIVAL = Festival(_lunar(1, 1), before=1, after=6)
NEW_YEARS_EVE_LUNAR = Festival(lambda year: lunar_day(year, 1, 1) - ONE_DAY)
LANTERN = Festival(_lunar(1, 15), 0, 0)
QINGMING = Festival(_qingming)
DRAGON_BOAT = Festival(_lunar(5, 5))
QIXI = Festival(_lunar(7, 7), 0, 0)
GHOST = Festival(_lunar(7, 15), 0, 0)
MID_AUTUMN = Festival(_lunar(8, 15))
DOUBLE_NINTH = Festival(_lunar(9, 9), 0, 0)
LABA = Festival(lambda year: lunar_day(year - 1, 12, 8), 0, 0)
NEW_YEAR = Festival(_fixed(1, 1))
NEW_YEARS_EVE = Festival(_fixed(12, 31), 0, 0)
LABOUR_DAY = Festival(_fixed(5, 1), before=0, after=4)
NATIONAL_DAY = Festival(_fixed(10, 1), before=0, after=6)
VALENTINE = Festival(_fixed(2, 14), 0, 0)
HALLOWEEN = Festival(_fixed(10, 31), 0, 0)
THANKSGIVING = Festival(lambda year: nth_weekday(year, 11, 3, 4), before=0, after=3)
CHRISTMAS_EVE = Festival(_fixed(12, 24), 0, 0)
CHRISTMAS = Festival(_fixed(12, 25), before=1, after=1)

# As the texts name them, Chinese ones without 节.
CHINESE: dict[str, Festival] = {
    "春节": SPRING_FESTIVAL,
    "大年初一": SPRING_FESTIVAL,
    "正月初一": SPRING_FESTIVAL,
    "除夕": NEW_YEARS_EVE_LUNAR,
    "大年三十": NEW_YEARS_EVE_LUNAR,
    "年三十": NEW_YEARS_EVE_LUNAR,
    "元宵": LANTERN,
    "正月十五": LANTERN,
    "清明": QINGMING,
    "五月初五": DRAGON_BOAT,
    "八月十五": MID_AUTUMN,
    "端午": DRAGON_BOAT,
    "七夕": QIXI,
    "中元": GHOST,
    "中秋": MID_AUTUMN,
    "重阳": DOUBLE_NINTH,
    "腊八": LABA,
    "元旦": NEW_YEAR,
    "跨年夜": NEW_YEARS_EVE,
    "情人": VALENTINE,
    "五一": LABOUR_DAY,
    "劳动": LABOUR_DAY,
    "国庆": NATIONAL_DAY,
    "十一": NATIONAL_DAY,
    "万圣": HALLOWEEN,
    "感恩": THANKSGIVING,
    "平安夜": CHRISTMAS_EVE,
    "圣诞": CHRISTMAS,
}
# Those that mean the feast by themselves; the others are also food, names or plain words, and need 节 or a year.
PLAIN_CHINESE = frozenset(
    {
        "春节",
        "大年初一",
        "正月初一",
        "除夕",
        "大年三十",
        "年三十",
        "正月十五",
        "五月初五",
        "八月十五",
        "端午",
        "七夕",
        "中秋",
        "元旦",
        "跨年夜",
        "国庆",
        "平安夜",
        "圣诞",
    }
)
ENGLISH: dict[str, Festival] = {
    "chinese new year": SPRING_FESTIVAL,
    "lunar new year": SPRING_FESTIVAL,
    "spring festival": SPRING_FESTIVAL,
    "lantern festival": LANTERN,
    "qingming": QINGMING,
    "dragon boat festival": DRAGON_BOAT,
    "mid-autumn festival": MID_AUTUMN,
    "double ninth festival": DOUBLE_NINTH,
    "new year's eve": NEW_YEARS_EVE,
    "new year's day": NEW_YEAR,
    "valentine's day": VALENTINE,
    "halloween": HALLOWEEN,
    "thanksgiving": THANKSGIVING,
    "christmas eve": CHRISTMAS_EVE,
    "christmas": CHRISTMAS,
    "xmas": CHRISTMAS,
}
