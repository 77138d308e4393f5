"""The command line in this process, against the stand-in over real HTTP."""

import io
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn

from graph.cli import app as cli
from tests.unit.cli.standin import Result, Run, StandIn


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
