"""The write-gate bench: its arithmetic has the right values, its case files keep their format."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph.models.offline import OfflineVerifier
from state.errors import ModelAnswerUnusable, ModelUnavailable
from state.records import LedgerEntry, Memory, Verdict
from tests import factories
from tests.bench.figures import prefixed, write
from tests.bench.gate.distilling import skip_figures
from tests.bench.gate.figures import own_baselines, own_figures
from tests.bench.gate.memtrust import cases as memtrust_cases
from tests.bench.gate.memtrust import fate_of
from tests.bench.gate.outcome import Outcome
from tests.bench.gate.own_cases import NAMES, ZONES, Case, CaseBroken, load
from tests.bench.gate.place import WatchedVerifier
from tests.bench.gate.public import Pair, pairs
from tests.bench.gate.scoring import binary, cross_fitted, sample, score
from tests.bench.place import settings_in
from tests.bench.sheets import Sheet, insert, markdown

CASE = {
    "id": "en-dev-x1",
    "class": "conflict",
    "tags": ["negation"],
    "now": "2026-06-19T12:00",
    "memories": [
        {"text": "I'm allergic to peanuts", "said": "2026-06-01", "slot": "user.allergy", "kind": "fact"},
        {"text": "I live in Oslo", "said": "2026-06-19", "slot": "user.home_city", "kind": "fact"},
    ],
    "said": "By the way, I’m not allergic to peanuts.",
    "note": {
        "text": "I'm not allergic to peanuts",
        "span": "I'm not allergic to peanuts",
        "slot": "user.allergy",
        "kind": "fact",
    },
    "expect": {"grounded": "supported", "relation": "conflict", "concerns": [0]},
}
REFUSED = {"class": "secret", "expect": {"refused": True}}


def case(language: str = "en", part: str = "dev", **fields: Any) -> Case:
    row = {**CASE, "said": "By the way, I'm not allergic to peanuts.", **fields}
    return Case.model_validate({**row, "language": language, "part": part})


def outcome(name: str, got: str, fate: Any, *, language: str = "en", part: str = "dev", **fields: Any) -> Outcome:
    expect: dict[str, Any] = {
        "secret": {"refused": True},
        "unsupported": {"grounded": "unsupported"},
        "new": {"grounded": "supported", "relation": "new"},
    }.get(name, {"grounded": "supported", "relation": name, "concerns": [0]})
    about = case(language, part, **{"class": name, "expect": expect, "id": f"{name} {got} {fate} {language} {part}"})
    return Outcome(case=about, got=got, fate=fate, verdict=Verdict(relation="new", grounded="supported"), reason="",
                   text=about.note.text, **fields)  # fmt: skip


def files(folder: Path, *rows: dict[str, Any]) -> Path:
    """Write four case files, three of them empty."""
    for language in ZONES:
        for part in ("dev", "blind"):
            (folder / f"{language}_{part}.jsonl").write_text("")
    (folder / "en_blind.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_scores_of_a_hand_made_confusion() -> None:
    pairs_ = [("a", "a")] * 3 + [("a", "b")] + [("b", "a")] * 2 + [("b", "b")] * 4 + [("c", "b")]

    assert score(pairs_, "a") == pytest.approx((3 / 5, 3 / 4, 2 / 3, 4))
    assert score(pairs_, "b") == pytest.approx((4 / 6, 4 / 6, 2 / 3, 6))
    assert score(pairs_, "c") == (0.0, 0.0, 0.0, 1)
    assert score(pairs_, "d") == (0.0, 0.0, 0.0, 0)


def test_a_question_of_yes_or_no_is_scored_for_its_yes() -> None:
    truth = [True, True, False, False, False]

    assert binary(truth, [True, False, True, False, False]) == (0.5, 0.5, 0.5, 2)
    assert binary(truth, [True] * 5) == pytest.approx((0.4, 1.0, 4 / 7, 2))
    assert binary(truth, [False] * 5) == (0.0, 0.0, 0.0, 2)


def test_a_row_does_not_choose_its_own_threshold() -> None:
    ids = [f"row {number}" for number in range(40)]
    values = [0.2 if number < 20 else 0.8 for number in range(40)]

    assert cross_fitted(ids, values, [value > 0.5 for value in values]) == [value > 0.5 for value in values]
    # The only row that says yes cannot be found: without it there is nothing to find.
    assert cross_fitted(ids, values, [number == 39 for number in range(40)])[39] is False


def test_a_sample_is_the_same_whatever_the_order_of_the_rows() -> None:
    rows = [f"row {number}" for number in range(20)]

    assert sample(rows, 5, str) == sample(rows[::-1], 5, str)
    assert len(set(sample(rows, 5, str))) == 5
    assert sorted(sample(rows, 0, str)) == sorted(rows)


def test_figures_count_what_the_gate_must_not_do() -> None:
    rows = [
        outcome("conflict", "conflict", "disputed", concerned=(0,)),
        outcome("conflict", "update", "active", language="zh", lost=(0,)),
        outcome("conflict", "undecided", "pending", part="blind"),
        outcome("new", "conflict", "disputed"),
        outcome("new", "new", "active"),
        outcome("new", "new", "active", part="blind"),
        outcome("update", "update", "active", concerned=(1,)),
        outcome("unsupported", "unsupported", "rejected"),
        outcome("secret", "secret", "rejected"),
        outcome("secret", "new", "active", language="zh"),
    ]
    figures = own_figures(rows)

    assert (figures["conflict.precision"], figures["conflict.n"]) == (0.5, 3)
    assert figures["conflict.recall"] == pytest.approx(1 / 3)
    assert figures["conflict.f1"] == pytest.approx(0.4)
    assert figures["zh.conflict.recall"] == 0.0
    assert figures["dev.conflict.n"] == 2
    assert figures["false_dispute"] == pytest.approx(1 / 7)
    assert figures["wrongly_active"] == pytest.approx(2 / 6)
    assert figures["zh.wrongly_active"] == 1.0
    assert figures["blind.pending"] == 0.5
    assert figures["silent_overwrite"] == pytest.approx(1 / 9)
    assert figures["accuracy"] == pytest.approx(6 / 10)
    assert figures["concerns"] == 0.5
    assert figures["secret.recall"] == 0.5
    assert (figures["n"], figures["zh.n"], figures["blind.n"]) == (10, 2, 2)


def test_simpler_ways_over_the_same_cases() -> None:
    rows = [outcome("conflict", "conflict", "disputed"), outcome("new", "new", "active"),
            outcome("secret", "secret", "rejected")]  # fmt: skip
    ways = own_baselines([replace(row, similarity=0.9) for row in rows])

    assert ways["never"]["conflict.f1"] == 0.0
    assert ways["never"]["wrongly_active"] == 1.0
    assert ways["always"]["conflict.f1"] == pytest.approx(0.5)
    assert ways["always"]["false_dispute"] == 1.0
    assert ways["always"]["wrongly_active"] == 0.0
    # The note's slot is taken in each of them.
    assert ways["overwrite"]["silent_overwrite"] == 1.0
    assert ways["overwrite"]["wrongly_active"] == 1.0
    assert ways["overwrite"]["conflict.recall"] == 0.0


def test_an_outcome_is_right_only_where_it_concerns_the_right_memories() -> None:
    right = outcome("conflict", "conflict", "disputed", concerned=(0,))

    assert right.right
    assert not replace(right, concerned=(1,)).right
    assert not replace(right, got="undecided", concerned=()).right
    twice = outcome("duplicate", "duplicate", "mentioned", concerned=(0,))
    assert twice.right
    assert not replace(twice, concerned=()).right


def test_the_case_files_keep_their_format_and_their_balance() -> None:
    cases = load()
    languages = Counter(each.language for each in cases)
    of_each = Counter((each.language, each.part, each.name) for each in cases)

    assert len(cases) >= 240
    assert abs(languages["zh"] - languages["en"]) <= len(cases) * 0.03
    few = [
        (language, part, name)
        for language in ZONES
        for part in ("dev", "blind")
        for name in NAMES
        if of_each[language, part, name] < 5
    ]
    assert few == []


def test_times_are_those_of_the_users_zone() -> None:
    assert case().ms(case().now) == 1_781_884_800_000  # 12:00 -04:00
    assert case("zh").ms(case().now) == 1_781_841_600_000  # 12:00 +08:00
    assert case().said_ms(0) == case().ms(case().now) - 18 * 86_400_000
    assert case().said_ms(0) < case().said_ms(1) < case().ms(case().now)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"said": "Nothing of that."}, "span"),
        ({"now": "2026-06-18T12:00"}, "after now"),
        ({"expect": {"grounded": "supported", "relation": "conflict", "concerns": [2]}}, "not there"),
        ({"expect": {"grounded": "supported", "relation": "conflict"}}, "new concerns nothing"),
        ({"expect": {"grounded": "partial", "relation": "conflict", "concerns": [0]}}, "is not partial"),
        ({"expect": {"refused": True}}, "refused"),
        ({"class": "secret"}, "no verdict"),
        ({"class": "wrong"}, "class"),
        ({"more": 1}, "more"),
        ({"note": {**CASE["note"], "answers": 0}}, "not asked"),  # type: ignore[dict-item]
        ({"memories": [{**CASE["memories"][0], "status": "disputed"}]}, "opposes nothing"),  # type: ignore[dict-item]
        ({"memories": [{**CASE["memories"][1]}] * 2}, "one value"),  # type: ignore[dict-item]
    ],
)
def test_a_broken_case_is_named_without_its_words(fields: dict[str, Any], told: str, tmp_path: Path) -> None:
    row = {**CASE, **fields}

    with pytest.raises(CaseBroken, match=told) as broken:
        load(files(tmp_path, row))
    assert "en_blind.jsonl, line 1" in str(broken.value)
    assert "allergic" not in str(broken.value)
    assert broken.value.__cause__ is None


def test_an_id_is_used_once(tmp_path: Path) -> None:
    assert [each.id for each in load(files(tmp_path, CASE, {**CASE, **REFUSED, "id": "en-dev-x2"}))] == [
        "en-dev-x1",
        "en-dev-x2",
    ]
    with pytest.raises(CaseBroken, match="en-dev-x1 was there before"):
        load(files(tmp_path, CASE, CASE))


def test_public_pairs_are_read_as_standing_and_said(tmp_path: Path) -> None:
    rows = [
        {"id": "c1", "u1": "住哪？", "b1": "北京", "u2": "你住哪里？", "b2": "上海", "label": 3},
        {"id": "c2", "u1": "住哪？", "b1": "北京", "u2": "你住哪里？", "b2": "北京", "label": 0},
        {"id": "c3", "u1": "住哪？", "b1": "北京", "u2": "你住哪里？", "b2": "上海北京", "label": 1},
    ]
    (tmp_path / "cdconv").mkdir()
    (tmp_path / "cdconv" / "dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    found = pairs("cdconv", tmp_path, 0)
    assert found is not None
    assert sorted(found, key=lambda pair: pair.id) == [
        Pair("c1", "北京", "上海", contradicts=True, asked="你住哪里？"),
        Pair("c2", "北京", "北京", contradicts=False, asked="你住哪里？"),
    ]
    assert pairs("ocnli", tmp_path, 0) is None
    assert memtrust_cases(tmp_path) is None


def test_figures_are_written_flat(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "gate.json", {**prefixed("own.offline", {"conflict.f1": 2 / 3}), "made": "today"})

    assert json.loads((tmp_path / "deep" / "gate.json").read_text()) == {
        "own.offline.conflict.f1": 0.66667,
        "made": "today",
    }


def test_tables_stand_between_the_markers_of_a_page() -> None:
    table = markdown(Sheet("Sums", ["name", "sum"], [["one", "1.000"]]))
    page = "Before\n<!-- bench: gate -->\nold\n<!-- /bench: gate -->\nafter"

    assert table == "**Sums**\n\n| name | sum |\n| :-- | --: |\n| one | 1.000 |"
    assert insert(page, "gate", table) == f"Before\n<!-- bench: gate -->\n{table}\n<!-- /bench: gate -->\nafter"
    with pytest.raises(ValueError, match="once"):
        insert("no markers", "gate", table)


def test_the_documentation_has_a_place_for_the_tables() -> None:
    page = Path(__file__).parents[2] / "docs" / "benchmarks.md"

    assert "<!-- bench: gate -->\nhere\n" in insert(page.read_text(encoding="utf-8"), "gate", "here")


def rows_(*statuses: str, **fields: Any) -> list[Memory]:
    return [factories.memory(f"m{place}", status=status, **fields) for place, status in enumerate(statuses)]


@pytest.mark.parametrize(
    ("after", "fate"),
    [
        (("active", "disputed"), "flagged"),
        (("active", "active"), "kept_both"),
        (("active", "pending"), "held_back"),
        (("active", "rejected"), "unheard"),
        (("active",), "unheard"),
        (("rejected", "active"), "overwritten"),
    ],
)
def test_what_became_of_a_first_fact(after: tuple[str, ...], fate: str) -> None:
    assert fate_of(rows_("active"), rows_(*after)) == fate


def test_a_fact_put_out_with_its_interval_was_updated() -> None:
    replaced = factories.memory("m0", status="superseded", superseded_by="m1", valid_to_ms=factories.NOW_MS)

    assert fate_of(rows_("active"), [replaced, factories.memory("m1")]) == "updated"
    assert fate_of(rows_("active"), [factories.memory("m1")]) == "overwritten"
    assert fate_of([], [factories.memory("m1")]) == "unheard"


async def test_a_watched_verifier_counts_what_was_spent_and_what_failed() -> None:
    spent = LedgerEntry(node="verify", model="q", prompt_tokens=7, completion_tokens=2, latency_ms=1, at_ms=1)
    answers = iter([None, ModelAnswerUnusable("no JSON", (spent,)), ModelUnavailable("down"), None])

    class Scripted(OfflineVerifier):
        async def verify(self, *args: Any, **more: Any) -> Any:
            if (trouble := next(answers)) is not None:
                raise trouble
            return factories.judgement("new").model_copy(update={"usage": (spent, spent)})

    watched = WatchedVerifier(Scripted())
    for failure in (None, ModelAnswerUnusable, ModelUnavailable, None):
        ask = watched.verify(factories.candidate(), [factories.turn()], [], seconds=1)
        if failure is None:
            assert (await ask).verdict.relation == "new"
        else:
            with pytest.raises(failure):
                await ask

    found = watched.figures()
    assert found.pop("ms_per_verdict") > 0
    assert found == {
        "verdicts": 2,
        "parse_failures": 1,
        "unavailable": 1,
        "prompt_tokens": 35,
        "completion_tokens": 10,
    }
    assert sum(watched.figures().values()) == 0


def test_a_bench_never_uses_the_stores_that_are_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for store, url in (("POSTGRES", "postgresql://x/y"), ("REDIS", "redis://x"), ("QDRANT", "http://x")):
        monkeypatch.setenv(f"LOCI_{store}_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    settings = settings_in(tmp_path)

    assert (settings.postgres_url, settings.redis_url, settings.qdrant_url) == (None, None, None)
    assert (settings.chat, settings.embeddings, settings.data_dir) == (None, None, tmp_path)


def test_the_skip_rule_is_counted_on_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "mempalace_extraction").mkdir()
    gold = [{"type": "fact", "content": "The user has a dog."}]
    snippets = [
        {"id": "a", "text_en": "I have a dog.", "text_zh": "我有一只狗。", "memories_en": gold},
        {"id": "b", "text_en": "Thanks, bye!", "text_zh": "谢谢，再见！", "memories_en": gold},
        {"id": "c", "text_en": "Hello!", "text_zh": "你好！", "memories_en": []},
    ]
    (tmp_path / "mempalace_extraction" / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in snippets))

    assert skip_figures(tmp_path) == {
        "skip.lost.zh": 0.5,
        "skip.lost.en": 0.5,
        "skip.snippets.zh": 2,
        "skip.snippets.en": 2,
    }
    assert skip_figures(tmp_path / "nowhere") == {}
