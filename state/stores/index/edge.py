"""Qdrant Edge behind the method names of qdrant-client: Qdrant in this process, in a folder, without a server.

`EdgeClient` has the part of QdrantClient that langchain-qdrant's QdrantVectorStore and Loci call; any other method
raises NotImplementedError. A collection is one shard in a folder of its own. Edge is synchronous, and one process may
own a shard at a time.
"""

import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from uuid import UUID

import qdrant_edge as edge
from qdrant_client import QdrantClient, models
from qdrant_client.http.models import QueryResponse  # `models.QueryResponse` is fastembed's

from state.errors import StoreUnavailable
from state.stores.file_lock import FileLock
from state.stores.index import edge_metadata
from state.stores.index import edge_models as translate
from state.stores.index.outages import PART, CollectionGone

_CONFIG = "edge_config.json"
_HALF_MADE = ".new-"
_DONE = models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)

T = TypeVar("T")


class EdgeClient:
    """Collections under one folder, each an Edge shard, opened at first use and closed together.

    Every write is flushed before it returns, so that a killed process loses nothing that was acknowledged. Methods may
    be called from any thread; one lock lets them through one at a time. All raise StoreUnavailable where the engine
    fails, and CollectionGone where the folder of a collection was taken away under it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._shards: dict[str, _OpenShard] = {}
        self._closed = False

    def __getattr__(self, name: str) -> NoReturn:
        """Name the method of QdrantClient that is not carried."""
        if hasattr(QdrantClient, name):
            raise NotImplementedError(f"EdgeClient has no {name}")
        raise AttributeError(f"'EdgeClient' object has no attribute {name!r}")

    def collection_exists(self, collection_name: str) -> bool:
        """Say whether the collection is there."""
        return (self._path(collection_name) / _CONFIG).is_file()

    def get_collections(self) -> models.CollectionsResponse:
        """Return the names of all collections."""
        found = sorted(path.parent.name for path in self._folder.glob(f"*/{_CONFIG}"))
        names = [name for name in found if not name.startswith(_HALF_MADE)]
        return models.CollectionsResponse(collections=[models.CollectionDescription(name=name) for name in names])

    def get_collection(self, collection_name: str) -> models.CollectionInfo:
        """Return the collection's vectors, payload indexes and number of points."""
        path = self._path(collection_name)
        info = self._run(collection_name, lambda shard: shard.info())
        written = json.loads((path / _CONFIG).read_text())
        return models.CollectionInfo(
            status=models.CollectionStatus.GREEN,
            optimizer_status=models.OptimizersStatusOneOf.OK,
            points_count=info.points_count,
            segments_count=info.segments_count,
            indexed_vectors_count=info.indexed_vectors_count,
            payload_schema=translate.payload_schema(info),
            config=models.CollectionConfig(
                params=translate.params(written),
                metadata=edge_metadata.read(path),
                hnsw_config=models.HnswConfig(m=16, ef_construct=100, full_scan_threshold=10_000),
                optimizer_config=models.OptimizersConfig(
                    deleted_threshold=0.2,
                    vacuum_min_vector_number=1_000,
                    default_segment_number=0,
                    flush_interval_sec=0,
                ),
            ),
        )

    def create_collection(
        self,
        collection_name: str,
        vectors_config: models.VectorParams | dict[str, models.VectorParams],
        sparse_vectors_config: dict[str, models.SparseVectorParams] | None = None,
        **options: Any,
    ) -> bool:
        """Make a collection, whole or not at all. Raises ValueError where it exists."""
        _refuse("create_collection", options)
        config, path = translate.config(vectors_config, sparse_vectors_config), self._path(collection_name)
        with self._lock:
            if self.collection_exists(collection_name):
                raise ValueError(f"Collection {collection_name} already exists")
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                half_made = Path(tempfile.mkdtemp(prefix=_HALF_MADE, dir=self._folder))
            except OSError as error:
                raise StoreUnavailable(PART, f"{self._folder} cannot be written: {error.strerror}") from error
            try:
                with _engine():
                    edge.EdgeShard.create(str(half_made), config).close()
                half_made.rename(path)
            except OSError as error:
                raise StoreUnavailable(PART, f"{path} cannot be made: {error.strerror}") from error
            finally:
                shutil.rmtree(half_made, ignore_errors=True)
        return True

    def update_collection(self, collection_name: str, metadata: dict[str, Any], **options: Any) -> bool:
        """Add to the metadata of a collection; a key that is there is replaced."""
        _refuse("update_collection", options)
        self._run(collection_name, lambda _: edge_metadata.add(self._path(collection_name), metadata))
        return True

    def delete_collection(self, collection_name: str, **options: Any) -> bool:
        """Delete a collection with all of its points; False where there is none."""
        _refuse("delete_collection", options)
        with self._lock:
            if not self.collection_exists(collection_name):
                return False
            self._shard(collection_name)  # Only its owner may delete it.
            path, shard = self._path(collection_name), self._shards.pop(collection_name)
            # Out of the way first: a crash in the middle must leave no half of a collection under its name.
            trash = Path(tempfile.mkdtemp(prefix=_HALF_MADE, dir=self._folder))
            try:
                shard.close(lambda: path.rename(trash / collection_name))
            except OSError as error:
                raise StoreUnavailable(PART, f"{path} cannot be deleted: {error.strerror}") from error
            finally:
                shutil.rmtree(trash, ignore_errors=True)
        return True

    def create_payload_index(self, collection_name: str, field_name: str, field_schema: Any) -> models.UpdateResult:
        """Index a payload field; again is no error."""
        operation = edge.UpdateOperation.create_field_index(field_name, translate.schema(field_schema))
        return self._write(collection_name, operation)

    def upsert(
        self, collection_name: str, points: Sequence[models.PointStruct], wait: bool = True
    ) -> models.UpdateResult:
        """Insert points, replacing those with the same id, and flush."""
        if not wait:
            raise NotImplementedError("EdgeClient always waits for a write")
        operation = edge.UpdateOperation.upsert_points([translate.point(point) for point in points])
        return self._write(collection_name, operation)

    def delete(self, collection_name: str, points_selector: Any, wait: bool = True) -> models.UpdateResult:
        """Delete points by ids or by filter, and flush. Raises ValueError on a filter without conditions."""
        if not wait:
            raise NotImplementedError("EdgeClient always waits for a write")
        match points_selector:
            case list():
                operation = edge.UpdateOperation.delete_points(points_selector)
            case models.PointIdsList(points=ids):
                operation = edge.UpdateOperation.delete_points(ids)
            case models.Filter() | models.FilterSelector():
                chosen = points_selector.filter if hasattr(points_selector, "filter") else points_selector
                if translate.is_empty(chosen) or (condition := translate.filter_of(chosen)) is None:
                    raise ValueError("An empty filter would delete every point")
                operation = edge.UpdateOperation.delete_points_by_filter(condition)
            case other:
                raise NotImplementedError(f"EdgeClient cannot delete by {type(other).__name__}")
        return self._write(collection_name, operation)

    def query_points(
        self,
        collection_name: str,
        query: Any = None,
        using: str | None = None,
        prefetch: Any = None,
        query_filter: models.Filter | None = None,
        search_params: models.SearchParams | None = None,
        limit: int = 10,
        offset: int | None = None,
        with_payload: Any = True,
        with_vectors: bool = False,
        score_threshold: float | None = None,
        **options: Any,
    ) -> QueryResponse:
        """Return the best points for a vector, or for the fusion of prefetched lists."""
        _refuse("query_points", {**options, "with_vectors": with_vectors or None})
        request = edge.QueryRequest(
            limit=limit,
            offset=offset,
            query=translate.query(query, using),
            prefetches=translate.prefetches(prefetch),
            with_payload=translate.selected(with_payload),
            filter=translate.filter_of(query_filter),
            score_threshold=score_threshold,
            params=translate.search_params(search_params),
        )
        found = self._run(collection_name, lambda shard: shard.query(request))
        return QueryResponse(points=[translate.scored(point) for point in found])

    def retrieve(
        self,
        collection_name: str,
        ids: Sequence[int | str],
        with_payload: Any = True,
        with_vectors: bool = False,
        **options: Any,
    ) -> list[models.Record]:
        """Return the points with these ids; unknown ids are left out."""
        _refuse("retrieve", {**options, "with_vectors": with_vectors or None})
        wanted: list[int | UUID | str] = list(ids)
        payload = translate.selected(with_payload)
        found = self._run(collection_name, lambda shard: shard.retrieve(wanted, payload, False))
        return [translate.record(point) for point in found]

    def scroll(
        self,
        collection_name: str,
        scroll_filter: models.Filter | None = None,
        limit: int = 10,
        offset: Any = None,
        with_payload: Any = True,
        with_vectors: bool = False,
        **options: Any,
    ) -> tuple[list[models.Record], int | str | None]:
        """Return points in the order of their ids, and the id the next page starts with."""
        _refuse("scroll", {**options, "with_vectors": with_vectors or None})
        request = edge.ScrollRequest(
            offset=offset,
            limit=limit,
            filter=translate.filter_of(scroll_filter),
            with_payload=translate.selected(with_payload),
            with_vector=False,
        )
        found, following = self._run(collection_name, lambda shard: shard.scroll(request))
        next_id = following if following is None or isinstance(following, int) else str(following)
        return [translate.record(point) for point in found], next_id

    def count(
        self, collection_name: str, count_filter: models.Filter | None = None, exact: bool = True, **options: Any
    ) -> models.CountResult:
        """Count points."""
        _refuse("count", options)
        request = edge.CountRequest(exact=exact, filter=translate.filter_of(count_filter))
        return models.CountResult(count=self._run(collection_name, lambda shard: shard.count(request)))

    def close(self, **_options: Any) -> None:
        """Close all shards, so that another process may own them. The client cannot be used afterwards."""
        with self._lock:
            self._closed = True
            while self._shards:
                _, shard = self._shards.popitem()
                shard.close()

    def _path(self, collection_name: str) -> Path:
        if not collection_name or collection_name.startswith(".") or "/" in collection_name:
            raise ValueError(f"{collection_name!r} is no name for a collection")
        return self._folder / collection_name

    def _run(self, collection_name: str, work: Callable[[edge.EdgeShard], T]) -> T:
        with self._lock:
            shard = self._shard(collection_name)
            with _engine():
                return work(shard)

    def _write(self, collection_name: str, operation: edge.UpdateOperation) -> models.UpdateResult:
        def apply(shard: edge.EdgeShard) -> models.UpdateResult:
            shard.update(operation)
            shard.flush()
            return _DONE

        return self._run(collection_name, apply)

    def _shard(self, collection_name: str) -> edge.EdgeShard:
        if self._closed:
            raise StoreUnavailable(PART, "the bundled index is closed")
        path = self._path(collection_name)
        if (known := self._shards.get(collection_name)) is None:
            if not path.is_dir():
                raise CollectionGone(f"there is no folder {path}; it is made anew at the next use")
            known = self._shards[collection_name] = _OpenShard(path)
        if _identity(path) != known.identity:
            # Edge would go on in memory, and every write would be lost without a word.
            del self._shards[collection_name]
            known.close()
            raise CollectionGone(f"the folder {path} was taken away while in use; it is made anew at the next use")
        return known.shard


class _OpenShard:
    """A shard that this process owns, with the lock that says so."""

    def __init__(self, path: Path) -> None:
        # Edge has a lock of its own and asks it too late: a second owner is refused after it has damaged the files.
        self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        try:
            if not self._lock.take():
                raise _owned_elsewhere(path)
            self.shard, self.identity = _load(path), _identity(path)
        except BaseException:
            self._lock.close()
            raise

    def close(self, then: Callable[[], object] = lambda: None) -> None:
        """Let go of the shard, do `then` while it still is locked, and let go of the lock."""
        try:
            with _engine():
                self.shard.close()
            then()
        finally:
            self._lock.close()


def _owned_elsewhere(path: Path) -> StoreUnavailable:
    return StoreUnavailable(
        PART,
        f"another process owns the bundled Qdrant in {path.parent}; "
        "use its endpoint, or set LOCI_QDRANT_URL to a Qdrant server",
    )


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return (0, 0)
    return status.st_dev, status.st_ino


def _load(path: Path) -> edge.EdgeShard:
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        raise StoreUnavailable(PART, f"this account may not read and write {path}")
    try:
        with _engine():
            return edge.EdgeShard.load(str(path))
    except StoreUnavailable as error:
        if "WouldBlock" in error.reason:
            raise _owned_elsewhere(path) from error
        raise StoreUnavailable(
            PART,
            f"the index in {path} is damaged ({error.reason}); "
            "stop Loci and move that folder away: it is rebuilt from the journal at the next start",
        ) from error


@contextmanager
def _engine() -> Iterator[None]:
    """Turn failures of the engine into StoreUnavailable; wrong calls stay TypeError or ValueError."""
    try:
        yield
    except BaseException as error:
        # Edge raises plain Exception; a panic inside it comes as a BaseException of a class that cannot be imported.
        if type(error) is Exception or type(error).__name__ == "PanicException":
            raise StoreUnavailable(PART, str(error).splitlines()[0]) from error
        raise


def _refuse(method: str, options: dict[str, Any]) -> None:
    translate.refuse(method, {name for name, value in options.items() if value is not None})
