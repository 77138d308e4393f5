"""Which side of now a question's time lies on: asked on Monday, 2026-11-30, in Shanghai."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from nodes.language.timex import asked_time
from tests.factories import NOW_MS, ZONE


@pytest.mark.parametrize(
    ("question", "first_day"),
    [
        ("在12月1号我曾告诉过你我的旅行计划，我计划去哪？", "2025-12-01"),
        ("12月1号我跟你说的安排是什么？", "2025-12-01"),
        ("12月1号我有什么安排？", "2026-12-01"),
        ("我告诉过你我12月1号打算去哪吗？", "2026-12-01"),
        ("我12月1号做了什么？", "2025-12-01"),
        ("On December 1 I told you about our hotel, what did I say its name was?", "2025-12-01"),
        ("What did I plan for December 1?", "2026-12-01"),
        ("What did I do on December 1?", "2025-12-01"),
        ("what did I plan for the week after Thanksgiving?", "2026-11-30"),
    ],
)
def test_what_is_planned_lies_ahead_and_what_was_told_lies_behind(question: str, first_day: str) -> None:
    window = asked_time(question, now_ms=NOW_MS, time_zone=ZONE)
    assert window is not None
    assert datetime.fromtimestamp(window.start_ms / 1000, ZoneInfo(ZONE)).date().isoformat() == first_day


def test_a_question_without_a_time_has_none() -> None:
    assert asked_time("我打算去哪？", now_ms=NOW_MS, time_zone=ZONE) is None
