"""Words of change and correction, and kinds with what belongs to them."""

import pytest

from nodes.language.change import became, puts_right, sets_against
from nodes.language.kinds import denied_kinds, of_kinds


@pytest.mark.parametrize(
    "text",
    [
        "婚礼预算砍到五万了",
        "房东涨价了",
        "利率下调后我房贷每月5800",
        "我换苹果手机了",
        "我减肥瘦了",
        "I'm down to once a week",
        "the airline rebooked us",
        "I traded the Golf in",
        "Mark and I got married",
        "I've come round to mushrooms",
    ],
)
def test_change(text: str) -> None:
    assert became(text)


@pytest.mark.parametrize(
    "text", ["我俩三年没见了", "I grew up in Cork", "I graduated from Durham", "My cat is called Tom"]
)
def test_no_change(text: str) -> None:
    assert not became(text)


@pytest.mark.parametrize(
    "text",
    [
        "记岔了，是16楼",
        "打错字了",
        "I gave you the wrong figure yesterday",
        "I spelled my own name wrong",
        "sorry, typo",
    ],
)
def test_correction(text: str) -> None:
    assert puts_right(text)


def test_what_was_before_is_set_against_what_is() -> None:
    assert sets_against("it used to be ten")
    assert not sets_against("I've never lived anywhere else")


def test_kinds() -> None:
    assert denied_kinds("I eat no meat") & of_kinds("I had a steak")
    assert denied_kinds("我不吃海鲜") & of_kinds("我昨天吃了螃蟹")
    assert not denied_kinds("I eat no pork") & of_kinds("I had a beef burger")
