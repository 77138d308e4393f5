"""The variants of the recall bench: each changes what the ranking does while it is in force, and nothing after."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.runtime import Runtime

from nodes import recall, rerank
from nodes.ranking import decay, floor, profiles, relevance, versions, weighing
from state.context import Context
from state.errors import StoreUnavailable
from state.records import Memory, Nearby
from state.schema import RankedRow
from state.stores.index.lexical import LexicalEmbeddings, TextInContext
from tests.bench.recall.asking import ask_all, asked_by
from tests.bench.recall.report import variants_sheet
from tests.bench.recall.variants import VARIANTS, Setting, Variant

DAY_MS = 86_400_000
NOW_MS = 1_780_315_200_000


def memory(name: str, text: str, *, days: int = 0) -> Memory:
    return Memory(
        memory_id=name,
        user_id="ann",
        kind="fact",
        text=text,
        status="active",
        mentioned_ms=NOW_MS - days * DAY_MS,
        session_id="s",
        time_zone="UTC",
        evidence=(),
        weight=1.0,
    )


def weights(meaning: float, words: float, **others: float) -> float:
    parts = {"meaning": meaning, "words": words, "subject": 0.0, "asks": 0.0, "slot": 0.0}
    return relevance.relevance({**parts, **others})


def in_window() -> float:
    hit: Any = {"relevance": 1.0, "in_window": True}
    return profiles.balanced(hit, memory("m", "Ann keeps bees"), NOW_MS, 1.0)["window"]


def against(*closeness: float, share: float = 0.0) -> list[bool]:
    """Say of each candidate whether something speaks against it; the first holds a share of the words."""
    shares = [share, *[0.0] * (len(closeness) - 1)]
    return [each.against is not None for each in floor.bearings(closeness, shares)]


def row(name: str, text: str, score: float, mentioned_ms: int) -> RankedRow:
    made: Any = {"memory_id": name, "text": text, "score": score, "mentioned_ms": mentioned_ms}
    return made | {"status": "active", "valid_to_ms": None, "number": 1, "parts": {"importance": 1.0}}


def order(score: float) -> list[str]:
    rows = [row("old", "the plan is to paint it green", 1.0, 1), row("new", "the plan is to paint it blue", score, 2)]
    return [each["memory_id"] for each in versions.newer_first(rows)]


def near_copy(text: str) -> bool:
    kept = [row("a", "the boiler is repaired by Mr Okafor on Monday", 1.0, 1)]
    return rerank._why_not(row("b", text, 0.9, 1), kept, Context(user_id="ann")) is not None


def depth() -> int:
    """Return how deep the node asks the index."""
    depths = []

    async def search(*_: object, depth: int, **__: object) -> None:
        depths.append(depth)
        raise StoreUnavailable("qdrant", "away")

    state: Any = {"turn": asked_by("ann", "Who repairs the boiler?", NOW_MS, "UTC").row(), "degraded": []}
    index: Any = SimpleNamespace(search=search)
    runtime = Runtime(context=Context(user_id="ann"))
    asyncio.run(recall.recall(state, runtime, journal=index, long_term_memory=index))
    return depths[0]


def nearby_weight(distance: int) -> float:
    """Return what a word counts that was said so many turns away, beside one of the memory's own."""
    text = TextInContext("bees", [Nearby(distance=distance, text="hives")])
    own, other = (LexicalEmbeddings().embed_query(word).indices[0] for word in ("bees", "hives"))
    (vector,) = LexicalEmbeddings().embed_documents([text])
    values = dict(zip(vector.indices, vector.values, strict=True))
    return values.get(other, 0.0) / values[own]


PROBES: dict[str, tuple[Callable[[], Any], Any, Any]] = {
    "words alone": (lambda: weights(1.0, 0.5), 0.75, 0.5),
    "more words": (lambda: weights(1.0, 0.5), 0.75, 0.65),
    "more meaning": (lambda: weights(1.0, 0.5), 0.75, 0.85),
    "meaning alone": (lambda: weights(1.0, 0.5), 0.75, 1.0),
    "no subject": (lambda: weights(1.0, 0.0, subject=1.0), 0.65, 0.5),
    "questions as good": (lambda: weights(1.0, 0.0, asks=1.0), 0.35, 0.5),
    "no slot": (lambda: weights(1.0, 0.0, slot=1.0), 1.0, 0.5),
    "no window boost": (in_window, 1.5, 1.0),
    "double window boost": (in_window, 1.5, 2.0),
    "no decay": (lambda: decay.decay("fact", 30), 0.95, 1.0),
    "facts fade more": (lambda: decay.decay("fact", 30), 0.95, 0.9),
    "everything fades": (lambda: decay.decay("preference", 30), 1.0, 0.85),
    "no floor": (lambda: against(7.0, 1.0, 1.0), [False, True, True], [False, False, False]),
    "less evidence": (lambda: against(2.0), [True], [False]),
    "more evidence": (lambda: against(3.0), [False], [True]),
    "nearer the best": (lambda: against(6.0, 2.6), [False, False], [False, True]),
    "farther behind": (lambda: against(7.0, 2.6), [False, True], [False, False]),
    "not apart": (lambda: against(*[3.0] * 9), [True] * 9, [False] * 9),
    "no words as evidence": (lambda: against(2.0, share=1.0), [False], [True]),
    "near-copies kept": (lambda: near_copy("the boiler is repaired by Mr Okafor on Monday"), True, False),
    "looser near-copies": (lambda: near_copy("the boiler is repaired by Mr Okafor on Friday"), False, True),
    "no newer first": (lambda: order(0.95), ["new", "old"], ["old", "new"]),
    "looser newer first": (lambda: order(0.85), ["old", "new"], ["new", "old"]),
    "smaller pool": (depth, 50, 20),
    "larger pool": (depth, 50, 200),
    "own words alone": (lambda: nearby_weight(1), pytest.approx(0.5 * 2.2 / 1.7), 0.0),
    "fewer words nearby": (lambda: nearby_weight(2), pytest.approx(0.3 * 2.2 / 1.5), pytest.approx(0.2 * 2.2 / 1.4)),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_changes_what_is_done_while_it_is_in_force(name: str) -> None:
    probe, default, otherwise = PROBES[name]

    before = probe()
    with VARIANTS[name].in_force():
        within = probe()

    assert (before, within, probe()) == (_near(default), _near(otherwise), _near(default))


def _near(value: Any) -> Any:
    return pytest.approx(value) if isinstance(value, float) else value


async def test_a_question_is_asked_with_each_variant_in_force() -> None:
    seen = []

    async def find(state: Any, runtime: Runtime[Context]) -> dict[str, Any]:
        seen.append((runtime.context.profile, relevance.MEANING, relevance.WORDS))
        return {"named_time": None, "suppressed": []}

    async def keep(state: Any, runtime: Runtime[Context]) -> dict[str, Any]:
        return {"recalled": [row("a", "Ann keeps bees", 1.0, 1)]}

    embeddings = SimpleNamespace(since=lambda: (0.0, 0.0))
    place: Any = SimpleNamespace(
        clock=SimpleNamespace(set=lambda _: None), embeddings=embeddings, recall=find, rerank=keep
    )

    turn = asked_by("ann", "What does Ann keep?", NOW_MS, "UTC")
    found = await ask_all(place, turn, ["balanced", "words alone", "more meaning"], {}, {"a": "bees"})

    assert seen == [("balanced", 0.5, 0.5), ("balanced", 0.0, 1.0), ("balanced", 0.7, 0.3)]
    assert {name: answer.ranking for name, answer in found.items()} == {
        "balanced": ("bees",), "words alone": ("bees",), "more meaning": ("bees",),
    }  # fmt: skip


def test_a_constant_is_set_wherever_it_was_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "LEAST", floor.LEAST, raising=False)
    monkeypatch.setattr(rerank, "LEAST", 0.75, raising=False)  # of the same name, but another

    with VARIANTS["less evidence"].in_force():
        assert (floor.LEAST, vars(weighing)["LEAST"], vars(rerank)["LEAST"]) == (1.5, 1.5, 0.75)


def test_a_constant_that_is_gone_is_an_error() -> None:
    gone = Variant("gone", (Setting(floor, "MOST", 1.0),))

    with pytest.raises(AttributeError, match="MOST"), gone.in_force():
        pass


def test_a_variant_tells_what_it_sets_otherwise() -> None:
    assert VARIANTS["more words"].change() == "relevance.MEANING 0.5 → 0.3, relevance.WORDS 0.5 → 0.7"
    assert VARIANTS["facts fade more"].change() == "decay.SHARE fact: 0.1 → 0.2"
    assert VARIANTS["own words alone"].change() == "lexical.NEARBY_WEIGHTS 1: 0.5 → 0.0, 2: 0.3 → 0.0"


def test_the_table_has_the_difference_to_the_defaults() -> None:
    found = {
        "balanced": {"locomo": {"n": 7.0, "hit@5": 0.75, "recall@20": 0.8}},
        "no floor": {"locomo": {"n": 7.0, "hit@5": 0.5, "recall@20": 0.79996}},
    }

    sheet = variants_sheet(found, "balanced", {"no floor": "floor.LEAST 2.5 → -inf"})

    assert sheet.heads == ["variant", "set otherwise", "locomo hit@5", "locomo recall@20"]
    assert sheet.rows == [
        ["the defaults", "", "0.750", "0.800"],
        ["no floor", "floor.LEAST 2.5 → -inf", "0.500 (-0.250)", "0.800 (+0.000)"],
    ]
    assert "locomo 7" in sheet.title
