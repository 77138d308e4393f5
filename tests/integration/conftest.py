"""A whole Loci over real stores, in this process, with a clock the test moves."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.runtime import Runtime
from pydantic import SecretStr

from graph.assistant import build_assistant
from graph.curator import build_curator
from graph.models.chat import ChatResponder
from graph.models.verifier import QwenVerifier
from graph.services import Services
from nodes.recall import recall
from nodes.rerank import rerank
from state.context import Context
from state.ports import Neighbour
from state.records import Candidate, Evidence, Memory, Status, Turn
from state.settings import ModelEndpoint, Settings
from tests import factories
from tests.factories import DAY_MS, NOW_MS
from tests.fakes.clock import HandClock
from tests.integration.embedded_processes import scratch
from tests.openai_stub import OpenAIStub

# As strict as LANGGRAPH_STRICT_MSGPACK: no class of ours may come back from a checkpoint.
STRICT = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=[])
NOON = 1_781_841_600_000  # 2026-06-19 Fri 12:00 +08:00
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

    async def say_all(self, messages: Any, *, session: str = "s1", user: str = "ann") -> None:
        """Send messages in whatever form, as one run."""
        config: Any = {"configurable": {"thread_id": session}}
        await self.assistant.ainvoke({"messages": messages}, config, context=Context(user_id=user))

    async def before_the_first_reply(self, session: str = "s1") -> Any:
        """Return the config of the checkpoint from which the first message of a session would be answered again."""
        states = self.assistant.aget_state_history({"configurable": {"thread_id": session}})
        return [state.config async for state in states if state.next == ("load_context",)][-1]

    async def recall(self, question: str, *, zone: str = "Asia/Shanghai", user: str = "ann", **knobs: Any) -> Any:
        """Run recall and rerank for a question, and nothing else; return the channels they wrote."""
        services, runtime = self.services, Runtime(context=Context(user_id=user, **knobs))
        asked = factories.turn(question, user_id=user, time_zone=zone, at_ms=self.clock.now_ms())
        state: Any = {"turn": asked.row(), "degraded": []}
        state |= await recall(state, runtime, journal=services.journal, long_term_memory=services.long_term_memory)
        return state | await rerank(state, runtime, journal=services.journal)

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
def modelled(make_loci: Callable[..., Loci], stub: OpenAIStub) -> Callable[..., Loci]:
    """Return a maker of Loci whose chat model, distiller and verifier are the stub."""

    def make(**settings: Any) -> Loci:
        urls = {"chat_base_url": stub.base_url, "verifier_base_url": stub.base_url}
        return make_loci(chat_model="stub", **{**urls, **settings})

    return make


@pytest.fixture
def loci(make_loci: Callable[..., Loci]) -> Loci:
    """Return an offline Loci: no model configured."""
    return make_loci()


def endpoint(stub: OpenAIStub, model: str = "stub-model") -> ModelEndpoint:
    """Return the stub as an endpoint that serves a model."""
    return ModelEndpoint(model=model, base_url=stub.base_url, api_key=SecretStr("sk-secret-key-4711"))


@pytest.fixture
async def responder(stub: OpenAIStub) -> AsyncIterator[ChatResponder]:
    made = ChatResponder(endpoint(stub), reply_tokens=128, seconds=5)
    yield made
    await made.close()


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder that every account can reach: PostgreSQL runs as another one where the tests run as root."""
    with scratch() as folder:
        yield folder


@pytest.fixture
def data(place: Path) -> Path:
    """A data folder that is not there yet; its name has what a careless command line trips over."""
    return place / "a b 数据"


@pytest.fixture
async def verifier(stub: OpenAIStub) -> AsyncIterator[QwenVerifier]:
    made = QwenVerifier(endpoint(stub, "Qwen/Qwen3-8B"), profile="vllm", clock=HandClock(NOON), seconds=5)
    yield made
    await made.close()


def said(text: str, role: str = "user", turn_id: str = "t1") -> Turn:
    return factories.turn(text, role=role, turn_id=turn_id, at_ms=NOON)


def candidate(text: str = "用户上周搬到上海", span: str = "我上周搬到上海了") -> Candidate:
    return factories.candidate(text, evidence=(Evidence(turn_id="t1", span=span),), mentioned_ms=NOON)


def neighbour(memory_id: str, text: str, **fields: Any) -> Neighbour:
    memory = factories.memory(memory_id, text, single_valued=fields.get("same_slot", False))
    return Neighbour(memory=memory, **fields)
