"""An index of an older version, and the calibration that is kept with the index."""

import os
from pathlib import Path

import pytest
from qdrant_client import models

from graph.models.embeddings import E5Embeddings
from state.errors import StoreMismatch, StoreUnavailable
from state.stores.index.calibration import SHIPPED, measure
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
        """English questions point east, Chinese ones north; English memories east, every second Chinese one north."""

        def embed_query(self, text: str) -> list[float]:
            return [1.0, 0.0] if text.isascii() else [0.0, 2.0]

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[3.0, 0.0] if text.isascii() or at % 2 else [0.0, 1.0] for at, text in enumerate(texts)]

    measured = measure("two", Measurable())
    assert {(one.question, one.memory): (one.mean, one.spread) for one in measured.unrelated} == {
        ("en", "en"): (1.0, 1e-6),
        ("en", "zh"): (0.5, 0.5),
        ("zh", "en"): (0.0, 1e-6),
        ("zh", "zh"): (0.5, 0.5),
    }


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
    assert embeddings.texts == 128
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
