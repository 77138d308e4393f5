"""What is kept, in which order, and why the rest is not."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from nodes.language.grounding import overlap
from nodes.language.tokens import count
from nodes.ranking.versions import newer_first
from nodes.rerank import NEAR_COPY, rerank
from state.context import Context
from state.records import Memory
from state.schema import HitRow
from tests.factories import DAY_MS, NOW_MS, hit_row, memory, ranked_row, turn
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal

TEXTS = ["我住在北京", "我喜欢爬山", "我的猫叫年糕", "周五要交报告", "我在学法语", "我妹妹在巴黎", "车停在二楼"]
WHOLE_DAY = {"text": "那天", "confidence": 1.0}


async def ranked(hits: list[HitRow], *, named: dict[str, Any] | None = None, **knobs: Any) -> dict[str, Any]:
    state: Any = {"turn": turn().row(), "hits": hits, "named_time": named}
    return await rerank(state, Runtime(context=Context(**knobs)), journal=FakeJournal(HandClock(NOW_MS)))


def kept(out: dict[str, Any]) -> list[str]:
    return [row["memory_id"] for row in out["recalled"]]


def reasons(out: dict[str, Any]) -> dict[str, str]:
    return {row["memory_id"]: row["reason"] for row in out["suppressed"]}


async def test_keeps_the_best_and_gives_every_other_a_reason() -> None:
    hits = [hit_row(memory(f"m{place}", text), relevance=1 - place / 10) for place, text in enumerate(TEXTS)]
    out = await ranked(hits, recall_keep=3)
    assert kept(out) == ["m0", "m1", "m2"]
    assert [row["number"] for row in out["recalled"]] == [1, 2, 3]
    assert set(reasons(out).values()) == {"only the best 3 are kept"}
    parts = out["recalled"][0]["parts"]
    assert set(parts) >= {
        "meaning",
        "words",
        "relevance",
        "decay",
        "importance",
        "window",
        "cosine",
        "bm25",
        "age_days",
    }


async def test_what_does_not_bear_on_the_question_is_suppressed_for_that_reason() -> None:
    hits = [hit_row(memory("m0", TEXTS[0])), hit_row(memory("m1", TEXTS[1]), against="it is about another thing")]
    out = await ranked(hits)
    assert (kept(out), reasons(out)) == (["m0"], {"m1": "it is about another thing"})


async def test_classic_asks_only_what_has_faded() -> None:
    fresh = hit_row(memory("m0", TEXTS[0]), against="it is about another thing")
    old = hit_row(memory("m1", TEXTS[1], mentioned_ms=NOW_MS - 180 * DAY_MS))
    out = await ranked([fresh, old], profile="classic")
    assert (kept(out), reasons(out)) == (["m0"], {"m1": "its score of 0.007 is under 0.01"})


async def test_near_copies_are_suppressed() -> None:
    hits = [hit_row(memory("m0", "我住在北京朝阳区")), hit_row(memory("m1", "我住在北京朝阳区。"), relevance=0.9)]
    out = await ranked(hits)
    assert (kept(out), reasons(out)) == (["m0"], {"m1": "a near-copy of [1]"})


async def test_what_held_before_is_no_copy_of_what_holds_now() -> None:
    now, then = (f"我的门禁密码和办公室的电话号码以及邮箱都写在那张蓝色的卡片上第{page}页" for page in (2, 3))
    ended = {"status": "superseded", "valid_from_ms": NOW_MS - 9 * DAY_MS, "valid_to_ms": NOW_MS - DAY_MS}
    hits = [
        hit_row(memory("m0", now)),
        hit_row(memory("m1", then, **ended), relevance=0.9),
        hit_row(memory("m2", then, **ended | {"valid_to_ms": NOW_MS - 2 * DAY_MS}), relevance=0.8),
        hit_row(memory("m3", then, **ended), relevance=0.7),
    ]
    assert overlap(now, then) >= NEAR_COPY
    out = await ranked(hits)
    assert (kept(out), reasons(out)) == (["m0", "m1", "m2"], {"m3": "a near-copy of [2]"})
    held = out["recalled"][1]
    assert (held["valid_from_ms"], held["valid_to_ms"]) == (NOW_MS - 9 * DAY_MS, NOW_MS - DAY_MS)


async def test_long_memories_are_shortened_to_their_share_and_short_ones_stay_whole() -> None:
    long = " ".join(f"word{number}" for number in range(400))
    hits = [hit_row(memory("m0", long)), hit_row(memory("m1", TEXTS[1]), relevance=0.9)]
    first, second = (await ranked(hits, recall_tokens=200))["recalled"]
    assert second["text"] == TEXTS[1]
    assert first["text"].endswith("…")
    assert 150 < count(first["text"]) + count(second["text"]) <= 200


async def test_few_tokens_keep_few_memories() -> None:
    hits = [hit_row(memory(f"m{place}", text), relevance=1 - place / 10) for place, text in enumerate(TEXTS)]
    out = await ranked(hits, recall_tokens=120)
    assert kept(out) == ["m0", "m1"]
    assert set(reasons(out).values()) == {"only the best 2 are kept"}


async def test_a_named_time_lifts_what_is_inside_as_far_as_it_is_sure() -> None:
    inside, outside = (
        hit_row(memory("m0", TEXTS[0]), relevance=0.6, in_window=True),
        hit_row(memory("m1", TEXTS[1]), relevance=0.8),
    )
    assert kept(await ranked([outside, inside], named=WHOLE_DAY)) == ["m0", "m1"]
    assert kept(await ranked([outside, inside], named={**WHOLE_DAY, "confidence": 0.5})) == ["m1", "m0"]


async def test_an_important_memory_outranks_its_twin_and_not_what_the_question_is_about() -> None:
    mark = hit_row(memory("m1", "生日是六月十九", weight=2.0), relevance=0.5)
    twin, apt = hit_row(memory("m0", "喜欢茶"), relevance=0.6), hit_row(memory("m2", "住在北京"), relevance=0.9)
    assert kept(await ranked([twin, mark, apt])) == ["m2", "m1", "m0"]


async def test_a_memory_of_thirty_days_is_marked_stale() -> None:
    hits = [hit_row(memory("m0", mentioned_ms=NOW_MS - 30 * DAY_MS)), hit_row(memory("m1", "我爱茶"), relevance=0.5)]
    assert {row["memory_id"]: row["stale"] for row in (await ranked(hits))["recalled"]} == {"m0": True, "m1": False}


async def test_the_words_behind_a_memory_come_along_where_they_are_asked_for() -> None:
    said = turn("我的面包方子是四百克面粉加三百克水，烤四十分钟，记下来")
    journal = FakeJournal(HandClock(NOW_MS))
    await journal.write_ahead("ann", said.session_id, [said], present=[said.turn_id])
    noted: Memory = memory("m0", "我的面包方子", session_id=said.session_id)
    state: Any = {
        "turn": turn("面包方子的具体步骤是什么？", turn_id="t9").row(),
        "hits": [hit_row(noted)],
        "named_time": None,
    }
    out = await rerank(state, Runtime(context=Context()), journal=journal)
    assert "烤四十分钟" in (out["recalled"][0]["detail"] or "")


class TestVersions:
    @staticmethod
    def row(number: int, text: str, score: float, days: int) -> Any:
        return ranked_row(number, text, score=score, mentioned_ms=NOW_MS - days * DAY_MS)

    def order(self, *rows: Any) -> list[str]:
        return [row["memory_id"] for row in newer_first(rows)]

    def test_the_newer_version_comes_first_where_it_is_hardly_worse(self) -> None:
        old, new = self.row(1, "搬家计划是五月打包", 1.0, 40), self.row(2, "搬家计划是六月打包", 0.95, 2)
        assert self.order(old, new) == ["m2", "m1"]

    def test_a_clearly_better_match_stays_first(self) -> None:
        old, new = self.row(1, "搬家计划是五月打包", 1.0, 40), self.row(2, "搬家计划是六月打包", 0.8, 2)
        assert self.order(old, new) == ["m1", "m2"]

    def test_other_words_are_no_version(self) -> None:
        old, new = self.row(1, "搬家计划是五月打包", 1.0, 40), self.row(2, "我喜欢喝茶", 0.99, 2)
        assert self.order(old, new) == ["m1", "m2"]

    @pytest.mark.parametrize("days", [(40, 2), (2, 40)])
    def test_what_stands_between_two_versions_keeps_its_place_behind_the_newer(self, days: tuple[int, int]) -> None:
        rows = [
            self.row(1, "搬家计划是五月打包", 1.0, days[0]),
            self.row(2, "我喜欢喝茶", 0.99, 1),
            self.row(3, "搬家计划是六月打包", 0.98, days[1]),
        ]
        assert self.order(*rows) == (["m3", "m1", "m2"] if days == (40, 2) else ["m1", "m2", "m3"])

    def test_what_was_marked_yields_to_nothing_merely_said_again(self) -> None:
        old = self.row(1, "搬家计划是五月打包", 1.0, 40) | {"parts": {"importance": 1.25}}
        new = self.row(2, "搬家计划是六月打包", 0.95, 2)
        assert self.order(old, new) == ["m1", "m2"]
