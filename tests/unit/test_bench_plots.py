"""The plots: which curves and bars come out of formulas and figures, and that the same figures give the same file."""

from pathlib import Path

import pytest

from tests.bench.plots.series import Curve, Panel, decay_curves, recall_panels, time_panels


def test_kinds_that_fade_alike_share_a_curve_and_the_known_formula_has_its_own() -> None:
    curves = {curve.name: curve.shares for curve in decay_curves()}

    assert list(curves) == ["preference, decision", "fact", "event, task, episode", "classic, every kind"]
    assert {len(shares) for shares in curves.values()} == {366}
    assert set(curves["preference, decision"]) == {1.0}
    assert [curves["fact"][day] for day in (0, 30, 60)] == pytest.approx([1.0, 0.95, 0.925])
    assert curves["event, task, episode"][30] == pytest.approx(0.925)
    classic = curves["classic, every kind"]
    assert [classic[day] for day in (0, 29, 30, 60)] == pytest.approx([1.0, 0.5 ** (29 / 30), 0.25, 0.125])


def test_hits_are_drawn_by_set_ours_first_then_simpler_ways_then_libraries() -> None:
    figures = {
        "memorybank.balanced.hit@5": 0.97,
        "memorybank.dense.hit@5": 0.9,
        "locomo.mem0.hit@5": 0.6,
        "locomo.dense.hit@5": 0.46,
        "locomo.balanced.hit@5": 0.72,
        "locomo.balanced.hit@1": 0.4,
        "locomo.balanced.temporal.hit@5": 0.8,
        "precisionmem.balanced.precision": 0.6,
        "scale.ms": 30.0,
        "version.python": "3.11.7",
    }

    assert recall_panels(figures) == [
        Panel("locomo", {"balanced": 0.72, "dense": 0.46, "mem0": 0.6}),
        Panel("memorybank", {"balanced": 0.97, "dense": 0.9, "mem0": None}),
    ]
    assert list(recall_panels(figures)[1].bars) == ["balanced", "dense", "mem0"]
    assert recall_panels({"scale.ms": 30.0}) == []


def test_parsers_are_drawn_by_set_without_sizes_versions_and_parts() -> None:
    figures = {
        "duckling_en.ours": 0.85,
        "duckling_en.ours.ms": 0.3,
        "duckling_en.parsedatetime": 0.44,
        "jionlp_zh.jionlp": 0.96,
        "jionlp_zh.ours": 0.91,
        "no_time_zh.ours": 0.03,
        "no_time.ours": 0.02,
        "size.jionlp_zh": 198,
        "version.python": "3.11.7",
        "made": "2026-11-30T14:03:34+00:00",
    }

    assert time_panels(figures) == [
        Panel("jionlp_zh", {"ours": 0.91, "jionlp": 0.96, "parsedatetime": None}),
        Panel("duckling_en", {"ours": 0.85, "jionlp": None, "parsedatetime": 0.44}),
    ]


def test_the_same_figures_give_the_same_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from tests.bench.plots import drawing

    panels = [Panel("one", {"ours": 0.5, "other": None}), Panel("two", {"ours": 1.0, "other": 0.25})]
    for name in ("first", "second"):
        drawing.bars(tmp_path / name / "bars.svg", "Shares", panels, ["ours"])
        drawing.curves(tmp_path / name / "curves.svg", "Curves", [Curve("all", (1.0, 0.5))], dashed=[])

    for picture in ("bars.svg", "curves.svg"):
        first = (tmp_path / "first" / picture).read_text()
        assert first == (tmp_path / "second" / picture).read_text()
        assert "<dc:date>" not in first
    assert "other" in (tmp_path / "first" / "bars.svg").read_text()
