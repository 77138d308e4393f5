"""What a bare yes or no says of two statements, by the question before it."""

import pytest

from nodes.language.agreement import held_by, offers_choice

NUTS = ("我对花生过敏", "我对花生不过敏")
ZH_CITY = ("我住在深圳", "我住在上海")
BIRTHDAY = ("我生日是3月8日", "我的生日是8月3日")
PEANUTS = ("I am allergic to peanuts", "I'm not allergic to peanuts")
CITY = ("I live in Portland", "I live in Tucson")
RENT = ("My rent is £950 a month", "My rent is £1,150 a month")


@pytest.mark.parametrize(
    ("question", "sides", "yes", "no"),
    [
        ("你现在还对花生过敏吗？", NUTS, "是的", "不"),
        ("你对花生过不过敏？", NUTS, "对", "没有"),
        ("你住在深圳，对吗？", ZH_CITY, "没错", "不是"),
        ("你的生日是3月8日吗？", BIRTHDAY, "嗯", "不对"),
        ("Are you still allergic to peanuts?", PEANUTS, "Yes, I am.", "No, I'm not"),
        ("Is it true that you're allergic to peanuts?", PEANUTS, "yes, thanks", "nope"),
        ("So you live in Portland now, right?", CITY, "Right", "wrong"),
        ("Is your rent £950 a month now?", RENT, "yeah", "no"),
    ],
)
def test_a_question_about_one_side_is_answered_by_yes_and_no(
    question: str, sides: tuple[str, str], yes: str, no: str
) -> None:
    for first, second in (sides, sides[::-1]):
        assert held_by(yes, question, first, second) == sides[0]
        assert held_by(no, question, first, second) == sides[1]


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        # which of them holds
        ("现在哪一个对，还是都对？", NUTS),
        ("Do you live in Portland or Tucson?", CITY),
        # another matter, though it has their words
        ("要我推荐几家适合花生过敏的人的餐厅吗？", NUTS),
        ("你妹妹对花生过敏吗？", NUTS),
        ("你喜欢上海吗？", ZH_CITY),
        ("Do you like Tucson?", CITY),
        ("Would you like dinner ideas without peanuts?", PEANUTS),
        ("Is your sister allergic to peanuts?", PEANUTS),
        # what was, or will be
        ("你以前住在深圳吗？", ZH_CITY),
        ("你住过深圳吗？", ZH_CITY),
        ("Did you live in Portland before?", CITY),
        ("Will you live in Tucson?", CITY),
    ],
)
@pytest.mark.parametrize("text", ["yes", "sure", "no", "对", "是的", "不"])
def test_any_other_question_is_not(question: str, sides: tuple[str, str], text: str) -> None:
    assert held_by(text, question, *sides) is None


@pytest.mark.parametrize(
    ("text", "held"), [("对", 1), ("correct", 1), ("不对", 0), ("yes", None), ("no", None), ("不", None)]
)
def test_yes_to_what_is_denied_says_either(text: str, held: int | None) -> None:
    for question, sides in (("所以你对花生不过敏？", NUTS), ("So you're not allergic to peanuts?", PEANUTS)):
        assert held_by(text, question, *sides) == (None if held is None else sides[held])


@pytest.mark.parametrize("text", ["sure, but later", "no, in Denver", "yes and no", "好", "ok", "", "yes, no"])
def test_what_is_no_bare_yes_or_no_is_not_read(text: str) -> None:
    assert held_by(text, "Do you live in Tucson?", *CITY) is None


def test_a_question_put_either_way_offers_no_choice() -> None:
    assert not offers_choice("你对花生过不过敏？")
    assert offers_choice("第一个还是第二个？")
