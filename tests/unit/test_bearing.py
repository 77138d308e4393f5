"""Whether a message touches what is disputed."""

import pytest

from nodes.language.bearing import bears_on
from state.records import Memory
from tests.factories import memory

NUTS = [memory(text="我不对花生过敏"), memory(text="我对花生过敏")]
CITY = [memory(text="我住在深圳", slot="user.home_city"), memory(text="我搬到上海了", slot="user.home_city")]
PEANUTS = [memory(text="I'm not allergic to peanuts"), memory(text="I am allergic to peanuts", slot="user.allergy")]
TEA = [memory(text="I hate tea"), memory(text="I love tea")]


@pytest.mark.parametrize(
    ("said", "sides"),
    [
        ("我对什么过敏？", NUTS),
        ("晚饭做宫保花生行吗", NUTS),
        ("我有哪些忌口", NUTS),
        ("我住在深圳", CITY),
        ("深圳好玩吗？", CITY),
        ("Where do I live?", CITY),
        ("What allergies do I have?", PEANUTS),
        ("peanut butter sandwich recipe?", PEANUTS),
        ("I love tea", TEA),
    ],
)
def test_it_bears(said: str, sides: list[Memory]) -> None:
    assert bears_on(said, sides)


@pytest.mark.parametrize(
    ("said", "sides"),
    [
        ("推荐一部电影", NUTS),
        ("我的猫叫什么", NUTS),
        ("我今天很累", NUTS),
        ("我对什么过敏？", CITY),
        ("我喜欢爬山", CITY),
        ("你好", CITY),
        ("What's my name?", PEANUTS),
        ("I love hiking", TEA),
        ("Hi", TEA),
        ("", TEA),
    ],
)
def test_it_does_not_bear(said: str, sides: list[Memory]) -> None:
    assert not bears_on(said, sides)
