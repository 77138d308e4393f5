"""Times on a clock at the edges of days and where daylight saving moves it, and halves of names and dates."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from nodes.language.timex import expressions, named_time
from tests.times import MONDAY, NEW_YORK, SHANGHAI, local, ms, named

HERE = ZoneInfo(NEW_YORK)
MINUTE = 60_000


def instant(when: str, fold: int = 0) -> int:
    return int(datetime.fromisoformat(when).replace(tzinfo=HERE, fold=fold).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "now", "fold", "start", "start_fold"),
    [
        ("10 minutes ago", "2026-03-08 03:05", 0, "2026-03-08 01:55", 0),
        ("3 hours ago", "2026-03-08 04:00", 0, "2026-03-08 00:00", 0),
        ("an hour and a half ago", "2026-03-08 04:00", 0, "2026-03-08 01:30", 0),
        ("in 2 hours", "2026-03-08 01:30", 0, "2026-03-08 04:30", 0),
        ("in half an hour", "2026-03-08 01:45", 0, "2026-03-08 03:15", 0),
        ("an hour ago", "2026-11-01 02:10", 0, "2026-11-01 01:10", 1),
        ("two hours ago", "2026-11-01 02:10", 0, "2026-11-01 01:10", 0),
        ("30 minutes ago", "2026-11-01 01:10", 1, "2026-11-01 01:40", 0),
        ("10 minutes ago", "2026-11-01 01:40", 1, "2026-11-01 01:30", 1),
        ("in an hour", "2026-11-01 01:20", 0, "2026-11-01 01:20", 1),
        ("one minute ago", "2026-11-01 01:00", 1, "2026-11-01 01:59", 0),
    ],
)
def test_hours_and_minutes_pass_when_the_clock_changes(text: str, now: str, fold: int, start: str, start_fold: int):
    window = named_time(text, now_ms=instant(now, fold), time_zone=NEW_YORK)
    assert window is not None
    assert (window.start_ms, window.end_ms) == (instant(start, start_fold), instant(start, start_fold) + MINUTE)


@pytest.mark.parametrize(
    ("text", "now", "fold", "minutes", "length", "reach"),
    [
        ("3小时前", "2026-03-08 04:00", 0, -180, 60, 45),
        ("十分钟前", "2026-03-08 03:05", 0, -10, 1, 2.5),
        ("两小时后", "2026-03-08 01:30", 0, 120, 60, 30),
        ("半小时前", "2026-11-01 01:10", 1, -30, 60, 7.5),
        ("过去三小时", "2026-03-08 04:00", 0, -180, 180, 0),
        ("the last two hours", "2026-11-01 02:10", 0, -120, 120, 0),
        ("in the past hour", "2026-11-01 01:30", 1, -60, 60, 0),
    ],
)
def test_so_many_hours_are_as_long_as_ever(text: str, now: str, fold: int, minutes: float, length: float, reach: float):
    window = named_time(text, now_ms=instant(now, fold), time_zone=NEW_YORK)
    start = instant(now, fold) + minutes * MINUTE
    assert window is not None
    assert (window.start_ms, window.end_ms) == (start - reach * MINUTE, start + (length + reach) * MINUTE)


def test_days_ago_are_those_of_the_calendar_when_the_clock_changes():
    window = named_time("two days ago", now_ms=instant("2026-11-02 00:30"), time_zone=NEW_YORK)
    assert window is not None
    assert (window.start_ms, window.end_ms) == (instant("2026-10-31 00:00"), instant("2026-11-01 00:00"))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026-05-05 24:00", "2026-05-06", "2026-05-06 00:01"),
        ("2026-12-31 24:00", "2027-01-01", "2027-01-01 00:01"),
        ("May 5 at 24:00", "2026-05-06", "2026-05-06 00:01"),
        ("24:00 on Friday", "2026-11-28", "2026-11-28 00:01"),
        ("May 5 at 00:00", "2026-05-05", "2026-05-05 00:01"),
        ("midnight tonight", "2026-12-01", "2026-12-01 01:00"),
        ("tonight at midnight", "2026-12-01", "2026-12-01 01:00"),
        ("this evening at midnight", "2026-12-01", "2026-12-01 01:00"),
        ("last night at midnight", "2026-11-30", "2026-11-30 01:00"),
        ("last night at 2am", "2026-11-30 02:00", "2026-11-30 03:00"),
        ("11pm tonight", "2026-11-30 23:00", "2026-12-01"),
        ("Remind me to call at midnight tonight", "2026-12-01", "2026-12-01 01:00"),
        ("昨天24点", "2026-11-30", "2026-11-30 01:00"),
    ],
)
def test_the_midnight_that_ends_a_day(text: str, start: str, end: str):
    for hour in (0, 10, 23):
        assert local(text, now=MONDAY.replace(hour=hour)) == (start, end)


@pytest.mark.parametrize(("hour", "day"), [(0, 30), (3, 31), (10, 31), (23, 31)])
def test_an_hour_of_this_night_is_the_next_that_strikes(hour: int, day: int):
    start, now = datetime(2026, 10, day, 1), datetime(2026, 10, 30, hour, 30)
    window = named("1am tonight", now=now)
    assert window is not None
    assert window.start_ms == ms(start, SHANGHAI)
    tomorrow = named("tomorrow night at 1am", now=now)
    assert tomorrow is not None
    assert tomorrow.start_ms == ms(datetime(2026, 11, 1, 1), SHANGHAI)


def test_what_is_due_by_midnight_tonight_is_due_when_today_is_over():
    window = named("by midnight tonight", prefer="future")
    assert window is not None
    assert (window.open, window.end_ms) == ("before", ms(datetime(2026, 12, 1), SHANGHAI))


@pytest.mark.parametrize(
    "text",
    ["1850年5月3日之前", "他1899年5月3日以后", "9999年12月31日之后", "2150年5月3日下午3点", "1850年5月3日那天晚上8点",
     "May 3, 9999", "Easter 9999", "9999-12-31 15:00"],
)  # fmt: skip
def test_half_of_a_date_of_a_year_that_is_not_read_is_no_time(text: str):
    assert named(text) is None
    assert named(text, prefer="future") is None


@pytest.mark.parametrize(
    "text",
    ["my order 20251212 status", "invoice no. 20251212", "五四青年", "星期五餐厅", "Friday's restaurant",
     "Tomorrow Never Dies", "明日方舟", "周三多教授", "一月子中心"],
)  # fmt: skip
def test_what_begins_as_a_time_is_a_name_or_a_number(text: str):
    assert named(text) is None
    assert named(text, prefer="future") is None


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("we met on 20251212", "2025-12-12"),
        ("五四青年节", "2026-05-04"),
        ("周五餐厅不开", "2026-11-27"),
        ("Friday's restaurant booking", "2026-11-27"),
        ("Tomorrow Anna Smith arrives", "2026-12-01"),
        ("明日出发", "2026-12-01"),
        ("周三多云", "2026-11-25"),
        ("Easter 2025", "2025-04-20"),
        ("一月", "2026-01-01"),
        ("3日之前", "2026-11-27"),
    ],
)
def test_a_time_that_begins_as_a_name_may_is_one(text: str, start: str):
    assert local(text)[0] == start


@pytest.mark.parametrize("words", ["到五月", "五月1日到", "明天到", "3pm to ", "春节"])
def test_a_long_row_of_times_is_read(words: str):
    text = words * (4_000 // len(words))
    found = expressions(text, now_ms=ms(MONDAY, SHANGHAI), time_zone=SHANGHAI)
    assert len(found) > 1
    assert all(one.span.end - one.span.start >= timedelta(minutes=1) for one in found)
