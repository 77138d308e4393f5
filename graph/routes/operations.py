"""Health, transcripts, the index's calibration, and the curator's pass."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import StreamingResponse
from langgraph.graph.state import CompiledStateGraph

from graph.health import Health, examine
from graph.routes.caller import UserId
from graph.services import Services
from nodes.curate import LEASE
from state.context import Context
from state.errors import StoreUnavailable
from state.records import Calibration, Turn


def operation_routes(services: Services, curator: CompiledStateGraph[Any, Any, Any, Any]) -> APIRouter:
    """Return the routes that operate the deployment."""
    router = APIRouter(prefix="/loci", tags=["operations"])
    releases: set[asyncio.Task[None]] = set()

    @router.get("/health")
    async def health(user_id: UserId) -> Health:
        """Say of each part whether it works, and what to do where it does not."""
        return await examine(services, user_id)

    @router.get("/sessions/{session_id}/turns")
    async def transcript(user_id: UserId, session_id: str) -> list[Turn]:
        """Return everything said in one session of the caller, in order."""
        return await services.journal.transcript(user_id, session_id)

    @router.post("/calibrate")
    async def calibrate(_: UserId) -> Calibration:
        """Measure what the embedder's cosines mean and keep it with the index: it is the same for all users."""
        try:
            return await services.long_term_memory.calibrate()
        except StoreUnavailable as outage:
            # What fails is mostly the embedder; the error's own words would blame the index.
            raise HTTPException(503, f"No new calibration is kept with the index: {outage.reason}") from outage

    @router.post("/curate")
    async def curate(_: UserId) -> StreamingResponse:
        """Run one pass of the curator over all users; progress and counts stream as one JSON object a line."""
        return StreamingResponse(_progress(), media_type="application/x-ndjson")

    async def _progress() -> AsyncIterator[str]:
        owner = str(uuid.uuid4())
        try:
            async for event in curator.astream({"owner": owner}, context=Context(), stream_mode="custom"):
                yield json.dumps(event, ensure_ascii=False) + "\n"
        finally:
            # A client that goes away in the middle ends the pass, and must not leave it locked. What is awaited here
            # is cancelled with the response, so the release runs beside it.
            release = asyncio.create_task(services.maintenance.release(LEASE, owner))
            releases.add(release)
            release.add_done_callback(releases.discard)
            await asyncio.shield(release)

    return router
