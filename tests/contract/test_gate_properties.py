"""Whatever the verifier says, fails at or takes back, and whatever the user decides: what must be true stays true."""

import asyncio
import uuid
from typing import Any

from hypothesis import HealthCheck, given, settings

from state.stores.journal.journal import PostgresJournal
from tests.contract.gate_steps import STEPS
from tests.contract.gate_world import World
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal

Steps = list[tuple[Any, ...]]

_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@given(steps=STEPS)
@settings(max_examples=200, suppress_health_check=_SHARED)
def test_random_sequences_over_the_rules(steps: Steps) -> None:
    asyncio.run(World(FakeJournal(HandClock()), "ann").run(steps))


@given(steps=STEPS)
@settings(max_examples=10, suppress_health_check=_SHARED)
async def test_random_sequences_over_postgresql(postgres_journal: PostgresJournal, steps: Steps) -> None:
    await World(postgres_journal, f"ann-{uuid.uuid4().hex}").run(steps)
