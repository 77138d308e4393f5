"""Which texts hold what a question asks for, by its words."""

import pytest

from nodes.ranking.sought import holding

TALK = [
    "我们昨天去海底捞吃火锅，店长送了水果",
    "我养了一只猫",
    "项目预算是三十万",
    "项目截止日期是十二月二十号，項目組長是老周",
    "I parked the car on level 3 near the blue elevator",
    "The plumber Joe charges 80 euros an hour",
    "Can you suggest a restaurant near the station?",
]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("我刚才说的那家火锅店叫什么名字", [0]),
        ("我的猫叫什么", [1]),
        ("项目预算是多少？", [2, 3]),
        ("项目组长是谁", [3, 2]),
        ("Where did I park?", [4]),
        ("How much does the plumber charge per visit?", [5]),
        ("which restaurant did you recommend earlier", [6]),
        ("请问组长的讲座讲到哪了", [3]),
        ("我之前说了什么", []),
        ("那第二步呢？", []),
        ("and then?", []),
        ("今天天气怎么样", []),
        ("Can you help me write an email to my landlord about the broken heating in the kitchen?", []),
        ("", []),
    ],
)
def test_the_texts_that_hold_what_is_asked_for(question: str, found: list[int]) -> None:
    assert holding(question, TALK) == found


def test_a_rare_word_tells_more_than_one_that_all_have() -> None:
    texts = ["the project is late again", "the budget is small", "the project is red", "the project is on hold"]
    assert holding("the budget of the project", texts) == [1, 3, 2, 0]


def test_of_a_long_message_the_question_counts() -> None:
    long = "The movers came late. They broke the mirror, the lamp and two drawers, and I had a row with the landlord. "
    assert holding(f"{long}Where did I put the toolbox?", ["the toolbox is in the attic", "ok", "what a day"]) == [0]


def test_a_part_of_a_word_is_no_match() -> None:
    assert holding("the car", ["I like carpets", "my cars"]) == [1]
