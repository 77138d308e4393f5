"""The HTTP routes beside the graph endpoint, all below /loci."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from langgraph.graph.state import CompiledStateGraph

from graph.gate import Gate
from graph.routes.disputes import dispute_routes
from graph.routes.memories import memory_routes
from graph.routes.operations import operation_routes
from graph.services import Services
from state.errors import DecisionRefused, InputRejected, LociError, StoreUnavailable, TenantMissing

_STATUS: dict[type[LociError], int] = {
    TenantMissing: 401,
    DecisionRefused: 409,
    InputRejected: 422,
    StoreUnavailable: 503,
}


def register(app: FastAPI, services: Services, *, curator: CompiledStateGraph[Any, Any, Any, Any], gate: Gate) -> None:
    """Add every route to the app, and one answer for every error of Loci's own."""
    for router in (
        memory_routes(services, gate),
        dispute_routes(services),
        operation_routes(services, curator),
    ):
        # Not by include_router: the host puts authentication around each route, and cannot around a deferred router.
        app.router.routes.extend(router.routes)
    app.add_exception_handler(LociError, _problem)


async def _problem(_: Request, error: Exception) -> JSONResponse:
    """Answer an error in the form of RFC 9457."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
    return JSONResponse(
        {"title": type(error).__name__, "status": status, "detail": str(error)},
        status_code=status,
        media_type="application/problem+json",
    )
