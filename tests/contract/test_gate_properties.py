"""Whatever the verifier says, fails at or takes back, and whatever the user decides: what must be true stays true."""

import asyncio
import uuid
from typing import Any

from hypothesis import HealthCheck, given, settings

from state.stores.journal.journal import PostgresJournal
from tests.contract.gate_steps import STEPS
from tests.contract.gate_world import World
from tests.factories import NOW_MS
from tests.fakes.clock import HandClock
from tests.fakes.journal import FakeJournal

Steps = list[tuple[Any, ...]]

_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@given(steps=STEPS)
@settings(max_examples=200, suppress_health_check=_SHARED)
def test_random_sequences_over_the_rules(steps: Steps) -> None:
    clock = HandClock()
    asyncio.run(World(FakeJournal(clock), "ann", clock).run(steps))


@given(steps=STEPS)
@settings(max_examples=10, suppress_health_check=_SHARED)
async def test_random_sequences_over_postgresql(
    postgres_journal: PostgresJournal, clock: HandClock, steps: Steps
) -> None:
    clock.at_ms = NOW_MS
    await World(postgres_journal, f"ann-{uuid.uuid4().hex}", clock).run(steps)
