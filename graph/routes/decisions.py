"""What the caller decides about a memory, carried out in the journal and the index."""

from pydantic import BaseModel

from graph.services import Services
from nodes.outbox import drain
from state.errors import StoreUnavailable
from state.records import Decision, Memory


class Decided(BaseModel):
    """All memories that a decision changed, as they now stand, the one decided about first.

    `indexed` is False while the index still shows some of them as they were: the curator brings it up.
    """

    changed: list[Memory]
    indexed: bool


async def decided(services: Services, user_id: str, memory_id: str, decision: Decision) -> Decided | None:
    """Do what the user decides; None where there is no such memory. Raises DecisionRefused as the journal does."""
    changed = await services.journal.decide(user_id, memory_id, decision, at_ms=services.clock.now_ms())
    return None if changed is None else Decided(changed=changed, indexed=await brought_up(services, user_id))


async def brought_up(services: Services, user_id: str) -> bool:
    """Bring the user's index up to the journal; False where Qdrant is away and the rest waits in the outbox."""
    try:
        await drain(user_id, journal=services.journal, long_term_memory=services.long_term_memory)
    except StoreUnavailable:
        return False
    return True
