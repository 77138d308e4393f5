"""A candidate without what its source does not say."""

import pytest

from nodes.fact_check.partial import reduced
from state.records import Evidence, Verdict
from tests.factories import NOW_MS, candidate, turn


def rest(said: str, text: str, part: str = "", span: str = "", **fields: object) -> str | None:
    proposed = candidate(text, evidence=(Evidence(turn_id="t1", span=span or said),), **fields)
    left = reduced(proposed, Verdict(relation="new", grounded="partial", supported_part=part), [turn(said)])
    return left.text if left else None


@pytest.mark.parametrize(
    ("said", "text", "left"),
    [
        ("我买了辆电动车，以后上下班骑它", "用户买了辆电动车，花了三千元", "用户买了辆电动车"),
        ("我住在北京", "用户在百度上班，住在北京", "用户住在北京"),
        ("我妹妹在厦门读大学", "用户的妹妹在厦门读大学，学会计", "用户的妹妹在厦门读大学"),
        ("我对牛奶过敏，鸡蛋倒是没事", "用户对牛奶和鸡蛋过敏", "用户对牛奶过敏"),
        ("我讨厌香菜，不讨厌葱", "用户讨厌香菜和葱", "用户讨厌香菜"),
        ("我会Python", "用户会Python和Rust", "用户会Python"),
        ("I like tea", "The user likes tea and biscuits and jam", "The user likes tea"),
        ("I like tea and jam", "The user likes tea and biscuits and jam", "The user likes tea and jam"),
        (
            "I like anchovies but I don't like capers.",
            "The user likes anchovies and capers",
            "The user likes anchovies",
        ),
        ("I live in Rome.", "The user lives in Rome with two dogs", "The user lives in Rome"),
        (
            "I manage a team of six at Halvorsen Shipping",
            "The user manages a team of six at Halvorsen Shipping in Bergen",
            "The user manages a team of six at Halvorsen Shipping",
        ),
        (
            "Hana's recital is on July 26, I bought her flowers already? no, must do that",
            "Hana's recital is on July 26 and the user has bought flowers",
            "Hana's recital is on July 26",
        ),
    ],
)
def test_what_is_not_said_is_dropped_by_rule(said: str, text: str, left: str) -> None:
    assert rest(said, text) == left


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("我住在北京", "用户住在北京"),
        ("我住在北京", "用户在上海上班"),
        ("我喜欢和平饭店", "用户喜欢和平饭店"),
        ("明天下午三点我去看牙", "用户明天下午三点去协和医院看牙"),
        ("我是不是对虾过敏啊？", "用户对虾过敏，对蟹也过敏"),
        ("I hate rain?", "The user hates rain and snow"),
        ("Maybe I'll move to Oslo", "The user moves to Oslo, and to Bergen"),
    ],
)
def test_nothing_is_left_or_nothing_dropped(said: str, text: str) -> None:
    assert rest(said, text) is None


def test_the_verifiers_part_is_taken_where_it_is_borne() -> None:
    assert rest("我在学吉他", "用户在学吉他，已经学了两年", "用户在学吉他") == "用户在学吉他"
    assert rest("我喜欢猫，讨厌狗", "用户喜欢猫讨厌鸟", "用户喜欢猫") == "用户喜欢猫"


@pytest.mark.parametrize(
    ("said", "text", "part"),
    [
        ("我不吃鱼", "用户不吃鱼，也不吃肉", "用户吃鱼"),  # turns the sense
        ("我不吃鱼", "用户不吃鱼，也不吃肉", "用户不吃虾"),  # other words
        ("我不吃鱼", "用户不吃鱼，也不吃肉", "用户不吃鱼，也不吃肉"),  # no part
        ("我不吃鱼", "用户不吃鱼，也不吃肉", "也不吃肉"),  # not in the source
    ],
)
def test_else_the_rules_decide(said: str, text: str, part: str) -> None:
    assert rest(said, text, part) == "用户不吃鱼"


def test_only_the_sentences_around_the_evidence_count() -> None:
    said = "I started a pottery course. Maybe I'll buy a wheel some day."
    text = "The user started a pottery course and is buying a wheel"
    assert rest(said, text, span="I started a pottery course") == "The user started a pottery course"


def test_slot_and_time_stay_where_the_rest_states_them() -> None:
    verdict = Verdict(relation="new", grounded="partial")
    fields = {"slot": "user.home_city", "event_start_ms": NOW_MS, "event_end_ms": NOW_MS + 1}
    evidence = (Evidence(turn_id="t1", span="我住在北京"),)
    kept = reduced(candidate("用户住在北京，明天搬家", evidence=evidence, **fields), verdict, [turn("我住在北京")])
    assert kept is not None
    assert (kept.text, kept.slot, kept.event_start_ms, kept.event_end_ms) == (
        "用户住在北京",
        "user.home_city",
        None,
        None,
    )
    assert kept.evidence == evidence
    evidence = (Evidence(turn_id="t1", span="我喜欢猫"),)
    lost = reduced(
        candidate("用户喜欢猫，住在北京", evidence=evidence, slot="user.home_city"), verdict, [turn("我喜欢猫")]
    )
    assert lost is not None
    assert (lost.text, lost.slot) == ("用户喜欢猫", None)


def test_an_episode_and_an_answer_are_not_cut() -> None:
    verdict = Verdict(relation="new", grounded="partial", supported_part="用户买了车")
    source = [turn("我买了车")]
    episode = candidate("用户买了车，花了三千元", kind="episode", evidence=(Evidence(turn_id="t1", span=""),))
    answer = candidate("用户买了车，花了三千元", evidence=(Evidence(turn_id="t1", span="我买了车"),), answers="d1")
    assert reduced(episode, verdict, source) is None
    assert reduced(answer, verdict, source) is None
