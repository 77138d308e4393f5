"""Memories of the caller: what is known, why it is believed, and what the caller decides about one."""

from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from graph.gate import Gate, correct
from graph.routes.caller import UserId
from graph.routes.decisions import Decided, brought_up, decided
from graph.routes.evidence import MemoryDetail, detail
from graph.services import Services
from nodes.ranking.weighing import COMPARED, weighed
from nodes.recall import POOL
from state.records import Memory, Status
from state.zones import is_zone

ALL: tuple[Status, ...] = ("active", "pending", "disputed", "superseded", "rejected")
MOST_CHARACTERS = 2_000
Limit = Annotated[int, Query(ge=1, le=500)]


def _zone(name: str) -> str:
    if not is_zone(name):
        raise ValueError(f"{name} is no IANA time zone such as Asia/Shanghai")
    return name


class MemoryPage(BaseModel):
    """A page of memories, and how many there are in all."""

    memories: list[Memory]
    total: int


class Forgotten(BaseModel):
    """What forgetting did. `indexed` is True while the point waits in the outbox to be deleted."""

    memory_id: str
    indexed: bool


class Edit(BaseModel):
    """The words that are right instead, and the zone in which their time words are read; the server's by default."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    time_zone: Annotated[str, AfterValidator(_zone)] | None = None


class Edited(BaseModel):
    """What became of an edit: the memory of the new words, the edited one as it now stands, and what did not work.

    `memory` is None where the journal went away in between: the curator goes on with the edit.
    """

    memory: Memory | None
    before: Memory
    degraded: list[str]


def memory_routes(services: Services, gate: Gate) -> APIRouter:
    """Return the routes over memories."""
    router = APIRouter(prefix="/loci", tags=["memories"])
    journal, index = services.journal, services.long_term_memory

    async def own(user_id: str, memory_id: str) -> Memory:
        found = await journal.memories(user_id, [memory_id])
        if not found:
            raise HTTPException(404, f"There is no memory {memory_id}.")
        return found[0]

    async def decide(user_id: str, memory_id: str, decision: Literal["confirm", "reject"]) -> Decided:
        done = await decided(services, user_id, memory_id, decision)
        if done is None:
            raise HTTPException(404, f"There is no memory {memory_id}.")
        return done

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
        user_id: UserId,
        query: Annotated[str, Query(min_length=1)],
        limit: Annotated[int, Query(ge=1, le=COMPARED)] = 10,
    ) -> list[Memory]:
        """Search active memories by meaning and words, best first; what does not bear on the words is left out."""
        hits = await index.search(user_id, query, statuses=["active"], depth=POOL)
        rows = await journal.memories(user_id, [hit.memory_id for hit in hits])
        standing = {memory.memory_id: memory for memory in rows if memory.status == "active"}
        found = weighed(
            query,
            [hit for hit in hits if hit.memory_id in standing],
            standing,
            calibration=await index.calibration(),
        )
        return [standing[row["memory"]["memory_id"]] for row in found if row["against"] is None][:limit]

    @router.get("/memories/{memory_id}")
    async def show_memory(user_id: UserId, memory_id: str) -> MemoryDetail:
        """Show one memory and why it is believed."""
        return await detail(await own(user_id, memory_id), journal)

    @router.patch("/memories/{memory_id}")
    async def edit_memory(user_id: UserId, memory_id: str, edit: Edit) -> Edited:
        """Say that an active memory is wrong and what is right instead; the gate judges the new words like any others.

        409 where the memory is not active, 422 where the text is empty, the same, or longer than a memory may be.
        """
        memory = await own(user_id, memory_id)
        zone = edit.time_zone or services.home_zone
        done = await correct(services, gate, memory, edit.text, time_zone=zone)
        return Edited(memory=done.memory, before=done.before, degraded=done.degraded)

    @router.post("/memories/{memory_id}/confirm")
    async def confirm_memory(user_id: UserId, memory_id: str) -> Decided:
        """Take a pending memory for true, or make a provisional verdict final.

        A pending one becomes disputed where another stands in its single-valued slot. 409 on any other memory.
        """
        return await decide(user_id, memory_id, "confirm")

    @router.post("/memories/{memory_id}/reject")
    async def reject_memory(user_id: UserId, memory_id: str) -> Decided:
        """Reject a pending or an active memory; what an active one had replaced comes back. 409 on any other memory."""
        return await decide(user_id, memory_id, "reject")

    @router.delete("/memories/{memory_id}")
    async def forget_memory(user_id: UserId, memory_id: str) -> Forgotten:
        """Forget one memory: its row and its point in the index."""
        if not await journal.forget(user_id, memory_id, at_ms=services.clock.now_ms()):
            raise HTTPException(404, f"There is no memory {memory_id}.")
        return Forgotten(memory_id=memory_id, indexed=not await brought_up(services, user_id))

    return router
