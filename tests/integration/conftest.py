"""A whole Loci over real stores, in this process, with a clock the test moves."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from graph.assistant import build_assistant
from graph.curator import build_curator
from graph.services import Services
from state.context import Context
from state.records import Memory, Status
from state.settings import Settings
from tests.factories import DAY_MS, NOW_MS

# As strict as LANGGRAPH_STRICT_MSGPACK: no class of ours may come back from a checkpoint.
STRICT = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=[])
EVERY: tuple[Status, ...] = ("active", "pending", "disputed", "superseded", "rejected")


@dataclass
class MovedClock:
    """A clock that stands until it is moved."""

    at_ms: int = NOW_MS

    def now_ms(self) -> int:
        return self.at_ms

    def forward(self, *, days: float = 0, seconds: float = 0) -> None:
        self.at_ms += int(days * DAY_MS + seconds * 1000)


@dataclass
class Loci:
    """The two graphs over one set of services."""

    services: Services
    clock: MovedClock
    saver: InMemorySaver = field(default_factory=lambda: InMemorySaver(serde=STRICT))

    def __post_init__(self) -> None:
        self.assistant = build_assistant(self.services)
        self.assistant.checkpointer = self.saver
        self.curator = build_curator(self.services)

    async def say(self, text: str, *, session: str = "s1", user: str = "ann", **knobs: Any) -> dict[str, Any]:
        """Say something and return the final state, all channels."""
        config: Any = {"configurable": {"thread_id": session}}
        await self.assistant.ainvoke(
            {"messages": [{"role": "user", "content": text}]}, config, context=Context(user_id=user, **knobs)
        )
        return (await self.assistant.aget_state(config)).values

    async def curate(self) -> dict[str, Any]:
        return await self.curator.ainvoke({"owner": "test"}, context=Context())

    async def memories(self, *statuses: Status, user: str = "ann") -> list[Memory]:
        """Return the user's memories of these statuses, or all; episodes apart."""
        found = await self.services.journal.list_memories(user, statuses=statuses or EVERY, limit=500)
        return [memory for memory in found if memory.kind != "episode"]

    async def episodes(self, *, user: str = "ann") -> list[Memory]:
        found = await self.services.journal.list_memories(user, statuses=EVERY, limit=500)
        return [memory for memory in found if memory.kind == "episode"]


@pytest.fixture
async def make_loci(database_url: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Callable[..., Loci]]:
    """Return a maker of Loci over the same stores; each one made is opened lazily and closed at the end."""
    made: list[Loci] = []

    def make(**settings: Any) -> Loci:
        base = {"postgres_url": database_url, "redis_url": redis_url, "data_dir": tmp_path / "data"}
        clock = made[-1].clock if made else MovedClock()
        chosen = Settings.read(**{**base, "time_zone": "Asia/Shanghai", **settings})
        made.append(Loci(Services(chosen, clock=clock), clock))
        return made[-1]

    yield make
    for each in made:
        await each.services.close()


@pytest.fixture
def loci(make_loci: Callable[..., Loci]) -> Loci:
    """Return an offline Loci: no model configured."""
    return make_loci()
