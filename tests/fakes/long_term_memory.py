"""Long-term memory without Qdrant: the same promises, over a dictionary."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import get_args

from state.records import Calibration, Hit, Language, Memory, Nearby, Status, TimeWindow, Unrelated, tenant
from tests.fakes.embeddings import HashedEmbeddings, words

# What hashed words mean: without a shared word the cosine is 0, and half of them are an answer.
CALIBRATION = Calibration(
    embedder="hashed-words",
    unrelated=tuple(
        Unrelated(question=question, memory=memory, mean=0.0, spread=0.1)
        for question, memory in product(get_args(Language), get_args(Language))
    ),
)


class FakeLongTermMemory:
    """Satisfies `state.ports.LongTermMemory`: cosine of hashed words, and the number of shared words."""

    def __init__(self) -> None:
        self._embeddings = HashedEmbeddings()
        self._points: dict[str, Memory] = {}
        self._nearby: dict[str, tuple[Nearby, ...]] = {}

    async def index(
        self, user_id: str, memories: Sequence[Memory], *, nearby: Mapping[str, Sequence[Nearby]] = MappingProxyType({})
    ) -> None:
        owner = tenant(user_id)
        for memory in memories:
            standing = self._points.get(memory.memory_id, memory)
            if {memory.user_id, standing.user_id} != {owner}:
                raise ValueError(f"Memories of another user are never written: {memory.memory_id}")
        self._points |= {memory.memory_id: memory for memory in memories}
        self._nearby |= {memory.memory_id: tuple(nearby.get(memory.memory_id, ())) for memory in memories}

    async def remove(self, user_id: str, memory_ids: Sequence[str]) -> None:
        for memory in self._own(user_id):
            if memory.memory_id in memory_ids:
                del self._points[memory.memory_id]

    async def search(
        self,
        user_id: str,
        question: str,
        *,
        statuses: Sequence[Status],
        depth: int,
        window: TimeWindow | None = None,
    ) -> list[Hit]:
        own = self._own(user_id)
        if not statuses or isinstance(statuses, str) or depth < 1:
            raise ValueError("Name the statuses to search, and a depth of at least 1")
        found = [memory for memory in own if memory.status in statuses]
        asked, asked_words = self._embeddings.embed_query(question), set(words(question))
        near = {memory.memory_id: self._cosine(asked, memory.text) for memory in found}
        shared = {memory.memory_id: self._shared(asked_words, memory) for memory in found}
        inside = {memory.memory_id for memory in found if window is not None and _is_inside(memory, window)}
        by_meaning = _best(near, depth, lambda _: True)
        by_words = _best(shared, depth, lambda memory_id: shared[memory_id] > 0)
        in_window = _best(near, depth, lambda memory_id: memory_id in inside)
        return [
            Hit(
                memory_id=memory_id,
                similarity=near[memory_id],
                similarity_rank=by_meaning.get(memory_id),
                lexical=shared[memory_id] if memory_id in by_words else None,
                lexical_rank=by_words.get(memory_id),
                in_window=memory_id in inside,
            )
            for memory_id in by_meaning | by_words | in_window
        ]

    async def count(self, user_id: str) -> int:
        return len(self._own(user_id))

    async def calibration(self) -> Calibration:
        return CALIBRATION

    async def calibrate(self) -> Calibration:
        return CALIBRATION

    async def ping(self) -> None:
        """Answer: a dictionary is never down."""

    def _own(self, user_id: str) -> list[Memory]:
        owner = tenant(user_id)
        return [memory for memory in self._points.values() if memory.user_id == owner]

    def _shared(self, asked: set[str], memory: Memory) -> float:
        """Count the words shared with a memory; one that is only nearby counts the less the farther it is."""
        weights = dict.fromkeys(words(memory.text), 1.0)
        for said in sorted(self._nearby[memory.memory_id], key=lambda said: said.distance):
            weights = dict.fromkeys(words(said.text), 1 / (1 + said.distance)) | weights
        return sum(weights.get(word, 0.0) for word in asked)

    def _cosine(self, asked: list[float], text: str) -> float:
        return sum(a * b for a, b in zip(asked, self._embeddings.embed_query(text), strict=True))


def _best(scores: dict[str, float], depth: int, wanted: Callable[[str], bool]) -> dict[str, int]:
    """Return the rank, from 1, of the `depth` best that are wanted."""
    order = sorted(filter(wanted, scores), key=lambda memory_id: -scores[memory_id])
    return {memory_id: rank for rank, memory_id in enumerate(order[:depth], start=1)}


def _is_inside(memory: Memory, window: TimeWindow) -> bool:
    return window.holds(memory.mentioned_ms) or window.meets(memory.event_start_ms, memory.event_end_ms)
