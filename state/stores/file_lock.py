"""A lock between processes, on a file."""

import os
import sys
import time
from pathlib import Path


class FileLock:
    """An advisory lock between processes on a file, which is made where there is none.

    On Windows it always succeeds: no bundled server runs there, and nothing else is guarded by one.
    """

    def __init__(self, path: Path) -> None:
        self.fileno = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def take(self, *, shared: bool = False, seconds: float = 0.0) -> bool:
        """Take the lock, or change its kind, waiting up to `seconds`; False where others hold it."""
        if sys.platform == "win32":
            return True
        import fcntl  # noqa: PLC0415 - does not exist on Windows

        end = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(self.fileno, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.02)
            else:
                return True

    def release(self) -> None:
        """Let go of the lock and keep the file open."""
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 - does not exist on Windows

            fcntl.flock(self.fileno, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file. The lock falls away, unless a child that was handed the file still holds it."""
        os.close(self.fileno)
