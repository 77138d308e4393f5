"""What the tests of the bundled servers share: processes that use the servers, and eyes on the servers."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

from state.stores.embedded.servers import EmbeddedServers

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65534
as_root = pytest.mark.skipif(not ROOT, reason="needs root")

# A process that uses the servers: prints their URLs or an error, then leaves cleanly at a line and at once at the end
# of its input. It gives up root after its imports, as an interpreter below /root can then read no further module.
CHILD = """
import asyncio, concurrent.futures.thread, encodings.idna, fcntl, json, os, pwd, sys
import psycopg
from pathlib import Path
from state.errors import EmbeddedServerError
from state.stores.embedded.servers import EmbeddedServers

uid = int(sys.argv[2])
if uid != os.geteuid():
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)

async def main():
    servers = EmbeddedServers(Path(sys.argv[1]))
    try:
        for _ in range(int(sys.argv[3])):
            urls = [await servers.redis_url(), await servers.postgres_url(), str(await servers.qdrant_folder())]
            if int(sys.argv[3]) > 1:
                psycopg.connect(urls[1]).close()
                await servers.close()
        print(json.dumps(urls), flush=True)
    except EmbeddedServerError as error:
        print(json.dumps(str(error)), flush=True)
    if sys.stdin.readline():
        await servers.close()

asyncio.run(main())
"""


class Child:
    """One such process."""

    def __init__(
        self, data: Path, *, uid: int | None = None, rounds: int = 1, env: dict[str, str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(data), str(os.geteuid() if uid is None else uid), str(rounds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            start_new_session=True,
            env=os.environ | (env or {}),
        )

    def answer(self) -> Any:
        return json.loads(self.process.stdout.readline())

    def leave(self) -> None:
        self.process.communicate("leave\n", timeout=30)
        assert self.process.returncode == 0

    def kill(self) -> None:
        """Kill it with its whole process group, as a closed terminal or Ctrl-C would signal it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def works_below(data: Path) -> list[psutil.Process]:
    """Find servers below a folder, on ways of our own: by command line, working directory and open socket."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            words = [*process.cmdline(), process.cwd()]
            if process.name() in ("redis-server", "valkey-server", "postgres", "initdb") and any(
                word == str(data) or word.startswith(f"{data}/") for word in words
            ):
                found.append(process)
    return [process for process in found if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Give a folder that other accounts may pass through, as pytest's own may not be; whatever runs below is killed."""
    place = Path(tempfile.mkdtemp(prefix="loci-test-"))
    place.chmod(0o755)
    yield place
    for process in works_below(place):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    for record in place.glob("*/sockets"):
        shutil.rmtree(record.read_text(), ignore_errors=True)
    shutil.rmtree(place)


def remember(urls: list[str], value: str) -> None:
    with redis.Redis.from_url(urls[0]) as client:
        client.set("said", value)
    with psycopg.connect(urls[1]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS said (words text)")
        connection.execute("DELETE FROM said")
        connection.execute("INSERT INTO said VALUES (%s)", (value,))


def remembered(urls: list[str]) -> tuple[str, str]:
    with redis.Redis.from_url(urls[0], decode_responses=True) as client:
        hot = client.get("said")
    with psycopg.connect(urls[1]) as connection:
        return hot, connection.execute("SELECT words FROM said").fetchone()[0]


def server_pids(urls: list[str], data: Path) -> list[int]:
    with redis.Redis.from_url(urls[0]) as client:
        hot = client.info("server")["process_id"]
    return [hot, int((data / "postgres" / "postmaster.pid").read_text().split()[0])]


def gone(pids: list[int]) -> bool:
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                return False
    return True


def kill_servers(pids: list[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for _ in range(500):
        if gone(pids):
            return
        time.sleep(0.01)
    raise AssertionError("killed and still there")


async def urls_of(servers: EmbeddedServers) -> list[str]:
    return [await servers.redis_url(), await servers.postgres_url()]


def socket_folder(urls: list[str]) -> Path:
    return Path(urls[0].removeprefix("unix://").split("?")[0]).parents[1]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def foreign_parts(data: Path) -> set[str]:
    return {path.name for path in data.iterdir() if path.stat().st_uid != os.geteuid()}
