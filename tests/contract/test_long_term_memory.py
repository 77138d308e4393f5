"""What the port LongTermMemory promises, on the fake, on Qdrant Edge, on qdrant-client's local mode and on a server."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient

from state.errors import TenantMissing
from state.ports import LongTermMemory
from state.records import Evidence, Hit, Memory, Nearby, Status, TimeWindow
from state.stores.long_term_memory import QdrantLongTermMemory, edge_client, server_client
from tests.fakes.embeddings import HashedEmbeddings
from tests.fakes.long_term_memory import FakeLongTermMemory

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant:UserWarning")

# Read before the settings are hidden from the tests.
SERVER_URL = os.environ.get("LOCI_QDRANT_URL")
SERVER_KEY = os.environ.get("LOCI_QDRANT_API_KEY")
NO_SERVER = "LOCI_QDRANT_URL is not set: no Qdrant server to test against"

DAY = 86_400_000
NOW = 1_780_000_000_000
ACTIVE: list[Status] = ["active"]


def memory(text: str, *, user: str = "ann", key: str | None = None, **fields: Any) -> Memory:
    given: dict[str, Any] = {
        "memory_id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{user}/{key or text}")),
        "user_id": user,
        "session_id": "s1",
        "kind": "fact",
        "text": text,
        "status": "active",
        "evidence": (Evidence(turn_id="t1", span=text),),
        "mentioned_ms": NOW,
        "time_zone": "Asia/Shanghai",
    }
    return Memory(**given | fields)


@pytest.fixture(params=["fake", "edge", "local", "server"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[LongTermMemory]:
    if request.param == "fake":
        yield FakeLongTermMemory()
        return
    name = "hashed-words"
    if request.param == "server":
        if SERVER_URL is None:
            pytest.skip(NO_SERVER)
        name = f"test-{uuid.uuid4().hex}"

    async def client() -> Any:
        if request.param == "edge":
            return edge_client(tmp_path / "qdrant")
        if request.param == "local":
            return QdrantClient(":memory:")
        return server_client(str(SERVER_URL), SERVER_KEY)

    opened = QdrantLongTermMemory(client=client, embeddings=HashedEmbeddings(name))
    yield opened
    if request.param == "server":
        (await client()).delete_collection(f"loci-{name}")
    await opened.close()


def ids(hits: list[Hit]) -> set[str]:
    return {hit.memory_id for hit in hits}


async def test_what_was_indexed_is_found_with_its_cosine(store: LongTermMemory) -> None:
    tea, hike = memory("I drink green tea"), memory("we hike in the Alps")
    await store.index("ann", [tea, hike])
    hits = await store.search("ann", "green tea", statuses=ACTIVE, depth=5)
    best = next(hit for hit in hits if hit.similarity_rank == 1)
    assert best.memory_id == tea.memory_id
    assert best.similarity == pytest.approx(2 / (4**0.5 * 2**0.5), abs=1e-5)
    assert best.lexical_rank == 1
    assert best.lexical is not None and best.lexical > 0


async def test_an_exact_repetition_has_cosine_one(store: LongTermMemory) -> None:
    await store.index("ann", [memory("I drink green tea")])
    (hit,) = await store.search("ann", "I drink green tea", statuses=ACTIVE, depth=1)
    assert hit.similarity == pytest.approx(1.0, abs=1e-5)


async def test_indexing_again_replaces(store: LongTermMemory) -> None:
    old = memory("I live in Lyon", key="home")
    await store.index("ann", [old])
    await store.index("ann", [old.model_copy(update={"text": "I live in Ghent", "status": "superseded"})])
    assert await store.count("ann") == 1
    assert await store.search("ann", "Lyon", statuses=ACTIVE, depth=5) == []
    (hit,) = await store.search("ann", "I live in Ghent", statuses=["superseded"], depth=5)
    assert hit.similarity == pytest.approx(1.0, abs=1e-5)


async def test_only_the_statuses_asked_for_are_found(store: LongTermMemory) -> None:
    now, before = memory("home is Ghent"), memory("home is Lyon", status="superseded")
    await store.index("ann", [now, before])
    assert ids(await store.search("ann", "home", statuses=ACTIVE, depth=5)) == {now.memory_id}
    both = await store.search("ann", "home", statuses=["active", "superseded"], depth=5)
    assert ids(both) == {now.memory_id, before.memory_id}


async def test_no_status_never_means_all(store: LongTermMemory) -> None:
    await store.index("ann", [memory("home is Ghent")])
    with pytest.raises(ValueError, match="statuses"):
        await store.search("ann", "home", statuses=[], depth=5)
    with pytest.raises(ValueError, match="statuses"):
        await store.search("ann", "home", statuses="active", depth=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [0, -1])
async def test_a_depth_under_one_is_an_error(store: LongTermMemory, depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        await store.search("ann", "home", statuses=ACTIVE, depth=depth)


@pytest.mark.parametrize("nobody", ["", "  "])
async def test_every_method_needs_a_user(store: LongTermMemory, nobody: str) -> None:
    kept = memory("home is Ghent")
    await store.index("ann", [kept])
    with pytest.raises(TenantMissing):
        await store.search(nobody, "home", statuses=ACTIVE, depth=5)
    with pytest.raises(TenantMissing):
        await store.count(nobody)
    with pytest.raises(TenantMissing):
        await store.remove(nobody, [kept.memory_id])
    with pytest.raises(TenantMissing):
        await store.index(nobody, [kept])
    assert await store.count("ann") == 1


async def test_no_tenant_finds_anothers_memories(store: LongTermMemory) -> None:
    await store.index("ann", [memory("the safe opens with 4711", user="ann")])
    for stranger in ("bob", "an", "ann ", "ANN", "*", "ann' OR '1'='1"):
        assert await store.search(stranger, "the safe opens with 4711", statuses=ACTIVE, depth=50) == []
        assert await store.count(stranger) == 0


async def test_a_window_opens_no_door_to_another_tenant(store: LongTermMemory) -> None:
    await store.index("ann", [memory("dinner", user="ann")])
    own = memory("dinner", user="bob")
    await store.index("bob", [own])
    window = TimeWindow(text="today", start_ms=NOW - DAY, end_ms=NOW + DAY)
    assert ids(await store.search("bob", "dinner", statuses=ACTIVE, depth=50, window=window)) == {own.memory_id}


async def test_no_tenant_removes_anothers_memories(store: LongTermMemory) -> None:
    hers, his = memory("tea", user="ann"), memory("coffee", user="bob")
    await store.index("ann", [hers])
    await store.index("bob", [his])
    await store.remove("bob", [hers.memory_id, his.memory_id])
    assert (await store.count("ann"), await store.count("bob")) == (1, 0)


async def test_no_tenant_writes_anothers_memories(store: LongTermMemory) -> None:
    hers = memory("tea", user="ann")
    await store.index("ann", [hers])
    with pytest.raises(ValueError, match="another user"):
        await store.index("bob", [memory("coffee", user="bob"), hers])
    with pytest.raises(ValueError, match="another user"):
        await store.index("bob", [hers.model_copy(update={"user_id": "bob", "text": "stolen"})])
    assert (await store.count("ann"), await store.count("bob")) == (1, 0)
    (hit,) = await store.search("ann", "tea", statuses=ACTIVE, depth=5)
    assert hit.similarity == pytest.approx(1.0, abs=1e-5)


async def test_what_others_say_does_not_change_a_score(store: LongTermMemory) -> None:
    await store.index("ann", [memory("tea with lemon"), memory("tea with milk")])
    before = await store.search("ann", "lemon tea", statuses=ACTIVE, depth=5)
    await store.index("bob", [memory(f"lemon cake number {n}", user="bob") for n in range(20)])
    after = await store.search("ann", "lemon tea", statuses=ACTIVE, depth=5)
    assert {hit.memory_id: hit.lexical for hit in after} == pytest.approx(
        {hit.memory_id: hit.lexical for hit in before}
    )


async def test_removing_what_is_not_there_is_no_error(store: LongTermMemory) -> None:
    kept, gone = memory("tea"), memory("coffee")
    await store.index("ann", [kept, gone])
    await store.remove("ann", [])
    await store.remove("ann", [str(uuid.uuid4()), "no-uuid", ""])
    assert await store.count("ann") == 2
    await store.remove("ann", [gone.memory_id])
    await store.remove("ann", [gone.memory_id])
    assert ids(await store.search("ann", "coffee tea", statuses=ACTIVE, depth=5)) == {kept.memory_id}


async def test_indexing_nothing_is_no_error(store: LongTermMemory) -> None:
    await store.index("ann", [])
    assert await store.count("ann") == 0
    assert await store.search("ann", "anything", statuses=ACTIVE, depth=5) == []


async def test_the_union_of_both_lists_has_ranks_from_one(store: LongTermMemory) -> None:
    await store.index("ann", [memory(f"note {n} about topic{n % 7}") for n in range(40)])
    hits = await store.search("ann", "note about topic3", statuses=ACTIVE, depth=4)
    by_meaning = sorted(hit.similarity_rank for hit in hits if hit.similarity_rank is not None)
    by_words = sorted(hit.lexical_rank for hit in hits if hit.lexical_rank is not None)
    assert (by_meaning, by_words) == ([1, 2, 3, 4], [1, 2, 3, 4])
    assert len(ids(hits)) == len(hits)
    ranked = sorted((hit for hit in hits if hit.similarity_rank), key=lambda hit: hit.similarity_rank or 0)
    assert [hit.similarity for hit in ranked] == sorted((hit.similarity or 0 for hit in ranked), reverse=True)


async def test_a_hit_by_words_alone_has_a_cosine_too(store: LongTermMemory) -> None:
    short, long = memory("lemon kettle"), memory("lemon kettle wasabi " + " ".join(f"word{n}" for n in range(40)))
    await store.index("ann", [short, long])
    hits = await store.search("ann", "lemon kettle wasabi", statuses=ACTIVE, depth=1)
    found = {hit.memory_id: hit for hit in hits}
    assert (found[short.memory_id].similarity_rank, found[short.memory_id].lexical_rank) == (1, None)
    assert (found[long.memory_id].similarity_rank, found[long.memory_id].lexical_rank) == (None, 1)
    embed = HashedEmbeddings().embed_query
    cosine = sum(a * b for a, b in zip(embed("lemon kettle wasabi"), embed(long.text), strict=True))
    assert found[long.memory_id].similarity == pytest.approx(cosine, abs=1e-5)


def said(distance: int, text: str) -> Nearby:
    return Nearby(distance=distance, text=text)


def words_of(hits: list[Hit]) -> list[str]:
    """Return the ids of the hits that words brought, best first."""
    return [hit.memory_id for hit in sorted(hits, key=lambda hit: hit.lexical_rank or 0) if hit.lexical_rank]


async def test_a_memory_is_found_by_what_was_said_around_it(store: LongTermMemory) -> None:
    gift, rent = memory("she loved the scarf"), memory("rent is due on Monday")
    around = {gift.memory_id: [said(1, "what did you give Priya for her birthday?"), said(2, "她三十岁了")]}
    await store.index("ann", [gift, rent], nearby=around)
    for question in ("birthday", "Priya", "三十岁"):
        hits = await store.search("ann", question, statuses=ACTIVE, depth=5)
        assert words_of(hits) == [gift.memory_id]
        similarity = next(hit.similarity for hit in hits if hit.memory_id == gift.memory_id)
        assert similarity == pytest.approx(0.0, abs=1e-5), "its meaning is its own text's"


async def test_words_count_less_the_farther_away_they_were_said(store: LongTermMemory) -> None:
    own, beside, farther = memory("the harbour"), memory("a grey gull"), memory("an old rope")
    around = {beside.memory_id: [said(1, "harbour")], farther.memory_id: [said(2, "harbour")]}
    await store.index("ann", [farther, beside, own], nearby=around)
    hits = await store.search("ann", "harbour", statuses=ACTIVE, depth=5)
    assert words_of(hits) == [own.memory_id, beside.memory_id, farther.memory_id]


async def test_indexing_again_replaces_what_is_nearby(store: LongTermMemory) -> None:
    gift = memory("she loved the scarf")
    await store.index("ann", [gift], nearby={gift.memory_id: [said(1, "birthday")], "another": [said(1, "x")]})
    await store.index("ann", [gift], nearby={gift.memory_id: [said(1, "anniversary")]})
    assert words_of(await store.search("ann", "birthday", statuses=ACTIVE, depth=5)) == []
    assert words_of(await store.search("ann", "anniversary", statuses=ACTIVE, depth=5)) == [gift.memory_id]
    await store.index("ann", [gift])
    assert words_of(await store.search("ann", "anniversary", statuses=ACTIVE, depth=5)) == []


async def test_the_calibration_tells_of_each_pair_of_languages(store: LongTermMemory) -> None:
    calibration = await store.calibration()
    assert calibration.embedder.startswith(("hashed-words", "test-"))
    measured = [(pair.question, pair.memory) for pair in calibration.unrelated]
    assert sorted(measured) == [("en", "en"), ("en", "zh"), ("zh", "en"), ("zh", "zh")]
    for pair in calibration.unrelated:
        assert 0 <= pair.mean < 1
        assert calibration.closeness(pair.mean + 2 * pair.spread, pair.question, pair.memory) == pytest.approx(2.0)


async def test_what_is_measured_again_is_the_calibration(store: LongTermMemory) -> None:
    before = await store.calibration()
    assert await store.calibrate() == await store.calibration() == before


WINDOW = TimeWindow(text="that day", start_ms=NOW, end_ms=NOW + DAY)


@pytest.mark.parametrize(
    ("inside", "times"),
    [
        (True, {"mentioned_ms": NOW}),
        (True, {"mentioned_ms": NOW + DAY - 1}),
        (False, {"mentioned_ms": NOW + DAY}),
        (False, {"mentioned_ms": NOW - 1}),
        (True, {"mentioned_ms": 0, "event_start_ms": NOW}),
        (True, {"mentioned_ms": 0, "event_start_ms": NOW + DAY - 1, "event_end_ms": NOW + 3 * DAY}),
        (False, {"mentioned_ms": 0, "event_start_ms": NOW + DAY, "event_end_ms": NOW + 2 * DAY}),
        (True, {"mentioned_ms": 0, "event_start_ms": NOW - DAY, "event_end_ms": NOW + 2 * DAY}),
        (False, {"mentioned_ms": 0, "event_start_ms": NOW - DAY, "event_end_ms": NOW}),
        (True, {"mentioned_ms": 0, "event_start_ms": NOW - DAY, "event_end_ms": NOW + 1}),
        (True, {"mentioned_ms": 0, "event_start_ms": NOW - 1}),
        (False, {"mentioned_ms": 0, "event_start_ms": NOW + DAY}),
        (True, {"mentioned_ms": 0, "event_end_ms": NOW + DAY}),
        (True, {"mentioned_ms": 0, "event_end_ms": NOW + 1}),
        (False, {"mentioned_ms": 0, "event_end_ms": NOW}),
        (False, {"mentioned_ms": 0, "event_end_ms": NOW + DAY + 1}),
    ],
)
async def test_said_or_happening_inside_the_window(store: LongTermMemory, inside: bool, times: dict[str, int]) -> None:
    nearer = [memory("dinner with a client", key=f"decoy{n}", mentioned_ms=1) for n in range(2)]
    asked = memory("something else entirely", **times)
    await store.index("ann", [*nearer, asked])
    # depth 2 is filled by the two near ones: only the window can bring in the third.
    hits = await store.search("ann", "dinner with a client", statuses=ACTIVE, depth=2, window=WINDOW)
    found = [hit for hit in hits if hit.memory_id == asked.memory_id]
    assert bool(found) is inside
    assert [hit.memory_id for hit in hits if hit.in_window] == ([asked.memory_id] if inside else [])
    for hit in found:
        assert (hit.similarity_rank, hit.lexical_rank, hit.lexical) == (None, None, None)
        assert hit.similarity is not None


async def test_a_window_boosts_and_never_filters(store: LongTermMemory) -> None:
    within, without = memory("dinner at noon", mentioned_ms=NOW), memory("dinner at nine", mentioned_ms=NOW - 9 * DAY)
    await store.index("ann", [within, without])
    hits = await store.search("ann", "dinner", statuses=ACTIVE, depth=5, window=WINDOW)
    assert {hit.memory_id: hit.in_window for hit in hits} == {within.memory_id: True, without.memory_id: False}
    plain = await store.search("ann", "dinner", statuses=ACTIVE, depth=5)
    assert [hit.in_window for hit in plain] == [False, False]


async def test_a_window_keeps_the_statuses(store: LongTermMemory) -> None:
    await store.index("ann", [memory("dinner", status="superseded")])
    assert await store.search("ann", "dinner", statuses=ACTIVE, depth=5, window=WINDOW) == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我对花生过敏", "花生"),
        ("我对花生过敏", "我能吃花生吗？"),
        ("家里养了一只猫", "猫"),
        ("端午节在外滩的餐厅请客户吃饭", "在哪家餐厅请的客户"),
        ("我用iPhone拍照", "iPhone"),
        ("我在ＡＢＣ公司上班", "ABC公司"),
        ("My dentist is Dr. Okafor", "who is my DENTIST?"),
    ],
)
async def test_words_are_found_in_both_languages(store: LongTermMemory, text: str, question: str) -> None:
    asked = memory(text)
    others = [memory(other) for other in ("今天上海下雨", "周末看电影", "the train left early", "rent is due")]
    await store.index("ann", [asked, *others])
    hits = await store.search("ann", question, statuses=ACTIVE, depth=5)
    assert [hit.memory_id for hit in hits if hit.lexical_rank == 1] == [asked.memory_id]


@pytest.mark.parametrize("question", ["", "？！", "🙂", "\x00", "\ud83d"])
async def test_a_question_without_words_is_answered_by_meaning(store: LongTermMemory, question: str) -> None:
    await store.index("ann", [memory("tea"), memory("🙂")])
    hits = await store.search("ann", question, statuses=ACTIVE, depth=5)
    assert len(hits) == 2
    assert {hit.lexical_rank for hit in hits} == {None}


# Not on qdrant-client's local mode, which is made for one thread.
@pytest.mark.parametrize("store", ["fake", "edge", "server"], indirect=True)
async def test_many_at_once(store: LongTermMemory) -> None:
    await asyncio.gather(
        *(store.index(f"user{n}", [memory(f"note {n}", user=f"user{n}")]) for n in range(8)),
    )
    found = await asyncio.gather(
        *(store.search(f"user{n}", "note", statuses=ACTIVE, depth=5) for n in range(8)),
    )
    assert [len(hits) for hits in found] == [1] * 8


async def test_a_store_that_answers_pings(store: LongTermMemory) -> None:
    await store.ping()
