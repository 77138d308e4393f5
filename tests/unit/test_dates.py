from datetime import UTC, datetime

import pytest

from nodes.language.dates import about, day, span, stamp


def ms(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp() * 1000)


def test_a_stamp_shows_weekday_and_offset_of_the_users_zone():
    instant = ms(2026, 6, 19, 4, 30)
    assert stamp(instant, "Asia/Shanghai") == "2026-06-19 Fri 12:30 +08:00"
    assert stamp(instant, "America/New_York") == "2026-06-19 Fri 00:30 -04:00"
    assert stamp(instant, "UTC") == "2026-06-19 Fri 04:30 +00:00"
    assert stamp(instant, "Asia/Kathmandu") == "2026-06-19 Fri 10:15 +05:45"


def test_the_offset_follows_daylight_saving_time():
    assert stamp(ms(2026, 3, 8, 6, 59), "America/New_York") == "2026-03-08 Sun 01:59 -05:00"
    assert stamp(ms(2026, 3, 8, 7, 0), "America/New_York") == "2026-03-08 Sun 03:00 -04:00"


def test_seconds_are_cut_not_rounded():
    assert stamp(ms(2026, 6, 19, 4, 30, 59) + 999, "UTC") == "2026-06-19 Fri 04:30 +00:00"


@pytest.mark.parametrize(
    ("zone", "shown"),
    [("Asia/Shanghai", "2027-01-01 Fri"), ("America/New_York", "2026-12-31 Thu"), ("UTC", "2026-12-31 Thu")],
)
def test_a_day_is_the_day_of_the_zone(zone: str, shown: str):
    assert day(ms(2026, 12, 31, 16, 1), zone) == shown


def test_every_weekday_has_its_english_name():
    names = [day(ms(2026, 6, number), "UTC")[-3:] for number in range(15, 22)]
    assert names == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def test_times_before_1970_are_shown():
    assert stamp(ms(1949, 10, 1, 7), "Asia/Shanghai").startswith("1949-10-01 Sat")


def test_a_span_of_one_day_is_that_day_and_its_end_is_exclusive():
    assert span(ms(2026, 6, 18, 16), ms(2026, 6, 19, 16), "Asia/Shanghai") == "2026-06-19 Fri"
    assert span(ms(2026, 6, 1), ms(2026, 7, 1), "UTC") == "2026-06-01 Mon .. 2026-06-30 Tue"
    assert span(ms(2026, 6, 1), ms(2026, 6, 2) + 1, "UTC") == "2026-06-01 Mon .. 2026-06-02 Tue"


def test_an_empty_span_is_the_day_it_lies_in():
    assert span(ms(2026, 6, 1), ms(2026, 6, 1), "UTC") == "2026-06-01 Mon"


def test_a_time_of_which_one_end_is_known_is_open_on_the_other_side():
    start, end = ms(2026, 6, 18, 16), ms(2026, 6, 19, 16)
    assert about(start, end, "Asia/Shanghai") == "2026-06-19 Fri"
    assert about(None, end, "Asia/Shanghai") == "by 2026-06-19 Fri"
    assert about(start, None, "Asia/Shanghai") == "from 2026-06-19 Fri"
    assert about(None, None, "Asia/Shanghai") is None


def test_an_unknown_zone_is_an_error():
    with pytest.raises(KeyError):
        day(0, "Mars/Olympus")
