"""The collection of memories in Qdrant: its shape, its points, its filters, and the lists a search is made of.

Synchronous: `state.stores.long_term_memory` calls it in threads. A point's id is the memory's id; its payload is
`page_content` (the text) and, under `metadata`, the text's language, user_id, session_id, status, kind, slot, weight,
citations and the times in epoch ms: mentioned_ms, event_start_ms, event_end_ms, valid_from_ms, valid_to_ms. What a
memory lacks is left out.
"""

import logging
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from langchain_core.embeddings import Embeddings
from langchain_qdrant import QdrantVectorStore, RetrievalMode
from pydantic import ValidationError
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from state.errors import StoreMismatch
from state.languages import language
from state.records import Calibration, Hit, Language, Memory, Nearby, Status, TimeWindow
from state.stores.index.calibration import SHIPPED, measure
from state.stores.index.edge import EdgeClient
from state.stores.index.filters import has_status, in_language, is_inside, is_user, of_user, said_or_happening
from state.stores.index.lexical import OLDER_NAMES, VECTOR_NAME, LexicalEmbeddings, TextInContext

log = logging.getLogger("loci")

PREFIX = "loci-"
# The first that counts how rare a word is among one user's points (`IdfCorpusParams`).
OLDEST_SERVER = (1, 19)
_PAYLOAD = {
    "user_id",
    "session_id",
    "status",
    "kind",
    "slot",
    "mentioned_ms",
    "event_start_ms",
    "event_end_ms",
    "valid_from_ms",
    "valid_to_ms",
    "weight",
    "citations",
}
_CALIBRATION = "calibration"
_TIMES = ["metadata.mentioned_ms", "metadata.event_start_ms", "metadata.event_end_ms"]
_INDEXES: dict[str, Any] = {
    "metadata.user_id": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "metadata.status": models.PayloadSchemaType.KEYWORD,
    "metadata.language": models.PayloadSchemaType.KEYWORD,
    "metadata.mentioned_ms": models.PayloadSchemaType.INTEGER,
    "metadata.event_start_ms": models.PayloadSchemaType.INTEGER,
    # One condition without an index has every point's payload read: with a window, 80 ms for 10,000 memories.
    "metadata.event_end_ms": models.PayloadSchemaType.INTEGER,
}


class MemoryCollection:
    """One collection, `loci-<embedder>`: a cosine vector and BM25 words for each memory."""

    def __init__(
        self, client: QdrantClient | EdgeClient, embeddings: Embeddings, embedder: str, dimension: int
    ) -> None:
        self.name = PREFIX + re.sub(r"[^a-z0-9._]+", "-", embedder.lower()).strip("-")
        self._embedder, self._dimension = embedder, dimension
        # EdgeClient has the methods of QdrantClient that are called here and in QdrantVectorStore.
        self._client = cast(QdrantClient, client)
        self._embeddings, self._words = embeddings, LexicalEmbeddings()
        self._store = QdrantVectorStore(
            client=self._client,
            collection_name=self.name,
            embedding=embeddings,
            sparse_embedding=self._words,
            sparse_vector_name=VECTOR_NAME,
            retrieval_mode=RetrievalMode.HYBRID,
            # Both would ask the network and embed a dummy text; `verify` asks once and says what to do.
            validate_embeddings=False,
            validate_collection_config=False,
        )

    def exists(self) -> bool:
        """Say whether the collection is there, with words as this version writes them.

        Where it is not, the collections of other embedders are named, or the older version that made this one. Raises
        StoreMismatch on a server too old to count words per user.
        """
        if isinstance(self._client, QdrantClient):
            version = self._client.info().version
            if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < OLDEST_SERVER:
                raise StoreMismatch(
                    f"The Qdrant server is {version}, and Loci needs 1.19 or newer: upgrade the server."
                )
        if self._client.collection_exists(self.name):
            if self._is_of_older_version():
                log.warning("The index was made by an older version: it is made anew and filled from the journal.")
                return False
            return True
        others = [found.name for found in self._client.get_collections().collections if found.name.startswith(PREFIX)]
        if others:
            log.warning(
                "Memories were indexed with another embedder (%s); %s is made anew and filled from the journal. "
                "The old index is kept.",
                ", ".join(others),
                self.name,
            )
        return False

    def create(self) -> bool:
        """Make the collection, in the place of an older version's; False where somebody else was faster."""
        if self._client.collection_exists(self.name) and self._is_of_older_version():
            self._client.delete_collection(self.name)
        try:
            self._client.create_collection(
                self.name,
                vectors_config=models.VectorParams(size=self._dimension, distance=models.Distance.COSINE),
                sparse_vectors_config={VECTOR_NAME: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            )
        except (UnexpectedResponse, ValueError):
            if not self._client.collection_exists(self.name):
                raise
            return False
        return True

    def verify(self) -> None:
        """Raise StoreMismatch unless the collection fits the embedder; add payload indexes that are missing."""
        info = self._client.get_collection(self.name)
        dense, sparse = _vectors(info)
        if not self._fits(dense):
            shape = f"vectors of {dense.size} numbers ({dense.distance.value})" if dense else "no unnamed vector"
            raise StoreMismatch(
                f"The Qdrant collection {self.name} holds {shape}, and {self._embedder} gives {self._dimension} "
                f"(Cosine): {self._remedy()}"
            )
        if VECTOR_NAME not in sparse or sparse[VECTOR_NAME].modifier != models.Modifier.IDF:
            raise StoreMismatch(
                f"The Qdrant collection {self.name} lacks the word vectors {VECTOR_NAME} of this version: "
                f"{self._remedy()}"
            )
        for field in _INDEXES.keys() - info.payload_schema.keys():
            self._client.create_payload_index(self.name, field_name=field, field_schema=_INDEXES[field])

    def _is_of_older_version(self) -> bool:
        """Say whether all that is wrong with the collection are words as an older version wrote them."""
        dense, sparse = _vectors(self._client.get_collection(self.name))
        return self._fits(dense) and not OLDER_NAMES.isdisjoint(sparse)

    def _fits(self, dense: models.VectorParams | None) -> bool:
        return dense is not None and dense.distance == models.Distance.COSINE and dense.size == self._dimension

    def _remedy(self) -> str:
        return (
            "set LOCI_EMBEDDER and LOCI_EMBEDDING_MODEL back, or rebuild the index: "
            f"move {self.name} away and start Loci again, it is filled from the journal."
        )

    def calibration(self) -> Calibration | None:
        """Return what the embedder's cosines mean: as kept with the collection, or as shipped; None where neither."""
        kept = _calibration(self._client.get_collection(self.name), self._embedder)
        return kept or SHIPPED.get(self._embedder)

    def measured(self) -> Calibration:
        """Measure what the embedder's cosines mean."""
        return measure(self._embedder, self._embeddings)

    def keep(self, calibration: Calibration) -> None:
        """Keep what was measured with the collection; other processes read it when they open."""
        self._client.update_collection(self.name, metadata={_CALIBRATION: calibration.model_dump()})

    def index(self, user_id: str, memories: Sequence[Memory], nearby: Mapping[str, Sequence[Nearby]]) -> None:
        """Embed and write the points of these memories; of what is nearby only the words count.

        Raises ValueError where a memory is another user's, or where its id already is another user's point.
        """
        if not memories:
            return
        ids = [memory.memory_id for memory in memories]
        strange = [memory.memory_id for memory in memories if memory.user_id != user_id]
        taken = models.Filter(must=[models.HasIdCondition(has_id=list(ids))], must_not=[is_user(user_id)])
        if strange or self._client.count(self.name, count_filter=taken).count:
            raise ValueError(f"Memories of another user are never written: {', '.join(strange or ids)}")
        self._store.add_texts(
            [TextInContext(memory.text, nearby.get(memory.memory_id, ())) for memory in memories],
            metadatas=[
                {**memory.model_dump(include=_PAYLOAD, exclude_none=True), "language": language(memory.text)}
                for memory in memories
            ],
            ids=ids,
        )

    def remove(self, user_id: str, memory_ids: Sequence[str]) -> None:
        """Delete the user's points among these ids; an id that is no UUID names no point."""
        ids = [found for found in memory_ids if _is_point_id(found)]
        if not ids:
            return
        own = models.Filter(must=[is_user(user_id), models.HasIdCondition(has_id=list(ids))])
        self._client.delete(self.name, points_selector=models.FilterSelector(filter=own))

    def count(self, user_id: str) -> int:
        """Return how many points the user has."""
        own = of_user(user_id)
        return int(self._client.count(self.name, count_filter=own, exact=True).count)

    def search(
        self,
        user_id: str,
        vector: list[float],
        question: str,
        *,
        statuses: Sequence[Status],
        depth: int,
        window: TimeWindow | None,
    ) -> list[Hit]:
        """Return the union of the lists by meaning, by words and inside the window, each with its cosine."""
        within = models.Filter(must=[is_user(user_id), has_status(statuses)])
        times = _TIMES if window is not None else []
        # Cosines are not on one scale in all languages: in one list, those of one would crowd out the other.
        by_meaning = [
            point
            for each in get_args(Language)
            for point in self._nearest(vector, models.Filter(must=[within, in_language(each)]), depth, times)
        ]
        by_meaning.sort(key=lambda point: -point.score)
        by_words = self._matching(question, within, depth, times, corpus=of_user(user_id))
        inside: list[models.ScoredPoint] = []
        if window is not None:
            in_window = models.Filter(must=[within, said_or_happening(window)])
            inside = self._nearest(vector, in_window, depth, times)
        found = {str(point.id): point for point in [*by_meaning, *by_words, *inside]}
        similarity = {str(point.id): point.score for point in [*by_meaning, *inside]}
        if lacking := [point_id for point_id in found if point_id not in similarity]:
            only = models.Filter(must=[within, models.HasIdCondition(has_id=list(lacking))])
            similarity |= {str(point.id): point.score for point in self._nearest(vector, only, len(lacking), [])}
        lexical = {str(point.id): point.score for point in by_words}
        meaning_rank, words_rank = _ranks(by_meaning), _ranks(by_words)
        return [
            Hit(
                memory_id=point_id,
                similarity=similarity.get(point_id),
                similarity_rank=meaning_rank.get(point_id),
                lexical=lexical.get(point_id),
                lexical_rank=words_rank.get(point_id),
                in_window=window is not None and is_inside((point.payload or {}).get("metadata", {}), window),
            )
            for point_id, point in found.items()
        ]

    def _nearest(
        self, vector: list[float], within: models.Filter, limit: int, payload: list[str]
    ) -> list[models.ScoredPoint]:
        answer = self._store.client.query_points(
            self.name, query=vector, using="", query_filter=within, limit=limit, with_payload=payload or False
        )
        return list(answer.points)

    def _matching(
        self, question: str, within: models.Filter, limit: int, payload: list[str], corpus: models.Filter
    ) -> list[models.ScoredPoint]:
        words = self._words.embed_query(question)
        if not words.indices:
            return []
        answer = self._store.client.query_points(
            self.name,
            query=models.SparseVector(indices=words.indices, values=words.values),
            using=VECTOR_NAME,
            query_filter=within,
            # How rare a word is counts among the user's own memories: others' neither show nor weigh.
            search_params=models.SearchParams(idf=models.IdfCorpusParams(corpus=corpus)),
            limit=limit,
            with_payload=payload or False,
        )
        return list(answer.points)


def _vectors(info: models.CollectionInfo) -> tuple[models.VectorParams | None, dict[str, models.SparseVectorParams]]:
    dense = info.config.params.vectors
    if isinstance(dense, dict):
        dense = dense.get("")
    return dense, info.config.params.sparse_vectors or {}


def _calibration(info: models.CollectionInfo, embedder: str) -> Calibration | None:
    try:
        kept = Calibration.model_validate((info.config.metadata or {}).get(_CALIBRATION))
    except ValidationError:
        return None
    return kept if kept.embedder == embedder else None


def _ranks(points: Sequence[models.ScoredPoint]) -> dict[str, int]:
    return {str(point.id): rank for rank, point in enumerate(points, start=1)}


def _is_point_id(memory_id: str) -> bool:
    try:
        uuid.UUID(memory_id)
    except ValueError:
        return False
    return True
