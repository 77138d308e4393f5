"""Which side of now a question's time lies on: asked on Monday, 2026-11-30, in Shanghai."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from nodes.language.timex import asked_time, names_only_time
from nodes.language.timex.asked import told_then
from tests.factories import NOW_MS, ZONE
from tests.times import listed


@pytest.mark.parametrize(
    ("question", "first_day"),
    [
        ("在12月1号我曾告诉过你我的旅行计划，我计划去哪？", "2025-12-01"),
        ("12月1号我跟你说的安排是什么？", "2025-12-01"),
        ("12月1号我有什么安排？", "2026-12-01"),
        ("我告诉过你我12月1号打算去哪吗？", "2026-12-01"),
        ("我12月1号做了什么？", "2025-12-01"),
        ("On December 1 I told you about our hotel, what did I say its name was?", "2025-12-01"),
        ("On December 1 I told you what I had planned, what was it?", "2025-12-01"),
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


ONLY_TIME = """
what happened on Dragon Boat Festival? | what did I do last week? | anything on Friday? | What's going on tomorrow?
What's on my calendar next week? | Do I have anything on Saturday? | Am I free on Wednesday? | and last week?
Can you tell me what happened on Monday? | What did we talk about yesterday? | What have I been up to this month?
What did I plan for the week after Thanksgiving? | where was I on New Year's Eve? | What went on last weekend?
端午节我做了什么？ | 上周发生了什么 | 上个月有什么事 | 明天我有什么安排？ | 你还记得上周三我做了什么吗？ | 昨天呢？
上個月發生了什麼事？ | 上周我们聊了什么 | 这周末有什么活动？ | 端午节那天我在干什么 | 我明天要做什么 | 周五我有空吗？
"""
MORE_THAN_TIME = """
what did I eat last week? | where did I go on Friday? | who did I meet on Tuesday? | What did I buy on Black Friday?
What did Anna tell me on Wednesday? | Who is coming over on New Year's Eve? | What meeting do I have on Monday?
What time is dinner on Friday? | How much did I spend last month? | What did I do with Tom last week?
上周的会议 | 明天有会吗 | 上周我吃了什么 | 上个月的第二版方案 | 我端午节在哪家餐厅请的客户？ | 上周的事故
昨天我跟小王说了什么 | 三个月前会议里提到的技术方案 | 上周我去了哪里 | 我国庆打算去哪里玩？
"""


@pytest.mark.parametrize(("questions", "only_time"), [(ONLY_TIME, True), (MORE_THAN_TIME, False)])
def test_a_question_names_only_a_time_where_it_asks_for_whatever_there_is(questions: str, only_time: bool) -> None:
    found = {}
    for question in listed(questions):
        window = asked_time(question, now_ms=NOW_MS, time_zone=ZONE)
        assert window is not None
        found[question] = names_only_time(question, window.text)
    assert found == dict.fromkeys(listed(questions), only_time)


@pytest.mark.parametrize(
    ("question", "words", "told"),
    [
        ("在12月1号我曾告诉过你我的旅行计划，我计划去哪？", "12月1号", True),
        ("我告诉过你我12月1号打算去哪吗？", "12月1号", False),
        ("On December 1 I told you about our hotel, what was its name?", "December 1", True),
        ("What did I plan for December 1?", "December 1", False),
    ],
)
def test_a_time_is_when_something_was_told_where_the_telling_follows_it(question: str, words: str, told: bool) -> None:
    assert told_then(question, words) is told
