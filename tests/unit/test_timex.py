from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.language.timex import named_time, prefer_for
from nodes.language.timex.calendar import (
    day_after,
    day_before,
    instants,
    last_weeks,
    month,
    month_later,
    nth_week,
    nth_weekday,
    nth_weekday_in,
    wall_clock,
    week_after,
    week_before,
)
from nodes.language.timex.calendar import days as whole_days
from nodes.language.timex.festivals import CHINESE, ENGLISH
from nodes.language.timex.lunar import LAST_YEAR, lunar_month, solar_term
from nodes.language.timex.numerals import chinese
from state.records import FOREVER_MS, due_by
from tests.times import NEW_YORK, SHANGHAI, ZONES, listed, local, ms, named, of_days
from tests.unit import test_timex_en as en
from tests.unit import test_timex_zh as zh


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("从上周起我在学车", "2026-11-23"),
        ("自从上周", "2026-11-23"),
        ("自五月以来", "2026-05-01"),
        ("春节以后", "2026-02-18"),
        ("2026年5月1日或之后", "2026-05-01"),
        ("今天下午三点以后", "2026-11-30 15:00"),
        ("since last week", "2026-11-23"),
        ("after Christmas", "2025-12-26"),
    ],
)
def test_an_interval_of_which_only_the_beginning_is_said(text: str, start: str):
    window = named(text)
    assert window is not None
    assert (window.open, window.end_ms) == ("after", FOREVER_MS)
    assert local(text)[0] == start


@pytest.mark.parametrize(
    ("text", "past", "future"),
    [
        ("五一之前", "2026-05-01", "2027-05-02"),
        ("端午节之前", "2026-06-19", "2027-06-10"),
        ("2020年以前", "2020-01-01", "2021-01-01"),
        ("截止到上周五", "2026-11-28", "2026-11-28"),
        ("周五之前交报告", "2026-11-27", "2026-12-05"),
        ("before Christmas", "2025-12-25", "2026-12-26"),
        ("by Friday", "2026-11-28", "2026-12-05"),
    ],
)
def test_an_interval_of_which_only_the_end_is_said_is_over_with_a_day_that_is_due(text: str, past: str, future: str):
    for prefer, end in (("past", past), ("future", future)):
        window = named(text, prefer=prefer)
        assert window is not None
        assert (window.open, window.start_ms) == ("before", 0)
        assert local(text, prefer=prefer)[1] == end


def test_of_a_closed_and_an_open_interval_the_closed_one_is_meant():
    assert local("从五月起我在学车，上周考过了") == of_days("2026-11-23", 7)


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
    [text for text, *_ in zh.DAYS_NAMED + en.DAYS_NAMED]
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


ABOUT_PLANS = """
What did I plan for the week after Thanksgiving? | What am I doing on Friday? | When is my next dentist appointment?
Where am I going to be in May? | What do I have to submit by June 15? | Who am I meeting on Tuesday?
Do I have anything on Saturday? | What's on my calendar next week? | Which flight did I book for Christmas?
What are my plans for Easter? | When is the report due? | What time does the meeting on Thursday start?
Where will we stay in October? | Remind me what I need to do on Monday | What should I bring to the party on Sunday?
Am I free on Wednesday? | What is scheduled for July 4? | Who is coming over on New Year's Eve?
What do I need to finish before Friday? | When does my visa expire?
What will we do on Sunday?
"""
ABOUT_MEMORIES = """
Which restaurant did we go to in June? | When did I have my last haircut? | What did I say about the budget in May?
Who did I meet on Tuesday? | Where did I spend Christmas? | What happened on Friday?
How much did the camera cost that I bought in March? | What did we agree on last Tuesday?
Which book did I finish in October?
When did I move to Berlin? | What was the name of the doctor I saw in April? | Why was I late on Monday?
Did it rain on Easter? | What have I been reading lately? | What did I eat on Sunday?
Who won the game on Saturday? | What was decided at the meeting on Thursday? | How was my trip in August?
Where was I on New Year's Eve? | What did Anna tell me on Wednesday?
I want to know what I said in May | We were late due to the storm in May
"""


@pytest.mark.parametrize(("texts", "side"), [(ABOUT_PLANS, "future"), (ABOUT_MEMORIES, "past")])
def test_a_question_about_a_plan_prefers_the_future(texts: str, side: str):
    assert {text: prefer_for(text) for text in listed(texts)} == dict.fromkeys(listed(texts), side)


@pytest.mark.parametrize(
    "text",
    ["He lives at 7 June Road", "My dog is named Sunday", "Friday.io is down", "Christmas Eve is a film by Anna",
     "My ID is 20230117", "The shop on 3 April Avenue"],
)  # fmt: skip
def test_the_name_of_something_is_no_time(text: str):
    assert named(text) is None


@pytest.mark.parametrize(
    "text",
    ["She called yesterday", "He called Friday", "It opened Friday. It is a film club",
     "Friday is a game night", "last summer road trips", "我昨天路上遇到他", "今天楼里停电", "他叫周五来",
     "昨天8号楼停电"],
)  # fmt: skip
def test_what_only_looks_like_a_name_is_a_time(text: str):
    assert named(text) is not None


def test_what_is_due_is_due_by_the_end_of_the_day_that_is_named():
    friday = ms(datetime(2026, 12, 5), SHANGHAI) - 1
    for text in ("周五之前交报告", "周五交报告", "by Friday", "before Friday", "on Friday"):
        assert due_by(named(text, prefer="future")) == friday
    assert due_by(named("周五以后再说", prefer="future")) is None
    assert due_by(None) is None


def test_of_an_open_window_the_side_that_is_not_said_is_unknown():
    since, before = named("从上周起"), named("2020年以前")
    assert since is not None and before is not None
    assert (since.begins_ms, since.ends_ms) == (ms(datetime(2026, 11, 23), SHANGHAI), None)
    assert (before.begins_ms, before.ends_ms) == (None, ms(datetime(2020, 1, 1), SHANGHAI))


def test_the_calendar_around_a_day():
    thanksgiving = whole_days(date(2026, 11, 26))
    assert week_after(thanksgiving).start == datetime(2026, 11, 30)
    assert week_before(thanksgiving).start == datetime(2026, 11, 16)
    assert day_after(thanksgiving).start == datetime(2026, 11, 27)
    assert day_before(thanksgiving, 2).start == datetime(2026, 11, 24)
    october = month(2026, 10)
    assert nth_weekday_in(october, 0, 1) == whole_days(date(2026, 10, 5))
    assert nth_weekday_in(october, 4, -1) == whole_days(date(2026, 10, 30))
    assert nth_weekday_in(october, 4, 6) is None
    third, last = nth_week(october, 3), last_weeks(october, 1)
    assert third is not None
    assert (third.start, third.end) == (datetime(2026, 10, 19), datetime(2026, 10, 26))
    assert (last.start, last.end) == (datetime(2026, 10, 26), datetime(2026, 11, 2))
    assert last_weeks(month(2019, 12), 1).start == datetime(2019, 12, 23)  # most of the week of the 30th is in 2020


def test_a_leap_month_and_a_solar_term():
    leap = lunar_month(2025, 6, leap=True)
    assert (leap.start, leap.end) == (datetime(2025, 7, 25), datetime(2025, 8, 23))
    assert solar_term(2026, "冬至") == whole_days(date(2026, 12, 22))
    assert solar_term(LAST_YEAR + 1, "冬至") is None
    with pytest.raises(ValueError, match="month"):
        lunar_month(2026, 6, leap=True)
