"""Long-term memory in Qdrant: the port over langchain-qdrant, for Edge in a folder and for a server.

The clients are synchronous and take seconds to import: both happen in threads, at the first use.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from state.errors import ModelError, StoreError, StoreUnavailable
from state.records import Calibration, Hit, Memory, Nearby, Status, TimeWindow, tenant
from state.stores.index.calibration import UNMEASURED
from state.stores.index.outages import PART, CollectionGone, server_outages

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from qdrant_client import QdrantClient

    from state.stores.index.collection import MemoryCollection
    from state.stores.index.edge import EdgeClient

QdrantClientLike: TypeAlias = "QdrantClient | EdgeClient"

log = logging.getLogger("loci")

SERVER_SECONDS = 5
# A question waits so long for the measure of an unknown embedder, and is answered with an estimate where that is slow.
CALIBRATION_WAIT = 2.0  # seconds
CALIBRATION_RETRY = 60.0  # seconds after one that failed

T = TypeVar("T")


class NamedEmbeddings(Protocol):
    """LangChain's Embeddings, with the model's name, which names the collection, and the length of its vectors."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def dimension(self) -> int:
        """The length of its vectors; may ask the model's endpoint once."""
        ...

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        ...

    async def aembed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        ...


class QdrantLongTermMemory:
    """The index over long-term memories. Made closed; each method opens it, once.

    `client` makes the client at the first use. `on_created` is awaited where the collection is missing or of an older
    version, before it is made: what is to fill the index must be recorded first, or a crash in between would leave it
    empty for good. It must not call this store. A collection that is taken away while in use raises StoreUnavailable
    once and is made anew, with `on_created`, at the next use.
    """

    def __init__(
        self,
        *,
        client: Callable[[], Awaitable[QdrantClientLike]],
        embeddings: NamedEmbeddings,
        on_created: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self._make_client = client
        self._embeddings = embeddings
        self._on_created = on_created
        self._opening = asyncio.Lock()
        self._client: QdrantClientLike | None = None
        self._collection: MemoryCollection | None = None
        self._calibrating = asyncio.Lock()
        self._calibration: Calibration | None = None
        self._measuring: asyncio.Task[None] | None = None
        self._measure_again = 0.0  # in the event loop's time

    async def open(self) -> bool:
        """Connect, and make the collection where there is none, or an older version's; True if this call made it.

        Raises StoreMismatch where the collection was made for other vectors, StoreUnavailable where Qdrant fails.
        """
        async with self._opening:
            if self._collection is not None:
                return False
            collection = await self._connected()
            created = False
            if not await _answer(collection.exists):
                if self._on_created is not None:
                    await self._on_created()
                created = await _answer(collection.create)
            await _answer(collection.verify)
            self._collection = collection
            return created

    async def close(self) -> None:
        """Let go of the client; the next use opens again."""
        if self._measuring is not None:
            self._measuring.cancel()
            await asyncio.wait({self._measuring})
        self._measuring = self._calibration = None
        self._measure_again = 0.0
        async with self._opening:
            client, self._client, self._collection = self._client, None, None
            if client is not None:
                await _answer(client.close)

    async def index(
        self, user_id: str, memories: Sequence[Memory], *, nearby: Mapping[str, Sequence[Nearby]] = MappingProxyType({})
    ) -> None:
        """Write or replace the points of these memories, with the words of what is `nearby`, by memory id.

        Raises ValueError where a memory is another user's.
        """
        owner = tenant(user_id)
        await self._ask(lambda collection: collection.index(owner, memories, nearby))

    async def remove(self, user_id: str, memory_ids: Sequence[str]) -> None:
        """Delete the user's own points among these."""
        owner = tenant(user_id)
        await self._ask(lambda collection: collection.remove(owner, memory_ids))

    async def search(
        self,
        user_id: str,
        question: str,
        *,
        statuses: Sequence[Status],
        depth: int,
        window: TimeWindow | None = None,
    ) -> list[Hit]:
        """Return the `depth` best by meaning, by words and, with a window, by meaning inside it: one list, unfused.

        Raw cosine and BM25 scores; the ranks are those of the first two lists. Every hit has its cosine. Raises
        ValueError on empty `statuses` and on a depth under 1.
        """
        owner = tenant(user_id)
        if not statuses or isinstance(statuses, str):
            raise ValueError("Name the statuses to search: none never means all")
        if depth < 1:
            raise ValueError(f"depth must be at least 1, not {depth}")
        with _embedding():
            vector = await self._embeddings.aembed_query(question)
        return await self._ask(
            lambda collection: collection.search(owner, vector, question, statuses=statuses, depth=depth, window=window)
        )

    async def count(self, user_id: str) -> int:
        """Return how many points the user has."""
        owner = tenant(user_id)
        return await self._ask(lambda collection: collection.count(owner))

    async def calibration(self) -> Calibration:
        """Return what the embedder's cosines mean, as it is kept with the collection.

        For the bundled embedder it is shipped; for another it is measured once, where it is first asked for. While that
        takes long, and for a minute after it failed, the estimate UNMEASURED holds: nobody's recall waits or ends.
        """
        if self._calibration is None:
            known = await self._ask(lambda collection: collection.calibration())
            self._calibration = self._calibration or known
        if self._calibration is None and self._may_measure():
            self._measuring = asyncio.create_task(self._measure())
            await asyncio.wait({self._measuring}, timeout=CALIBRATION_WAIT)
        return self._calibration or UNMEASURED

    async def calibrate(self) -> Calibration:
        """Measure what the embedder's cosines mean, keep it with the collection and return it.

        Raises StoreUnavailable where it cannot be measured; and where it cannot be kept, but then it holds until the
        index is closed.
        """
        async with self._calibrating:
            measured = await self._ask(lambda collection: collection.measured())
            self._calibration = measured
            try:
                await self._ask(lambda collection: collection.keep(measured))
            except StoreUnavailable as outage:
                raise StoreUnavailable(PART, f"it was measured and holds until Loci stops: {outage.reason}") from outage
            return measured

    def _may_measure(self) -> bool:
        idle = (self._measuring is None or self._measuring.done()) and not self._calibrating.locked()
        return idle and asyncio.get_running_loop().time() >= self._measure_again

    async def _measure(self) -> None:
        log.info("What the cosines of %s mean is being measured; until then they are estimated.", self._embeddings.name)
        try:
            await self.calibrate()
        except StoreError as error:
            state = "are estimated" if self._calibration is None else "were measured"
            log.warning("The cosines of %s %s: %s. See `loci calibrate`.", self._embeddings.name, state, error)
        finally:
            self._measure_again = asyncio.get_running_loop().time() + CALIBRATION_RETRY

    async def ping(self) -> None:
        """Raise StoreUnavailable unless Qdrant answers, StoreMismatch where another embedder made the collection."""
        await self._ask(lambda collection: collection.verify())

    async def _ask(self, work: "Callable[[MemoryCollection], T]") -> T:
        await self.open()
        if (collection := self._collection) is None:
            raise StoreUnavailable(PART, "the index was closed meanwhile")
        try:
            return await _answer(lambda: work(collection))
        except CollectionGone:
            if self._collection is collection:
                self._collection = None
            raise

    async def _connected(self) -> "MemoryCollection":
        collection_class = await asyncio.to_thread(_collection_class)
        if self._client is None:
            self._client = await self._make_client()
        dimension = await _answer(lambda: self._embeddings.dimension)
        return collection_class(self._client, cast("Embeddings", self._embeddings), self._embeddings.name, dimension)


async def _answer(work: Callable[[], T]) -> T:
    def answered() -> T:
        with server_outages(), _embedding():
            return work()

    return await asyncio.to_thread(answered)


@contextmanager
def _embedding() -> Iterator[None]:
    """Turn the embedder's outage into one of the index: without vectors it neither finds nor takes anything."""
    try:
        yield
    except ModelError as error:
        raise StoreUnavailable(PART, f"nothing can be embedded: {error}") from error


def _collection_class() -> "type[MemoryCollection]":
    from state.stores.index.collection import MemoryCollection  # noqa: PLC0415 - langchain-qdrant takes two seconds

    return MemoryCollection


def edge_client(folder: Path) -> "EdgeClient":
    """Return the client of the bundled Qdrant in a folder; nothing is read or written before its first call."""
    from state.stores.index.edge import EdgeClient  # noqa: PLC0415 - qdrant-client takes a second

    return EdgeClient(folder)


def server_client(url: str, api_key: str | None) -> "QdrantClient":
    """Return the client of a Qdrant server; a URL without a port means 6333. Nothing is sent before its first call."""
    from qdrant_client import QdrantClient  # noqa: PLC0415 - takes a second

    return QdrantClient(url=url, api_key=api_key, timeout=SERVER_SECONDS, check_compatibility=False)
