"""The sets as the peers get them: JSON lines, one store a line, which the recall bench writes with `--export`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Row(BaseModel):
    model_config = ConfigDict(frozen=True)


class StoredMemory(Row):
    """One memory: `time` is ISO 8601, as the set gives it."""

    id: str
    time: str
    text: str


class Query(Row):
    """One question, with the ids of the memories that answer it.

    It is asked when the first `after` memories of its store are there; of all, where that is not said.
    """

    qid: str
    question: str
    asked_at: str
    evidence: tuple[str, ...]
    category: str
    after: int | None = Field(default=None, ge=1)


class Store(Row):
    """What one user of a set has said, and what is asked of it."""

    set: str
    store: str
    memories: tuple[StoredMemory, ...]
    queries: tuple[Query, ...]


def read(path: Path) -> list[Store]:
    """Return the stores of a file.

    Raises ValueError, with the line, where a line is no store, a store names a memory twice or evidence it does not
    have when it is needed, or a set asks two questions under one id.
    """
    stores: list[Store] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            stores.append(Store.model_validate_json(line))
        except ValidationError as trouble:
            raise ValueError(f"{path}, line {number}: {trouble}") from None
        if fault := _fault(stores[-1]):
            raise ValueError(f"{path}, line {number}: {fault}")
    asked = Counter((store.set, query.qid) for store in stores for query in store.queries)
    if twice := [f"{name} {qid}" for (name, qid), count in asked.items() if count > 1]:
        raise ValueError(f"{path}: asked twice: {', '.join(twice[:3])}")
    return stores


def write(path: Path, stores: Iterable[Store]) -> None:
    """Write stores as `read` takes them."""
    path.write_text("".join(store.model_dump_json() + "\n" for store in stores), encoding="utf-8")


def first(
    stores: Sequence[Store], *, stores_a_set: int | None = None, memories_a_set: int | None = None
) -> list[Store]:
    """Return the first stores of each set, in their order, up to so many stores and so many memories.

    The first store of a set is taken whatever its size; none after the one that would exceed the memories.
    """
    taken: list[Store] = []
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for store in stores:
        counts[store.set] += 1
        sizes[store.set] += len(store.memories)
        if stores_a_set is not None and counts[store.set] > stores_a_set:
            continue
        if memories_a_set is not None and counts[store.set] > 1 and sizes[store.set] > memories_a_set:
            continue
        taken.append(store)
    return taken


def _fault(store: Store) -> str:
    ids = [memory.id for memory in store.memories]
    if twice := [name for name, count in Counter(ids).items() if count > 1]:
        return f"a memory twice: {twice[0]}"
    lost = [name for query in store.queries for name in set(query.evidence) - set(ids[: query.after])]
    return f"evidence that is not there when it is needed: {lost[0]}" if lost else ""
