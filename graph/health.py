"""What works, what does not, and what to do about it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

import httpx
from pydantic import BaseModel

from graph.models.verifier import QwenVerifier
from graph.services import Services
from state.errors import LociError
from state.settings import ModelEndpoint

MODEL_SECONDS = 3.0


class Part(BaseModel):
    """One part of the deployment."""

    name: str
    state: Literal["works", "degraded", "down", "off"]
    detail: str
    advice: str = ""


class Health(BaseModel):
    """All parts; `ok` unless one of them is down."""

    ok: bool
    parts: list[Part]


async def examine(services: Services, user_id: str) -> Health:
    """Ask every part at once."""
    settings = services.settings
    parts = await asyncio.gather(
        _store(
            "postgres",
            services.journal.ping,
            settings.postgres_url,
            "LOCI_POSTGRES_URL",
            "Nothing is written without it",
        ),
        _store(
            "redis",
            services.working_memory.ping,
            settings.redis_url,
            "LOCI_REDIS_URL",
            "Sessions are read from PostgreSQL",
        ),
        _store(
            "qdrant",
            services.long_term_memory.ping,
            settings.qdrant_url,
            "LOCI_QDRANT_URL",
            "Nothing is recalled, new memories wait",
        ),
        _index(services, user_id),
        _embedder(services),
        _model("chat", settings.chat, "LOCI_CHAT_BASE_URL", "answers quote memories, offline (set LOCI_CHAT_MODEL)"),
        _verifier(services),
        _gate(services, user_id),
    )
    return Health(ok=all(part.state != "down" for part in parts), parts=list(parts))


async def _store(name: str, ping: Callable[[], Awaitable[None]], url: object, variable: str, without: str) -> Part:
    where = f"at {variable}" if url else "bundled"
    try:
        await ping()
    except LociError as error:
        advice = (
            f"Start the server or correct {variable}." if url else "Restart Loci: the bundled server starts with it."
        )
        return Part(name=name, state="down", detail=f"{error} {without} meanwhile.", advice=advice)
    return Part(name=name, state="works", detail=where)


async def _index(services: Services, user_id: str) -> Part:
    try:
        expected = await services.journal.count_memories(user_id, ["active", "superseded"])
        indexed = await services.long_term_memory.count(user_id)
    except LociError as error:
        return Part(name="index", state="down", detail=str(error), advice="See the stores above.")
    detail = f"{indexed} of {expected} memories are indexed"
    if indexed == expected:
        return Part(name="index", state="works", detail=detail)
    return Part(
        name="index", state="degraded", detail=detail, advice="Run `loci curate`; if that does not help, restart Loci."
    )


async def _embedder(services: Services) -> Part:
    name = services.embeddings.name
    try:
        await services.embeddings.aembed_query("health")
    except LociError as error:
        return Part(
            name="embedder", state="down", detail=str(error), advice="Correct LOCI_EMBEDDING_BASE_URL or its key."
        )
    return Part(name="embedder", state="works", detail=name)


async def _model(name: str, endpoint: ModelEndpoint | None, variable: str, without: str) -> Part:
    if endpoint is None:
        return Part(name=name, state="off", detail=without)
    key = endpoint.api_key.get_secret_value()
    where = f"{endpoint.model} at {httpx.URL(endpoint.base_url).host}"
    try:
        async with httpx.AsyncClient(timeout=MODEL_SECONDS) as client:
            answer = await client.get(f"{endpoint.base_url}/models", headers={"Authorization": f"Bearer {key}"})
    except httpx.HTTPError as error:
        return Part(
            name=name,
            state="down",
            detail=f"{where} does not answer: {error}",
            advice=f"Start it or correct {variable}.",
        )
    if answer.status_code in (401, 403):
        advice = f"Correct {variable.removesuffix('BASE_URL')}API_KEY."
        return Part(name=name, state="down", detail=f"{where} refuses the key", advice=advice)
    if answer.status_code >= 500:
        return Part(name=name, state="down", detail=f"{where} fails ({answer.status_code})", advice=f"See {variable}.")
    return Part(name=name, state="works", detail=where)


async def _verifier(services: Services) -> Part:
    without = "rules judge provisionally (set LOCI_VERIFIER_BASE_URL)"
    part = await _model("verifier", services.settings.verifier, "LOCI_VERIFIER_BASE_URL", without)
    trouble = services.verifier.trouble if isinstance(services.verifier, QwenVerifier) else None
    if trouble is None or part.state == "down":
        return part
    advice = "What is new waits meanwhile; `loci probe-verifier` says more."
    return Part(name="verifier", state="down", detail=f"left alone for a while: {trouble}", advice=advice)


async def _gate(services: Services, user_id: str) -> Part:
    try:
        pending = await services.journal.count_memories(user_id, ["pending"])
        disputed = await services.journal.count_memories(user_id, ["disputed"])
    except LociError as error:
        return Part(name="gate", state="down", detail=str(error), advice="See postgres above.")
    detail = f"waiting for a verdict: {pending}, open disputes: {disputed}"
    advice = "Run `loci curate` once the verifier works." if pending else ""
    return Part(name="gate", state="degraded" if pending else "works", detail=detail, advice=advice)
