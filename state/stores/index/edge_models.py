"""The words of qdrant-client in the words of Qdrant Edge.

Whatever has no counterpart here raises NotImplementedError. Nothing is dropped: a filter that lost one condition
would show one user's memories to another.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import qdrant_edge as edge
from pydantic import BaseModel
from qdrant_client import models

# What a server takes where a reciprocal rank fusion names no k; Edge has no default.
RRF_K = 2

_DISTANCES = {
    models.Distance.COSINE: edge.Distance.Cosine,
    models.Distance.DOT: edge.Distance.Dot,
    models.Distance.EUCLID: edge.Distance.Euclid,
    models.Distance.MANHATTAN: edge.Distance.Manhattan,
}
_SCHEMAS = {
    models.PayloadSchemaType.KEYWORD: edge.PayloadSchemaType.Keyword,
    models.PayloadSchemaType.INTEGER: edge.PayloadSchemaType.Integer,
    models.PayloadSchemaType.FLOAT: edge.PayloadSchemaType.Float,
    models.PayloadSchemaType.BOOL: edge.PayloadSchemaType.Bool,
}


def refuse(what: str, given: Iterable[str]) -> None:
    """Raise NotImplementedError naming what was given and has no counterpart."""
    if names := ", ".join(sorted(given)):
        raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no {what} with {names}")


def _only(model: BaseModel, *known: str) -> None:
    given = {name for name in type(model).model_fields if getattr(model, name) not in (None, False, {})}
    refuse(type(model).__name__, given - set(known))


def config(
    vectors: models.VectorParams | dict[str, models.VectorParams],
    sparse_vectors: dict[str, models.SparseVectorParams] | None,
) -> edge.EdgeConfig:
    """Translate the vectors of a new collection; a single VectorParams is the unnamed vector."""
    named = {"": vectors} if isinstance(vectors, models.VectorParams) else vectors
    return edge.EdgeConfig(
        vectors={name: _dense_params(params) for name, params in named.items()},
        sparse_vectors={name: _sparse_params(params) for name, params in (sparse_vectors or {}).items()},
    )


def _dense_params(params: models.VectorParams) -> edge.EdgeVectorParams:
    _only(params, "size", "distance")
    return edge.EdgeVectorParams(size=params.size, distance=_DISTANCES[params.distance])


def _sparse_params(params: models.SparseVectorParams) -> edge.EdgeSparseVectorParams:
    _only(params, "modifier")
    idf = params.modifier == models.Modifier.IDF
    return edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if idf else None)


def params(written: dict[str, Any]) -> models.CollectionParams:
    """Read the vectors of a collection from the configuration that Edge wrote beside it."""
    dense = {
        name: models.VectorParams(size=entry["size"], distance=models.Distance(entry["distance"]))
        for name, entry in (written.get("vectors") or {}).items()
    }
    sparse = {
        name: models.SparseVectorParams(modifier=models.Modifier(entry["modifier"]) if entry.get("modifier") else None)
        for name, entry in (written.get("sparse_vectors") or {}).items()
    }
    return models.CollectionParams(
        vectors=dense[""] if set(dense) == {""} else dense, sparse_vectors=sparse or None, shard_number=1
    )


def schema(field: Any) -> edge.PayloadSchemaType | edge.KeywordIndexParams:
    """Translate the type of a payload index."""
    if isinstance(field, models.KeywordIndexParams):
        _only(field, "type", "is_tenant")
        return edge.KeywordIndexParams(is_tenant=field.is_tenant)
    if field not in _SCHEMAS:
        raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no payload index {field!r}")
    return _SCHEMAS[field]


def payload_schema(info: "edge.ShardInfo") -> dict[str, models.PayloadIndexInfo]:
    """Translate the payload indexes of a shard, whose class Edge has in its stubs only."""
    types = {kind: name for name, kind in _SCHEMAS.items()}
    return {
        key: models.PayloadIndexInfo(data_type=types[index.data_type], points=index.points)
        for key, index in info.payload_schema.items()
    }


def point(given: models.PointStruct) -> edge.Point:
    """Translate a point with its dense and sparse vectors."""
    named = given.vector if isinstance(given.vector, dict) else {"": given.vector}
    return edge.Point(
        id=given.id, vector={name: _vector(value) for name, value in named.items()}, payload=given.payload or {}
    )


def _vector(given: Any) -> Any:
    if isinstance(given, models.SparseVector):
        return edge.SparseVector(indices=given.indices, values=given.values)
    if isinstance(given, Sequence) and all(isinstance(number, (int, float)) for number in given):
        return [float(number) for number in given]
    raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no vector {type(given).__name__}")


def filter_of(given: models.Filter | None) -> edge.Filter | None:
    """Translate a filter, condition by condition."""
    if given is None:
        return None
    if not isinstance(given, models.Filter):
        raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no filter {type(given).__name__}")
    _only(given, "must", "should", "must_not")
    return edge.Filter(
        must=_conditions(given.must), should=_conditions(given.should), must_not=_conditions(given.must_not)
    )


def is_empty(given: models.Filter) -> bool:
    """Say whether a filter has no condition at all, which would mean everything."""
    return not (given.must or given.should or given.must_not or given.min_should)


def _conditions(given: Any) -> list[Any] | None:
    if given is None:
        return None
    return [_condition(part) for part in (given if isinstance(given, list) else [given])]


def _condition(given: Any) -> Any:
    if isinstance(given, models.Filter):
        return filter_of(given)
    if isinstance(given, models.HasIdCondition):
        return edge.HasIdCondition(set(given.has_id))
    if isinstance(given, models.IsEmptyCondition):
        return edge.IsEmptyCondition(given.is_empty.key)
    if isinstance(given, models.FieldCondition):
        _only(given, "key", "match", "range")
        return edge.FieldCondition(key=given.key, match=_match(given), range=_range(given))
    raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no condition {type(given).__name__}")


def _match(condition: models.FieldCondition) -> Any:
    match condition.match:
        case None if condition.range is None:
            raise NotImplementedError(f"A condition on {condition.key} needs a match or a range")
        case None:
            return None
        case models.MatchValue(value=value):
            return edge.MatchValue(value)
        case models.MatchAny(any=values):
            return edge.MatchAny(values)
        case other:
            raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no match {type(other).__name__}")


def _range(condition: models.FieldCondition) -> edge.RangeFloat | None:
    if condition.range is None:
        return None
    if not isinstance(condition.range, models.Range):
        raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no range {type(condition.range).__name__}")
    limits = condition.range
    return edge.RangeFloat(gte=limits.gte, gt=limits.gt, lte=limits.lte, lt=limits.lt)


def query(given: Any, using: str | None) -> Any:
    """Translate what is asked: a vector, or the fusion of the prefetched lists."""
    match given:
        case models.FusionQuery(fusion=models.Fusion.RRF):
            return edge.Fusion.Rrf(k=RRF_K)
        case models.FusionQuery(fusion=models.Fusion.DBSF):
            return edge.Fusion.Dbsf()
        case models.RrfQuery(rrf=rrf):
            return edge.Fusion.Rrf(k=RRF_K if rrf.k is None else rrf.k, weights=rrf.weights)
        case models.NearestQuery():
            _only(given, "nearest")
            return query(given.nearest, using)
        case models.SparseVector() | list():
            return edge.Query.Nearest(_vector(given), using=using or "")
        case other:
            raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no query {type(other).__name__}")


def prefetches(given: Any) -> list[edge.Prefetch]:
    """Translate the lists that a fusion is made of."""
    if given is None:
        return []
    return [_prefetch(part) for part in (given if isinstance(given, list) else [given])]


def _prefetch(given: models.Prefetch) -> edge.Prefetch:
    _only(given, "prefetch", "query", "using", "filter", "params", "score_threshold", "limit")
    return edge.Prefetch(
        limit=10 if given.limit is None else given.limit,
        query=query(given.query, given.using),
        prefetches=prefetches(given.prefetch),
        params=search_params(given.params),
        filter=filter_of(given.filter),
        score_threshold=given.score_threshold,
    )


def search_params(given: models.SearchParams | None) -> edge.SearchParams | None:
    """Translate what a search is told: whether to be exact, and over which points IDF is counted."""
    if given is None:
        return None
    _only(given, "exact", "idf")
    corpus = given.idf.corpus if isinstance(given.idf, models.IdfCorpusParams) else None
    return edge.SearchParams(exact=bool(given.exact), idf=edge.IdfParams(corpus=filter_of(corpus)))


def selected(with_payload: Any) -> Any:
    """Translate which part of the payload comes back."""
    if isinstance(with_payload, bool | list):
        return with_payload
    if isinstance(with_payload, models.PayloadSelectorInclude):
        return with_payload.include
    raise NotImplementedError(f"Qdrant Edge behind EdgeClient knows no payload selector {with_payload!r}")


def scored(found: edge.ScoredPoint) -> models.ScoredPoint:
    """Translate a found point; its id is a string, as a server answers."""
    return models.ScoredPoint(id=_id(found.id), version=found.version, score=found.score, payload=found.payload)


def record(found: edge.Record) -> models.Record:
    """Translate a retrieved point."""
    return models.Record(id=_id(found.id), payload=found.payload)


def _id(given: Any) -> int | str:
    return given if isinstance(given, int) else str(given)
