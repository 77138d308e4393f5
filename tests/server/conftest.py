"""`langgraph dev`, booted as the command line boots it, offline and with data of its own."""

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph.cli.client import Endpoint
from graph.cli.devserver import DevServer

PROJECT = Path(__file__).resolve().parents[2]
FOREIGN = ("LOCI_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_")


@dataclass
class Server:
    """A running endpoint: where it is, what environment it and its clients have, and its life."""

    url: str
    env: dict[str, str]
    home: Path
    process: DevServer
    boot_log: bytes

    @property
    def log_path(self) -> Path:
        assert self.process.log_path is not None
        return self.process.log_path

    def kill(self) -> None:
        """End the server as a crash does. Call `restart` in the same test: others share this server."""
        process = self.process._process
        assert process is not None
        process.kill()
        process.wait()

    def restart(self) -> None:
        """Start it again, on the same data; stops it first if it runs."""
        self.process.start()


@contextlib.contextmanager
def project(**settings: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Make a folder to run Loci in, without the developer's `.env`, and the environment for it: port, data and all."""
    with tempfile.TemporaryDirectory(prefix="loci-test-", dir="/tmp", ignore_cleanup_errors=True) as name:
        home = Path(name)
        home.chmod(0o755)  # PostgreSQL runs as another account where the tests run as root
        shutil.copy(PROJECT / "langgraph.json", home)
        env = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
        env |= {
            "LOCI_URL": f"http://127.0.0.1:{free_port()}",
            "LOCI_DATA_DIR": str(home / "data"),
            "LOCI_TIME_ZONE": "Asia/Shanghai",
            "LOCI_CHAT_MODEL": "offline",
            **settings,
        }
        yield home, env


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One endpoint for all server tests. Take users of your own: memories stay."""
    with project() as (home, env), contextlib.closing(Endpoint(env["LOCI_URL"], "local")) as endpoint:
        process = DevServer(endpoint, home=home, data_dir=Path("data"), environ=env)
        process.start()
        try:
            assert process.log_path is not None
            yield Server(env["LOCI_URL"], env, home, process, process.log_path.read_bytes())
        finally:
            process.stop()


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
