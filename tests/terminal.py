"""The command line on a pseudo-terminal."""

import contextlib
import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path


class Terminal:
    """A program and the keys and screen of its terminal."""

    def __init__(self, process: subprocess.Popen[bytes], fd: int) -> None:
        self.process = process
        self._fd = fd
        self._unread = b""

    def type(self, keys: str, answer: str) -> None:
        """Type keys and wait for what they bring."""
        os.write(self._fd, keys.encode())
        self.until(answer)

    def press(self, key: str, answer: str) -> None:
        """Press a control key at the prompt and wait for what it brings."""
        self.until("> ")
        time.sleep(0.2)  # the line editor misses a key that comes before it has the terminal
        self.type(key, answer)

    def until(self, text: str, seconds: float = 90) -> None:
        """Read on until the text has come."""
        wanted = text.encode()
        end = time.monotonic() + seconds
        while wanted not in self._unread:
            ready, _, _ = select.select([self._fd], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{text!r} did not come: {self._unread.decode(errors='replace')}"
            try:
                self._unread += os.read(self._fd, 4096)
            except OSError as ended:
                raise AssertionError(f"it ended: {self._unread.decode(errors='replace')}") from ended
        self._unread = self._unread.split(wanted, 1)[1]


@contextlib.contextmanager
def terminal(*arguments: str, env: Mapping[str, str] = os.environ, cwd: Path | None = None) -> Iterator[Terminal]:
    """Run `loci` with these arguments on a pseudo-terminal; ended at the end."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", "from graph.cli.app import main; main()", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=_take_terminal,
        env={**env, "TERM": "xterm", "LC_ALL": "C.UTF-8", "COLUMNS": "100"},
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.terminate()  # it stops what it started
        try:
            process.wait(90)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(ours)


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
