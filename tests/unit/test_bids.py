"""What asks without the form of a question: bids to hand over words, noun phrases alone; and notes with a value."""

import pytest

from nodes.language.bids import is_bid, notes_value, only_names


@pytest.mark.parametrize(
    "words",
    [
        "给我原话",
        "给我看看原话",
        "把上回面试的原话告诉我",
        "把修订稿发给我",
        "把我的原话念给我听",
        "再把配方念一遍",
        "念给我听",
        "唱首歌",
        "讲个笑话",
        "sing a song",
        "quote me word for word",
        "I need the exact words",
        "read that back to me",
    ],
)
def test_bids(words: str) -> None:
    assert is_bid(words)


@pytest.mark.parametrize(
    "words",
    [
        "老板给我发了奖金",
        "给我发了奖金",
        "给我妈买了礼物",
        "给我的感觉很好",
        "给我留下了深刻印象",
        "给我打电话的是房东",
        "把钱还给我了",
        "把钥匙给我弟了",
        "我把钱给我妈了",
        "说一声再见",
        "Send the report by Friday",
        "I need the full refund by Friday",
        "My boss reads his mail to me",
    ],
)
def test_no_bids(words: str) -> None:
    assert not is_bid(words)


@pytest.mark.parametrize(
    "words",
    [
        "上个月的第二版方案",
        "上周的会议记录",
        "我的手机号",
        "我妹妹的生日",
        "关于仓库的方案",
        "the plan from last month",
        "my sister's phone number",
        "my sister’s phone number",
        "exact words about the bakery proposal",
        "the words I used",
        "last week's meeting notes",
    ],
)
def test_a_noun_phrase_alone_only_names(words: str) -> None:
    assert only_names(words)


@pytest.mark.parametrize(
    "words",
    [
        "对花生过敏",
        "在荷塘小馆请客户吃了饭",
        "上周的会议推迟",
        "去年的计划取消",
        "我的目标是减肥",
        "下个月的预算五万",
        "谢谢你的建议",
        "生日：六月十九",
        "我的新手机号13800001111",
        "my name: Ann",
        "my new phone number 555-0199",
        "Moved to Berlin",
        "my plan for June changed",
        "the plan for tomorrow fell through",
        "What's your plan",
        "That sounds like a great plan",
    ],
)
def test_a_verb_or_a_value_tells(words: str) -> None:
    assert not only_names(words)


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        ("生日：六月十九", True),
        ("电话 13800138000", True),
        ("妹妹的电话：13800138000", True),
        ("my name: Ann", True),
        ("phone 555 0199", True),
        ("生日", False),
        ("地址：", False),
        ("phone number", False),
        ("建议：多喝水", False),
    ],
)
def test_a_note_has_a_value(words: str, notes: bool) -> None:
    assert notes_value(words) is notes


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("三个月前会议里提到的技术方案", True),
        ("昨天小周推荐的菜谱", True),
        ("我喜欢会议里提到的技术方案是因为它简单", False),
        ("会议里提到的技术方案通过了", False),
        ("在楼下提到过搬家", False),
    ],
)
def test_a_verb_of_speaking_before_the_thing_belongs_to_it(words: str, names: bool) -> None:
    assert only_names(words) is names
