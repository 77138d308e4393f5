"""A few memories and questions of the bench through real stores: what is measured is what the product finds."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from state.settings import Settings
from tests.bench.recall import beliefs, made_up, precisionmem, run, scale
from tests.bench.recall.cache import CachedEmbeddings
from tests.bench.recall.place import Place
from tests.bench.recall.precisionmem import Case, Fixtures, Step
from tests.bench.recall.sets import Question, Said, Store
from tests.bench.recall.word_vectors import WordVectors

DAY_MS = 86_400_000
JUNE_MS = 1_780_315_200_000  # noon of 1 June 2026


def store(name: str, *questions: Question, **said: tuple[int, str]) -> Store:
    sessions = tuple((Said(each, JUNE_MS + day * DAY_MS, text),) for each, (day, text) in said.items())
    return Store("locomo", name, "UTC", sessions, questions)


def question(name: str, text: str, day: int, *evidence: str, after: int) -> Question:
    return Question(name, text, JUNE_MS + day * DAY_MS, "single-hop", evidence, after)


@pytest.fixture
def settings(database_url: str, redis_url: str, tmp_path: Path) -> Settings:
    return Settings.read(
        postgres_url=database_url, redis_url=redis_url, data_dir=tmp_path / "data", embedder="e5", chat_model="offline"
    )


@pytest.fixture
async def place(settings: Settings, tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(settings, CachedEmbeddings(tmp_path / "cache" / "vectors.sqlite"))
    yield made
    await made.services.close()
    made.embeddings.close()


async def test_questions_find_what_was_said_before_them(place: Place) -> None:
    ann = store(
        "ann",
        question("first", "What does Ann keep in the yard?", 1, "bees", after=1),
        question("second", "Who repairs the boiler?", 40, "boiler", after=3),
        bees=(0, "Ann: I keep four hives of bees in the yard."),
        boiler=(2, "Ann: The boiler is repaired by Mr Okafor."),
        concert=(39, "Ann: The concert last night was far too loud."),
    )
    asks = question("third", "Who repairs the boiler?", 40, "other", after=1)
    bob = store("bob", asks, other=(0, "Bob: Ms Lindqvist repairs our boiler."))
    counted: list[int] = []

    asked = await run.live(place, [ann, bob], ["balanced", "classic", "dense", "bm25", "blind"], done=counted.append)

    first, second, third = (each.answers for each in asked)
    # Nothing is found that was not said yet, and nothing of another user.
    assert {way: answer.ranking for way, answer in first.items()} == {
        "balanced": ("bees",), "classic": ("bees",), "dense": ("bees",), "bm25": ("bees",), "blind": ("bees",),
    }  # fmt: skip
    assert {answer.ranking for way, answer in third.items() if way != "bm25"} == {("other",)}
    assert second["balanced"].ranking[0] == second["dense"].ranking[0] == "boiler"
    assert set(second["dense"].ranking) == {"bees", "boiler", "concert"}
    # The known formula, applied blindly, brings what was said last.
    assert second["blind"].ranking[0] == "concert"
    assert sum(counted) == 4 + 3
    found = run.figures(asked, "balanced", ())
    assert (found["n"], found["hit@1"], found["recall@20"]) == (3, 1.0, 1.0)
    assert found["shown"] >= 1
    assert found["tokens"] > 5
    assert place.embeddings.made > 0


async def test_beliefs_are_superseded_taken_back_and_renamed(place: Place) -> None:
    def belief(name: str, content: str, day: int, **fields: Any) -> dict[str, Any]:
        plain = {"user_id": "test-user", "type": "preference", "aliases": [], "scope": ["home"], "pinned": False}
        ended = {"superseded_by": None, "resolved_at": None}
        made = {"_id": name, "content": content, "created_at": f"2026-0{day}-01T00:00:00Z"}
        return {**plain, **ended, **made, **fields}

    told = [
        belief("coal", "Heats the house with coal.", 1, superseded_by="pump"),
        belief("pump", "Heats the house with a heat pump.", 2, aliases=["heating"]),
        belief(
            "floor",
            "Was thinking about heating the floor.",
            3,
            type="open_question",
            resolved_at="2026-04-01T00:00:00Z",
        ),
        belief("roof", "Works on the roof.", 4, scope=["work"]),
    ]

    def case(name: str, query: str) -> Case:
        return Case(name, "Any", "test-user", ("home",), query, precisionmem.MOST, ("pump",))

    steps = [
        Step(case("before", "how is the house heated?"), (), belief("sauna", "Has a sauna.", 5), ("pump", ("geyser",))),
        Step(case("after", "and the geyser?"), ("roof",), None, None),
    ]
    fixtures = Fixtures({each["_id"]: each for each in told}, [case("one", "how is the house heated?")], [steps])

    single, before, after = await beliefs.run(place, fixtures, ["balanced", "dense"])

    # Of the chain the last stands, what was settled is gone, what belongs elsewhere was never told.
    assert single.answers["dense"].ranking == before.answers["dense"].ranking == ("pump",)
    assert single.scores["dense"] == precisionmem.Score(1.0, 1.0, True)
    assert set(after.answers["dense"].ranking) == {"pump", "sauna"}
    assert after.answers["balanced"].rows[0]["text"] == "heating, geyser: Heats the house with a heat pump."
    found = beliefs.figures([single, before, after], "dense")
    assert (found["precision"], found["n"], found["session.precision"], found["session.n"]) == (1.0, 1, 0.75, 2)


async def test_a_made_up_life_is_written_whole_and_what_asking_takes_is_told_by_parts(settings: Settings) -> None:
    place = Place(settings, WordVectors())
    try:
        await scale.fill(place, told := made_up.told(120))
        kept = await place.services.journal.list_memories(scale.USER, statuses=["active"], limit=200)
        assert {(memory.kind, memory.text, memory.slot) for memory in kept} == set(told)
        assert await place.services.long_term_memory.count(scale.USER) == 120
        days = (max(memory.mentioned_ms for memory in kept) - min(memory.mentioned_ms for memory in kept)) / DAY_MS
        assert 300 < days < scale.DAYS

        asked = made_up.questions(26, seed=1)
        taken = await scale.ask_each(place, asked, scale.watched(place))

        assert len(taken) == 26
        for each in taken:
            assert all(each[part] > 0 for part in scale.PARTS)
            assert sum(each[part] for part in scale.PARTS) <= each[scale.WHOLE] + 1e-6
    finally:
        await place.services.close()
