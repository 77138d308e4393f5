"""Which questions ask for what was true once, or for when it changed, and for which slot."""

import pytest

from nodes.language.past import asks_about_change, asks_about_past, past_slot


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("我以前住在哪？", "user.home_city"),
        ("我之前住哪里", "user.home_city"),
        ("我原来的电话是多少", "user.phone"),
        ("我原先在哪家公司上班？", "user.employer"),
        ("我曾经住在哪个城市", "user.home_city"),
        ("上一个地址是什么", "user.address"),
        ("我旧邮箱是什么", "user.email"),
        ("搬到上海之前我住在哪？", "user.home_city"),
        ("我住过哪些城市？", "user.home_city"),
        ("我做过什么工作", "user.occupation"),
        ("我以前喜欢喝什么", "user.likes"),
        ("我之前对什么过敏", "user.allergy"),
        ("where did I live before?", "user.home_city"),
        ("Where did I live before Shanghai?", "user.home_city"),
        ("Where did I live before I moved here?", "user.home_city"),
        ("Where did I use to live?", "user.home_city"),
        ("what was my old job?", "user.occupation"),
        ("What was my job before?", "user.occupation"),
        ("What was my previous address?", "user.address"),
        ("Where did I work?", "user.employer"),
        ("who did I work for previously?", "user.employer"),
        ("what was my phone number before", "user.phone"),
    ],
)
def test_the_past_is_asked_for_in_a_slot(question: str, slot: str) -> None:
    assert asks_about_past(question)
    assert past_slot(question) == slot


@pytest.mark.parametrize(
    "question",
    [
        "我的前公司叫什么",
        "我的旧号码是多少",
        "我前任老板是谁",
        "我老婆以前在哪工作",
        "我以前有没有养狗",
        "我不再喜欢什么？",
        "以前呢？",
        "What's my former employer?",
        "Who was my previous manager?",
        "Remind me of my old address",
        "Did I use to be vegetarian?",
        "What did I use to drink?",
        "where have I lived",
        "Which company did I work for before Google?",
    ],
)
def test_the_past_is_asked_for(question: str) -> None:
    assert asks_about_past(question)


@pytest.mark.parametrize(
    "question",
    [
        "我住在哪里？",
        "我现在住哪",
        "老家在哪",
        "我的老板是谁",
        "我的老师叫什么",
        "会议之前我要准备什么？",
        "之前说好的事情是什么",
        "之前那个会议几点",
        "周五之前把地址发给我",
        "睡觉以前要吃药吗",
        "三天以前我吃了什么",
        "我从前天开始发烧",
        "原来如此",
        "我过去找你",
        "目前工作怎么样",
        "上个工作日我做了什么",
        "Where do I live?",
        "What is my job?",
        "What's my last name?",
        "How old is my dog?",
        "What do I have to do before the meeting?",
        "Did I tell you this before?",
        "Let's meet before lunch",
        "before Friday?",
        "I'm used to it",
        "What was my phone number again?",
        "summarize the previous conversation",
        "What did I do last year?",
        "Is my house old?",
    ],
)
def test_the_past_is_not_asked_for(question: str) -> None:
    assert not asks_about_past(question)


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("什么时候搬的", "user.home_city"),
        ("我是什么时候搬到上海的？", "user.home_city"),
        ("我哪年换的工作", "user.employer"),
        ("我在北京住了多久", None),
        ("When did I move?", "user.home_city"),
        ("When did I change jobs?", "user.employer"),
        ("since when do I live here?", "user.home_city"),
    ],
)
def test_a_change_is_asked_for(question: str, slot: str | None) -> None:
    assert asks_about_change(question)
    assert past_slot(question) == slot


@pytest.mark.parametrize(
    "question", ["我什么时候开会？", "When is my birthday?", "我住在哪里？", "How long is the Nile?"]
)
def test_no_change_is_asked_for(question: str) -> None:
    assert not asks_about_change(question)


@pytest.mark.parametrize("text", ["住过" * 20_000, "what was my " * 5_000, "什么时候" * 10_000, "before " * 10_000])
def test_a_long_message_is_read_by_its_ends(text: str) -> None:
    assert isinstance(asks_about_past(f"{text} where did I live before?"), bool)
    assert asks_about_past(f"{'嗯' * 5_000}。我以前住在哪？")
