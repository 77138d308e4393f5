"""What rests on a source, and how alike texts are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.language.grounding import numbers, occurs, overlap, ungrounded


@pytest.mark.parametrize(
    ("span", "source"),
    [
        ("我住在北京", "你好，我住在北京。"),
        ("我住在 北京", "我住在北京"),
        ("我用PostgreSQL", "我用 PostgreSQL 存数据"),
        ("５月２０日", "我的生日是5月20日"),
        ("i like  CATS", "Well, I like\ncats."),
        ("I don't like it", "I don’t like it"),
        ("喜欢咖啡", "我喜\u200b欢\ufeff咖啡"),
        ("喜\u2060欢咖啡", "我喜欢咖啡"),
        ("我❤\ufe0f咖啡", "我❤咖啡"),
        ("我\u3164喜欢咖啡", "我喜欢咖啡"),
        ("Ｃａｆé", "the café"),
        ("他说“好”", '他说"好"'),
        ("北京", "北京"),
        ("3.5 km", "I ran 3.5\u00a0km today"),
    ],
)
def test_occurs(span: str, source: str) -> None:
    assert occurs(span, source)


@pytest.mark.parametrize(
    ("span", "source"),
    [
        ("我住在上海", "我住在北京"),
        ("cat", "concatenate"),
        ("5", "15"),
        ("like it", "I like items"),
        ("喜欢咖啡", "喜欢喝咖啡"),
        ("", "anything"),
        ("  \u200b ", "anything"),
        ("anything", ""),
        ("I like cats", "I like the cats"),
    ],
)
def test_does_not_occur(span: str, source: str) -> None:
    assert not occurs(span, source)


@given(st.text(), st.text(), st.text())
def test_a_part_between_borders_occurs(before: str, span: str, after: str) -> None:
    if any(char.isprintable() and not char.isspace() for char in span):
        assert occurs(span, f"{before} . {span} . {after}")


@pytest.mark.parametrize(
    ("summary", "sources", "strange"),
    [
        ("我在鼎泰丰请了30个客户", ["我在鼎泰丰请了三十个客户"], []),
        ("周五交报告", ["星期五要交报告"], []),
        ("用户在读《三体》", ["最近在读三体"], []),
        ("客户预算是3,000元", ["预算 3000 元"], []),
        ("6月19日请客", ["June 19 请客"], []),
        ("一起吃饭，十分开心", ["吃饭 开心"], []),
        ("The user met Bob on Friday", ["I met Bob on Friday."], []),
        ("The user paid two bills", ["paid 2 bills"], []),
        ("Planned a trip", ["we plan to travel"], []),
        ("我用 Postgres", ["我用 MySQL"], ["Postgres"]),
        ("周六交报告", ["周五交报告"], ["周六"]),
        ("用户请了四十个客户", ["请了三十个客户"], ["四十"]),
        ("用户在读《三体》", ["最近在读活着"], ["三体"]),
        ("The user met Bob on Friday", ["I met Tim on Monday."], ["Friday", "Bob"]),
        ("It costs 15 euros", ["It costs 150 euros"], ["15"]),
        ("Alice Smith came", ["somebody came"], ["Alice", "Smith"]),
        ("It is due in June", ["It is due in July"], ["June"]),
        ("", ["x"], []),
    ],
)
def test_ungrounded(summary: str, sources: list[str], strange: list[str]) -> None:
    assert ungrounded(summary, sources) == strange


def test_each_source_may_bear_a_part() -> None:
    assert ungrounded("I met Bob at 3", ["the user saw Bob", "at 3"]) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3,000 元", {3000}),
        ("三十二岁", {32}),
        ("两个孩子", {2}),
        ("twelve days", {12}),
        ("2026-06-19", {2026, 6, 19}),
        ("in June", {6}),
        ("周三", set()),
        ("I may go", set()),
    ],
)
def test_numbers(text: str, values: set[float]) -> None:
    assert numbers(text) == values


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("我喜欢咖啡", "我喜欢咖啡。", 1.0, 1.0),
        ("I like coffee", "i LIKE coffee!", 1.0, 1.0),
        ("I like coffee", "I don't like coffee", 0.75, 0.75),
        ("我对花生过敏", "我不对花生过敏", 0.5, 0.6),
        ("我端午节在鼎泰丰请了客户", "端午节在鼎泰丰请客户", 0.6, 0.8),
        ("我喜欢咖啡", "今天下雨", 0.0, 0.0),
        ("I like coffee", "the sky is blue", 0.0, 0.0),
        ("I like coffee", "我喜欢咖啡", 0.0, 0.0),
        ("我用C++写代码", "我用c++写代码", 1.0, 1.0),
        ("", "", 0.0, 0.0),
        ("猫", "猫", 1.0, 1.0),
    ],
)
def test_overlap(one: str, other: str, least: float, most: float) -> None:
    assert least <= overlap(one, other) <= most


@given(st.text(), st.text())
def test_overlap_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert 0.0 <= overlap(one, other) == overlap(other, one) <= 1.0
