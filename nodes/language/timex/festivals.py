"""When the feasts of China and the West fall. Lunar dates and solar terms come from tables of `borax`, 1900 to 2100."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from dateutil.easter import easter

from nodes.language.timex.calendar import ONE_DAY, Span, days, nth_weekday
from nodes.language.timex.lunar import FIRST_YEAR, LAST_YEAR, lunar_day, solar_term


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
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        return days(self.day_of(year) - self.before * ONE_DAY, self.before + 1 + self.after)


def _lunar(month: int, day: int) -> Callable[[int], date]:
    return lambda year: lunar_day(year, month, day)


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _qingming(year: int) -> date:
    found = solar_term(year, "清明")
    if found is None:
        raise ValueError("a year outside the tables")
    return found.start.date()


def _from_easter(offset: int) -> Callable[[int], date]:
    def day_of(year: int) -> date:
        sunday: date = easter(year)
        return sunday + offset * ONE_DAY

    return day_of


def _nth(month: int, weekday: int, nth: int, later: int = 0) -> Callable[[int], date]:
    return lambda year: nth_weekday(year, month, weekday, nth) + later * ONE_DAY


def _last_monday_of_may(year: int) -> date:
    last = date(year, 5, 31)
    return last - last.weekday() * ONE_DAY


def _first_of_advent(year: int) -> date:
    """Return the fourth Sunday before Christmas."""
    christmas = date(year, 12, 25)
    return christmas - (christmas.weekday() + 1 + 21) * ONE_DAY


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
EASTER = Festival(_from_easter(0), 2, 1)
CHRISTMAS_EVE = Festival(_fixed(12, 24), 0, 0)
CHRISTMAS = Festival(_fixed(12, 25), before=1, after=1)

# As the texts name them, Chinese ones without 节.
CHINESE: dict[str, Festival] = {
    **dict.fromkeys(("春节", "大年初一", "正月初一", "年初一", "农历新年"), SPRING_FESTIVAL),
    **dict.fromkeys(("除夕", "大年三十", "年三十"), NEW_YEARS_EVE_LUNAR),
    **dict.fromkeys(("元宵", "正月十五"), LANTERN),
    **dict.fromkeys(("龙抬头", "二月二"), Festival(_lunar(2, 2), 0, 0)),
    "寒食": Festival(lambda year: _qingming(year) - ONE_DAY, 0, 0),
    "清明": QINGMING,
    **dict.fromkeys(("端午", "五月初五"), DRAGON_BOAT),
    "七夕": QIXI,
    "中元": GHOST,
    **dict.fromkeys(("中秋", "八月十五"), MID_AUTUMN),
    "重阳": DOUBLE_NINTH,
    "腊八": LABA,
    "小年": Festival(lambda year: lunar_day(year - 1, 12, 23), 0, 0),
    "元旦": NEW_YEAR,
    "跨年夜": NEW_YEARS_EVE,
    "情人": VALENTINE,
    **dict.fromkeys(("三八", "妇女", "三八妇女"), Festival(_fixed(3, 8), 0, 0)),
    "植树": Festival(_fixed(3, 12), 0, 0),
    "愚人": Festival(_fixed(4, 1), 0, 0),
    "复活": EASTER,
    **dict.fromkeys(("五一", "劳动", "五一劳动"), LABOUR_DAY),
    **dict.fromkeys(("五四", "青年", "五四青年"), Festival(_fixed(5, 4), 0, 0)),
    "母亲": Festival(_nth(5, 6, 2), 0, 0),
    **dict.fromkeys(("六一", "儿童", "六一儿童"), Festival(_fixed(6, 1), 0, 0)),
    "父亲": Festival(_nth(6, 6, 3), 0, 0),
    **dict.fromkeys(("建党", "七一"), Festival(_fixed(7, 1), 0, 0)),
    **dict.fromkeys(("建军", "八一", "八一建军"), Festival(_fixed(8, 1), 0, 0)),
    "教师": Festival(_fixed(9, 10), 0, 0),
    **dict.fromkeys(("国庆", "十一", "十一国庆"), NATIONAL_DAY),
    "万圣": HALLOWEEN,
    **dict.fromkeys(("双十一", "双11", "光棍"), Festival(_fixed(11, 11), 0, 0)),
    "感恩": THANKSGIVING,
    **dict.fromkeys(("黑色星期五", "黑五"), Festival(lambda year: nth_weekday(year, 11, 3, 4) + ONE_DAY, 0, 0)),
    **dict.fromkeys(("双十二", "双12"), Festival(_fixed(12, 12), 0, 0)),
    "平安夜": CHRISTMAS_EVE,
    "圣诞": CHRISTMAS,
}
# Those that mean the feast by themselves; the others are also food, names or plain words, and need 节 or a year.
PLAIN_CHINESE = frozenset(
    (
        *("春节", "大年初一", "正月初一", "农历新年", "除夕", "大年三十", "年三十", "正月十五", "龙抬头"),
        *("五月初五", "端午", "七夕", "中秋", "八月十五", "元旦", "跨年夜", "国庆", "十一国庆", "平安夜", "圣诞"),
        *("双十一", "双11", "双十二", "双12", "黑色星期五", "六一儿童", "三八妇女", "五一劳动", "八一建军"),
    )
)
# Those that are plain words even where nothing else is said.
WORDS_CHINESE = frozenset(
    (
        *("情人", "妇女", "植树", "愚人", "复活", "劳动", "青年", "母亲", "儿童", "父亲", "建党", "建军"),
        *("教师", "五四青年", "感恩", "光棍", "万圣", "中元"),
    )
)
ENGLISH: dict[str, Festival] = {
    "chinese new year": SPRING_FESTIVAL,
    "chinese new year's eve": NEW_YEARS_EVE_LUNAR,
    "lunar new year": SPRING_FESTIVAL,
    "spring festival": SPRING_FESTIVAL,
    "lantern festival": LANTERN,
    "qingming": QINGMING,
    "qingming festival": QINGMING,
    "tomb sweeping day": QINGMING,
    "dragon boat festival": DRAGON_BOAT,
    "qixi": QIXI,
    "qixi festival": QIXI,
    "mid-autumn festival": MID_AUTUMN,
    "mid-autumn": MID_AUTUMN,
    "moon festival": MID_AUTUMN,
    "double ninth festival": DOUBLE_NINTH,
    "double seventh festival": QIXI,
    "ghost festival": GHOST,
    "laba festival": LABA,
    "new year's eve": NEW_YEARS_EVE,
    "new years eve": NEW_YEARS_EVE,
    "new year eve": NEW_YEARS_EVE,
    "nye": NEW_YEARS_EVE,
    "new year's day": NEW_YEAR,
    "new years day": NEW_YEAR,
    "new year's": NEW_YEAR,
    "new year": NEW_YEAR,
    "epiphany": Festival(_fixed(1, 6), 0, 0),
    "groundhog day": Festival(_fixed(2, 2), 0, 0),
    "martin luther king day": Festival(_nth(1, 0, 3), 2, 0),
    "martin luther king jr day": Festival(_nth(1, 0, 3), 2, 0),
    "mlk day": Festival(_nth(1, 0, 3), 2, 0),
    "presidents day": Festival(_nth(2, 0, 3), 2, 0),
    "president's day": Festival(_nth(2, 0, 3), 2, 0),
    "valentine's day": VALENTINE,
    "valentine's": VALENTINE,
    "valentine day": VALENTINE,
    "saint valentine's day": VALENTINE,
    "women's day": Festival(_fixed(3, 8), 0, 0),
    "international women's day": Festival(_fixed(3, 8), 0, 0),
    "pi day": Festival(_fixed(3, 14), 0, 0),
    "st patrick's day": Festival(_fixed(3, 17), 0, 0),
    "st patrick's": Festival(_fixed(3, 17), 0, 0),
    "st. patrick's day": Festival(_fixed(3, 17), 0, 0),
    "saint patrick's day": Festival(_fixed(3, 17), 0, 0),
    "saint patrick": Festival(_fixed(3, 17), 0, 0),
    "st patrick day": Festival(_fixed(3, 17), 0, 0),
    "april fools' day": Festival(_fixed(4, 1), 0, 0),
    "april fool's day": Festival(_fixed(4, 1), 0, 0),
    "earth day": Festival(_fixed(4, 22), 0, 0),
    "anzac day": Festival(_fixed(4, 25), 0, 0),
    "mardi gras": Festival(_from_easter(-47), 0, 0),
    "shrove tuesday": Festival(_from_easter(-47), 0, 0),
    "ash wednesday": Festival(_from_easter(-46), 0, 0),
    "palm sunday": Festival(_from_easter(-7), 0, 0),
    "maundy thursday": Festival(_from_easter(-3), 0, 0),
    "good friday": Festival(_from_easter(-2), 0, 3),
    "holy saturday": Festival(_from_easter(-1), 0, 0),
    "easter": EASTER,
    "easter sunday": EASTER,
    "easter monday": Festival(_from_easter(1), 3, 0),
    "ascension day": Festival(_from_easter(39), 0, 0),
    "pentecost": Festival(_from_easter(49), 1, 1),
    "whitsun": Festival(_from_easter(49), 1, 1),
    "whit sunday": Festival(_from_easter(49), 1, 1),
    "whit monday": Festival(_from_easter(50), 2, 0),
    "pentecost monday": Festival(_from_easter(50), 2, 0),
    "trinity sunday": Festival(_from_easter(56), 0, 0),
    "corpus christi": Festival(_from_easter(60), 0, 0),
    "may day": LABOUR_DAY,
    "international workers' day": LABOUR_DAY,
    "star wars day": Festival(_fixed(5, 4), 0, 0),
    "cinco de mayo": Festival(_fixed(5, 5), 0, 0),
    "mother's day": Festival(_nth(5, 6, 2), 0, 0),
    "mothers day": Festival(_nth(5, 6, 2), 0, 0),
    "memorial day": Festival(_last_monday_of_may, 2, 0),
    "children's day": Festival(_fixed(6, 1), 0, 0),
    "flag day": Festival(_fixed(6, 14), 0, 0),
    "father's day": Festival(_nth(6, 6, 3), 0, 0),
    "fathers day": Festival(_nth(6, 6, 3), 0, 0),
    "juneteenth": Festival(_fixed(6, 19), 0, 0),
    "canada day": Festival(_fixed(7, 1), 0, 0),
    "independence day": Festival(_fixed(7, 4), 1, 1),
    "4th of july": Festival(_fixed(7, 4), 1, 1),
    "fourth of july": Festival(_fixed(7, 4), 1, 1),
    "bastille day": Festival(_fixed(7, 14), 0, 0),
    "labor day": Festival(_nth(9, 0, 1), 2, 0),
    "labour day": Festival(_nth(9, 0, 1), 2, 0),
    "columbus day": Festival(_nth(10, 0, 2), 2, 0),
    "indigenous peoples' day": Festival(_nth(10, 0, 2), 2, 0),
    "halloween": HALLOWEEN,
    "all saints' day": Festival(_fixed(11, 1), 0, 0),
    "all souls' day": Festival(_fixed(11, 2), 0, 0),
    "guy fawkes night": Festival(_fixed(11, 5), 0, 0),
    "bonfire night": Festival(_fixed(11, 5), 0, 0),
    "veterans day": Festival(_fixed(11, 11), 0, 0),
    "remembrance day": Festival(_fixed(11, 11), 0, 0),
    "armistice day": Festival(_fixed(11, 11), 0, 0),
    "singles' day": Festival(_fixed(11, 11), 0, 0),
    "thanksgiving": THANKSGIVING,
    "thanksgiving day": THANKSGIVING,
    "black friday": Festival(_nth(11, 3, 4, 1), 0, 0),
    "cyber monday": Festival(_nth(11, 3, 4, 4), 0, 0),
    "first sunday of advent": Festival(_first_of_advent, 0, 0),
    "christmas eve": CHRISTMAS_EVE,
    "xmas eve": CHRISTMAS_EVE,
    "christmas": CHRISTMAS,
    "christmas day": CHRISTMAS,
    "xmas": CHRISTMAS,
    "xmas day": CHRISTMAS,
    "boxing day": Festival(_fixed(12, 26), 0, 0),
    "kwanzaa": Festival(_fixed(12, 26), 0, 6),
}
