"""The same calls on Qdrant Edge behind EdgeClient, on qdrant-client's local mode and on a server: the same answers."""

import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_qdrant import QdrantVectorStore, RetrievalMode
from qdrant_client import QdrantClient, models

from state.stores.index.edge import EdgeClient
from state.stores.index.lexical import LexicalEmbeddings
from state.stores.long_term_memory import server_client
from tests.contract.test_long_term_memory import NO_SERVER, SERVER_KEY, SERVER_URL
from tests.fakes.embeddings import HashedEmbeddings

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant:UserWarning")

SIZE = 16
USERS = ("ann", "bob", "eve")
Client = Any


def points(count: int = 120) -> list[models.PointStruct]:
    chance = random.Random(7)
    return [
        models.PointStruct(
            id=str(uuid.UUID(int=chance.getrandbits(128), version=4)),
            vector={
                "": [chance.uniform(-1, 1) for _ in range(SIZE)],
                "words": models.SparseVector(
                    indices=sorted(chance.sample(range(40), 6)), values=[chance.uniform(0.5, 2) for _ in range(6)]
                ),
            },
            payload={
                "page_content": f"text {n}",
                "metadata": {
                    "user_id": chance.choice(USERS),
                    "status": chance.choice(("active", "superseded")),
                    "mentioned_ms": 1_780_000_000_000 + n,
                    "citations": n % 4,
                    **({"event_start_ms": 1_780_000_000_000 + 10 * n} if n % 3 else {}),
                },
            },
        )
        for n in range(count)
    ]


POINTS = points()


def field(key: str, **condition: Any) -> models.FieldCondition:
    return models.FieldCondition(key=f"metadata.{key}", **condition)


def user(name: str) -> models.FieldCondition:
    return field("user_id", match=models.MatchValue(value=name))


FILTERS: dict[str, models.Filter | None] = {
    "none": None,
    "user": models.Filter(must=[user("ann")]),
    "a condition without a list": models.Filter(must=user("ann")),
    "user and status": models.Filter(must=[user("ann"), field("status", match=models.MatchAny(any=["active"]))]),
    "any of none": models.Filter(must=[field("status", match=models.MatchAny(any=[]))]),
    "any number": models.Filter(must=[field("citations", match=models.MatchAny(any=[1, 3]))]),
    "a number": models.Filter(must=[field("citations", match=models.MatchValue(value=2))]),
    "must not": models.Filter(must_not=[user("ann")]),
    "should": models.Filter(should=[user("ann"), user("bob")]),
    "must and should": models.Filter(
        must=[user("ann")], should=[field("citations", match=models.MatchValue(value=c)) for c in (0, 3)]
    ),
    "range": models.Filter(
        must=[field("mentioned_ms", range=models.Range(gte=1_780_000_000_010, lt=1_780_000_000_030))]
    ),
    "open range": models.Filter(
        must=[field("mentioned_ms", range=models.Range(gt=1_780_000_000_010, lte=1_780_000_000_030))]
    ),
    "without a field some have": models.Filter(
        must=[models.IsEmptyCondition(is_empty=models.PayloadField(key="metadata.event_start_ms"))]
    ),
    "a field some lack": models.Filter(must=[field("event_start_ms", range=models.Range(gte=0))]),
    "nested": models.Filter(
        must=[
            user("bob"),
            models.Filter(
                should=[
                    field("citations", match=models.MatchValue(value=1)),
                    models.Filter(
                        must=[
                            field("event_start_ms", range=models.Range(lt=1_780_000_000_500)),
                            field("mentioned_ms", range=models.Range(gt=1_780_000_000_005)),
                        ]
                    ),
                ]
            ),
        ]
    ),
    "ids": models.Filter(must=[models.HasIdCondition(has_id=[POINTS[n].id for n in (3, 5, 8)])]),
    "no ids": models.Filter(must=[models.HasIdCondition(has_id=[])]),
    "ids of a user": models.Filter(
        must=[user("eve"), models.HasIdCondition(has_id=[point.id for point in POINTS[:40]])]
    ),
    "nobody": models.Filter(must=[user("")]),
}


def make(client: Client, name: str) -> None:
    client.create_collection(
        name,
        vectors_config=models.VectorParams(size=SIZE, distance=models.Distance.COSINE),
        sparse_vectors_config={"words": models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
    client.create_payload_index(name, field_name="metadata.user_id", field_schema=tenant)
    client.create_payload_index(name, "metadata.mentioned_ms", field_schema=models.PayloadSchemaType.INTEGER)
    client.upsert(name, points=POINTS)


class Pair:
    """Two engines that hold the same points: `here` is the one under test, `model` the local mode."""

    def __init__(self, here: Client) -> None:
        self.here = here
        self.model = QdrantClient(":memory:")
        self.name = f"loci-congruence-{uuid.uuid4().hex[:8]}"
        for client in (self.here, self.model):
            make(client, self.name)

    def same(self, method: str, **call: Any) -> Any:
        """Make one call on both and return the answer once it is the same; scores are float32 on both sides."""
        ours, theirs = (plain(getattr(client, method)(self.name, **call)) for client in (self.here, self.model))
        if isinstance(ours, dict):
            assert {key: payload for key, (_, payload) in ours.items()} == {
                key: payload for key, (_, payload) in theirs.items()
            }
            expected = {key: score for key, (score, _) in theirs.items()}
            assert {key: score for key, (score, _) in ours.items()} == pytest.approx(expected, abs=1e-4)
        else:
            assert ours == theirs
        return ours


def plain(answer: Any) -> Any:
    if hasattr(answer, "points"):
        # By id: equal scores may come in either order.
        return {str(point.id): (point.score, point.payload or None) for point in answer.points}
    if isinstance(answer, models.CountResult):
        return answer.count
    if isinstance(answer, models.UpdateResult):
        return answer.status
    if isinstance(answer, tuple):
        return [(str(record.id), record.payload) for record in answer[0]], answer[1] and str(answer[1])
    if isinstance(answer, list):
        return sorted((str(record.id), str(record.payload)) for record in answer)
    return answer


@pytest.fixture(params=["edge", "server"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    if request.param == "server":
        if SERVER_URL is None:
            pytest.skip(NO_SERVER)
        both = Pair(server_client(SERVER_URL, SERVER_KEY))
    else:
        both = Pair(EdgeClient(tmp_path))
    yield both
    if request.param == "server":
        both.here.delete_collection(both.name)
    both.here.close()
    both.model.close()


QUERY = POINTS[11].vector[""]  # type: ignore[index, call-overload]
WORDS = models.SparseVector(indices=[1, 5, 9, 22], values=[1.0, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("name", FILTERS)
def test_filters(pair: Pair, name: str) -> None:
    within = FILTERS[name]
    count = pair.same("count", count_filter=within, exact=True)
    dense = pair.same("query_points", query=QUERY, using="", query_filter=within, limit=200)
    scrolled, following = pair.same("scroll", scroll_filter=within, limit=200)
    assert count == len(dense) == len(scrolled)
    assert following is None
    pair.same("query_points", query=WORDS, using="words", query_filter=within, limit=200)


def test_each_filter_that_should_find_something_does(pair: Pair) -> None:
    counts = {name: pair.same("count", count_filter=within, exact=True) for name, within in FILTERS.items()}
    empty = {name for name, count in counts.items() if count == 0}
    assert empty == {"any of none", "no ids", "nobody"}
    assert counts["none"] == len(POINTS)


def test_dense_search(pair: Pair) -> None:
    found = pair.same("query_points", query=QUERY, using="", limit=10, with_payload=True)
    assert len(found) == 10
    assert found[POINTS[11].id][0] == pytest.approx(1.0, abs=1e-6)
    assert found[POINTS[11].id][1] == POINTS[11].payload
    pair.same("query_points", query=QUERY, using="", limit=10, offset=5)
    pair.same("query_points", query=QUERY, using="", limit=50, score_threshold=0.3)
    pair.same("query_points", query=models.NearestQuery(nearest=QUERY), using="", limit=3)


@pytest.mark.parametrize(
    "payload",
    [False, True, ["metadata.user_id"], models.PayloadSelectorInclude(include=["metadata.status", "page_content"])],
)
def test_payload_selection(pair: Pair, payload: Any) -> None:
    pair.same("query_points", query=QUERY, using="", limit=3, with_payload=payload)
    pair.same("retrieve", ids=[POINTS[0].id, POINTS[1].id], with_payload=payload)


@pytest.mark.parametrize("corpus", [None, "ann", "bob"])
def test_words_weigh_by_how_rare_they_are_in_the_corpus(pair: Pair, corpus: str | None) -> None:
    params = corpus and models.SearchParams(idf=models.IdfCorpusParams(corpus=models.Filter(must=[user(corpus)])))
    call: dict[str, Any] = {"query": WORDS, "using": "words", "limit": 10, "search_params": params or None}
    found = pair.same("query_points", **call)
    assert len(found) == 10
    if corpus:
        assert found != pair.same("query_points", **{**call, "search_params": None})


@pytest.mark.parametrize(
    "fusion",
    [
        models.FusionQuery(fusion=models.Fusion.RRF),
        models.RrfQuery(rrf=models.Rrf(k=60)),
        models.RrfQuery(rrf=models.Rrf(k=60, weights=[3.0, 1.0])),
        models.FusionQuery(fusion=models.Fusion.DBSF),
    ],
)
def test_fusion(pair: Pair, fusion: Any) -> None:
    within = FILTERS["user"]
    lists = [
        models.Prefetch(query=QUERY, using="", filter=within, limit=15),
        models.Prefetch(query=WORDS, using="words", filter=within, limit=15),
    ]
    found = pair.same("query_points", prefetch=lists, query=fusion, query_filter=within, limit=30)
    assert 15 <= len(found) <= 30


def test_upsert_replaces_vector_and_payload(pair: Pair) -> None:
    changed = POINTS[0].model_copy(update={"vector": POINTS[1].vector, "payload": {"page_content": "new"}})
    pair.same("upsert", points=[changed])
    assert pair.same("count") == len(POINTS)
    assert pair.same("retrieve", ids=[changed.id], with_payload=True) == [(changed.id, "{'page_content': 'new'}")]
    best = pair.same("query_points", query=POINTS[1].vector[""], using="", limit=2, with_payload=False)
    assert set(best) == {POINTS[0].id, POINTS[1].id}
    pair.same("query_points", query=WORDS, using="words", limit=200, with_payload=False, search_params=WHOLE)


# IDF over all points that are alive: without a corpus a server goes on counting deleted ones for a while.
WHOLE = models.SearchParams(
    idf=models.IdfCorpusParams(corpus=models.Filter(must_not=[user("")])),
)


def test_deletes(pair: Pair) -> None:
    gone = [point.id for point in POINTS[:5]]
    pair.same("delete", points_selector=gone)
    assert pair.same("count") == len(POINTS) - 5
    pair.same("delete", points_selector=gone)
    pair.same("delete", points_selector=models.PointIdsList(points=[POINTS[5].id]))
    pair.same("delete", points_selector=models.FilterSelector(filter=FILTERS["ids of a user"]))
    pair.same("delete", points_selector=models.FilterSelector(filter=FILTERS["no ids"]))
    assert 0 < pair.same("count") < len(POINTS) - 6
    pair.same("query_points", query=WORDS, using="words", limit=200, search_params=WHOLE)
    pair.same("retrieve", ids=gone)
    assert pair.same("scroll", limit=200)[0]


def test_scroll_pages(pair: Pair) -> None:
    first, following = pair.same("scroll", limit=70)
    second, end = pair.same("scroll", limit=70, offset=following)
    assert (len(first), len(second), end) == (70, 50, None)
    assert not {point_id for point_id, _ in first} & {point_id for point_id, _ in second}


def test_the_shape_of_a_collection(pair: Pair) -> None:
    assert pair.here.collection_exists(pair.name)
    assert not pair.here.collection_exists("loci-other")
    names = [[found.name for found in client.get_collections().collections] for client in (pair.here, pair.model)]
    assert pair.name in names[0]
    assert names[1] == [pair.name]
    ours, theirs = (client.get_collection(pair.name) for client in (pair.here, pair.model))
    for info in (ours, theirs):
        vectors, sparse = info.config.params.vectors, info.config.params.sparse_vectors
        assert (vectors.size, vectors.distance) == (SIZE, models.Distance.COSINE)
        assert {name: params.modifier for name, params in sparse.items()} == {"words": models.Modifier.IDF}
    assert ours.points_count == theirs.points_count == len(POINTS)
    # local mode has no payload indexes
    assert {key: index.data_type for key, index in ours.payload_schema.items()} == {
        "metadata.user_id": models.PayloadSchemaType.KEYWORD,
        "metadata.mentioned_ms": models.PayloadSchemaType.INTEGER,
    }


def test_metadata_are_kept_with_the_collection(pair: Pair) -> None:
    def kept() -> list[Any]:
        return [client.get_collection(pair.name).config.metadata for client in (pair.here, pair.model)]

    assert kept() == [None, None]
    pair.same("update_collection", metadata={"a": {"b": 0.25}, "name": "中文"})
    pair.same("update_collection", metadata={"a": {"c": 1}})
    assert kept() == [{"a": {"c": 1}, "name": "中文"}] * 2
    assert pair.same("count") == len(POINTS)


def test_a_deleted_collection_is_gone_with_all_it_held(pair: Pair) -> None:
    pair.same("update_collection", metadata={"a": 1})
    assert pair.same("delete_collection")
    assert not pair.here.collection_exists(pair.name)
    assert not pair.same("delete_collection")
    make(pair.here, pair.name)
    assert pair.here.count(pair.name).count == len(POINTS)
    assert pair.here.get_collection(pair.name).config.metadata is None


@pytest.mark.parametrize("mode", [RetrievalMode.DENSE, RetrievalMode.SPARSE, RetrievalMode.HYBRID])
def test_langchains_vector_store_works_over_both(pair: Pair, mode: RetrievalMode) -> None:
    found = []
    for client in (pair.here, pair.model):
        name = f"{pair.name}-{mode.value}"
        embeddings, words = HashedEmbeddings(dimension=SIZE), LexicalEmbeddings()
        client.create_collection(
            name,
            vectors_config=models.VectorParams(size=SIZE, distance=models.Distance.COSINE),
            sparse_vectors_config={"words": models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        store = QdrantVectorStore(client, name, embeddings, mode, sparse_embedding=words, sparse_vector_name="words")
        texts = ["我对花生过敏", "I drink green tea", "green hills", "上海的餐厅"]
        point_ids = [str(uuid.UUID(int=n + 1)) for n in range(len(texts))]
        store.add_texts(texts, [{"user_id": user_id} for user_id in ("ann", "ann", "bob", "bob")], point_ids)
        ann = models.Filter(must=[user("ann")])
        answers = [store.similarity_search_with_score(asked, k=3, filter=ann) for asked in ("green tea", "花生")]
        found.append([[(doc.page_content, round(score, 4)) for doc, score in answer] for answer in answers])
        assert [doc.page_content for doc in store.get_by_ids(point_ids[:1])] == texts[:1]
        store.delete(point_ids[:1])
        assert client.count(name).count == 3
        if client is pair.here and not isinstance(client, EdgeClient):
            client.delete_collection(name)
    assert found[0] == found[1]
    assert (found[0][0][0][0], found[0][1][0][0]) == ("I drink green tea", "我对花生过敏")


@pytest.mark.parametrize(
    "condition",
    [
        models.IsNullCondition(is_null=models.PayloadField(key="metadata.slot")),
        models.NestedCondition(nested=models.Nested(key="metadata", filter=models.Filter(must=[user("ann")]))),
        models.FieldCondition(key="metadata.user_id", match=models.MatchText(text="ann")),
        models.FieldCondition(key="metadata.user_id", match=models.MatchExcept(**{"except": ["ann"]})),
        models.FieldCondition(key="metadata.user_id", match=models.MatchValue(value="ann"), is_null=True),
        models.FieldCondition(key="metadata.at", range=models.DatetimeRange(gte="2026-01-01T00:00:00Z")),
        models.FieldCondition(key="metadata.user_id", values_count=models.ValuesCount(gt=1)),
        models.FieldCondition(key="metadata.user_id"),
    ],
)
def test_a_condition_edge_cannot_take_is_refused_and_never_dropped(tmp_path: Path, condition: Any) -> None:
    client = EdgeClient(tmp_path)
    make(client, "loci-x")
    for within in (models.Filter(must=[condition]), models.Filter(must=[models.Filter(must_not=[condition])])):
        with pytest.raises(NotImplementedError):
            client.count("loci-x", count_filter=within)
        with pytest.raises(NotImplementedError):
            client.delete("loci-x", points_selector=models.FilterSelector(filter=within))
        with pytest.raises(NotImplementedError):
            client.query_points("loci-x", query=QUERY, query_filter=within)
        with pytest.raises(NotImplementedError):
            client.query_points(
                "loci-x",
                prefetch=models.Prefetch(query=QUERY, filter=within),
                query=models.FusionQuery(fusion=models.Fusion.RRF),
            )
    at_least = models.MinShould(conditions=[user("ann")], min_count=1)
    with pytest.raises(NotImplementedError):
        client.count("loci-x", count_filter=models.Filter(min_should=at_least))
    assert client.count("loci-x").count == len(POINTS)
    client.close()


def test_what_edge_client_lacks_is_named(tmp_path: Path) -> None:
    client = EdgeClient(tmp_path)
    with pytest.raises(NotImplementedError, match="set_payload"):
        client.set_payload("loci-x", payload={}, points=[])
    with pytest.raises(NotImplementedError, match="create_snapshot"):
        client.create_snapshot("loci-x")
    with pytest.raises(AttributeError, match="no_such_method"):
        client.no_such_method()
    make(client, "loci-x")
    for options in ({"lookup_from": 1}, {"with_vectors": True}, {"shard_key_selector": "a"}):
        with pytest.raises(NotImplementedError, match=next(iter(options))):
            client.query_points("loci-x", query=QUERY, **options)
    with pytest.raises(NotImplementedError, match="mmr"):
        client.query_points("loci-x", query=models.NearestQuery(nearest=QUERY, mmr=models.Mmr(diversity=0.5)))
    with pytest.raises(NotImplementedError, match="hnsw_ef"):
        client.query_points("loci-x", query=QUERY, search_params=models.SearchParams(hnsw_ef=8))
    with pytest.raises(NotImplementedError, match="str"):
        client.query_points("loci-x", query=POINTS[0].id)
    client.close()


@pytest.mark.parametrize("everything", [models.Filter(), models.Filter(must=[], should=[])])
def test_an_empty_filter_deletes_nothing(tmp_path: Path, everything: models.Filter) -> None:
    client = EdgeClient(tmp_path)
    make(client, "loci-x")
    with pytest.raises(ValueError, match="empty filter"):
        client.delete("loci-x", points_selector=models.FilterSelector(filter=everything))
    with pytest.raises(ValueError, match="empty filter"):
        client.delete("loci-x", points_selector=everything)
    client.delete("loci-x", points_selector=[])
    assert client.count("loci-x").count == len(POINTS)
    client.close()
