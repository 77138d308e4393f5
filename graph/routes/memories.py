"""Memories and disputes of the caller."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel

from graph.routes.caller import UserId
from graph.services import Services
from nodes.outbox import drain
from nodes.provenance import source_turns
from nodes.recall import fuse
from state.errors import StoreUnavailable
from state.records import Memory, MemoryEvent, Status, Turn

ALL: tuple[Status, ...] = ("active", "pending", "disputed", "superseded", "rejected")
Limit = Annotated[int, Query(ge=1, le=500)]


class MemoryPage(BaseModel):
    """A page of memories, and how many there are in all."""

    memories: list[Memory]
    total: int


class MemoryDetail(BaseModel):
    """One memory with its receipt, what happened to it, and the turns it comes from."""

    memory: Memory
    history: list[MemoryEvent]
    sources: list[Turn]


class Dispute(BaseModel):
    """A memory held back, and the standing ones it contradicts."""

    memory: Memory
    against: list[Memory]


class Forgotten(BaseModel):
    """What forgetting did. `indexed` is True while the point waits in the outbox to be deleted."""

    memory_id: str
    indexed: bool


def memory_routes(services: Services) -> APIRouter:
    """Return the routes over memories."""
    router = APIRouter(prefix="/loci", tags=["memories"])
    journal, index = services.journal, services.long_term_memory

    @router.get("/memories")
    async def list_memories(
        user_id: UserId,
        status: Annotated[list[Status] | None, Query()] = None,
        limit: Limit = 50,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> MemoryPage:
        """List memories, newest first; without a status, all but the rejected ones."""
        statuses = status or [each for each in ALL if each != "rejected"]
        memories = await journal.list_memories(user_id, statuses=statuses, limit=limit, offset=offset)
        return MemoryPage(memories=memories, total=await journal.count_memories(user_id, statuses))

    @router.get("/memories/search")
    async def search_memories(
        user_id: UserId, query: Annotated[str, Query(min_length=1)], limit: Limit = 10
    ) -> list[Memory]:
        """Search active memories by meaning and words, best first."""
        hits = await index.search(user_id, query, statuses=["active"], depth=max(limit, 20))
        best = sorted(hits, key=fuse, reverse=True)[:limit]
        return [
            memory
            for memory in await journal.memories(user_id, [hit.memory_id for hit in best])
            if memory.status == "active"
        ]

    @router.get("/memories/{memory_id}")
    async def show_memory(user_id: UserId, memory_id: str) -> MemoryDetail:
        """Show one memory and why it is believed."""
        found = await journal.memories(user_id, [memory_id])
        if not found:
            raise HTTPException(404, f"There is no memory {memory_id}.")
        return MemoryDetail(
            memory=found[0],
            history=await journal.history(user_id, memory_id),
            sources=await source_turns(found[0], journal),
        )

    @router.delete("/memories/{memory_id}")
    async def forget_memory(user_id: UserId, memory_id: str) -> Forgotten:
        """Forget one memory: its row and its point in the index."""
        if not await journal.forget(user_id, memory_id, at_ms=services.clock.now_ms()):
            raise HTTPException(404, f"There is no memory {memory_id}.")
        try:
            await drain(user_id, journal=journal, long_term_memory=index)
        except StoreUnavailable:
            return Forgotten(memory_id=memory_id, indexed=True)
        return Forgotten(memory_id=memory_id, indexed=False)

    @router.get("/disputes")
    async def list_disputes(user_id: UserId, limit: Limit = 50) -> list[Dispute]:
        """List open disputes with both sides."""
        disputed = await journal.list_memories(user_id, statuses=["disputed"], limit=limit)
        return [Dispute(memory=memory, against=await journal.memories(user_id, memory.opposes)) for memory in disputed]

    return router
