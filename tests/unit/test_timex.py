from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.language.timex import named_time
from nodes.language.timex.calendar import days as whole_days
from nodes.language.timex.calendar import instants, month_later, nth_weekday, wall_clock
from nodes.language.timex.festivals import CHINESE, ENGLISH, LAST_YEAR
from nodes.language.timex.numerals import chinese

SHANGHAI, NEW_YORK, UTC = "Asia/Shanghai", "America/New_York", "UTC"
ZONES = (SHANGHAI, NEW_YORK, UTC)
MONDAY = datetime(2026, 11, 30, 10)


def ms(local: datetime, zone: str) -> int:
    return int(local.replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def named(text: str, *, now: datetime = MONDAY, zone: str = SHANGHAI, prefer: str = "past"):
    return named_time(text, now_ms=ms(now, zone), time_zone=zone, prefer=prefer)


def local(text: str, *, now: datetime = MONDAY, zone: str = SHANGHAI, prefer: str = "past") -> tuple[str, str]:
    """Return start and end of the named window on the wall clock, "2026-11-29 18" style."""
    window = named(text, now=now, zone=zone, prefer=prefer)
    assert window is not None, f"no time in {text!r}"
    return tuple(
        datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00")
        for at in (window.start_ms, window.end_ms)
    )


def of_days(first: str, count: int) -> tuple[str, str]:
    start = date.fromisoformat(first)
    return first, (start + timedelta(days=count)).isoformat()


# Said on Monday, 2026-11-30: the first day and the number of days.
DAYS_NAMED = [
    ("今天", "2026-11-30", 1),
    ("昨天我去了公园", "2026-11-29", 1),
    ("前天", "2026-11-28", 1),
    ("大前天", "2026-11-27", 1),
    ("明天", "2026-12-01", 1),
    ("后天", "2026-12-02", 1),
    ("大后天", "2026-12-03", 1),
    ("昨儿个", "2026-11-29", 1),
    ("三天前", "2026-11-27", 1),
    ("3天之前", "2026-11-27", 1),
    ("二十三天前", "2026-11-07", 1),
    ("两天后", "2026-12-02", 1),
    ("１０天以前", "2026-11-20", 1),
    ("上周我说了什么", "2026-11-23", 7),
    ("上上周", "2026-11-16", 7),
    ("上个星期", "2026-11-23", 7),
    ("上一周", "2026-11-23", 7),
    ("这周", "2026-11-30", 7),
    ("下周", "2026-12-07", 7),
    ("下下个礼拜", "2026-12-14", 7),
    ("上周三", "2026-11-25", 1),
    ("上个星期天", "2026-11-29", 1),
    ("本周五", "2026-12-04", 1),
    ("下周一", "2026-12-07", 1),
    ("上周一起吃饭", "2026-11-23", 7),
    ("上周三个人聚餐", "2026-11-23", 7),
    ("上周三亚出差", "2026-11-23", 7),
    ("上周天气不好", "2026-11-23", 7),
    ("周三", "2026-11-25", 1),
    ("星期天", "2026-11-29", 1),
    ("禮拜五", "2026-11-27", 1),
    ("两周前", "2026-11-13", 7),
    ("2个星期前", "2026-11-13", 7),
    ("这个周末", "2026-12-05", 2),
    ("上周末", "2026-11-28", 2),
    ("上个月", "2026-10-01", 31),
    ("上個月", "2026-10-01", 31),
    ("这个月", "2026-11-01", 30),
    ("下个月", "2026-12-01", 31),
    ("上上个月", "2026-09-01", 30),
    ("上个月19号", "2026-10-19", 1),
    ("上个月底", "2026-10-21", 11),
    ("三个月前", "2026-08-15", 31),
    ("半年前", "2026-05-15", 31),
    ("六月", "2026-06-01", 30),
    ("12月", "2025-12-01", 31),
    ("六月中旬", "2026-06-11", 10),
    ("6月19日", "2026-06-19", 1),
    ("六月十九号", "2026-06-19", 1),
    ("6月19", "2026-06-19", 1),
    ("6月19日到21日", "2026-06-19", 3),
    ("2月29日", "2024-02-29", 1),
    ("2026年6月19日", "2026-06-19", 1),
    ("二〇二五年六月十九日", "2025-06-19", 1),
    ("25年3月2日", "2025-03-02", 1),
    ("2026-06-19", "2026-06-19", 1),
    ("2026/6/19", "2026-06-19", 1),
    ("去年六月", "2025-06-01", 30),
    ("去年", "2025-01-01", 365),
    ("前年", "2024-01-01", 366),
    ("今年", "2026-01-01", 365),
    ("明年", "2027-01-01", 365),
    ("2025年", "2025-01-01", 365),
    ("两年前", "2024-05-30", 366),
    ("去年夏天", "2025-06-01", 92),
    ("去年年底", "2025-11-01", 61),
    ("上个季度", "2026-07-01", 92),
    ("昨天到今天", "2026-11-29", 2),
    ("我端午节在哪家餐厅请的客户", "2026-06-19", 1),
    ("去年端午节", "2025-05-31", 1),
    ("去年的中秋", "2025-10-06", 1),
    ("中秋节那天", "2026-09-25", 1),
    ("中秋前后", "2026-09-22", 7),
    ("春节", "2026-02-17", 1),
    ("去年春节", "2025-01-29", 1),
    ("明年春节", "2027-02-06", 1),
    ("大年三十", "2026-02-16", 1),
    ("除夕", "2026-02-16", 1),
    ("元宵节", "2026-03-03", 1),
    ("七夕", "2026-08-19", 1),
    ("重阳节", "2026-10-18", 1),
    ("清明节", "2026-04-05", 1),
    ("农历五月初五", "2026-06-19", 1),
    ("腊月二十三", "2026-02-10", 1),
    ("圣诞节", "2025-12-25", 1),
    ("元旦", "2026-01-01", 1),
    ("国庆", "2026-10-01", 1),
    ("国庆期间", "2026-10-01", 7),
    ("去年感恩节", "2025-11-27", 1),
    ("What did I do today?", "2026-11-30", 1),
    ("yesterday", "2026-11-29", 1),
    ("the day before yesterday", "2026-11-28", 1),
    ("Tomorrow", "2026-12-01", 1),
    ("the day after tomorrow", "2026-12-02", 1),
    ("three days ago", "2026-11-27", 1),
    ("a couple of days ago", "2026-11-28", 1),
    ("in 3 days", "2026-12-03", 1),
    ("10 days from now", "2026-12-10", 1),
    ("last week", "2026-11-23", 7),
    ("the week before last", "2026-11-16", 7),
    ("next week", "2026-12-07", 7),
    ("two weeks ago", "2026-11-13", 7),
    ("this weekend", "2026-12-05", 2),
    ("last weekend", "2026-11-28", 2),
    ("last Tuesday", "2026-11-24", 1),
    ("last Monday", "2026-11-23", 1),
    ("this Friday", "2026-12-04", 1),
    ("on Friday", "2026-11-27", 1),
    ("On Monday", "2026-11-30", 1),
    ("next Monday", "2026-12-07", 1),
    ("Tuesday of last week", "2026-11-24", 1),
    ("next week on Tuesday", "2026-12-08", 1),
    ("last Fri", "2026-11-27", 1),
    ("last month", "2026-10-01", 31),
    ("three months ago", "2026-08-15", 31),
    ("in June", "2026-06-01", 30),
    ("last June", "2026-06-01", 30),
    ("next June", "2027-06-01", 30),
    ("in June last year", "2025-06-01", 30),
    ("last year in June", "2025-06-01", 30),
    ("late May", "2026-05-21", 11),
    ("March 2026", "2026-03-01", 31),
    ("June 19", "2026-06-19", 1),
    ("on June 19th", "2026-06-19", 1),
    ("June 19, 2026", "2026-06-19", 1),
    ("19 June 2025", "2025-06-19", 1),
    ("the 19th of June", "2026-06-19", 1),
    ("Dec. 31, 2025", "2025-12-31", 1),
    ("Thursday, June 4, 2026", "2026-06-04", 1),
    ("June 3-5", "2026-06-03", 3),
    ("from June 1st to June 7th", "2026-06-01", 7),
    ("last year", "2025-01-01", 365),
    ("this year", "2026-01-01", 365),
    ("in 2025", "2025-01-01", 365),
    ("two years ago", "2024-05-30", 366),
    ("last summer", "2026-06-01", 92),
    ("summer 2025", "2025-06-01", 92),
    ("last quarter", "2026-07-01", 92),
    ("Christmas", "2025-12-25", 1),
    ("Christmas 2024", "2024-12-25", 1),
    ("Christmas last year", "2025-12-25", 1),
    ("New Year’s Day", "2026-01-01", 1),
    ("Thanksgiving", "2026-11-26", 1),
    ("Dragon Boat Festival", "2026-06-19", 1),
    ("Chinese New Year 2025", "2025-01-29", 1),
    ("我 last week 去了杭州", "2026-11-23", 7),
]

HOURS_NAMED = [
    ("昨晚", "2026-11-29 18:00", "2026-11-30 06:00"),
    ("昨天晚上", "2026-11-29 18:00", "2026-11-30 06:00"),
    ("今天下午", "2026-11-30 12:00", "2026-11-30 18:00"),
    ("上周三上午", "2026-11-25 06:00", "2026-11-25 12:00"),
    ("6月19日凌晨", "2026-06-19", "2026-06-19 06:00"),
    ("除夕夜", "2026-02-16 18:00", "2026-02-17 06:00"),
    ("yesterday evening", "2026-11-29 18:00", "2026-11-30"),
    ("last night", "2026-11-29 18:00", "2026-11-30 06:00"),
    ("this morning", "2026-11-30 06:00", "2026-11-30 12:00"),
    ("Friday afternoon", "2026-11-27 12:00", "2026-11-27 18:00"),
]

NO_TIME_ZH = """
iPhone 15 很好用 | 版本 3.12 发布了 | v2026.6.19 版本 | 这本书 12 元 | 三月是我同事 | 三月说她不来 | 我和六月一起吃饭
电话 13920260619 | 打 010-6219-2026 | 涨了 5.6% | 一周三次健身 | 每周三我游泳 | 每年端午节吃粽子 | 周一到周五我上班
以前天天跑步 | 证明天线坏了 | 以后天天见 | 后天性疾病 | 如今年轻人喜欢什么 | 过去年轻的时候 | 以前年轻不懂事
这是以上周期的数据 | 在路上周围没人 | 晚上周杰伦开演唱会 | 五月天的演唱会 | 十月革命的历史 | 第三天 | 6月大的宝宝
中秋快乐 | 祝你圣诞快乐 | 圣诞老人是谁 | 清明上河图在哪 | 王重阳是谁 | 吃元宵 | 李国庆创业 | 五一广场怎么走
5号电池 | 2号线到哪 | 住在19号楼 | 三个月的孩子 | 2000年前的文物 | 三年级二班 | 今日头条 | 《昨天》这首歌 | 比分 6-19
六点半起床 | 两年经验 | 一百天 | 前端和后端 | 半天 | 天天向上 | 明儿子 | 康熙三年五月 | 下年9月 | 一月也有三四千收入
"""
NO_TIME_EN = """
May I ask you something? | You may go now | This may take a while | you may 5 times | We march on | march 3 miles
a second chance | in second place | the sun is out | I sat down | April is my colleague | June told me a secret
I met June and April | August Strindberg wrote plays | It costs $2025 | in 2025 cases we saw it | call 555-2026
version 2026.6.19 | Python 3.12 | iPhone 15 | I read USA Today on the train | Every Friday I swim | On Fridays I swim
I work Monday to Friday | Monday through Friday | Black Friday deals | the Good Friday agreement | Merry Christmas
the Christmas tree | I like Wednesday Addams | 5% off | it is 12:30 | I can do it in a day | the last week of school
the day I was born | room 2026 | the weekend | in 5 minutes | a fall in prices | last but not least | next to me
order 2026-06-19-001 | https://example.org/2026/06/19/post | 10 years | twice a week | June 31
the first Monday of the month
"""


def listed(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split("|")]


@pytest.mark.parametrize(("text", "first", "count"), DAYS_NAMED)
def test_whole_days(text: str, first: str, count: int):
    assert local(text) == of_days(first, count)


@pytest.mark.parametrize(("text", "start", "end"), HOURS_NAMED)
def test_parts_of_a_day(text: str, start: str, end: str):
    assert local(text) == (start, end)


@pytest.mark.parametrize("prefer", ["past", "future"])
@pytest.mark.parametrize("text", listed(NO_TIME_ZH) + listed(NO_TIME_EN))
def test_a_text_that_names_no_time(text: str, prefer: str):
    assert named(text, prefer=prefer) is None


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("周三", "2026-12-02", 1),
        ("周一", "2026-11-30", 1),
        ("六月", "2027-06-01", 30),
        ("十一月", "2026-11-01", 30),
        ("端午节", "2027-06-09", 1),
        ("2月29日", "2028-02-29", 1),
        ("周五之前交报告", "2026-12-04", 1),
        ("on Friday", "2026-12-04", 1),
        ("June 19", "2027-06-19", 1),
        ("by Friday", "2026-12-04", 1),
        ("Christmas", "2026-12-25", 1),
        ("last Tuesday", "2026-11-24", 1),
        ("去年端午节", "2025-05-31", 1),
    ],
)
def test_what_could_be_both_leans_to_the_future_on_request(text: str, first: str, count: int):
    assert local(text, prefer="future") == of_days(first, count)


@pytest.mark.parametrize(
    "text", ["端午节之前", "before Christmas", "自从上周", "since last week", "春节以后", "by Friday"]
)
def test_an_interval_open_on_one_side_is_not_the_day_it_starts_or_ends_with(text: str):
    assert named(text) is None


@pytest.mark.parametrize("prefer", ["past", "future"])
def test_today_counts_for_both_sides(prefer: str):
    dragon_boat = datetime(2026, 6, 19, 0, 1)
    for text in ("端午节", "6月19日", "周五", "Friday", "June 19"):
        assert local(text, now=dragon_boat, prefer=prefer) == of_days("2026-06-19", 1)
    assert local("六月", now=dragon_boat, prefer=prefer) == of_days("2026-06-01", 30)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    ("now", "text", "first", "count"),
    [
        (datetime(2026, 12, 31, 23, 59), "今天", "2026-12-31", 1),
        (datetime(2027, 1, 1, 0, 1), "昨天", "2026-12-31", 1),
        (datetime(2027, 1, 1, 0, 1), "yesterday", "2026-12-31", 1),
        (datetime(2026, 12, 31, 23, 59), "tomorrow", "2027-01-01", 1),
        (datetime(2026, 12, 31, 23, 59), "去年", "2025-01-01", 365),
        (datetime(2027, 1, 1, 0, 1), "去年", "2026-01-01", 365),
        (datetime(2027, 1, 1, 0, 1), "上个月", "2026-12-01", 31),
        (datetime(2027, 1, 1, 0, 1), "last week", "2026-12-21", 7),
        (datetime(2027, 1, 1, 0, 1), "这周", "2026-12-28", 7),
        (datetime(2026, 11, 29, 23, 59), "this week", "2026-11-23", 7),
        (datetime(2026, 11, 30, 0, 1), "this week", "2026-11-30", 7),
        (datetime(2026, 6, 18, 23, 59), "端午节", "2025-05-31", 1),
        (datetime(2026, 6, 19, 0, 1), "端午节", "2026-06-19", 1),
        (datetime(2026, 3, 31, 0, 1), "一个月前", "2026-02-13", 31),
        (datetime(2028, 2, 29, 23, 59), "last year", "2027-01-01", 365),
        (datetime(2028, 3, 1, 0, 1), "昨天", "2028-02-29", 1),
    ],
)
def test_days_are_those_of_the_zone_at_the_edges_of_days_and_years(
    zone: str, now: datetime, text: str, first: str, count: int
):
    assert local(text, now=now, zone=zone) == of_days(first, count)


@pytest.mark.parametrize(
    ("now", "text", "hours"),
    [
        (datetime(2026, 3, 9, 0, 1), "昨天", 23),
        (datetime(2026, 3, 8, 23, 59), "today", 23),
        (datetime(2026, 11, 2, 0, 1), "yesterday", 25),
        (datetime(2026, 11, 1, 0, 1), "今天", 25),
        (datetime(2026, 3, 9, 0, 1), "上周", 7 * 24 - 1),
        (datetime(2026, 3, 8, 0, 1), "昨晚", 11),
    ],
)
def test_days_keep_their_length_when_the_clock_changes(now: datetime, text: str, hours: int):
    window = named(text, now=now, zone=NEW_YORK)
    assert window is not None
    assert window.end_ms - window.start_ms == hours * 3_600_000


def test_the_same_instant_is_another_day_elsewhere():
    instant = ms(datetime(2026, 6, 19, 0, 1), SHANGHAI)
    shanghai = named_time("今天", now_ms=instant, time_zone=SHANGHAI)
    new_york = named_time("今天", now_ms=instant, time_zone=NEW_YORK)
    assert shanghai is not None and new_york is not None
    assert shanghai.start_ms == ms(datetime(2026, 6, 19), SHANGHAI)
    assert new_york.start_ms == ms(datetime(2026, 6, 18), NEW_YORK)


def test_a_day_whose_midnight_is_skipped_starts_at_the_change():
    # Chile moved its clocks forward at midnight of 2024-09-08.
    window = named("2024-09-08", zone="America/Santiago")
    assert window is not None
    assert window.end_ms - window.start_ms == 23 * 3_600_000
    assert local("2024-09-08", zone="America/Santiago") == ("2024-09-08 01:00", "2024-09-09")


def test_a_day_that_a_zone_left_out_is_no_time():
    assert named("2011-12-30", zone="Pacific/Apia") is None
    assert named("2011-12-31", zone="Pacific/Apia") is not None


def test_the_words_are_returned_as_they_stand():
    text = "我上個月１９号，在《昨天》餐厅"
    window = named(text)
    assert window is not None
    assert window.text == "上個月１９号"
    window = named("What did we agree on LAST Tuesday morning?")
    assert window is not None
    assert window.text == "LAST Tuesday morning"


def test_the_first_expression_wins_and_a_later_one_inside_it_is_better():
    assert local("上周说过的，昨天又说了一遍") == of_days("2026-11-29", 1)
    assert local("昨天说起去年的事") == of_days("2026-11-29", 1)
    assert local("last week, on Friday I think") == of_days("2026-11-27", 1)


def test_an_impossible_date_is_no_time():
    for text in ("2月30日", "2026-02-30", "February 30", "6月31号", "13月"):
        assert named(text) is None


def test_an_unknown_zone_is_an_error():
    with pytest.raises(KeyError):
        named_time("昨天", now_ms=0, time_zone="Mars/Olympus")


@pytest.mark.parametrize(
    ("festival", "year", "day"),
    [
        ("端午", 2025, "2025-05-31"),
        ("端午", 2026, "2026-06-19"),
        ("中秋", 2025, "2025-10-06"),  # after the leap month 6 of 2025
        ("中秋", 2026, "2026-09-25"),
        ("七夕", 2025, "2025-08-29"),
        ("春节", 2025, "2025-01-29"),
        ("春节", 2026, "2026-02-17"),
        ("除夕", 2026, "2026-02-16"),
        ("重阳", 2025, "2025-10-29"),
        ("元宵", 2025, "2025-02-12"),
        ("清明", 2025, "2025-04-04"),
        ("清明", 2026, "2026-04-05"),
        ("腊八", 2026, "2026-01-26"),
        ("感恩", 2026, "2026-11-26"),
    ],
)
def test_festivals(festival: str, year: int, day: str):
    span = CHINESE[festival].day(year)
    assert span is not None
    assert span.start.date().isoformat() == day


def test_every_festival_has_a_day_in_every_year_of_the_tables_and_none_beyond():
    for festival in {*CHINESE.values(), *ENGLISH.values()}:
        for year in range(1901, LAST_YEAR + 1):
            span = festival.day(year)
            assert span is not None
            assert span.start.year == year or festival is CHINESE["腊八"]
        assert festival.day(LAST_YEAR + 1) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("两百零三", 203),
        ("一百一十", 110),
        ("二〇二六", 2026),
        ("三", 3),
        ("15", 15),
    ],
)
def test_chinese_numerals(text: str, value: int):
    assert chinese(text) == value


@pytest.mark.parametrize("text", ["十百", "百百"])
def test_what_is_no_numeral(text: str):
    with pytest.raises(ValueError, match="no number"):
        chinese(text)


def test_a_month_later_ends_with_a_shorter_month():
    assert month_later(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert month_later(date(2028, 2, 29), -12) == date(2027, 2, 28)
    assert month_later(date(2026, 11, 30), 2) == date(2027, 1, 30)
    assert nth_weekday(2026, 11, 3, 4) == date(2026, 11, 26)


WORDS = st.sampled_from(
    [text for text, *_ in DAYS_NAMED]
    + ["我", "上", "周", "年", "月", "三", "号", " ", "前", "last ", "in ", "May ", "31", "-", "9999"]
)
NOISE = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=8).map("".join))


@settings(max_examples=200)
@given(NOISE, st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), st.sampled_from(ZONES), st.booleans())
def test_whatever_is_said_gives_words_of_the_text_and_a_window_that_lasts(
    text: str, now: datetime, zone: str, future: bool
):
    window = named(text, now=now, zone=zone, prefer="future" if future else "past")
    if window is not None:
        assert window.text in text
        assert window.text
        assert window.start_ms < window.end_ms


@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), st.sampled_from(ZONES))
def test_today_always_holds_now(now: datetime, zone: str):
    instant = ms(now, zone)
    window = named_time("今天", now_ms=instant, time_zone=zone)
    assert window is not None
    assert window.start_ms <= instant < window.end_ms


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.sampled_from(ZONES))
def test_days_follow_each_other_without_gap(day: date, zone: str):
    here = ZoneInfo(zone)
    first, second = instants(whole_days(day), here), instants(whole_days(day + timedelta(days=1)), here)
    assert first[1] == second[0]
    assert wall_clock(first[0], here).date() == day
