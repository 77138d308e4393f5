"""What `langgraph.json` names: the assistant, and the app whose lifespan opens and closes the services.

The curator works on every user's memories, the gate on what is not said in a conversation: they run behind routes and
are no graphs of the endpoint.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from graph.assistant import build_assistant
from graph.curator import build_curator
from graph.gate import build_gate
from graph.routes import register
from graph.services import Services
from state.settings import Settings

services = Services(Settings.read())
assistant = build_assistant(services)
curator = build_curator(services)
gate = build_gate(services, seconds=services.settings.fact_check_seconds)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Open the services before the first request, close them after the last."""
    try:
        await services.open()
        yield
    finally:
        await services.close()


app = FastAPI(title="Loci", lifespan=lifespan)
register(app, services, curator=curator, gate=gate)
