"""What makes a memory relevant, how it fades, what it weighs: the figures of both profiles."""

import math

import pytest

from nodes.ranking.decay import SHARE, decay, halving, lies_ahead
from nodes.ranking.floor import bearings
from nodes.ranking.importance import importance
from nodes.ranking.profiles import balanced, classic
from nodes.ranking.relevance import is_about, parts_of, relevance
from nodes.ranking.terms import asked_terms, coverage, terms
from state.languages import language
from state.records import Calibration, Hit, Kind, Unrelated
from tests.factories import DAY_MS, NOW_MS, hit_row, memory


def score(parts: dict[str, float]) -> float:
    return math.prod(parts.values())


@pytest.mark.parametrize(
    ("days", "factor"),
    [(0, 1.0), (15, 0.5**0.5), (29.999, 0.5 ** (29.999 / 30)), (30, 0.25), (60, 0.125), (180, 0.0078125)],
)
def test_classic_is_the_known_formula(days: float, factor: float) -> None:
    said = NOW_MS - int(days * DAY_MS)
    plain, marked = memory(mentioned_ms=said), memory(mentioned_ms=said, weight=2.0)
    assert score(classic(hit_row(similarity=0.8), plain, NOW_MS, 0)) == pytest.approx(0.8 * factor)
    assert score(classic(hit_row(similarity=0.8), marked, NOW_MS, 0)) == pytest.approx(1.6 * factor)


def test_classic_knows_no_window_and_no_relevance() -> None:
    row = hit_row(similarity=0.8, in_window=True, relevance=0.1)
    assert score(classic(row, memory(), NOW_MS, 1.0)) == pytest.approx(0.8)


def test_halving_takes_thirty_days() -> None:
    assert [halving(days) for days in (-5, 0, 30, 60)] == [1.0, 1.0, 0.5, 0.25]


@pytest.mark.parametrize("kind", SHARE)
def test_decay_is_bounded_below_by_the_kinds_share(kind: Kind) -> None:
    assert decay(kind, 0) == 1.0
    assert decay(kind, 30) == pytest.approx(1 - SHARE[kind] / 2)
    assert decay(kind, 36_500) == pytest.approx(1 - SHARE[kind])


def test_a_preference_does_not_fade_and_an_event_does() -> None:
    assert decay("preference", 365) == 1.0
    assert decay("event", 365) < decay("fact", 365) < 1.0


def test_balanced_multiplies_relevance_decay_importance_and_window() -> None:
    old = memory(kind="event", mentioned_ms=NOW_MS - 30 * DAY_MS, weight=2.0)
    parts = balanced(hit_row(relevance=0.6), old, NOW_MS, 0)
    assert parts == {
        "relevance": 0.6,
        "decay": pytest.approx(1 - SHARE["event"] / 2),
        "importance": 1.25,
        "window": 1.0,
    }


def test_a_named_time_boosts_what_is_inside_filters_nothing_and_stops_decay() -> None:
    old = memory(kind="event", mentioned_ms=NOW_MS - 300 * DAY_MS)
    assert score(balanced(hit_row(relevance=0.5, in_window=True), old, NOW_MS, 1.0)) == pytest.approx(0.75)
    assert score(balanced(hit_row(relevance=0.5), old, NOW_MS, 1.0)) == pytest.approx(0.5)


def test_a_doubtful_time_boosts_less() -> None:
    assert balanced(hit_row(in_window=True), memory(), NOW_MS, 0.5)["window"] == pytest.approx(1.25)


def test_what_lies_ahead_does_not_fade() -> None:
    said = NOW_MS - 90 * DAY_MS
    ahead = memory(kind="event", mentioned_ms=said, event_start_ms=NOW_MS - 1, event_end_ms=NOW_MS + DAY_MS)
    over = memory(kind="event", mentioned_ms=said, event_start_ms=NOW_MS - DAY_MS, event_end_ms=NOW_MS)
    assert (lies_ahead(ahead, NOW_MS), lies_ahead(over, NOW_MS)) == (True, False)
    assert balanced(hit_row(), ahead, NOW_MS, 0)["decay"] == 1.0
    assert balanced(hit_row(), over, NOW_MS, 0)["decay"] < 1.0


def test_importance_counts_the_mark_and_use_and_is_bounded() -> None:
    assert importance(1.0, 1, 0) == 1.0
    assert importance(2.0, 1, 0) == 1.25
    assert importance(1.0, 1, 1) == pytest.approx(1.02)
    assert importance(1.0, 2, 0) == pytest.approx(1.04)
    assert importance(1.0, 10**6, 10**6) == pytest.approx(1.1)
    assert importance(2.0, 10**6, 10**6) == pytest.approx(1.35)


def test_a_citation_never_lifts_a_memory_over_one_that_answers_better() -> None:
    cited = importance(1.0, 1, 10**9) * 0.9
    assert cited < importance(1.0, 1, 0) * 1.0


def spoken_for(hit: Hit, text: str, question: str, close: float = 0.0, best: float = 0.0, slot: bool = False) -> float:
    return relevance(parts_of(hit, text, question, close=close, best=best, in_slot=slot))


def test_relevance_sums_what_speaks_for_a_memory() -> None:
    hit = Hit(memory_id="m1", lexical=3.0)
    parts = parts_of(hit, "Nora likes tea", "What does Nora like?", close=4.8, best=6.0, in_slot=False)
    assert parts == {"meaning": pytest.approx(0.8), "words": 0.5, "subject": 1.0, "asks": 0.0, "slot": 0.0}
    assert relevance(parts) == pytest.approx(0.5 * 0.8 + 0.5 * 0.5 + 0.15)


def test_what_only_a_slot_brought_counts_and_nothing_counts_below_zero() -> None:
    assert spoken_for(Hit(memory_id="m"), "我住在北京", "我住在哪？", slot=True) == pytest.approx(0.5)
    assert spoken_for(Hit(memory_id="m"), "去哪？", "喝茶", close=-6.0) == 0.0


def test_a_memory_that_asks_is_no_answer() -> None:
    asks, tells = (
        spoken_for(Hit(memory_id="m"), text, "tea?", close=6.0) for text in ("Shall we have tea?", "We had tea.")
    )
    assert tells - asks == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("text", "question", "about"),
    [
        ("Nora: I went hiking", "What did Nora do?", True),
        ("Nora's sister lives in Rome", "Where does the sister of Nora live?", True),
        ("I met Nora", "What did Nora do?", False),
        ("My flat is small", "My flat: how large is it?", False),
        ("The lamp is new", "The lamp?", False),
        ("Norah likes tea", "What does Nora like?", False),
        ("小周喜欢喝茶", "小周喜欢什么？", True),
        ("我喜欢喝茶", "我喜欢什么？", False),
        ("昨天去爬山", "昨天做了什么？", False),
        ("", "小周？", False),
    ],
)
def test_a_memory_is_about_whom_it_begins_with(text: str, question: str, about: bool) -> None:
    assert is_about(text, question) is about


SCALE = Calibration(
    embedder="e",
    unrelated=(
        Unrelated(question="en", memory="en", mean=0.75, spread=0.02),
        Unrelated(question="zh", memory="zh", mean=0.83, spread=0.01),
        Unrelated(question="zh", memory="en", mean=0.72, spread=0.03),
    ),
)


def test_closeness_counts_standard_deviations_above_unrelated_pairs_of_the_two_languages() -> None:
    assert SCALE.closeness(0.79, "en", "en") == pytest.approx(2.0)
    assert SCALE.closeness(0.79, "zh", "zh") == pytest.approx(-4.0)
    assert SCALE.closeness(0.78, "zh", "en") == pytest.approx(2.0)
    with pytest.raises(KeyError):
        SCALE.closeness(0.79, "en", "zh")


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("我住在北京", "zh"),
        ("I live in 北京", "en"),
        ("我用 TypeScript 写前端和后端代码", "zh"),
        ("", "en"),
        ("42", "en"),
        ("Ich wohne hier", "en"),
    ],
)
def test_a_text_is_chinese_by_a_third_of_its_letters(text: str, spoken: str) -> None:
    assert language(text) == spoken


class TestFloor:
    def test_too_little_evidence_is_under_the_floor(self) -> None:
        (found,) = bearings([2.4], [0.0])
        assert found.against == "its evidence of 2.4 is under the floor of 2.5"

    def test_words_are_evidence_too(self) -> None:
        (found,) = bearings([1.0], [0.8])
        assert (found.evidence, found.against) == (pytest.approx(2.6), None)

    def test_what_is_far_behind_the_best_is_left_out(self) -> None:
        best, near, far = bearings([7.5, 4.0, 3.4], [0.2, 0.2, 0.2])
        assert (best.against, near.against) == (None, None)
        assert far.against == "its evidence of 3.8 is more than 4.0 behind the best"

    def test_without_a_shared_word_a_memory_must_stand_out(self) -> None:
        crowd = [4.5] * 10
        alike = bearings([5.0, 4.6, *crowd], [0.0, 0.1, *[0.0] * 10])
        assert [found.against is None for found in alike[:3]] == [False, True, False]
        (apart, *rest) = bearings([6.5, *crowd], [0.0] * 11)
        assert (apart.against, {found.against is None for found in rest}) == (None, {False})

    def test_a_memory_alone_stands_out_from_the_unrelated(self) -> None:
        assert [found.against is None for found in bearings([3.0], [0.0])] == [True]

    def test_of_nothing_nothing_bears(self) -> None:
        assert bearings([], []) == []


class TestTerms:
    def test_what_questions_are_made_of_is_no_term(self) -> None:
        assert set(asked_terms("Could you please tell me about the lamp?")) == {"lamp"}
        assert set(asked_terms("你好，请告诉我台灯怎么样")) == {"台灯"}
        assert set(asked_terms("Where did Nora's cousins move to?")) == {"nora", "cousin"}

    def test_a_question_of_nothing_else_asks_for_just_that(self) -> None:
        assert set(asked_terms("work")) == {"work"}
        assert coverage("work", ["I work at Globex.", "tea"]) == [1.0, 0.0]

    def test_chinese_counts_by_pairs(self) -> None:
        assert set(terms("我对花生酱过敏")) == {"花生", "生酱", "敏"}

    def test_a_rare_word_weighs_more(self) -> None:
        held = coverage("blue kayak", ["a blue car", "the blue door", "my kayak", "tea"])
        assert held[2] > held[0] == held[1] > held[3] == 0.0
        assert held[0] + held[2] == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("asked", "written", "share"),
        [
            ("eror", "error", 0.5),
            ("typsecript", "typescript", 0.5),
            ("kajak", "kayak", 0.5),
            ("mango", "mongo", 0.0),
            ("k9s", "k8s", 0.0),
        ],
    )
    def test_one_letter_wrong_counts_half(self, asked: str, written: str, share: float) -> None:
        assert coverage(asked, [f"about {written}", "tea"]) == pytest.approx([share, 0.0])

    def test_the_right_word_beats_the_misspelt_one(self) -> None:
        assert coverage("error", ["an error", "eror"]) == [pytest.approx(1.0), 0.0]
