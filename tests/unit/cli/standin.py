"""A small stand-in for the endpoint: what it answers, and what it was asked."""

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from state.records import Memory

FESTIVAL_MS = 1_781_843_400_000  # 2026-06-19 12:30 in Shanghai, 端午
ZONE = "Asia/Shanghai"
SESSION = "7c6abfb8-2712-4707-9fbf-6f4ae687fe6c"


def memory(number: int, text: str = "用户在老正兴请了客户", **changes: Any) -> dict[str, Any]:
    receipt = {
        "relation": "new",
        "grounded": "supported",
        "confidence": 0.9,
        "reason": "said so",
        "verifier": "Qwen/Qwen3-8B",
        "provisional": False,
        "prompt_hash": "1a2b3c",
        "neighbours": ["aaaa0002-0000-4000-8000-000000000000"],
        "judged_ms": FESTIVAL_MS,
    }
    fields = {
        "memory_id": f"aaaa{number:04d}-0000-4000-8000-000000000000",
        "user_id": "local",
        "session_id": SESSION,
        "kind": "event",
        "text": text,
        "status": "active",
        "evidence": [{"turn_id": "turn-1", "span": "在老正兴请客户"}],
        "mentioned_ms": FESTIVAL_MS,
        "time_zone": ZONE,
        "event_start_ms": FESTIVAL_MS,
        "event_end_ms": FESTIVAL_MS + 1,
        "valid_from_ms": FESTIVAL_MS,
        "citations": 2,
        "receipt": receipt,
        **changes,
    }
    row: dict[str, Any] = Memory.model_validate(fields).row()
    return row


def detail(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    turn = {"session_id": SESSION, "text": "我端午节在老正兴请客户吃饭", "at_ms": FESTIVAL_MS, "time_zone": ZONE}
    event = {"at_ms": FESTIVAL_MS, "actor": "gate", "from_status": None, "to_status": "active", "reason": "new"}
    return {
        "memory": row,
        "history": [event],
        "sources": [{**part, "turn": turn} for part in row["evidence"]],
        "compared": [],
        "replaced": [],
        "replaced_by": None,
        "opposes": [],
        "opposed_by": [],
        **changes,
    }


def token(text: str, node: str = "respond") -> tuple[str, Any]:
    return "messages", [{"type": "AIMessageChunk", "content": text, "id": "m1"}, {"langgraph_node": node}]


def replied(text: str) -> tuple[str, Any]:
    return "updates", {"respond": {"messages": [{"type": "ai", "content": text, "id": "m1"}], "degraded": []}}


def stored(status: str, text: str, **changes: Any) -> tuple[str, Any]:
    row = {
        "memory_id": "aaaa0009-0000",
        "text": text,
        "status": status,
        "kind": "fact",
        "slot": None,
        "provisional": False,
    }
    return "custom", {"event": "memory", "reason": "undecided", **row, **changes}


def loaded(dispute: dict[str, Any], *against: dict[str, Any]) -> tuple[str, Any]:
    """Return what the stream tells of an open dispute before the reply."""
    row = {"memory_id": dispute["memory_id"], "text": dispute["text"], "against": list(against), "ask": True}
    return "updates", {"load_context": {"disputes": [row], "degraded": []}}


@dataclass
class StandIn:
    """What the endpoint answers, and what it was asked."""

    url: str = ""
    memories: list[dict[str, Any]] = field(default_factory=list)
    stream: list[tuple[str, Any]] = field(default_factory=list)
    curation: list[dict[str, Any]] = field(default_factory=list)
    parts: list[dict[str, str]] = field(default_factory=list)
    problem: Response | None = None
    taken: bool = False
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: dict[str, Any] | Response = field(default_factory=dict)
    raised_ms: int | None = None
    hangs: bool = False
    cancelled: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    def app(self) -> Starlette:
        routes = [
            Route("/loci/health", self._health),
            Route("/loci/memories", self._list),
            Route("/loci/memories/search", self._search),
            Route("/loci/memories/{memory_id}", self._one, methods=["GET", "DELETE"]),
            Route("/loci/memories/{memory_id}", self._decide, methods=["PATCH"]),
            Route("/loci/memories/{memory_id}/{decision}", self._decide, methods=["POST"]),
            Route("/loci/disputes", self._disputes),
            Route("/loci/disputes/{memory_id}", self._dispute),
            Route("/loci/disputes/{memory_id}", self._decide, methods=["POST"]),
            Route("/loci/calibrate", self._calibrate, methods=["POST"]),
            Route("/loci/curate", self._curate, methods=["POST"]),
            Route("/threads", self._thread, methods=["POST"]),
            Route("/threads/{thread_id}/runs/stream", self._run, methods=["POST"]),
            Route("/threads/{thread_id}/runs/r1/cancel", self._cancel, methods=["POST"]),
        ]
        return Starlette(routes=routes)

    async def _note(self, request: Request) -> Any:
        body = await request.body()
        sent = json.loads(body) if body else dict(request.query_params.multi_items())
        self.asked.append((request.method, request.url.path, sent))
        self.users.append(request.headers["x-loci-user"].encode("latin-1").decode())
        return sent

    async def _health(self, request: Request) -> Response:
        await self._note(request)
        return JSONResponse({"ok": all(part["state"] != "down" for part in self.parts), "parts": self.parts})

    async def _list(self, request: Request) -> Response:
        await self._note(request)
        if self.problem:
            return self.problem
        statuses = request.query_params.getlist("status")
        found = [each for each in self.memories if not statuses or each["status"] in statuses]
        start, limit = int(request.query_params["offset"]), int(request.query_params["limit"])
        return JSONResponse({"memories": found[start : start + limit], "total": len(found)})

    async def _search(self, request: Request) -> Response:
        await self._note(request)
        return JSONResponse(self.memories)

    async def _one(self, request: Request) -> Response:
        await self._note(request)
        wanted = request.path_params["memory_id"]
        found = [each for each in self.memories if each["memory_id"] == wanted]
        if not found:
            return JSONResponse({"detail": f"There is no memory {wanted}."}, status_code=404)
        if request.method == "DELETE":
            self.memories.remove(found[0])
            return JSONResponse({"memory_id": wanted, "indexed": True})
        return JSONResponse(self.details.get(wanted, detail(found[0])))

    async def _decide(self, request: Request) -> Response:
        await self._note(request)
        return self.done if isinstance(self.done, Response) else JSONResponse(self.done)

    async def _disputes(self, request: Request) -> Response:
        await self._note(request)
        disputed = [each for each in self.memories if each["status"] == "disputed"]
        against = {"against": [memory(77, "住在上海")], "raised_ms": self.raised_ms, "raised_by": None}
        return JSONResponse([{"memory": each, **against} for each in disputed])

    async def _dispute(self, request: Request) -> Response:
        await self._note(request)
        wanted = request.path_params["memory_id"]
        found = [each for each in self.memories if each["memory_id"] == wanted and each["status"] == "disputed"]
        if not found:
            return JSONResponse({"detail": f"There is no open dispute {wanted}."}, status_code=404)
        old = memory(77, "住在上海", receipt=None)
        sides = {"memory": detail(found[0], opposes=[old]), "against": [detail(old, opposed_by=found)]}
        return JSONResponse({**sides, "raised_ms": self.raised_ms})

    async def _calibrate(self, request: Request) -> Response:
        await self._note(request)
        pair = {"question": "zh", "memory": "en", "mean": 0.7598, "spread": 0.0471}
        return JSONResponse({"embedder": "e5", "unrelated": [pair]})

    async def _curate(self, request: Request) -> Response:
        await self._note(request)
        return StreamingResponse(iter(json.dumps(event) + "\n" for event in self.curation))

    async def _thread(self, request: Request) -> Response:
        sent = await self._note(request)
        if self.taken:
            return JSONResponse({"detail": f"Thread with ID {sent['thread_id']} already exists"}, status_code=409)
        return JSONResponse({"thread_id": sent["thread_id"]})

    async def _run(self, request: Request) -> Response:
        await self._note(request)
        events = [("metadata", {"run_id": "r1"}), *self.stream]
        parts = [f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events]
        return StreamingResponse(self._parts(parts), media_type="text/event-stream")

    async def _parts(self, parts: list[str]) -> AsyncIterator[str]:
        for part in parts:
            yield part
        if self.hangs:
            await asyncio.to_thread(self.cancelled.wait, 30)

    async def _cancel(self, request: Request) -> Response:
        await self._note(request)
        self.cancelled.set()
        return JSONResponse({})

    def sent(self, path_end: str) -> Any:
        return next(sent for _, path, sent in reversed(self.asked) if path.endswith(path_end))


@contextlib.contextmanager
def free_port() -> Iterator[int]:
    """Yield a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        yield probe.getsockname()[1]


@dataclass
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]
