"""Scores, floor, near-copies and reasons."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from nodes.language.grounding import overlap
from nodes.recall import fuse, placed
from nodes.rerank import NEAR_COPY, balanced, classic, decay, rerank
from state.context import Context
from state.records import Hit
from state.schema import HitRow
from tests.factories import DAY_MS, NOW_MS, hit_row, memory, turn


def product(parts: dict[str, float]) -> float:
    score = 1.0
    for part in parts.values():
        score *= part
    return score


async def ranked(hits: list[HitRow], *, named: bool = False, **knobs: Any) -> dict[str, Any]:
    state: Any = {"turn": turn().row(), "hits": hits, "named_time": {"text": "x"} if named else None}
    return await rerank(state, Runtime(context=Context(**knobs)))


@pytest.mark.parametrize(
    ("days", "factor"),
    [(0, 1.0), (15, 0.5**0.5), (29.999, 0.5 ** (29.999 / 30)), (30, 0.25), (60, 0.125), (180, 0.0078125)],
)
def test_classic_is_the_known_formula(days: float, factor: float) -> None:
    assert product(classic(hit_row(similarity=0.8), memory(), days, False)) == pytest.approx(0.8 * factor)
    assert product(classic(hit_row(similarity=0.8), memory(weight=2.0), days, False)) == pytest.approx(1.6 * factor)


@pytest.mark.parametrize(("days", "factor"), [(0, 1.0), (30, 0.925), (60, 0.8875), (3650, 0.85)])
def test_balanced_decay_is_bounded_below(days: float, factor: float) -> None:
    assert product(balanced(hit_row(fused=0.5), memory(), days, False)) == pytest.approx(0.5 * factor, abs=1e-6)


def test_balanced_switches_decay_off_in_a_named_time_and_boosts_inside_it() -> None:
    assert product(balanced(hit_row(fused=0.5, in_window=True), memory(), 300, True)) == pytest.approx(0.75)
    assert product(balanced(hit_row(fused=0.5), memory(), 300, True)) == pytest.approx(0.5)


def test_what_lies_ahead_does_not_fade() -> None:
    ahead = memory(mentioned_ms=NOW_MS - 90 * DAY_MS, event_start_ms=NOW_MS, event_end_ms=NOW_MS + DAY_MS)
    assert product(balanced(hit_row(), ahead, 90, False)) == pytest.approx(1.0)


def test_decay_halves_in_thirty_days() -> None:
    assert [decay(days) for days in (-5, 0, 30, 60)] == [1.0, 1.0, 0.5, 0.25]


def test_fusion_is_one_for_the_first_of_both_lists() -> None:
    assert fuse(Hit(memory_id="a", similarity_rank=1, lexical_rank=1)) == pytest.approx(1.0)
    assert fuse(Hit(memory_id="a", similarity_rank=1)) == pytest.approx(0.5)
    assert fuse(Hit(memory_id="a", similarity_rank=2, lexical_rank=4)) == pytest.approx((1 / 62 + 1 / 64) * 61 / 2)


def test_the_slot_that_is_asked_for_is_a_list_of_its_own() -> None:
    assert fuse(Hit(memory_id="a"), in_slot=True) == pytest.approx(0.5)
    assert fuse(Hit(memory_id="a", similarity_rank=1, lexical_rank=1), in_slot=True) == pytest.approx(1.5)


async def test_what_only_the_named_time_brought_can_be_shown() -> None:
    hits = placed([Hit(memory_id="a", similarity=0.8), Hit(memory_id="b", similarity=0.9, similarity_rank=4)], 50)
    assert [hit.similarity_rank for hit in hits] == [51, 4]
    out = await ranked([hit_row(fused=fuse(hits[0]), in_window=True)], named=True)
    assert len(out["recalled"]) == 1


async def test_keeps_the_best_and_gives_every_other_a_reason() -> None:
    texts = ["我住在北京", "我喜欢爬山", "我的猫叫年糕", "周五要交报告", "我在学法语", "我妹妹在巴黎", "车停在二楼"]
    hits = [
        hit_row(memory(f"m{index}", text), fused=1 - index / 10, similarity=0.9) for index, text in enumerate(texts)
    ]
    out = await ranked(hits, recall_keep=3)
    assert [row["memory_id"] for row in out["recalled"]] == ["m0", "m1", "m2"]
    assert [row["number"] for row in out["recalled"]] == [1, 2, 3]
    assert {row["reason"] for row in out["suppressed"]} == {"only the best 3 are kept"}
    assert set(out["recalled"][0]["parts"]) >= {"fused", "decay", "importance", "window", "cosine", "words", "age_days"}


async def test_near_copies_and_what_is_under_the_floor_are_suppressed() -> None:
    hits = [
        hit_row(memory("m0", "我住在北京朝阳区")),
        hit_row(memory("m1", "我住在北京朝阳区。"), fused=0.9),
        hit_row(memory("m2", "我的猫叫年糕"), fused=0.1),
    ]
    out = await ranked(hits)
    assert [row["memory_id"] for row in out["recalled"]] == ["m0"]
    reasons = {row["memory_id"]: row["reason"] for row in out["suppressed"]}
    assert reasons["m1"] == "a near-copy of [1]"
    assert "under the floor" in reasons["m2"]


async def test_what_held_before_is_no_copy_of_what_holds_now() -> None:
    now, then = (f"我的门禁密码和办公室的电话号码以及邮箱都写在那张蓝色的卡片上第{page}页" for page in (2, 3))
    ended = {"status": "superseded", "valid_from_ms": NOW_MS - 9 * DAY_MS, "valid_to_ms": NOW_MS - DAY_MS}
    hits = [
        hit_row(memory("m0", now)),
        hit_row(memory("m1", then, **ended), fused=0.9),
        hit_row(memory("m2", then, **ended | {"valid_to_ms": NOW_MS - 2 * DAY_MS}), fused=0.8),
        hit_row(memory("m3", then, **ended), fused=0.7),
    ]
    assert overlap(now, then) >= NEAR_COPY
    out = await ranked(hits)
    assert [row["memory_id"] for row in out["recalled"]] == ["m0", "m1", "m2"]
    assert [row["reason"] for row in out["suppressed"]] == ["a near-copy of [2]"]
    assert (out["recalled"][1]["valid_from_ms"], out["recalled"][1]["valid_to_ms"]) == (
        NOW_MS - 9 * DAY_MS,
        NOW_MS - DAY_MS,
    )


async def test_an_important_memory_outranks_its_twin_and_not_what_the_question_is_about() -> None:
    mark = hit_row(memory("m1", "生日是六月十九", weight=2.0), fused=0.5)
    twin, apt = hit_row(memory("m0", "喜欢茶"), fused=0.6), hit_row(memory("m2", "住在北京"), fused=0.9)
    assert [row["memory_id"] for row in (await ranked([twin, mark, apt]))["recalled"]] == ["m2", "m1", "m0"]


async def test_a_memory_of_thirty_days_is_marked_stale() -> None:
    hits = [hit_row(memory("m0", mentioned_ms=NOW_MS - 30 * DAY_MS)), hit_row(memory("m1", "我爱茶"), fused=0.5)]
    assert {row["memory_id"]: row["stale"] for row in (await ranked(hits))["recalled"]} == {"m0": True, "m1": False}
