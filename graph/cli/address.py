"""Where the endpoint is: as it was said, where one runs, or where one can be started."""

import contextlib
import socket
from pathlib import Path

import httpx

from graph.cli.client import Endpoint
from state.context import Context
from state.errors import EndpointError

DEFAULT = "http://127.0.0.1:2024"
RECORD = "endpoint"
"""The file in the data folder that names the endpoint the command line started last."""


def running(data_dir: Path) -> str | None:
    """Return the URL of the endpoint that the data folder names, or of the default one; None where neither answers."""
    candidates = (recorded(data_dir), DEFAULT)
    return next((url for url in candidates if url is not None and _is_loci(url)), None)


def startable() -> str:
    """Return where an endpoint can be started: the default port, or a free one where another program holds that."""
    return DEFAULT if _is_free(httpx.URL(DEFAULT).port or 80) else f"http://127.0.0.1:{_free_port()}"


def recorded(data_dir: Path) -> str | None:
    """Return the endpoint that the data folder names, or None."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return (data_dir / RECORD).read_text("utf-8").strip() or None
    return None


def record(data_dir: Path, url: str) -> None:
    """Name the endpoint in the data folder, for the commands that come next; a folder that refuses is no error."""
    with contextlib.suppress(OSError):
        (data_dir / RECORD).write_text(url, "utf-8")


def forget(data_dir: Path, url: str) -> None:
    """Take the record away, if it still names this endpoint."""
    if recorded(data_dir) == url:
        with contextlib.suppress(OSError):
            (data_dir / RECORD).unlink()


def _is_loci(url: str) -> bool:
    # A record may hold anything: it is a file.
    with (
        contextlib.suppress(EndpointError, httpx.InvalidURL),
        contextlib.closing(Endpoint(url, Context().user_id)) as endpoint,
    ):
        return endpoint.answers()
    return False


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server will bind it: a connection that just closed does not hold the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
