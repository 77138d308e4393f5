"""The bench of scale: a made-up life without repetition, vectors like e5's, figures that leave the others alone."""

import json
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from nodes.language.statements import asked_slot
from nodes.language.timex import named_time
from nodes.ranking.weighing import language
from state.records import Kind
from tests.bench.figures import read_part, write_part
from tests.bench.recall.made_up import OF_USER, questions, told
from tests.bench.recall.scale import exact_search, sheet
from tests.bench.recall.word_vectors import DIMENSION, WordVectors, vector_of
from tests.factories import NOW_MS, ZONE


def test_the_memories_are_all_different_always_the_same_of_every_kind_and_half_chinese() -> None:
    memories = told(2_000)

    assert memories == told(2_000)
    assert len({each.text for each in memories}) == 2_000
    assert {each.kind for each in memories} == set(get_args(Kind))
    assert 0.45 < np.mean([language(each.text) == "zh" for each in memories]) < 0.55
    assert [each.slot for each in memories if each.slot] == list(OF_USER)
    assert not any("{" in each.text for each in memories)


def test_half_of_the_questions_are_chinese_a_fifth_names_a_time_and_some_ask_for_a_slot() -> None:
    asked = questions(200, seed=3)

    assert asked == questions(200, seed=3) != questions(200, seed=2)
    assert 90 <= sum(language(text) == "zh" for text in asked) <= 110
    assert 35 <= sum(named_time(text, now_ms=NOW_MS, time_zone=ZONE) is not None for text in asked) <= 45
    of_user = {text: slot for slot, (_, text) in OF_USER.items()}
    assert sum(text in of_user for text in asked) == 8
    assert {text: asked_slot(text) for text in of_user} == of_user


def test_vectors_lie_where_those_of_e5_do() -> None:
    def cosine(one: str, other: str) -> float:
        return float(vector_of(one) @ vector_of(other))

    assert cosine("The kettle is green", "My uncle sails boats") == pytest.approx(0.74, abs=0.05)
    assert cosine("绿色的水壶", "舅舅会开帆船") == pytest.approx(0.82, abs=0.05)
    assert cosine("绿色的水壶", "My uncle sails boats") == pytest.approx(0.74, abs=0.05)
    assert cosine("Where is the green kettle?", "The kettle is green") > 0.85
    given = WordVectors()
    (passage,) = given.embed_documents(["绿色的水壶"])
    assert passage == given.embed_query("绿色的水壶")
    assert np.linalg.norm(passage) == pytest.approx(1.0, abs=1e-5)
    assert len(passage) == DIMENSION
    assert given.since()[0] > 0
    assert given.since() == (0.0, 0.0)


def test_exact_search_is_timed_for_each_question() -> None:
    taken = exact_search([f"memory {number}" for number in range(50)], ["one", "two", "three"])

    assert len(taken) == 3
    assert min(taken) > 0


def test_the_table_holds_the_parts_and_the_ratio() -> None:
    parts = {"index.ms": 8.0, "journal.ms": 7.0, "weighing.ms": 4.0, "rerank.ms": 2.0}
    figures = {"memories": 10_000.0, "ms": 21.0, "ms.p95": 40.0, **parts, "numpy.ms": 1.5, "ratio": 14.0}

    (row,) = sheet(figures).rows

    assert row == ["10000", "21.00", "40.00", "8.00", "7.00", "4.00", "2.00", "1.50", "14.0"]


def test_a_part_of_the_figures_is_replaced_and_the_rest_stays(tmp_path: Path) -> None:
    file = tmp_path / "recall.json"
    write_part(file, "scale", {"ms": 50.0, "old": 1.0})
    assert read_part(file, "scale") == {"scale.ms": 50.0, "scale.old": 1.0}
    file.write_text(json.dumps({"locomo.balanced.hit@5": 0.7, "scaled": 1, **json.loads(file.read_text())}))

    write_part(file, "scale", {"ms": 20.0})

    assert json.loads(file.read_text()) == {"locomo.balanced.hit@5": 0.7, "scaled": 1, "scale.ms": 20.0}
    assert read_part(tmp_path / "nothing.json", "scale") == {}
