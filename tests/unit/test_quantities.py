"""What texts measure, by value."""

import pytest

from nodes.language.people import Person, subject
from nodes.language.quantities import contains, quantities, same


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("我每天跑5公里", [("length", 5000)]),
        ("两斤半苹果", [("mass", 1250)]),
        ("我身高一米七八", [("length", 1.78)]),
        ("预算是五千元", [("money", 5000)]),
        ("预算一万二", [("count", 12_000)]),
        ("装修预算15万", [("count", 150_000)]),
        ("会议在下午三点半", [("clock", 930)]),
        ("早上7点", [("clock", 420)]),
        ("截止9月1日", [("date", 901)]),
        ("2026年5月", [("date", 20_260_500)]),
        ("下周三", [("weekday", 2)]),
        ("我弟弟在读高二", [("grade", 11)]),
        ("我儿子上二年级", [("grade", 2)]),
        ("我家住6楼", [("floor", 6)]),
        ("半小时", [("duration", 1800)]),
        ("I run 5 km", [("length", 5000)]),
        ("the meeting is at 3pm on Friday", [("clock", 900), ("weekday", 4)]),
        ("seven in the morning", [("clock", 420)]),
        ("$1,200 a month", [("usd", 1200)]),
        ("20 mg", [("mass", 0.02)]),
        ("due on August 15th", [("date", 815)]),
        ("my son is in third grade", [("grade", 3)]),
        ("an hour", [("duration", 3600)]),
        ("twenty-five", [("count", 25)]),
        # no measure
        ("一起吃饭", []),
        ("十分喜欢", []),
        ("三四个人", []),
        ("快递放在3号柜", [("count", 3)]),
        ("I sat in the sun", []),
        ("the new one", []),
    ],
)
def test_what_is_measured(text: str, measured: list[tuple[str, float]]) -> None:
    found = [
        (one.dimension, one.value) for one in quantities(text) if one.dimension != "duration" or "month" not in text
    ]
    assert found == measured


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("10 miles", "16 km", True),
        ("10 miles", "15 km", False),
        ("下午三点", "3pm", True),
        ("三点", "15:00", True),
        ("早上三点", "15:00", False),
        ("6月12日", "June 12", True),
        ("6月12日", "2026-06-12", True),
        ("2023年", "5月21日", False),
        ("一米七八", "178厘米", True),
        ("一米七八", "180厘米", False),
        ("70公斤", "140斤", True),
    ],
)
def test_the_same_quantity(one: str, other: str, equal: bool) -> None:
    assert same(quantities(one)[0], quantities(other)[0]) is equal


def test_a_bare_number_is_found_among_measures() -> None:
    assert contains(quantities("花了2400元"), quantities("两千四")[0])
    assert not contains(quantities("花了2400元"), quantities("两千五")[0])


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("我妈妈对芒果过敏", Person(("mother",))),
        ("用户的侄女上初二", Person(("niece",))),
        ("我儿子的班主任姓黄", Person(("son", "teacher"))),
        ("我和老婆的结婚纪念日是10月1日", Person()),
        ("医生把我的阿托伐他汀加到20毫克了", Person()),
        ("我大女儿8岁", Person(("older daughter",))),
        ("My sister's manager is called Patricia", Person(("sister", "boss"))),
        ("My only daughter Ruby goes to Oakfield", Person(("daughter",), "ruby")),
        ("Ruby's best friend goes to St Anne's", Person(("@ruby", "friend"))),
        ("Kate Doyle is my boss", Person(("boss",))),
        ("My work phone is an old Galaxy", Person()),
    ],
)
def test_of_whom_it_is_said(text: str, person: Person) -> None:
    assert subject(text)[0] == person
