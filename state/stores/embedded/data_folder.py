"""The data folder: told from foreign ones by a marker file, shared between processes by locks.

The marker `.loci-data` holds the number of the folder's format and is itself the start lock: whoever starts or stops
servers holds it alone. `users.lock` is held, shared, by every process that uses the servers, so that the last one out
can tell. Both are `flock`s, which the kernel drops when their holder dies, however it dies.
"""

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from state.errors import EmbeddedServerError
from state.stores.file_lock import FileLock

MARKER = ".loci-data"
_FORMAT = "1"
_HARMLESS = {"lost+found"}  # a freshly made file system is an empty folder too
_START_LOCK_SECONDS = 90.0
_LONGEST_BASE = 50  # bytes; a socket's path may have 103 (macOS) and ours adds up to 53 to its base

_FULL = {errno.ENOSPC, errno.EDQUOT}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}


def as_root() -> bool:
    """Tell whether this process runs as root; False where there is no such thing."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def disk_full(path: Path) -> EmbeddedServerError:
    """Return the one sentence for a full disk."""
    return EmbeddedServerError(
        f"The disk is full, Loci cannot write below {path}: free some space or set LOCI_DATA_DIR to another disk."
    )


@contextlib.contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn any OSError of work below `path` into an EmbeddedServerError that says what to do."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        if error.errno in _FULL:
            raise disk_full(path) from error
        if error.errno in _DENIED:
            reason = f"Loci may not write to {where} ({error.strerror})"
        elif error.errno in {errno.ENOTDIR, errno.EEXIST}:
            reason = f"{where} is no folder"
        else:
            reason = f"Loci cannot use {where} ({error.strerror or error})"
        raise EmbeddedServerError(f"{reason}: set LOCI_DATA_DIR to a folder of its own that can be written.") from error


class DataFolder:
    """An open data folder of ours. `open` is the way in; `close` gives back its locks."""

    def __init__(self, path: Path, marker: FileLock) -> None:
        self.path = path
        self._marker = marker
        self._users: FileLock | None = None
        self._sockets: Path | None = None

    @classmethod
    def open(cls, path: Path) -> "DataFolder":
        """Open the data folder `path`, making it where there is none; a foreign folder is left as it is.

        Raises:
            EmbeddedServerError: It is a file, foreign, another account's, of an unknown format, or unwritable.
        """
        path = path.resolve()
        with clear_errors(path):
            _make(path)
            folder = cls(path, FileLock(path / MARKER))
            try:
                with folder.starting():
                    folder._check()
            except BaseException:
                folder.close()
                raise
        return folder

    @contextlib.contextmanager
    def starting(self) -> Iterator[None]:
        """Hold the start lock: no other process starts or stops servers meanwhile."""
        if not self._marker.take(seconds=_START_LOCK_SECONDS):
            raise EmbeddedServerError(
                f"Another process has been starting or stopping the servers of {self.path} for "
                f"{_START_LOCK_SECONDS:.0f} seconds: stop that process and try again."
            )
        try:
            yield
        finally:
            self._marker.release()

    def join(self) -> None:
        """Become a user of the folder's servers. Call it under the start lock."""
        if self._users is None:
            self._users = FileLock(self.path / "users.lock")
            self._users.take(shared=True, seconds=_START_LOCK_SECONDS)

    def alone(self) -> bool:
        """Tell whether this is the only user of the servers. Call it under the start lock."""
        if self._users is None:
            return False
        if self._users.take():
            return True
        self._users.take(shared=True, seconds=_START_LOCK_SECONDS)  # a failed change of kind may have dropped it
        return False

    def sockets(self) -> Path:
        """Return the folder of the servers' sockets, made where there is none. Call it under the start lock.

        It lies in the temporary folder, as a socket's path is short, and it is written down in the data folder, as
        another process of the same user may have another temporary folder.
        """
        name = f"loci-{os.geteuid()}-{hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]}"
        record = self.path / "sockets"
        known = Path(os.fsdecode(record.read_bytes())) if record.exists() else Path()
        # A data folder that was moved or copied names the sockets of the other one.
        sockets = known if known.name == name and known.is_dir() else _temporary() / name
        with contextlib.suppress(FileExistsError):
            sockets.mkdir(mode=0o700)
        _check_sockets(sockets)
        if as_root():
            sockets.chmod(0o711)  # PostgreSQL, which is not root, has its socket in a folder of its own below
        if sockets != known:
            record.write_bytes(os.fsencode(sockets))
        self._sockets = sockets
        return sockets

    def remove_sockets(self) -> None:
        """Remove the sockets' folder. Call it when no server runs."""
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)

    def close(self) -> None:
        """Give back the locks."""
        self._marker.close()
        if self._users is not None:
            self._users.close()

    def _check(self) -> None:
        status = os.fstat(self._marker.fileno)
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            raise EmbeddedServerError(
                f"{self.path} belongs to another account (user id {status.st_uid}): run Loci as that account or set "
                "LOCI_DATA_DIR to a folder of its own."
            )
        os.lseek(self._marker.fileno, 0, os.SEEK_SET)
        found = os.read(self._marker.fileno, 64).decode("utf-8", "replace").strip()
        if found == "":
            os.write(self._marker.fileno, f"{_FORMAT}\n".encode())
        elif found != _FORMAT:
            raise EmbeddedServerError(
                f"{self.path} was written by another version of Loci (format {found}, this one knows {_FORMAT}): "
                "use that version or set LOCI_DATA_DIR to another folder."
            )
        mode = self.path.stat().st_mode
        if as_root() and not mode & 0o001:
            self.path.chmod(mode & 0o7777 | 0o011)  # PostgreSQL's account must be able to pass through


def _make(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = set(os.listdir(path))
    if MARKER not in names and names - _HARMLESS:
        raise EmbeddedServerError(
            f"{path} holds other files and is no data folder of Loci: set LOCI_DATA_DIR to a new or an empty folder."
        )


def _temporary() -> Path:
    """Return the temporary folder, or /tmp where it is too long for a socket or closed to PostgreSQL's account."""
    base = Path(tempfile.gettempdir()).absolute()
    closed = as_root() and not all(part.stat().st_mode & 0o001 for part in (base, *base.parents))
    return Path("/tmp") if closed or len(os.fsencode(base)) > _LONGEST_BASE else base


def _check_sockets(sockets: Path) -> None:
    status = sockets.lstat()
    if sockets.is_symlink() or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise EmbeddedServerError(
            f"{sockets}, where Loci puts its sockets, belongs to somebody else: remove it or set TMPDIR to a folder "
            "of your own."
        )
