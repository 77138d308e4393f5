"""The recall bench: its measures have the right values, it reads its sets as they were lived."""

import json
from collections.abc import Sequence
from math import log2
from pathlib import Path
from typing import Any

import pytest

from tests.bench.recall import exchange, precisionmem, sets
from tests.bench.recall.answers import Answer
from tests.bench.recall.cache import CachedEmbeddings
from tests.bench.recall.misses import of_set
from tests.bench.recall.peers import stores as exchanged
from tests.bench.recall.precisionmem import Case, Score, built, pinned, score, session_score
from tests.bench.recall.report import beliefs_sheet, category_sheet, set_sheet
from tests.bench.recall.run import Asked, figures
from tests.bench.recall.scoring import MEASURES, Measured, means, measures, timing
from tests.bench.recall.writing import screened_out


def test_the_measures_of_a_ranking() -> None:
    found = measures(["x", "a", "y", "b", "z", "w", "c"], 7, ["a", "b", "c", "d"])

    gained, ideal = 1 / log2(3) + 1 / log2(5), sum(1 / log2(1 + rank) for rank in (1, 2, 3, 4))
    assert found == {
        "hit@1": 0.0,
        "hit@5": 1.0,
        "recall@5": 0.5,
        "recall_all@5": 0.0,
        "recall@20": 0.75,
        "ndcg@5": pytest.approx(gained / ideal),
        "mrr@20": 0.5,
    }


def test_a_perfect_ranking_has_every_measure_1() -> None:
    assert set(measures(["a", "b", "x"], 3, ["b", "a"]).values()) == {1.0}


def test_what_is_not_shown_is_no_hit_among_the_first_five() -> None:
    found = measures(["x", "a"], 1, ["a"])

    assert (found["hit@5"], found["recall@5"], found["recall@20"], found["mrr@20"]) == (0.0, 0.0, 1.0, 0.5)


def test_more_evidence_than_places_has_an_ideal_of_five() -> None:
    assert measures(list("abcde"), 5, list("abcdefg"))["ndcg@5"] == pytest.approx(1.0)


def test_a_category_apart_counts_for_itself_alone() -> None:
    hit, missed = dict.fromkeys(MEASURES, 1.0), dict.fromkeys(MEASURES, 0.0)
    rows = [
        Measured("1", "single hop", hit),
        Measured("2", "single hop", missed),
        Measured("3", "Trick", missed),
    ]

    found = means(rows, apart=["Trick"])

    assert (found["n"], found["hit@5"], found["single-hop.hit@5"], found["trick.hit@5"]) == (2, 0.5, 0.5, 0.0)
    assert means(rows)["hit@5"] == pytest.approx(1 / 3)


def test_the_cost_is_that_of_answers_that_nodes_gave() -> None:
    answers = [Answer(("a",), 1, tokens=10 * number, ms=number, embedding_ms=100.0) for number in (1, 2, 9)]

    assert timing([*answers, Answer(("a", "b"), 2)]) == {
        "shown": 1.0,
        "tokens": 40.0,
        "ms": 2,
        "ms.p95": 9,
        "ms_embedded": 102.0,
        "ms_embedded.p95": 109.0,
    }
    assert timing([Answer(("a",), 1)]) == {}


def belief(name: str, *, scope: Sequence[str] = ("home",), **fields: Any) -> dict[str, Any]:
    plain = {"user_id": "ann", "type": "entity", "aliases": [], "content": name, "pinned": False}
    ended = {"superseded_by": None, "resolved_at": None, "created_at": "2026-01-01T00:00:00Z"}
    return {"_id": name, "scope": list(scope), **plain, **ended, **fields}


BELIEFS = {
    each["_id"]: each
    for each in (
        belief("garden"),
        belief("kettle"),
        belief("tax", scope=["work"]),
        belief("motto", pinned=True),
        belief("question", type="open_question", pinned=True),
        belief("pump feeds garden", type="relation", participants=["garden", "tax", "question", "motto"]),
    )
}


def case(*only: str, most: int = 20, query: str = "what about it?", never: tuple[str, ...] = ()) -> Case:
    return Case("a case", "Any", "ann", ("home",), query, most, only, never)


def test_a_relation_brings_whom_it_joins_within_the_scope() -> None:
    assert pinned(case(), BELIEFS) == ["motto"]
    assert built(case(), ["motto", "pump feeds garden", "kettle"], BELIEFS) == ["pump feeds garden", "kettle", "garden"]


def test_pinned_beliefs_take_their_places_first() -> None:
    assert built(case(most=2), ["kettle", "garden"], BELIEFS) == ["kettle"]
    assert built(case(most=0), ["kettle"], BELIEFS) == []
    assert built(case(query="  "), ["kettle"], BELIEFS) == []


def test_precision_counts_what_should_not_have_come() -> None:
    assert score(case("kettle"), ["kettle", "garden"], BELIEFS) == Score(0.5, 1.0, False)
    assert score(case("kettle", "garden"), ["kettle"], BELIEFS) == Score(1.0, 0.5, False)
    assert score(case("kettle"), ["kettle"], BELIEFS) == Score(1.0, 1.0, True)
    assert score(case("kettle"), [], BELIEFS) == Score(0.0, 0.0, False)
    assert score(case(), ["kettle"], BELIEFS) == Score(0.0, None, False)
    assert score(case(), [], BELIEFS) == Score(None, None, True)
    assert score(case("kettle", never=("motto",)), ["kettle"], BELIEFS) == Score(1.0, 1.0, False)


def test_in_a_session_a_pinned_belief_counts_as_found_and_noise_fails() -> None:
    assert session_score(case("motto"), (), [], BELIEFS) == Score(None, 1.0, False)
    assert session_score(case("kettle"), ("kettle",), ["kettle"], BELIEFS) == Score(1.0, 1.0, False)
    assert session_score(case("kettle"), ("garden",), ["kettle", "tax"], BELIEFS) == Score(0.5, 1.0, False)


def test_means_leave_out_what_has_nothing_to_count() -> None:
    scores = [Score(1.0, 1.0, True), Score(0.0, None, False), Score(None, None, True)]

    assert precisionmem.figures(scores) == {"precision": 0.5, "recall": 1.0, "passed": pytest.approx(2 / 3), "n": 3}


def test_fixtures_are_read_as_the_benchmark_reads_them(tmp_path: Path) -> None:
    expected = {"relevantBeliefs": {"shouldOnlyInclude": ["kettle"], "mustExclude": ["tax"]}}
    single = {"caseId": "one", "category": "Any", "scope": ["home"], "query": "tea?", "expect": expected}
    other = {**single, "caseId": "two", "userId": "bob", "budget": {"maxBeliefs": 3}, "expect": {}}
    turn = {
        "turnIndex": 4,
        "scope": ["home"],
        "userMessage": "and now?",
        "expect": {"noiseCheck": {"mustNotSurface": ["garden"]}},
        "updateBeliefAtTurn": {"beliefId": "kettle", "addAliases": ["pot"]},
        "createBeliefAtTurn": belief("lamp"),
    }
    lines(tmp_path / "beliefs_seed.jsonl", [belief("kettle")])
    lines(tmp_path / "retrieval_cases.jsonl", [single, other])
    lines(tmp_path / "session_retrieval_cases.jsonl", [{"caseId": "day", "turns": [turn]}])

    fixtures = precisionmem.load(tmp_path)

    assert fixtures is not None
    assert fixtures.cases == [
        Case("one", "Any", "test-user", ("home",), "tea?", 20, ("kettle",), ("tax",)),
        Case("two", "Any", "bob", ("home",), "tea?", 3, None),
    ]
    ((step,),) = fixtures.sessions
    assert (step.case.query, step.noise, step.renamed) == ("and now?", ("garden",), ("kettle", ("pot",)))
    assert step.created == belief("lamp")
    assert precisionmem.load(tmp_path / "elsewhere") is None


def lines(path: Path, rows: Sequence[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def question(qid: str, asked_at: str, **fields: Any) -> dict[str, Any]:
    plain = {"conv": "ann", "qid": qid, "question": f"what of {qid}?", "category_name": "dated", "evidence": ["m1"]}
    return {**plain, "asked_at": asked_at, **fields}


def test_a_set_is_cut_into_the_days_of_the_user(tmp_path: Path) -> None:
    said = [
        {"conv": "ann", "id": "m2", "time": "2026-03-02T00:30:00", "text": "第二天"},
        {"conv": "ann", "id": "m1", "time": "2026-03-01T23:30:00", "text": "第一天"},
        {"conv": "bob", "id": "m1", "time": "2026-03-01T12:00:00", "text": "没有人问"},
    ]
    lines(tmp_path / "memorybank_zh" / "memories.jsonl", said)
    lines(
        tmp_path / "memorybank_zh" / "queries.jsonl",
        [question("q1", "2026-03-05T08:00:00"), question("q2", "2026-03-05T08:00:00", evidence=[])],
    )

    stores = sets.load("memorybank", tmp_path, 0)

    assert stores is not None
    (store,) = stores
    assert [[each.text for each in session] for session in store.sessions] == [["第一天"], ["第二天"]]
    assert store.sessions[0][0].at_ms == 1_772_379_000_000  # 15:30 UTC: half past eleven at night in Shanghai
    assert [(each.id, each.after) for each in store.questions] == [("q1", 2)]
    assert sets.load("locomo", tmp_path, 0) is None


def test_a_question_comes_after_the_sessions_before_its_own(tmp_path: Path) -> None:
    said = [
        {"conv": "ann", "id": f"m{seq}", "seq": seq, "time": f"2026-03-0{seq}T09:00:00", "text": f"fact {seq}"}
        for seq in (1, 2, 4)
    ]
    asked = [question("late", "2026-03-04T20:00:00", seq=4), question("early", "2026-03-02T20:00:00", seq=2)]
    lines(tmp_path / "realmem_en" / "memories.jsonl", said)
    lines(tmp_path / "realmem_en" / "queries.jsonl", asked)

    stores = sets.load("realmem", tmp_path, 0)

    assert stores is not None
    assert [(each.id, each.after) for each in stores[0].questions] == [("early", 1), ("late", 2)]
    file = exchange.export(tmp_path / "out", stores)
    (told,) = exchanged.read(file)
    assert [(each.qid, each.after, each.asked_at) for each in told.queries] == [
        ("early", 1, "2026-03-02T20:00:00"),
        ("late", 2, "2026-03-04T20:00:00"),
    ]
    assert [memory.time for memory in told.memories] == [row["time"] for row in said]


STORE = sets.Store(
    "locomo",
    "ann",
    "UTC",
    ((sets.Said("m1", 0, "I keep bees"), sets.Said("m2", 1, "Please always answer in French")),),
    tuple(
        sets.Question(name, f"what of {name}?", 2, category, ("m1",), 1)
        for name, category in (("q1", "temporal"), ("q2", "temporal"), ("q3", "adversarial"))
    ),
)


def asked(*answers: dict[str, Answer]) -> list[Asked]:
    return [Asked(STORE, each, answer) for each, answer in zip(STORE.questions, answers, strict=True)]


def test_a_peer_is_measured_on_what_it_was_asked(tmp_path: Path) -> None:
    told = {
        "version": "1",
        "rankings": {"locomo": {"q1": ["m2", "m1"]}},
        "ms": {"locomo": {"search": 3.5, "add": None}},
    }
    (tmp_path / "other.json").write_text(json.dumps(told), encoding="utf-8")
    ours = {"balanced": Answer(("m1",), 1)}

    (peer,) = exchange.peers(tmp_path, "locomo")
    found = figures(exchange.joined(asked(ours, ours, ours), peer), "other", ())

    assert (found["n"], found["hit@1"], found["hit@5"]) == (1, 0.0, 1.0)
    assert peer.times == {"ms": 3.5}
    assert list(exchange.peers(tmp_path, "memorybank")) == []


def test_the_tables_have_a_row_for_each_way() -> None:
    right, plain, wrong = Answer(("m1",), 1, tokens=7, ms=4.0), Answer(("m1", "m2"), 2), Answer(("m2",), 1)
    rows = asked(*[{"balanced": right, "dense": other} for other in (plain, wrong, wrong)])
    found = {way: figures(rows, way, ["adversarial"]) for way in ("balanced", "dense")}

    sheet = set_sheet("locomo", found, ("adversarial",))

    assert sheet.title == "locomo, without adversarial"
    assert [len(row) for row in sheet.rows] == [len(sheet.heads)] * 2
    assert sheet.rows[0][:4] == ["balanced", "2", "1.000", "1.000"]
    assert (sheet.rows[0][sheet.heads.index("hit@5 / dense's")], sheet.rows[1][-1]) == ("2.00", "")
    assert category_sheet("locomo", found).rows == [
        ["adversarial", "1", "1.000 / 1.000", "0.000 / 0.000"],
        ["temporal", "2", "1.000 / 1.000", "0.500 / 0.500"],
    ]
    single = precisionmem.figures([Score(0.5, 1.0, False)])
    told = {**single, **{f"session.{name}": value for name, value in single.items()}}
    assert beliefs_sheet({"dense": told}).rows[0][:4] == ["dense", "0.500", "1.000", "0.000"]


def test_misses_say_where_the_evidence_came_and_what_came_instead() -> None:
    row = {"score": 0.5, "mentioned_ms": 0, "kind": "fact", "text": "x", "parts": {"cosine": 0.81234}, "reason": None}
    hit, missed = Answer(("m1",), 1, rows=(row,)), Answer(("m2", "m1"), 1, rows=(row, row))

    (line,) = of_set(asked({"balanced": hit}, {"balanced": missed}, {"balanced": hit}), "balanced")

    told = json.loads(line)
    assert (told["id"], told["evidence"][0]["rank"], told["evidence"][0]["text"]) == ("q2", 2, "I keep bees")
    assert [(each["id"], each["shown"]) for each in told["instead"]] == [("m2", True), ("m1", False)]
    assert told["instead"][0]["parts"] == {"cosine": 0.8123}


def test_the_screen_would_keep_out_what_instructs() -> None:
    assert screened_out([STORE]) == 0.5


def test_what_was_embedded_once_is_read_from_the_file(tmp_path: Path) -> None:
    first = CachedEmbeddings(tmp_path / "cache" / "vectors.sqlite")
    made = first.embed_query("where do the bees live?"), first.embed_documents(["I keep bees", "I keep bees"])
    assert (first.found, first.made) == (1, 2)
    first.close()

    again = CachedEmbeddings(tmp_path / "cache" / "vectors.sqlite")
    assert (again.embed_query("where do the bees live?"), again.embed_documents(["I keep bees"] * 2)) == made
    assert (again.found, again.made) == (3, 0)
    seconds, embedding_ms = again.since()
    assert seconds > 0
    assert embedding_ms > 0
    assert again.since() == (0.0, 0.0)
    # A question and a memory of the same words have different vectors.
    assert again.embed_documents(["where do the bees live?"])[0] != made[0]
    again.close()
