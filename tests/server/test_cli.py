"""The command line as a process of its own, against a real endpoint, offline."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.server.conftest import Server, free_port, project
from tests.terminal import terminal

COMMAND = [sys.executable, "-c", "from graph.cli.app import main; main()"]


def loci(*arguments: str, env: Mapping[str, str], home: Path, stdin: bytes = b"") -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([*COMMAND, *arguments], env=env, cwd=home, input=stdin, capture_output=True, timeout=100)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    assert "\x1b" not in out + err  # no colours in a pipe
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@pytest.fixture
def user() -> str:
    return f"小明-{uuid.uuid4().hex[:8]}"


class TestARunningEndpoint:
    def run(
        self, server: Server, *arguments: str, stdin: bytes = b"", **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        return loci(*arguments, env={**server.env, **environment}, home=server.home, stdin=stdin)

    def test_remembers_from_session_to_session_in_chinese(self, server: Server, user: str) -> None:
        said = self.run(server, "chat", "我端午节在老正兴请客户吃了饭", "--user", user)
        assert said.returncode == 0, said.stderr
        assert said.stdout.strip()
        assert "remembered: " in said.stderr
        asked = self.run(server, "chat", "我端午节在哪家餐厅请的客户？", "--user", user, "-m")
        assert "老正兴" in asked.stdout
        assert "[1] " in asked.stderr
        assert "score" in asked.stderr

    def test_remembers_from_session_to_session_in_english(self, server: Server, user: str) -> None:
        assert self.run(server, "chat", "My favourite drink is oolong tea.", "--user", user).returncode == 0
        asked = self.run(server, "chat", "What is my favourite drink?", "--user", user)
        assert asked.returncode == 0, asked.stderr
        assert "oolong" in asked.stdout

    def test_reads_a_pipe_in_the_c_locale(self, server: Server, user: str) -> None:
        message = "我养了一只猫，叫团子。\nIts favourite toy is a \xff ball.".encode()
        locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        said = self.run(server, "chat", "--user", user, stdin=message + b"\xff", **locale)
        assert said.returncode == 0, said.stderr
        found = self.run(server, "memories", "search", "猫叫什么", "--user", user, **locale)
        assert "团子" in found.stdout

    def test_lists_shows_and_forgets_what_one_user_said(self, server: Server, user: str) -> None:
        self.run(server, "chat", "我住在杭州。", "--user", user)
        listed = self.run(server, "memories", "list", "--user", user, "--json")
        (memory,) = json.loads(listed.stdout)["memories"]
        assert "杭州" in memory["text"]
        prefix = memory["memory_id"][:8]
        assert prefix not in self.run(server, "memories", "list", "--user", f"not-{user}").stdout
        assert self.run(server, "memories", "show", prefix, "--user", f"not-{user}").returncode == 1

        shown = self.run(server, "memories", "show", prefix, "--user", user).stdout
        assert "verdict" in shown
        assert "我住在杭州" in shown
        forgotten = self.run(server, "memories", "forget", prefix, "--yes", "--user", user)
        assert forgotten.stderr == f"forgotten: {memory['memory_id']}\n"
        assert self.run(server, "memories", "list", "--user", user).stdout == ""
        assert self.run(server, "memories", "show", memory["memory_id"], "--user", user).returncode == 1

    def test_lists_disputes_and_curates(self, server: Server, user: str) -> None:
        assert self.run(server, "disputes", "list", "--user", user).stderr == "no open disputes\n"
        curated = self.run(server, "curate", "--once", "--user", user)
        assert curated.returncode == 0
        assert curated.stderr.splitlines()[-1].startswith("finished: ")

    def test_doctor_finds_the_stores_at_work(self, server: Server, user: str) -> None:
        examined = self.run(server, "doctor", "--json", "--user", user)
        parts = {part["name"]: part["state"] for part in json.loads(examined.stdout)["parts"]}
        assert {parts[name] for name in ("postgres", "redis", "qdrant", "index", "embedder")} == {"works"}
        assert parts["chat"] == parts["verifier"] == "off"
        assert examined.returncode == 0

    def test_a_second_server_on_the_same_data_says_who_has_it(self, server: Server) -> None:
        refused = self.run(server, "memories", "list", "--url", f"http://127.0.0.1:{free_port()}")
        assert refused.returncode == 1
        assert refused.stderr.startswith("Error: Loci did not start: ")
        assert refused.stderr.count("\n") == 1
        assert self.run(server, "memories", "list").returncode == 0

    def test_the_server_is_left_alone_when_a_client_leaves(self, server: Server, user: str) -> None:
        with terminal("chat", "--user", user, env=server.env, cwd=server.home) as screen:
            screen.until("Ctrl-D leaves.")
            screen.type("我喜欢喝普洱茶\n", "remembered: ")
            screen.type("/memories\n", "普洱茶")
            screen.type("/quit\n", "To go on with this session")
            assert screen.process.wait(20) == 0
        assert _listens(server.url)


class TestDev:
    def test_serves_in_the_foreground_until_it_is_interrupted(self) -> None:
        with project() as (home, env), (home / "screen").open("wb") as screen:
            elsewhere = {name: value for name, value in env.items() if name != "LOCI_URL"}
            record = home / "data" / "endpoint"
            process = subprocess.Popen([*COMMAND, "dev"], env=env, cwd=home, stdout=screen, stderr=screen)
            try:
                while process.poll() is None and not record.exists():
                    time.sleep(0.1)
                # The others find it by what it left in the data folder.
                assert loci("chat", "我喜欢喝茶", env=elsewhere, home=home).returncode == 0
                assert "喝茶" in loci("memories", "list", env=elsewhere, home=home).stdout
                assert record.read_text() == env["LOCI_URL"]
            finally:
                process.send_signal(signal.SIGINT)
                assert process.wait(60) == 0
            said = (home / "screen").read_text()
            assert f"Loci listens at {env['LOCI_URL']}; Ctrl-C stops it." in said
            assert "Application started up" in said
            assert not record.exists()
            assert _processes(home) == []


class TestAnEndpointOfItsOwn:
    def test_survives_a_crash_ends_with_its_client_and_remembers(self) -> None:
        with project() as (home, env):
            with terminal("chat", env=env, cwd=home) as screen:
                screen.until("Ctrl-D leaves.", seconds=60)
                screen.type("我的生日是五月二十日\n", "remembered: ")
                (server,) = [pid for pid in _processes(home) if "langgraph_cli" in _command_line(pid)]
                os.kill(server, signal.SIGKILL)
                screen.until("> ")
                screen.type("我的生日是哪天？\n", "五月二十")
                assert _listens(env["LOCI_URL"])
                os.kill(screen.process.pid, signal.SIGHUP)  # as when its window is closed
                assert screen.process.wait(90) == 128 + signal.SIGHUP
            assert not _listens(env["LOCI_URL"])
            assert _processes(home) == []

            asked = loci("chat", "我的生日是几号？", env=env, home=home)
            assert "五月二十" in asked.stdout, asked.stderr
            assert not _listens(env["LOCI_URL"])
            assert _processes(home) == []
            assert (home / "data" / "server.log").stat().st_size > 0

    def test_a_store_that_is_not_there_ends_the_start_in_one_sentence(self) -> None:
        with project(LOCI_POSTGRES_URL=f"postgresql://127.0.0.1:{free_port()}/loci") as (home, env):
            refused = loci("chat", "hello", env=env, home=home)
            assert refused.returncode == 1
            assert refused.stderr.startswith("Error: Loci did not start: postgres does not answer")
            assert refused.stderr.count("\n") == 1
            assert _processes(home) == []


def _listens(url: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((urlsplit(url).hostname, urlsplit(url).port)) == 0


def _processes(home: Path) -> list[int]:
    """Return the processes that run in this project's folder or name it: the endpoint and the bundled servers."""
    found = []
    for pid in [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]:
        try:
            if str(home) in _command_line(pid) or str(home) in os.readlink(f"/proc/{pid}/cwd"):
                found.append(pid)
        except OSError:
            continue  # it has just ended
    return found


def _command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
