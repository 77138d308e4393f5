"""A scripted OpenAI-compatible server on the loopback: real HTTP, real streaming, answers from a script.

    with OpenAIStub() as stub:
        stub.chat = lambda request: "Hello"
        stub.next("verify", Reply(status=429), Reply(text="no JSON"))
        ...  # use stub.base_url
        assert stub.asked("chat")[0].system.startswith("You are Loci")

Completions are told apart by their system prompt, so that one server plays chat model, distiller, summariser and
verifier. Each has a route function, and a queue that goes before it. By itself the server is a simple model: it answers
with the memories it was shown, notes each statement of the user and finds every note supported. A verdict that
is asked for once more, with thinking, goes to the route "rethink", which by itself stays with the first one; the
question by which a verifier's profile is found goes to the route "probe". With a `backend` of tests.backends it has the
ways of that server.

`python -m tests.openai_stub --port 8399` serves it to try the product with a "model".
"""

import argparse
import asyncio
import base64
import hashlib
import itertools
import json
import math
import re
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route as HttpRoute

from graph.models import detection, probe, profiles
from nodes.language.sentences import is_instruction, is_question, is_small_talk, sentences
from nodes.prompts import distill, summarise, verify
from state.records import normalised

RouteName = Literal["chat", "distill", "summarise", "verify", "rethink", "probe", "structure", "embed"]

_MARKS: dict[str, RouteName] = {
    distill.SYSTEM[:80]: "distill",
    summarise.SYSTEM[:80]: "summarise",
    verify.SYSTEM[:80]: "verify",
    probe.FREE_WORDS: "structure",
}
PIECE = 6  # characters in one streamed chunk


@dataclass
class Reply:
    """One answer of the server.

    `content` None sends null. `reasoning` goes into `reasoning_field`. `usage` False reports none, a pair reports
    (prompt, completion) tokens. `delay` comes before anything is sent, `pause` before each streamed chunk
    after the first words.
    `drop_after` closes the connection after so many streamed chunks. `body` is sent as it is, instead of all else.
    """

    content: str | None = ""
    reasoning: str | None = None
    reasoning_field: str = "reasoning_content"
    finish_reason: str = "stop"
    usage: bool | tuple[int, int] = True
    delay: float = 0.0
    pause: float = 0.0
    status: int = 200
    message: str = "scripted failure"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    drop_after: int | None = None
    body: str | None = None
    vectors: list[list[float]] | None = None


@dataclass(frozen=True)
class Request:
    """One request the server got."""

    route: RouteName
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def system(self) -> str:
        return next((message["content"] for message in self.messages if message["role"] == "system"), "")

    @property
    def user(self) -> str:
        return self.messages[-1]["content"]

    @property
    def texts(self) -> list[str]:
        asked = self.body["input"]
        return [asked] if isinstance(asked, str) else asked


RouteFunction = Callable[[Request], "str | Reply"]


class OpenAIStub:
    """The server, in a thread of its own. `base_url` is known once it is started."""

    def __init__(self, port: int = 0) -> None:
        self.reset()
        self._socket = socket.create_server(("127.0.0.1", port))
        self.base_url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        routes = [
            HttpRoute("/v1/chat/completions", self._completion, methods=["POST"]),
            HttpRoute("/v1/embeddings", self._embeddings, methods=["POST"]),
            HttpRoute("/v1/models", self._models),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes), log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def reset(self) -> None:
        """Forget the script and the requests: answer as the simple model again."""
        self.chat: RouteFunction = memories_recited
        self.distill: RouteFunction = statements_noted
        self.summarise: RouteFunction = first_words
        self.verify: RouteFunction = all_supported
        self.rethink: RouteFunction = self._last_verdict
        self.probe: RouteFunction = lambda request: verdict("new")
        self.structure: RouteFunction = lambda request: "It is blue."
        self.backend: Callable[[Request, Reply], Reply] | None = None
        self.models: list[dict[str, Any]] = [{"id": "stub", "object": "model", "owned_by": "stub"}]
        self.embed: RouteFunction = lambda request: Reply()
        self.requests: list[Request] = []
        self._queues: dict[str, deque[Reply]] = {}
        self._verdicts: dict[str, Reply] = {}

    def next(self, route: RouteName, *replies: Reply | str) -> None:
        """Answer the next requests of a route with these, before its function is asked again."""
        self._queues.setdefault(route, deque()).extend(_reply(reply) for reply in replies)

    def asked(self, route: RouteName) -> list[Request]:
        """Return the requests of a route, oldest first."""
        return [request for request in self.requests if request.route == route]

    def start(self) -> None:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()

    def join(self) -> None:
        """Serve until the process is interrupted."""
        try:
            while self._thread.is_alive():
                self._thread.join(timeout=0.5)
        except KeyboardInterrupt:
            self.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _completion(self, http: HttpRequest) -> Response:
        body = await http.json()
        system = next((message["content"] for message in body["messages"] if message["role"] == "system"), "")
        route = next((name for mark, name in _MARKS.items() if system.startswith(mark)), "chat")
        if route == "verify":
            route = _verifying(body)
        request, reply = await self._answered(route, body, http)
        if self.backend is not None:
            reply = self.backend(request, reply)
        if (refused := _refused(reply)) is not None:
            return refused
        if body.get("stream"):
            # A drop must break the chunked body off: the generator's own error makes uvicorn close the connection.
            return StreamingResponse(_streamed(request, reply), media_type="text/event-stream")
        if reply.drop_after is not None:
            return StreamingResponse(_dropped(), media_type="application/json")
        message = {"role": "assistant", "content": reply.content}
        if reply.reasoning is not None:
            message[reply.reasoning_field] = reply.reasoning
        completion: dict[str, Any] = {
            **_frame(request, "chat.completion"),
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
        }
        if reply.usage:
            completion["usage"] = usage_of(request, reply)
        return JSONResponse(completion)

    async def _embeddings(self, http: HttpRequest) -> Response:
        request, reply = await self._answered("embed", await http.json(), http)
        if (refused := _refused(reply)) is not None:
            return refused
        size = request.body.get("dimensions") or 1536
        vectors = reply.vectors or [vector_of(text, size) for text in request.texts]
        as_base64 = request.body.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": index, "embedding": _packed(vector) if as_base64 else vector}
            for index, vector in enumerate(vectors)
        ]
        tokens = sum(len(text) for text in request.texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return JSONResponse({"object": "list", "model": request.body["model"], "data": data, "usage": usage})

    def _last_verdict(self, request: Request) -> Reply:
        return self._verdicts[request.user]

    async def _models(self, http: HttpRequest) -> Response:
        return JSONResponse({"object": "list", "data": self.models})

    async def _answered(self, route: RouteName, body: dict[str, Any], http: HttpRequest) -> tuple[Request, Reply]:
        request = Request(route, body, dict(http.headers))
        self.requests.append(request)
        queue = self._queues.get(route)
        reply = queue.popleft() if queue else _reply(getattr(self, route)(request))
        if route == "verify":
            self._verdicts[request.user] = reply
        await asyncio.sleep(reply.delay)
        return request, reply


def usage_of(request: Request, reply: Reply) -> dict[str, int]:
    """Return the usage the server reports: by the script, else by counting four characters as a token."""
    if isinstance(reply.usage, tuple):
        prompt, completion = reply.usage
    else:
        prompt = math.ceil(sum(len(message["content"]) for message in request.messages) / 4)
        completion = math.ceil(len(reply.content or "") / 4)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def vector_of(text: str, size: int) -> list[float]:
    """Return a unit vector that depends on the text only and is near that of a text with the same words.

    Each word, single Chinese character and pair of them adds to one coordinate, chosen by hash.
    """
    vector = [0.0] * size
    words = re.findall(r"[a-z0-9]+", text.casefold())
    characters = re.findall(r"[\u4e00-\u9fff]", text)
    pairs = [first + second for first, second in itertools.pairwise(characters)]
    for part in [*words, *characters, *pairs, ""]:
        digest = hashlib.sha256(part.encode()).digest()
        vector[int.from_bytes(digest[:4], "big") % size] += 1.0 if part else 0.01
    norm = math.sqrt(sum(value * value for value in vector))
    return [value / norm for value in vector]


def memories_recited(request: Request) -> str:
    """Answer with the dated memories of the prompt, as a model that makes use of them would."""
    block = re.search(r"<memories>\n(.*?)\n</memories>", request.system, re.DOTALL)
    chinese = re.search(r"[\u4e00-\u9fff]", request.user)
    if block is None:
        return "我还没有这方面的记忆。" if chinese else "I have no memory of that yet."
    opening = "我记得：" if chinese else "I remember:"
    return "\n".join([opening, *block.group(1).splitlines()])


def statements_noted(request: Request) -> str:
    """Note each sentence of the user that states something; code finds the time in it."""
    said = _between("said", request.user)
    noted = [
        sentence
        for sentence in sentences(said)
        if not (is_question(sentence) or is_small_talk(sentence) or is_instruction(sentence))
    ]
    return distilled(*(note(sentence, sentence, when=sentence) for sentence in noted))


def first_words(request: Request) -> str:
    """Summarise by the first thing the user said."""
    lines = _between("conversation", request.user).splitlines()
    said = next((line.removeprefix("user: ") for line in lines if line.startswith("user: ")), lines[0])
    return json.dumps({"summary": said}, ensure_ascii=False)


def all_supported(request: Request) -> str:
    """Find every note supported, and a duplicate where a memory has the same words."""
    words = normalised(_between("candidate", request.user).splitlines()[0].removeprefix("note: "))
    memories = [line for line in _between("memories", request.user).splitlines() if re.match(r"\d+\. ", line)]
    for number, line in enumerate(memories, 1):
        if normalised(re.sub(r"^\d+\. | \(said [^()]*\)$", "", line)) == words:
            return verdict("duplicate", concerns=[number])
    return verdict("new")


def note(text: str, span: str, **fields: Any) -> dict[str, Any]:
    """Return one candidate of a distiller's answer."""
    plain = {"kind": "fact", "slot": None, "when": None, "planned": False, "important": False}
    return {**plain, "text": text, "span": span, **fields}


def task(title: str, span: str, **fields: Any) -> dict[str, Any]:
    """Return one task of a distiller's answer."""
    return {"title": title, "state": None, "step": None, "steps": None, "when": None, "span": span, **fields}


def distilled(*candidates: dict[str, Any], tasks: Sequence[dict[str, Any]] = ()) -> str:
    """Return a distiller's answer."""
    return json.dumps({"candidates": candidates, "tasks": tasks}, ensure_ascii=False)


def verdict(relation: str, **fields: Any) -> str:
    """Return a verifier's answer."""
    plain = {"reason": "scripted", "grounded": "supported", "relation": relation, "concerns": [], "confidence": 0.9}
    return json.dumps({**plain, "resolution": None, "supported_part": None, **fields}, ensure_ascii=False)


def _verifying(body: dict[str, Any]) -> RouteName:
    if detection.SAID in body["messages"][-1]["content"]:
        return "probe"
    return "rethink" if body["max_tokens"] > profiles.VERDICT_TOKENS else "verify"


def _reply(answer: Reply | str) -> Reply:
    return answer if isinstance(answer, Reply) else Reply(content=answer)


def _refused(reply: Reply) -> Response | None:
    if reply.body is not None:
        return Response(reply.body, reply.status, reply.headers, media_type="application/json")
    if reply.status == 200:
        return None
    error = {"message": reply.message, "type": "scripted", "param": None, "code": reply.code}
    return JSONResponse({"error": error}, reply.status, reply.headers)


async def _streamed(request: Request, reply: Reply) -> AsyncIterator[str]:
    frame = _frame(request, "chat.completion.chunk")

    def event(choices: list[dict[str, Any]], **fields: Any) -> str:
        return f"data: {json.dumps({**frame, 'choices': choices, **fields}, ensure_ascii=False)}\n\n"

    text = reply.content or ""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    if reply.reasoning is not None:
        deltas.append({reply.reasoning_field: reply.reasoning})
    deltas += [{"content": text[start : start + PIECE]} for start in range(0, len(text), PIECE)]
    for sent, delta in enumerate(deltas):
        await asyncio.sleep(reply.pause if sent > 1 else 0)
        if sent == reply.drop_after:
            raise ConnectionResetError("scripted drop")
        yield event([{"index": 0, "delta": delta, "finish_reason": None}])
    yield event([{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}])
    if reply.usage and (request.body.get("stream_options") or {}).get("include_usage"):
        yield event([], usage=usage_of(request, reply))
    yield "data: [DONE]\n\n"


async def _dropped() -> AsyncIterator[str]:
    yield '{"id": "cut'
    raise ConnectionResetError("scripted drop")


def _frame(request: Request, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-stub", "object": kind, "created": 0, "model": request.body["model"]}


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _between(tag: str, text: str) -> str:
    block = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return block.group(1) if block else ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the scripted model.")
    parser.add_argument("--port", type=int, default=8399)
    with OpenAIStub(parser.parse_args().port) as stub:
        print(  # noqa: T201
            f"Serving a scripted model. Use it with\n"
            f"  LOCI_CHAT_MODEL=stub LOCI_CHAT_BASE_URL={stub.base_url} LOCI_VERIFIER_BASE_URL={stub.base_url}",
            flush=True,
        )
        stub.join()


if __name__ == "__main__":
    main()
