"""Open disputes of the caller, and how the caller ends one."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict

from graph.routes.caller import UserId
from graph.routes.decisions import Decided, decided
from graph.routes.evidence import MemoryDetail, detail
from graph.services import Services
from state.ports import Dispute
from state.records import EpochMs, Memory, Resolution

Limit = Annotated[int, Query(ge=1, le=500)]


class DisputeDetail(BaseModel):
    """An open dispute with all that is known of both sides: the memory held back, and the standing ones against it.

    `raised_ms` is when a reply last asked the user about it.
    """

    memory: MemoryDetail
    against: list[MemoryDetail]
    raised_ms: EpochMs | None


class Resolving(BaseModel):
    """What the user keeps: the new memory, the old ones, or both."""

    model_config = ConfigDict(extra="forbid")

    resolution: Resolution


class Settled(Decided):
    """What the end of a dispute changed; `kept` are the memories it was about that go on as they were."""

    kept: list[Memory]


def dispute_routes(services: Services) -> APIRouter:
    """Return the routes over open disputes; a dispute has the id of the memory that is held back."""
    router = APIRouter(prefix="/loci", tags=["disputes"])
    journal = services.journal

    @router.get("/disputes")
    async def list_disputes(user_id: UserId, limit: Limit = 50) -> list[Dispute]:
        """List open disputes with both sides: those never asked about first, then the longest unasked."""
        return await journal.open_disputes(user_id, limit)

    @router.get("/disputes/{memory_id}")
    async def show_dispute(user_id: UserId, memory_id: str) -> DisputeDetail:
        """Show one open dispute: of both sides where they come from, why they stand as they do, and their history."""
        disputes = await journal.open_disputes(user_id, await journal.count_memories(user_id, ["disputed"]))
        found = next((each for each in disputes if each.memory.memory_id == memory_id), None)
        if found is None:
            raise HTTPException(404, f"There is no open dispute {memory_id}.")
        return DisputeDetail(
            memory=await detail(found.memory, journal),
            against=[await detail(old, journal) for old in found.against],
            raised_ms=found.raised_ms,
        )

    @router.post("/disputes/{memory_id}")
    async def resolve_dispute(user_id: UserId, memory_id: str, resolving: Resolving) -> Settled:
        """End an open dispute as the user says; 409 where the memory is no open dispute.

        keep_new makes the new memory active and the old ones superseded; keep_old rejects the new one; keep_both makes
        all of them active, and their slot holds several values for this user from then on.
        """
        before = await journal.memories(user_id, [memory_id])
        done = await decided(services, user_id, memory_id, resolving.resolution)
        if not before or done is None:
            raise HTTPException(404, f"There is no open dispute {memory_id}.")
        changed = {memory.memory_id for memory in done.changed}
        others = await journal.memories(user_id, [each for each in before[0].opposes if each not in changed])
        return Settled(
            changed=done.changed,
            indexed=done.indexed,
            kept=[memory for memory in others if memory.status == "active"],
        )

    return router
