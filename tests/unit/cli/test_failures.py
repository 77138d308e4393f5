"""What the command line says where something is wrong."""

import contextlib
import socket
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response

from tests.unit.cli.standin import Run, StandIn, free_port


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


def _hang_up(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            listener.accept()[0].close()
