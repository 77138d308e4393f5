"""`loci calibrate`, `loci curate`, `loci doctor` and `loci dev`."""

import contextlib
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette

from graph.cli import address
from graph.cli import app as cli
from graph.cli.client import Endpoint
from graph.cli.devserver import DevServer, _last_words, project
from state.errors import EndpointError, EndpointUnreachable
from tests.unit.cli.standin import Run, StandIn, free_port


class TestCalibrate:
    def test_shows_what_was_measured(self, run: Run, endpoint: StandIn) -> None:
        result = run("calibrate")
        assert (result.code, endpoint.asked[-1]) == (0, ("POST", "/loci/calibrate", {}))
        assert result.out.splitlines() == ["e5\tzh\ten\t0.760\t0.047"]

    def test_as_data_it_is_not_rounded(self, run: Run) -> None:
        assert json.loads(run("calibrate", "--json").out)["unrelated"][0]["mean"] == 0.7598


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
