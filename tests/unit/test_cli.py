"""The command line against a small stand-in for the endpoint, over real HTTP."""

import asyncio
import contextlib
import io
import itertools
import json
import os
import signal
import socket
import sys
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from graph.cli import address
from graph.cli import app as cli
from graph.cli.client import Endpoint
from graph.cli.devserver import DevServer, _last_words, project
from graph.cli.terminal import clean, line
from graph.cli.wrapping import breaks
from state.errors import EndpointError, EndpointUnreachable
from tests.terminal import terminal

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
    return {
        "memory_id": f"aaaa{number:04d}-0000-4000-8000-000000000000",
        "user_id": "local",
        "session_id": SESSION,
        "kind": "event",
        "text": text,
        "status": "active",
        "evidence": [{"turn_id": "turn-1", "span": "在老正兴请客户"}],
        "mentioned_ms": FESTIVAL_MS,
        "time_zone": ZONE,
        "slot": None,
        "weight": 1.0,
        "event_start_ms": FESTIVAL_MS,
        "event_end_ms": None,
        "valid_to_ms": None,
        "supersedes": None,
        "opposes": [],
        "mentions": 1,
        "citations": 2,
        "receipt": receipt,
        **changes,
    }


def token(text: str, node: str = "respond") -> tuple[str, Any]:
    return "messages", [{"type": "AIMessageChunk", "content": text, "id": "m1"}, {"langgraph_node": node}]


def replied(text: str) -> tuple[str, Any]:
    return "updates", {"respond": {"messages": [{"type": "ai", "content": text, "id": "m1"}], "degraded": []}}


def stored(status: str, text: str, **changes: Any) -> tuple[str, Any]:
    row = {"memory_id": "x", "text": text, "status": status, "kind": "fact", "slot": None, "provisional": False}
    return "custom", {"event": "memory", "reason": "undecided", **row, **changes}


@dataclass
class StandIn:
    """What the endpoint answers, and what it was asked."""

    url: str = ""
    memories: list[dict[str, Any]] = field(default_factory=list)
    stream: list[tuple[str, Any]] = field(default_factory=list)
    curation: list[dict[str, Any]] = field(default_factory=list)
    parts: list[dict[str, str]] = field(default_factory=list)
    problem: Response | None = None
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
            Route("/loci/disputes", self._disputes),
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
        turn = {"turn_id": "turn-1", "text": "我端午节在老正兴请客户吃饭", "at_ms": FESTIVAL_MS, "time_zone": ZONE}
        event = {"at_ms": FESTIVAL_MS, "actor": "gate", "from_status": None, "to_status": "active", "reason": "new"}
        return JSONResponse({"memory": found[0], "history": [event], "sources": [turn]})

    async def _disputes(self, request: Request) -> Response:
        await self._note(request)
        disputed = [each for each in self.memories if each["status"] == "disputed"]
        return JSONResponse([{"memory": each, "against": [memory(77, "住在上海")]} for each in disputed])

    async def _curate(self, request: Request) -> Response:
        await self._note(request)
        return StreamingResponse(iter(json.dumps(event) + "\n" for event in self.curation))

    async def _thread(self, request: Request) -> Response:
        sent = await self._note(request)
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


@pytest.fixture(scope="module")
def serving() -> Iterator[Callable[[StandIn], None]]:
    """Serve one stand-in after the other on one port."""
    current = SimpleNamespace(app=None)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await current.app(scope, receive, send)

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()

    def serve(stand_in: StandIn) -> None:
        stand_in.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        current.app = stand_in.app()

    yield serve
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def endpoint(serving: Callable[[StandIn], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StandIn:
    stand_in = StandIn()
    serving(stand_in)
    # A project of its own, without the developer's .env.
    (tmp_path / "langgraph.json").write_text('{"graphs": {"loci": "graph.server:assistant"}}')
    monkeypatch.chdir(tmp_path)
    for name in [each for each in os.environ if each.startswith(("LOCI_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LOCI_URL", stand_in.url)
    monkeypatch.setenv("LOCI_DATA_DIR", str(tmp_path / "data"))
    return stand_in


@dataclass
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(endpoint: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run the command line in this process, with standard input from a pipe."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}

    def command(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["loci", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        code = 0
        try:
            cli.main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    yield command
    for number, handler in handlers.items():
        signal.signal(number, handler)


class TestChat:
    def test_shows_the_reply_alone_on_standard_output(self, run: Run, endpoint: StandIn) -> None:
        endpoint.stream = [token("secret", node="distill"), token("你好"), token("，[1]。"), replied("你好，[1]。")]
        result = run("chat", "hello")
        assert (result.code, result.out) == (0, "你好，[1]。\n")

    def test_notes_what_was_stored_disputed_and_degraded_on_standard_error(self, run: Run, endpoint: StandIn) -> None:
        dispute = {"memory_id": "d", "text": "住在北京", "mentioned_ms": FESTIVAL_MS}
        endpoint.stream = [
            replied("ok"),
            stored("active", "likes tea"),
            stored("active", "喜欢咖啡", provisional=True, relation="new"),
            stored("active", "喜欢茶", provisional=True, relation="duplicate"),
            stored("active", "搬到北京", relation="update"),
            stored("pending", "moves to Rome"),
            stored("rejected", "hunter2", reason="a secret"),
            stored("disputed", "住在北京"),
            ("custom", {"event": "dispute", **dispute, "against": [{"text": "住在上海", "mentioned_ms": FESTIVAL_MS}]}),
            ("custom", {"event": "task", "title": "写季度报告", "state": "open", "step": 2, "steps": 4}),
            ("custom", {"event": "task", "title": "plan a trip", "state": "done", "step": None, "steps": None}),
            ("updates", {"recall": {"degraded": ["redis"]}}),
            ("updates", {"persist": {"degraded": ["redis", "distiller"]}}),
        ]
        result = run("chat", "hello", "--time-zone", ZONE)
        assert result.err.splitlines() == [
            "remembered: likes tea",
            "remembered: 喜欢咖啡 (provisional)",
            "known already: 喜欢茶 (provisional)",
            "updates: 搬到北京",
            "waits for a check: moves to Rome (undecided)",
            "not remembered: a secret",
            "provisional: no verifier has checked it yet",
            "disputed, and held back: “住在北京”",
            "against, from 2026-06-19 Fri: “住在上海”",
            "task: 写季度报告, step 2 of 4",
            "task: plan a trip, done",
            "Redis does not answer: nothing is lost, this session is read from PostgreSQL, more slowly.",
            "The distiller did not get through: what you said is kept and will be looked through later.",
            "`loci doctor` says more.",
        ]
        assert result.out == "ok\n"

    def test_shows_recalled_memories_on_request(self, run: Run, endpoint: StandIn) -> None:
        row = {
            "number": 1,
            "text": "用户在老正兴请了客户",
            "mentioned_ms": FESTIVAL_MS,
            "event_start_ms": None,
            "time_zone": ZONE,
            "score": 0.834,
            "parts": {"similarity": 0.912},
            "stale": True,
            "provisional": False,
        }
        endpoint.stream = [
            ("updates", {"rerank": {"recalled": [row]}}),
            replied("老正兴 [1]"),
            ("updates", {"fact_check": {"recalled": [row], "degraded": []}}),
        ]
        assert "老正兴请了客户" not in run("chat", "在哪").err
        shown = run("chat", "在哪", "-m").err
        assert shown == "[1] 2026-06-19 Fri 用户在老正兴请了客户 — score 0.83, stale (similarity 0.91)\n"

    def test_shows_what_was_not_streamed(self, run: Run, endpoint: StandIn) -> None:
        endpoint.stream = [token("half "), replied("half \n\nThe model broke off.")]
        assert run("chat", "hello").out == "half \n\nThe model broke off.\n"

    def test_sends_user_session_and_knobs(self, run: Run, endpoint: StandIn) -> None:
        options = ("--user", "小明", "--session", SESSION, "--time-zone", ZONE, "--profile", "classic")
        assert run("chat", "你好", *options).code == 0
        sent = endpoint.sent("/runs/stream")
        assert sent["input"] == {"messages": [{"role": "user", "content": "你好"}]}
        assert sent["context"] == {"user_id": "小明", "time_zone": ZONE, "profile": "classic"}
        assert endpoint.sent("/threads")["thread_id"] == SESSION
        assert set(endpoint.users) == {"小明"}

    def test_all_of_a_pipe_is_one_message(self, run: Run, endpoint: StandIn) -> None:
        run("chat", stdin="\ufeff第一行\nsecond line\n".encode())
        assert endpoint.sent("/runs/stream")["input"]["messages"][0]["content"] == "第一行\nsecond line"

    def test_bytes_that_are_no_text_are_replaced(self, run: Run, endpoint: StandIn) -> None:
        run("chat", stdin=b"tea \xff\xed\xa0\x80")
        assert endpoint.sent("/runs/stream")["input"]["messages"][0]["content"].startswith("tea \ufffd")
        run("chat", "caf\udcc3\udca9 \ud83d")
        assert endpoint.sent("/runs/stream")["input"]["messages"][0]["content"] == "café \ufffd"

    @pytest.mark.parametrize("stdin", [b"", b" \n\t"])
    def test_nothing_to_send_is_an_error(self, run: Run, endpoint: StandIn, stdin: bytes) -> None:
        result = run("chat", stdin=stdin)
        assert (result.code, result.err) == (1, "Error: There is nothing to send: the text is empty.\n")
        assert endpoint.asked == []

    def test_what_was_said_cannot_steer_the_terminal(self, run: Run, endpoint: StandIn) -> None:
        endpoint.stream = [token("a\x1b[2Jb\x07"), replied("a\x1b[2Jb\x07"), stored("active", "x\x1b]0;y\x9c\nz")]
        result = run("chat", "hello")
        assert (result.out, result.err) == ("a[2Jb\n", "remembered: x]0;y z\n")

    def test_a_failed_run_is_one_sentence(self, run: Run, endpoint: StandIn) -> None:
        failure = {"error": "InputRejected", "message": "The last message must be the user's."}
        endpoint.stream = [("error", failure)]
        result = run("chat", "hello")
        assert (result.code, result.out) == (1, "")
        assert result.err == "Error: The run failed: The last message must be the user's.\n"

    def test_a_reason_the_server_hides_is_looked_up(self, run: Run, endpoint: StandIn) -> None:
        endpoint.parts = [{"name": "postgres", "state": "down", "detail": "postgres does not answer.", "advice": ""}]
        stored_event = ("custom", {"event": "stored", "turn_id": "t", "at_ms": 1})
        failure = {"error": "StoreUnavailable", "message": "An internal error occurred"}
        endpoint.stream = [stored_event, token("half"), ("error", failure)]
        result = run("chat", "hello")
        assert (result.code, result.out) == (1, "half\n")
        assert result.err == (
            "Error: The run failed (StoreUnavailable). postgres does not answer. Your message is kept.\n"
        )


class TestMemories:
    def test_lists_a_line_each_in_a_pipe(self, run: Run, endpoint: StandIn) -> None:
        provisional = {**memory(1)["receipt"], "provisional": True}
        endpoint.memories = [
            memory(1, receipt=provisional),
            memory(2, "likes\n[red]tea", status="pending", receipt=None),
        ]
        result = run("memories", "list")
        assert result.out.splitlines() == [
            "aaaa0001\tactive*\tevent\t2026-06-19 Fri\t用户在老正兴请了客户",
            "aaaa0002\tpending\tevent\t2026-06-19 Fri\tlikes [red]tea",
        ]
        assert (result.code, result.err) == (0, "")

    def test_says_how_many_are_not_shown(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(number) for number in range(3)]
        assert run("memories", "list", "--limit", "2").err == "2 of 3 memories\n"
        assert run("memories", "list", "--status", "rejected").err == "0 of 0 memories\n"

    def test_prints_json_for_scripts(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        assert json.loads(run("memories", "list", "--json").out) == {"memories": [memory(1)], "total": 1}
        assert json.loads(run("memories", "search", "客户", "--json").out) == [memory(1)]
        assert json.loads(run("memories", "show", "aaaa0001", "--json").out)["memory"] == memory(1)
        assert "客户" in run("memories", "list", "--json").out

    def test_searches(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        assert run("memories", "search", "在哪里吃饭", "--limit", "3").out.startswith("aaaa0001\t")
        assert endpoint.sent("/search") == {"query": "在哪里吃饭", "limit": "3"}

    def test_shows_why_a_memory_is_believed(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        shown = dict(each.split(maxsplit=1) for each in run("memories", "show", "aaaa00").out.splitlines())
        assert shown["said"] == "2026-06-19 Fri 12:30 +08:00"
        assert shown["happens"] == "2026-06-19 Fri"
        assert shown["verdict"] == "new, supported, confidence 0.90: said so"
        assert (shown["verifier"], shown["prompt"]) == ("Qwen/Qwen3-8B", "1a2b3c")
        assert shown["compared"] == "aaaa0002-0000-4000-8000-000000000000"
        assert shown["source"] == "2026-06-19 Fri 12:30 +08:00 turn turn-1"
        assert (shown["span"], shown["in"]) == ("在老正兴请客户", "我端午节在老正兴请客户吃饭")
        assert shown["history"] == "2026-06-19 Fri 12:30 +08:00 gate: nothing -> active new"

    def test_a_prefix_must_fit_one_memory(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1), memory(12)]
        several = run("memories", "show", "aaaa00")
        assert several.code == 1
        assert several.err.startswith("Error: aaaa00 fits 2 memories: aaaa0001-")
        assert run("memories", "show", "bbbbbbbb").err == "Error: There is no memory bbbbbbbb.\n"
        assert run("memories", "show", "aaa").err.startswith("Error: 'aaa' is no memory id")
        assert run("memories", "show", "../health").code == 1

    def test_a_prefix_is_looked_for_on_all_pages_and_in_all_statuses(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [*(memory(number) for number in range(510)), memory(9999, status="rejected")]
        assert "aaaa9999-0000" in run("memories", "show", "AAAA9999").out

    def test_forgets_on_a_yes(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1), memory(2)]
        result = run("memories", "forget", "aaaa0001", "--yes")
        assert result.err == f"forgotten: {memory(1)['memory_id']}, its point in the index will follow\n"
        assert [each["memory_id"] for each in endpoint.memories] == [memory(2)["memory_id"]]

    def test_forgets_nothing_unasked(self, run: Run, endpoint: StandIn) -> None:
        endpoint.memories = [memory(1)]
        result = run("memories", "forget", "aaaa0001", stdin=b"y\n")
        assert (result.code, len(endpoint.memories)) == (1, 1)
        assert "say --yes" in result.err


def test_disputes_are_listed_with_both_sides(run: Run, endpoint: StandIn) -> None:
    endpoint.memories = [memory(1, "住在北京", status="disputed")]
    assert run("disputes", "list").out.splitlines() == [
        "aaaa0001\tnew\t2026-06-19 Fri\t住在北京",
        "aaaa0077\tagainst\t2026-06-19 Fri\t住在上海",
    ]
    assert json.loads(run("disputes", "list", "--json").out)[0]["against"][0]["text"] == "住在上海"


class TestCurate:
    @pytest.mark.parametrize(
        ("tally", "told"),
        [
            ({"active": 2, "pending": 1}, "2 memories active, 1 pending"),
            ({"pending": 1}, "1 memory pending"),
            ({}, "no memory changed"),
        ],
    )
    def test_shows_progress(self, run: Run, endpoint: StandIn, tally: dict[str, int], told: str) -> None:
        endpoint.curation = [
            {"event": "curator", "note": "jobs: 2", "done": 0, "of": 2},
            {"event": "curator", "note": "distil a turn", "done": 1, "of": 2},
            {"event": "curator", "note": "finished", "stored": tally},
        ]
        result = run("curate", "--once")
        assert result.code == 0
        assert result.err.splitlines() == ["jobs: 2 (0 of 2)", "distil a turn (1 of 2)", f"finished: {told}"]

    def test_a_pass_that_breaks_off_is_an_error(self, run: Run, endpoint: StandIn) -> None:
        endpoint.curation = [{"event": "curator", "note": "2 jobs", "of": 2}]
        result = run("curate")
        assert result.code == 1
        assert "broke off" in result.err


class TestDoctor:
    def test_tells_what_is_down(self, run: Run, endpoint: StandIn) -> None:
        works = {"name": "redis", "state": "works", "detail": "bundled", "advice": ""}
        endpoint.parts = [works]
        assert run("doctor").code == 0
        endpoint.parts = [works, {"name": "qdrant", "state": "down", "detail": "gone", "advice": "Restart Loci."}]
        result = run("doctor")
        assert (result.code, result.out.splitlines()[1]) == (1, "qdrant\tdown\tgone\tRestart Loci.")
        assert json.loads(run("doctor", "--json").out)["ok"] is False

    def test_names_no_address_where_none_was_given(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("LOCI_URL")
        with free_port() as port:
            monkeypatch.setattr(address, "DEFAULT", f"http://127.0.0.1:{port}")
        result = run("doctor", "--json")
        assert result.code == 1
        assert json.loads(result.out)["error"] == "No Loci runs on this machine."
        assert result.err.startswith("Error: No Loci runs on this machine.\n")

    def test_finds_one_that_was_started_by_hand(
        self, run: Run, endpoint: StandIn, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("LOCI_URL")
        monkeypatch.setattr(address, "DEFAULT", endpoint.url)
        assert run("doctor").code == 0

    def test_says_that_nothing_runs_and_how_to_start_it(self, run: Run) -> None:
        with free_port() as port:
            url = f"http://127.0.0.1:{port}"
        result = run("doctor", "--url", url)
        assert result.code == 1
        assert result.err.startswith(f"Error: Nothing answers at {url}")
        assert "loci chat" in result.err
        failed = json.loads(run("doctor", "--json", "--url", url).out)
        assert failed["ok"] is False
        assert "Nothing answers" in failed["error"]


class TestFailures:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("LOCI_PROMPT_TOKENS", "-1"),
            ("LOCI_URL", "ftp://host"),
            ("LOCI_VERIFIER_PROFILE", "magic"),
            ("LOCI_TIME_ZONE", "Mars/Olympus"),
        ],
    )
    def test_a_wrong_setting_is_one_sentence_naming_it(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str
    ) -> None:
        monkeypatch.setenv(name, value)
        result = run("chat", "hello")
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith(f"Error: {name}")
        assert result.err.count("\n") == 1

    def test_an_env_file_of_the_project_is_read(self, run: Run, endpoint: StandIn, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text("LOCI_REPLY_TOKENS=few\n")
        assert run("memories", "list").err.startswith("Error: LOCI_REPLY_TOKENS")

    @pytest.mark.parametrize(
        "arguments",
        [
            ("memories", "list", "--status", "lost"),
            ("memories", "list", "--limit", "0"),
            ("chat", "hello", "--url", "localhost"),
            ("chat", "hello", "--user", "  "),
            ("chat", "hello", "--session", "mine"),
            ("chat", "hello", "--time-zone", "Mars/Olympus"),
            ("remember",),
        ],
    )
    def test_wrong_usage_ends_with_2(self, run: Run, endpoint: StandIn, arguments: tuple[str, ...]) -> None:
        assert run(*arguments).code == 2
        assert endpoint.asked == []

    @pytest.mark.parametrize(
        ("status", "body", "sentence"),
        [
            (503, {"title": "StoreUnavailable", "detail": "postgres does not answer: refused"}, "postgres does not"),
            (401, {"detail": "Nobody is signed in."}, "Nobody is signed in."),
            (422, {"detail": [{"loc": ["query", "limit"], "msg": "too large"}]}, "limit: too large"),
            (500, None, "status 500"),
        ],
    )
    def test_an_error_of_the_endpoint_is_one_sentence(
        self, run: Run, endpoint: StandIn, status: int, body: Any, sentence: str
    ) -> None:
        endpoint.problem = JSONResponse(body, status_code=status) if body else Response("oops", status_code=status)
        result = run("memories", "list")
        assert result.code == 1
        assert sentence in result.err
        assert "Traceback" not in result.err
        assert result.err.count("\n") == 1

    def test_another_web_server_is_not_loci(self, run: Run, endpoint: StandIn, serving: Any) -> None:
        serving(SimpleNamespace(app=lambda: Starlette(routes=[])))
        for arguments in (("chat", "hello"), ("memories", "list"), ("doctor",)):
            result = run(*arguments)
            assert result.code == 1
            assert f"What answers at {endpoint.url} is not Loci." in result.err
            assert "LOCI_URL" in result.err

    def test_something_that_speaks_no_http_is_named_too(self, run: Run) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=_hang_up, args=[listener], daemon=True).start()
            result = run("chat", "hello", "--url", f"http://127.0.0.1:{listener.getsockname()[1]}")
        assert result.code == 1
        assert "If another program runs there, stop it or set LOCI_URL" in result.err

    def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with free_port() as port:
            monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
        assert run("memories", "list").code == 0


class TestDev:
    def test_a_wrong_setting_starts_nothing(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LOCI_PROMPT_TOKENS", "-1")
        result = run("dev")
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith("Error: LOCI_PROMPT_TOKENS")

    def test_one_that_runs_is_not_run_again(self, run: Run, endpoint: StandIn) -> None:
        result = run("dev")
        assert result.code == 1
        assert result.err.startswith(f"Error: Loci runs already, at {endpoint.url}")

    def test_a_named_port_of_another_program_is_an_error(self, run: Run, endpoint: StandIn, serving: Any) -> None:
        serving(SimpleNamespace(app=lambda: Starlette(routes=[])))
        result = run("dev")
        assert result.code == 1
        assert f"What answers at {endpoint.url} is not Loci." in result.err

    def test_an_endpoint_that_ends_by_itself_is_an_error(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "langgraph.json").write_text('{"dependencies": [], "graphs": {"loci": "graph.server:assistant"}')
        with free_port() as port:
            monkeypatch.setenv("LOCI_URL", f"http://127.0.0.1:{port}")
        result = run("dev")
        assert result.code == 1
        assert "Loci ended by itself, with exit code 1" in result.err
        assert address.recorded(tmp_path / "data") is None


class TestDevServer:
    def test_an_endpoint_elsewhere_is_not_started(self, tmp_path: Path) -> None:
        for url in ("http://192.0.2.1:2024", "https://127.0.0.1:2024", "http://127.0.0.1:2024/loci"):
            with contextlib.closing(Endpoint(url, "local")) as endpoint:
                server = DevServer(endpoint, home=tmp_path, data_dir=tmp_path, environ={})
                with pytest.raises(EndpointUnreachable, match="cannot be started from here"):
                    server.start()

    def test_a_server_that_dies_is_quoted(self, tmp_path: Path) -> None:
        (tmp_path / "langgraph.json").write_text("{}")
        with free_port() as port:
            url = f"http://127.0.0.1:{port}"
        with contextlib.closing(Endpoint(url, "local")) as endpoint:
            server = DevServer(endpoint, home=tmp_path, data_dir=Path("data"), environ=dict(os.environ))
            with pytest.raises(EndpointError, match=r"Loci did not start: .*graph.*server\.log"):
                server.start()
        assert server.log_path == tmp_path / "data" / "server.log"

    def test_a_foreign_data_folder_gets_no_log(self, tmp_path: Path) -> None:
        (tmp_path / "langgraph.json").write_text("{}")
        foreign = tmp_path / "photos"
        foreign.mkdir()
        (foreign / "one.jpg").touch()
        with free_port() as port, contextlib.closing(Endpoint(f"http://127.0.0.1:{port}", "local")) as endpoint:
            server = DevServer(endpoint, home=tmp_path, data_dir=foreign, environ=dict(os.environ))
            with pytest.raises(EndpointError):
                server.start()
        assert [each.name for each in foreign.iterdir()] == ["one.jpg"]
        assert server.log_path is not None
        server.log_path.unlink()

    def test_the_sentence_of_an_own_error_is_found_in_a_log(self) -> None:
        log = (
            "INFO: starting\nTraceback (most recent call last):\n  File x\n"
            "state.errors.SettingsError: LOCI_PROMPT_TOKENS: too small.\nApplication startup failed. Exiting.\n"
        )
        assert _last_words(log, Path("l")) == "LOCI_PROMPT_TOKENS: too small."
        wrapped = "x\nOSError: [Errno 98] in use\n\nImportError: cannot load\nbye\n"
        assert _last_words(wrapped, Path("l")) == "OSError: [Errno 98] in use. See l."
        assert _last_words("Killed\n", Path("l")) == "Killed. See l."

    def test_the_project_is_the_folder_one_stands_in_or_that_of_the_package(
        self, endpoint: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert project() == tmp_path
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "langgraph.json").write_text('{"graphs": {"agent": "./agent.py:graph"}}')
        monkeypatch.chdir(tmp_path / "other")
        assert project() == Path(cli.__file__).parents[2]


def test_a_conversation_on_a_terminal(endpoint: StandIn) -> None:
    endpoint.memories = [memory(1)]
    endpoint.stream = [token("老正兴"), replied("老正兴"), stored("active", "请了客户")]
    with terminal("chat", "--session", SESSION) as screen:
        screen.until("Ctrl-D leaves.")
        screen.type("/help\n", "/recalled")
        screen.type("/memories\n", "2026-06-19 Fri")
        screen.type("/nonsense\n", "no command")
        screen.type("我端午节在哪请的客户\n", "remembered: 请了客户")
        assert endpoint.sent("/threads")["thread_id"] == SESSION
        assert endpoint.sent("/runs/stream")["input"]["messages"][0]["content"] == "我端午节在哪请的客户"
        screen.type("/new\n", "session ")
        screen.type("在吗\n", "remembered: 请了客户")
        session = endpoint.sent("/threads")["thread_id"]
        assert uuid.UUID(session) != uuid.UUID(SESSION)
        screen.press("\x03", "/quit leaves")
        screen.press("\x04", f"loci chat --session {session}")
        assert screen.process.wait(10) == 0


def test_a_terminal_breaks_notes_between_words_and_shows_a_bar(endpoint: StandIn) -> None:
    endpoint.stream = [replied("ok"), stored("active", "我在" + "很远的地方" * 10 + "，remembering everything")]
    with terminal("chat", "hello") as screen:
        screen.until("remembered: 我在")
        # 100 cells are the label's 12 and 44 characters; then comes an indent.
        screen.until("很远\x1b[0m\r\n")
        screen.until("    \x1b[2m的地方")
        screen.until("remembering everything")
        assert screen.process.wait(10) == 0
    endpoint.curation = [
        {"event": "curator", "note": "jobs: 2", "done": 0, "of": 2},
        {"event": "curator", "note": "distil a turn", "done": 2, "of": 2},
        {"event": "curator", "note": "finished", "stored": {"active": 1}},
    ]
    with terminal("curate") as screen:
        screen.until("1/2")
        screen.until("finished: 1 memory active")
        assert screen.process.wait(10) == 0


def test_ctrl_c_stops_an_answer_and_its_run(endpoint: StandIn) -> None:
    endpoint.stream, endpoint.hangs = [token("It is a long story")], True
    with terminal("chat") as screen:
        screen.until("> ")
        screen.type("tell me\n", "long story")
        screen.type("\x03", "stopped")
        assert endpoint.cancelled.is_set()
        screen.type("/quit\n", "To go on with this session")
        assert screen.process.wait(10) == 0


def test_text_that_is_no_unicode_is_made_so() -> None:
    assert clean("caf\udcc3\udca9") == "café"
    assert clean("\udcff \ud83d") == "\ufffd \ufffd"
    assert line("a\n b\x1b[1m") == "a b[1m"


def _hang_up(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            listener.accept()[0].close()


@contextlib.contextmanager
def free_port() -> Iterator[int]:
    """Yield a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        yield probe.getsockname()[1]


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 8, ["one two ", "three"]),
        ("one two", 7, ["one two"]),
        ("我住在上海", 6, ["我住在", "上海"]),
        ("我住在，上海", 6, ["我住", "在，上", "海"]),
        ("我说“好”了", 7, ["我说", "“好”了"]),
        ("喝 oolong 茶", 8, ["喝 ", "oolong ", "茶"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 4, [""]),
    ],
)
def test_lines_are_broken_between_words_and_wide_characters(text: str, width: int, rows: list[str]) -> None:
    bounds = [0, *breaks(text, width, 0), len(text)]
    assert [text[start:end] for start, end in itertools.pairwise(bounds)] == rows


def test_what_follows_the_first_line_is_narrower_by_its_indent() -> None:
    assert breaks("aaaa bbbb cc", 8, 4) == [5, 10]
