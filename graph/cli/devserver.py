"""`langgraph dev` as the command line runs it: started where no endpoint answers, stopped by who started it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import httpx

from graph.cli import address
from graph.cli.client import Endpoint
from graph.cli.transport import is_loopback
from state.errors import EmbeddedServerError, EndpointError, EndpointUnreachable
from state.stores.embedded.data_folder import DataFolder

START_SECONDS = 180.0
STOP_SECONDS = 20.0
_POLL_SECONDS = 0.1

_CONFIG = "langgraph.json"
_GRAPH = "graph.server:assistant"
_JOBS = 10
_LOG_NAME = "server.log"
_LOG_BYTES = 5_000_000

# Nothing leaves the machine unasked: no usage statistics, no look for newer versions, no traces.
_DEFAULTS = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
    "OMP_WAIT_POLICY": "passive",
    "PYTHONUTF8": "1",
}
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_OWN_ERROR = re.compile(r"state\.errors\.\w+: (.+)")
_ANY_ERROR = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception|Exit)\b: .+)")
_TAKEN = re.compile(r"Port \d+ is already in use|address already in use", re.IGNORECASE)


def project() -> Path:
    """Return the folder of Loci's `langgraph.json`: the current one if it holds one, else that of this package.

    It is where the server runs: `.env` and a relative LOCI_DATA_DIR are read from there, as with `langgraph dev`.
    """
    here = Path.cwd()
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if _GRAPH in (here / _CONFIG).read_text("utf-8"):
            return here
    return Path(__file__).resolve().parents[2]


class DevServer:
    """One `langgraph dev` process for an endpoint on this machine.

    Args:
        endpoint: Where it shall answer.
        home: The project's folder.
        data_dir: The folder of the bundled servers; the log goes there too, if it is Loci's and can be written.
        environ: The environment of the process.
    """

    def __init__(self, endpoint: Endpoint, *, home: Path, data_dir: Path, environ: Mapping[str, str]) -> None:
        self._endpoint = endpoint
        self._home = home
        self._data_dir = home / data_dir
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None
        self.log_path: Path | None = None

    def start(self) -> None:
        """Start the process and wait until a Loci answers.

        Raises:
            EndpointUnreachable: The endpoint is not one that can be started from here.
            EndpointError: The process ended or did not answer in time; says what its log says.
        """
        self.stop()
        self._check()
        self.log_path = log_path = self._choose_log()
        with log_path.open("ab") as log:
            log_start = log.tell()
            process = self._spawn(log)
        try:
            self._wait(process, log_path, log_start)
            self._record()
        except BaseException:
            self.stop()
            raise

    def serve(self, ready: Callable[[], None]) -> None:
        """Run the process in the foreground, its output being this one's, until it ends.

        Args:
            ready: Called once, when a Loci answers.

        Raises:
            EndpointUnreachable: The endpoint is not one that can be started from here.
            EndpointError: The process ended by itself.
        """
        self._check()
        process = self._spawn(None)
        try:
            while process.poll() is None and not self._is_up():
                time.sleep(_POLL_SECONDS)
            if process.poll() is None:
                self._record()
                ready()
            code = process.wait()
        finally:
            self.stop()
        raise EndpointError(f"Loci ended by itself, with exit code {code}: what it printed says why.")

    def stop(self) -> None:
        """Stop the process, if this object started one: asked first, then asked to hurry, then killed."""
        process, self._process = self._process, None
        if process is None:
            return
        address.forget(self._data_dir, self._endpoint.url)
        for seconds in (STOP_SECONDS, STOP_SECONDS / 4):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            # Another Ctrl-C means: hurry.
            with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                process.wait(seconds)
                return
        process.kill()
        process.wait()

    def _check(self) -> None:
        url = httpx.URL(self._endpoint.url)
        if url.scheme != "http" or not is_loopback(self._endpoint.url) or ":" in url.host or url.path != "/":
            raise EndpointUnreachable(f"Nothing answers at {self._endpoint.url}, and it cannot be started from here.")
        if not (self._home / _CONFIG).is_file():
            raise EndpointUnreachable(
                f"Nothing answers at {self._endpoint.url}, and there is no {_CONFIG} in {self._home} to start it with."
            )

    def _spawn(self, output: IO[bytes] | None) -> subprocess.Popen[bytes]:
        """Start the process; its output goes to a file, or where this process's own goes."""
        self._process = process = subprocess.Popen(
            self._command(httpx.URL(self._endpoint.url).port or 80),
            cwd=self._home,
            env={**_DEFAULTS, **self._environ},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=None if output is None else subprocess.STDOUT,
            # A Ctrl-C in the terminal reaches this process alone, and `stop` stops the server.
            start_new_session=True,
        )
        return process

    def _is_up(self) -> bool:
        # One that is busy starting may be slow to answer; another program there shows in what the server prints.
        with contextlib.suppress(EndpointError):
            return self._endpoint.answers()
        return False

    def _record(self) -> None:
        # Only in a folder of Loci's own, made where there is none: servers elsewhere do without one.
        with contextlib.suppress(EmbeddedServerError, OSError):
            DataFolder.open(self._data_dir).close()
            address.record(self._data_dir, self._endpoint.url)

    def _command(self, port: int) -> list[str]:
        options = ["--config", str(self._home / _CONFIG), "--host", "127.0.0.1", "--port", str(port)]
        options += ["--no-browser", "--no-reload", "--n-jobs-per-worker", str(_JOBS)]
        return [sys.executable, "-m", "langgraph_cli", "dev", *options]

    def _choose_log(self) -> Path:
        try:
            # Made by the same rules as the bundled servers make it, lest they find a foreign folder.
            DataFolder.open(self._data_dir).close()
            path = self._data_dir / _LOG_NAME
            if path.exists() and path.stat().st_size > _LOG_BYTES:
                path.replace(path.with_suffix(".log.1"))
            path.open("ab").close()
        except (EmbeddedServerError, OSError):
            handle, name = tempfile.mkstemp(prefix="loci-server-", suffix=".log")
            os.close(handle)
            path = Path(name)
        return path

    def _wait(self, process: subprocess.Popen[bytes], log_path: Path, log_start: int) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            ended = process.poll() is not None
            log = _read(log_path, log_start)
            # A server that finds its port taken moves to another one and goes on, or ends.
            if ended or _TAKEN.search(log):
                self.stop()
                if self._endpoint.answers():
                    return
                raise EndpointError(f"Loci did not start: {_last_words(log, log_path)}")
            if self._is_up():
                return
            time.sleep(_POLL_SECONDS)
        raise EndpointError(f"Loci did not answer within {START_SECONDS:.0f} seconds: see {log_path}.")


def _read(log_path: Path, start: int) -> str:
    with log_path.open("rb") as log:
        log.seek(start)
        return _COLOUR.sub("", log.read().decode("utf-8", "replace"))


def _last_words(log: str, log_path: Path) -> str:
    """Return the sentence of the error that ended a server, and where the rest stands."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if own := [found[1] for line in lines if (found := _OWN_ERROR.search(line))]:
        return own[-1]
    # The first error is the cause; those after it tell how it was wrapped.
    errors = [found[1] for line in lines if (found := _ANY_ERROR.match(line))]
    return f"{(errors or lines[-1:] or ['it said nothing'])[0].rstrip('.')}. See {log_path}."
