"""What a run works with: the product's services over stores of its own, with the embedder's cache."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from graph.assistant import build_assistant
from graph.services import Services
from state.settings import Settings
from state.stores.long_term_memory import NamedEmbeddings, QdrantClientLike, QdrantLongTermMemory, edge_client
from tests.bench.place import CaseClock, bench_folder, settings_in

Node = Callable[..., Awaitable[dict[str, Any]]]


class TimedEmbeddings(NamedEmbeddings, Protocol):
    """An embedder that knows how long it took: see `CachedEmbeddings`."""

    seconds: float

    def since(self) -> tuple[float, float]: ...

    def close(self) -> None: ...


class Place:
    """Services whose clock the bench sets and whose embedder it gives.

    `recall` and `rerank` are the nodes as the graph binds them to these services, to be called with state and runtime.
    """

    def __init__(self, settings: Settings, embeddings: TimedEmbeddings) -> None:
        self.clock = CaseClock()
        self.services = Services(settings, clock=self.clock)
        self.embeddings = embeddings
        self.services.long_term_memory = QdrantLongTermMemory(
            client=self._qdrant, embeddings=self.embeddings, on_created=self.services.journal.enqueue_all
        )

        nodes = build_assistant(self.services).builder.nodes
        self.recall, self.rerank = (_bound(nodes[name]) for name in ("recall", "rerank"))

    async def _qdrant(self) -> QdrantClientLike:
        return edge_client(await self.services.embedded.qdrant_folder())


def _bound(spec: Any) -> Node:
    node: Node = spec.runnable.afunc
    return node


@contextlib.asynccontextmanager
async def open_place(embeddings: TimedEmbeddings) -> AsyncIterator[Place]:
    """Give a place whose stores are the bundled ones in a temporary folder, whatever is set for other runs."""
    async with bench_folder() as folder:
        place = Place(settings_in(folder / "data"), embeddings)
        try:
            await place.services.open()
            yield place
        finally:
            await place.services.close()
            place.embeddings.close()
