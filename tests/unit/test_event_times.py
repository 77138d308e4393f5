"""The time of an event of which only the beginning or only the end is said."""

from datetime import datetime

import pytest

from nodes.fact_check.own_words import telling
from tests.factories import turn
from tests.times import MONDAY, SHANGHAI, ms


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("我从上周起在学游泳。", "2026-11-23", None),
        ("我周五之前要交季度报告。", None, "2026-12-05"),
        ("我上周三去了杭州出差。", "2026-11-25", "2026-11-26"),
    ],
)
def test_the_side_that_is_not_said_is_left_open(text: str, start: str | None, end: str | None):
    ((told, _),) = telling(turn(text, at_ms=ms(MONDAY, SHANGHAI), time_zone=SHANGHAI)).told
    expected = [ms(datetime.fromisoformat(day), SHANGHAI) if day else None for day in (start, end)]
    assert [told.event_start_ms, told.event_end_ms] == expected
