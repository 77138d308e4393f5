"""The bundled servers: Redis and PostgreSQL, started at first use and shared by the processes of one data folder.

Below the data folder stand `redis/`, `postgres/` and `qdrant/` (the data), `logs/`, and the locks that data_folder.py
describes. The servers listen on unix sockets in a short temporary folder, on no port. They outlive the process that
started them when it is killed; the next one reattaches. The last process to close stops them.
"""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from state.errors import EmbeddedServerError
from state.stores.embedded.data_folder import DataFolder, clear_errors
from state.stores.embedded.postgres_server import postgres_server, postgres_url
from state.stores.embedded.redis_server import redis_server, redis_url
from state.stores.embedded.supervisor import ServerSpec, ensure, stop


class EmbeddedServers:
    """The bundled servers of one data folder. Constructing it does nothing; each server starts when it is asked for.

    All work runs in threads, never on the event loop. Every method raises EmbeddedServerError, one sentence that says
    what to do, where the folder or a server cannot be used.
    """

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._mutex = threading.Lock()  # between our own threads, as file locks are between processes
        self._folder: DataFolder | None = None
        self._sockets: Path | None = None

    async def redis_url(self) -> str:
        """Return the URL of the bundled Redis, `unix://<socket>?db=0`, once it answers."""
        return await asyncio.to_thread(self._serve, redis_server, redis_url, "LOCI_REDIS_URL")

    async def postgres_url(self) -> str:
        """Return the libpq URL of the bundled PostgreSQL's database `loci`, once it answers."""
        return await asyncio.to_thread(self._serve, postgres_server, postgres_url, "LOCI_POSTGRES_URL")

    async def qdrant_folder(self) -> Path:
        """Return the folder of the bundled Qdrant, which runs in this process; it exists and can be written."""
        return await asyncio.to_thread(self._make_qdrant_folder)

    async def close(self) -> None:
        """Leave the servers; the last process to leave stops them, whoever started them. Twice is no error."""
        await asyncio.to_thread(self._leave)

    def _serve(self, describe: Callable[[Path, Path], ServerSpec], url: Callable[[Path], str], setting: str) -> str:
        if sys.platform == "win32":
            raise EmbeddedServerError(
                f"The bundled servers run on Linux and macOS: set {setting} to a server of your own."
            )
        with self._mutex, clear_errors(self._data_dir):
            folder = self._opened()
            with folder.starting():
                folder.join()
                self._sockets = folder.sockets()
                ensure(describe(folder.path, self._sockets), alone=folder.alone)
            return url(self._sockets)

    def _make_qdrant_folder(self) -> Path:
        with self._mutex, clear_errors(self._data_dir):
            path = self._opened().path / "qdrant"
            path.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=path) as probe:
                probe.write(b"\n" * 4096)
            return path

    def _leave(self) -> None:
        with self._mutex, clear_errors(self._data_dir):
            folder, self._folder = self._folder, None
            sockets, self._sockets = self._sockets, None
            if folder is None:
                return
            try:
                if sockets is None:
                    return
                with folder.starting():
                    if folder.alone():
                        stop(redis_server(folder.path, sockets))
                        stop(postgres_server(folder.path, sockets))
                        folder.remove_sockets()
            finally:
                folder.close()

    def _opened(self) -> DataFolder:
        if self._folder is None:
            self._folder = DataFolder.open(self._data_dir)
        return self._folder
