"""An index of an older version, and the calibration that is kept with the index."""

import asyncio
import math
import os
import threading
from pathlib import Path

import pytest
from qdrant_client import models

from graph.models.embeddings import E5Embeddings
from state.errors import ModelAnswerUnusable, ModelUnavailable, StoreMismatch, StoreUnavailable
from state.stores import long_term_memory
from state.stores.index.calibration import SHIPPED, UNMEASURED, measure
from state.stores.long_term_memory import edge_client
from tests.contract.test_long_term_memory import memory
from tests.contract.test_qdrant_failures import ACTIVE, COLLECTION, Counted, store_in
from tests.fakes.embeddings import HashedEmbeddings


def other_words(folder: Path, name: str, dimension: int = 256) -> None:
    """Make the collection anew with word vectors of another name, and one point in it."""
    client = edge_client(folder)
    client.delete_collection(COLLECTION)
    client.create_collection(
        COLLECTION,
        vectors_config=models.VectorParams(size=dimension, distance=models.Distance.COSINE),
        sparse_vectors_config={name: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    client.upsert(COLLECTION, [models.PointStruct(id=1, vector={"": [1.0] * dimension}, payload={})])
    client.close()


async def test_an_index_of_an_older_version_is_made_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    other_words(tmp_path, "bm25-1")
    down = Counted(StoreUnavailable("postgres", "stopped"))
    store = store_in(tmp_path, on_created=down)
    with pytest.raises(StoreUnavailable, match="postgres"):
        await store.open()
    await store.close()
    left = edge_client(tmp_path)
    assert left.count(COLLECTION).count == 1, "nothing is dropped while the refill cannot be recorded"
    left.close()
    created = Counted()
    store = store_in(tmp_path, on_created=created)
    assert (await store.open(), created.calls) == (True, 1)
    assert "The index was made by an older version: it is made anew and filled from the journal." in caplog.text
    await store.index("ann", [memory("tea")])
    await store.close()
    assert (await store.open(), await store.count("ann"), created.calls) == (False, 1, 1)
    await store.close()
    assert sorted(os.listdir(tmp_path)) == [COLLECTION, f"{COLLECTION}.lock"], "no half of the old one is left"


@pytest.mark.parametrize(("name", "dimension"), [("bm25-1", 64), ("bm25-99", 256), ("theirs", 256)])
async def test_an_index_that_is_not_just_older_is_never_dropped(tmp_path: Path, name: str, dimension: int) -> None:
    other_words(tmp_path, name, dimension)
    created = Counted()
    store = store_in(tmp_path, on_created=created)
    with pytest.raises(StoreMismatch, match="rebuild the index"):
        await store.open()
    await store.close()
    left = edge_client(tmp_path)
    assert (left.count(COLLECTION).count, created.calls) == (1, 0)
    left.close()


class CountedEmbeddings(HashedEmbeddings):
    """An embedder that counts the texts it is given."""

    def __init__(self, name: str = "hashed-words") -> None:
        super().__init__(name)
        self.texts = 0

    def embed_query(self, text: str) -> list[float]:
        self.texts += 1
        return super().embed_query(text)


def test_the_measure_is_of_each_question_with_each_memory_of_a_language() -> None:
    class Measurable(HashedEmbeddings):
        """English questions point east, Chinese ones north; English memories east, every second Chinese one north.

        All questions point up beside that, by which a question is no memory of the same words.
        """

        def embed_query(self, text: str) -> list[float]:
            return [3.0, 0.0, 4.0] if text.isascii() else [0.0, 6.0, 8.0]

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[3.0, 0, 0] if text.isascii() or at % 2 else [0, 1.0, 0] for at, text in enumerate(texts)]

    measured = measure("two", Measurable())
    assert {(one.question, one.memory): (one.mean, one.spread) for one in measured.unrelated} == {
        ("en", "en"): (pytest.approx(0.6), 1e-6),
        ("en", "zh"): (pytest.approx(0.3), pytest.approx(0.3)),
        ("zh", "en"): (0.0, 1e-6),
        ("zh", "zh"): (pytest.approx(0.3), pytest.approx(0.3)),
    }


class Endpoint(HashedEmbeddings):
    """A model behind an endpoint: one call for a batch, so many calls until it refuses; what fails is set."""

    def __init__(self, calls: int = 1_000, answer: list[float] | None = None) -> None:
        super().__init__("endpoint")
        self.calls, self.most, self.answer = 0, calls, answer
        self.entered, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls += 1
        self.entered.set()
        assert self.goes_on.wait(60)
        if self.calls > self.most:
            raise ModelUnavailable("429: too many requests")
        return [self.answer or HashedEmbeddings.embed_query(self, text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_an_embedder_that_takes_questions_for_memories_is_measured_in_three_calls() -> None:
    endpoint = Endpoint()
    assert measure("same", endpoint).unrelated == measure("same", HashedEmbeddings()).unrelated
    assert endpoint.calls == 3


def test_vectors_of_length_zero_are_unlike_all_and_what_is_not_finite_is_an_error_of_the_model() -> None:
    zero = measure("zero", Endpoint(answer=[0.0, 0.0]))
    assert {(one.mean, one.spread) for one in zero.unrelated} == {(0.0, 1e-6)}
    for number in (math.nan, math.inf):
        with pytest.raises(ModelAnswerUnusable, match="not finite"):
            measure("broken", Endpoint(answer=[number, 0.0]))


async def test_where_nothing_can_be_measured_recall_has_an_estimate(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = Endpoint(calls=1)
    store = store_in(tmp_path, endpoint)
    assert [await store.calibration() for _ in range(3)] == [UNMEASURED] * 3
    assert endpoint.calls == 2, "a minute goes by before the next try"
    assert caplog.text.count("429: too many requests") == 1
    with pytest.raises(StoreUnavailable, match="429: too many requests"):
        await store.calibrate()
    monkeypatch.setattr(long_term_memory, "CALIBRATION_RETRY", 0.0)
    endpoint.most = 1_000
    await store.close()
    measured = await store.calibration()
    assert measured.unrelated == measure("same", HashedEmbeddings()).unrelated
    assert UNMEASURED.closeness(0.24, "zh", "en") == pytest.approx(2.0)
    await store.close()


async def test_a_measure_that_failed_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_term_memory, "CALIBRATION_RETRY", 0.0)
    endpoint = Endpoint(calls=1)
    store = store_in(tmp_path, endpoint)
    assert await store.calibration() == UNMEASURED
    endpoint.most = 1_000
    assert (await store.calibration()).embedder == "endpoint"
    await store.close()


async def test_while_it_is_measured_the_others_have_an_estimate_and_the_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_term_memory, "CALIBRATION_WAIT", 60.0)
    endpoint = Endpoint()
    endpoint.goes_on.clear()
    store = store_in(tmp_path, endpoint)
    first = asyncio.create_task(store.calibration())
    assert await asyncio.to_thread(endpoint.entered.wait, 60)
    assert await asyncio.gather(*(store.calibration() for _ in range(40))) == [UNMEASURED] * 40
    assert await store.count("ann") == 0
    endpoint.goes_on.set()
    assert (await first).embedder == (await store.calibration()).embedder == "endpoint"
    assert endpoint.calls == 3, "one of them measured"
    await store.close()


async def test_a_slow_measure_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_term_memory, "CALIBRATION_WAIT", 0.0)
    endpoint = Endpoint()
    endpoint.goes_on.clear()
    store = store_in(tmp_path, endpoint)
    assert await store.calibration() == UNMEASURED
    assert await asyncio.to_thread(endpoint.entered.wait, 60)
    await store.close()
    endpoint.goes_on.set()


async def test_a_measure_that_cannot_be_kept_holds_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embeddings = CountedEmbeddings()
    store = store_in(tmp_path, embeddings)
    await store.open()
    (tmp_path / COLLECTION / "loci_metadata.new").mkdir()
    measured = [await store.calibration() for _ in range(3)]
    assert [one.embedder for one in measured] == ["hashed-words"] * 3
    assert (embeddings.texts, caplog.text.count("holds until Loci stops")) == (129, 1)
    with pytest.raises(StoreUnavailable, match="it was measured and holds until Loci stops"):
        await store.calibrate()
    await store.close()


def test_what_is_shipped_is_what_is_measured() -> None:
    shipped = SHIPPED["multilingual-e5-small"]
    for one, measured in zip(shipped.unrelated, measure(shipped.embedder, E5Embeddings()).unrelated, strict=True):
        assert (one.question, one.memory) == (measured.question, measured.memory)
        assert (one.mean, one.spread) == pytest.approx((measured.mean, measured.spread), abs=2e-3)


async def test_an_unknown_embedder_is_measured_once_and_the_measure_is_kept(tmp_path: Path) -> None:
    embeddings = CountedEmbeddings()
    store = store_in(tmp_path, embeddings)
    await store.open()
    assert embeddings.texts == 0, "opening waits for no model"
    measured = await store.calibration()
    assert await store.calibration() == measured
    assert embeddings.texts == 129, "64 questions, 64 memories, and one question as a memory"
    await store.close()
    again = store_in(tmp_path, CountedEmbeddings())
    assert await again.calibration() == measured
    await again.search("ann", "tea", statuses=ACTIVE, depth=1)
    await again.close()
    assert (tmp_path / COLLECTION / "loci_metadata.json").is_file()


async def test_the_bundled_embedder_is_never_measured_unasked(tmp_path: Path) -> None:
    embeddings = CountedEmbeddings("multilingual-e5-small")
    store = store_in(tmp_path, embeddings)
    shipped = await store.calibration()
    assert (embeddings.texts, shipped) == (0, SHIPPED["multilingual-e5-small"])
    measured = await store.calibrate()
    assert measured != shipped
    await store.close()
    assert await store.calibration() == measured, "what was measured here goes before what is shipped"
    await store.close()


@pytest.mark.parametrize("kept", ['{"calibration": {"unrelated": "much"}}', "{}", '{"calibration": null}'])
async def test_a_calibration_that_cannot_be_read_is_measured_anew(tmp_path: Path, kept: str) -> None:
    store = store_in(tmp_path)
    measured = await store.calibration()
    await store.close()
    (tmp_path / COLLECTION / "loci_metadata.json").write_text(kept)
    assert await store.calibration() == measured
    await store.close()


async def test_damaged_metadata_are_named_with_their_remedy(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    await store.calibration()
    await store.close()
    path = tmp_path / COLLECTION / "loci_metadata.json"
    path.write_text("{")
    with pytest.raises(StoreUnavailable, match=rf"{path} is damaged .*: delete it"):
        await store.ping()
    path.unlink()
    await store.ping()
    await store.close()
