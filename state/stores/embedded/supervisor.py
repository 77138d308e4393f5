"""The supervisor of bundled servers: find, reattach, start, stop. It knows no server by name.

A server runs detached, so that neither Ctrl-C nor the death of the process that started it takes it down. It is found
again by what it is, a process of one of its programs that works in its folder, and never by a process number on disk:
such a number outlives its process and may belong to another program by now. While it lives it also holds a lock on a
file, which it inherited: a server that cannot be seen from here (in another container on the same volume) still
keeps a second one off its data.
"""

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from state.errors import EmbeddedServerError
from state.stores.embedded.data_folder import disk_full
from state.stores.file_lock import FileLock

_START_SECONDS = 60.0  # a database that was killed first replays its log
_STOP_SECONDS = 15.0  # a signal
_LEFTOVER_SECONDS = 10.0  # the children of a killed database finish by themselves
_FULL_BYTES = 64 * 1024
# `exec` keeps the process number that `$!` names; the shell ends at once and so nobody has to reap the server.
_DETACH = ("/bin/sh", "-c", '{ exec "$@" >&2; } & echo $!', "sh")
_PREFIX = re.compile(r"^.*?\b(?:FATAL|PANIC|ERROR|error):\s+|^\d+:[A-Z] .*? [#*] ")
_SERIOUS = re.compile(r"\b(?:FATAL|PANIC|ERROR|error): ")


@dataclass(frozen=True)
class Account:
    """The account a program runs as when it is not our own."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True)
class ServerSpec:
    """One bundled server: how it is recognised, started, asked and stopped.

    Attributes:
        name: As people call it.
        programs: A part of its process's name, any of them.
        folder: Its data and working directory; with it a process is recognised.
        socket: Its unix socket, alone in its parent folder, which is made anew at each start.
        log: What it prints; the log before is kept beside it.
        lock: The file whose lock it holds while it lives.
        setting: The variable that puts a server of one's own in its place.
        prepare: Makes what it needs on disk and returns its command line. Called when no process works in `folder`.
        answers: Asks it; True when it can be used.
        stop_signals: In turn, from kind to harsh.
        account: What it runs as, None for our own.
    """

    name: str
    programs: tuple[str, ...]
    folder: Path
    socket: Path
    log: Path
    lock: Path
    setting: str
    prepare: Callable[[], Sequence[str]]
    answers: Callable[[], bool]
    stop_signals: tuple[int, ...]
    account: Account | None = None


def ensure(spec: ServerSpec, *, alone: Callable[[], bool]) -> None:
    """Leave the server running and answering: reattach, or start it. Call it under the start lock.

    Args:
        spec: The server.
        alone: Tells whether no other process uses the server, so that it may be restarted.

    Raises:
        EmbeddedServerError: It cannot start, or runs and cannot be used.
    """
    lost = [process for process in _processes(spec) if _lost_its_folder(process, spec.folder)]
    _end(lost, spec.name, spec.stop_signals[1:])  # it has nothing left to write
    end = time.monotonic() + _START_SECONDS
    while running := _processes(spec):
        if spec.answers():
            return
        # A socket that is gone was swept up with the temporary folder, and nobody can reach the server any more.
        if time.monotonic() > end or not spec.socket.exists():
            if not alone():
                raise EmbeddedServerError(
                    f"{spec.name} of {spec.folder} is in use by other processes and does not answer at {spec.socket}: "
                    "stop those processes of Loci and start again."
                )
            _end(running, spec.name, spec.stop_signals)
        time.sleep(0.02)
    _start(spec)


def stop(spec: ServerSpec) -> None:
    """Stop the server, whoever started it; no error where it does not run. Call it under the start lock."""
    _end(_processes(spec), spec.name, spec.stop_signals)


def run_as(account: Account | None) -> dict[str, Any]:
    """Return the arguments with which `subprocess` runs a program as `account`, in a clean environment."""
    # A fixed locale: servers refuse to start on an unknown one, and their messages are read here.
    common: dict[str, Any] = {"env": {"LC_ALL": "C", "PATH": os.defpath}, "umask": 0o077}
    if account is None:
        return common
    return common | {"user": account.uid, "group": account.gid, "extra_groups": []}


def failure(name: str, printed: str, folder: Path, setting: str) -> EmbeddedServerError:
    """Return the sentence for a program that gave up: its last words, and what to do."""
    # On a full disk the program often could not even write down why it gave up.
    if "No space left on device" in printed or shutil.disk_usage(folder.parent).free < _FULL_BYTES:
        return disk_full(folder)
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    serious = [line for line in lines if _SERIOUS.search(line)]
    words = _PREFIX.sub("", (serious or lines or ["it printed nothing"])[-1]).rstrip(".")
    return EmbeddedServerError(f"{name} does not start ({words}): mend it, or set {setting} to a server of your own.")


def _start(spec: ServerSpec) -> None:
    lock = FileLock(spec.lock)
    try:
        if not lock.take(seconds=_LEFTOVER_SECONDS):
            raise EmbeddedServerError(
                f"{spec.name} of {spec.folder} is run by something that cannot be seen from here, such as another "
                f"container: stop that, or set LOCI_DATA_DIR to another folder or {spec.setting} to that server."
            )
        argv = spec.prepare()
        _make_socket_folder(spec)
        process = psutil.Process(_spawn(spec, argv, lock))
    except psutil.NoSuchProcess as error:
        raise _failure_in_log(spec) from error
    finally:
        lock.close()  # the server has its own copy of the open file, and the lock with it
    end = time.monotonic() + _START_SECONDS
    while not spec.answers():
        if _has_ended(process):
            raise _failure_in_log(spec)
        if time.monotonic() > end:
            _end([process], spec.name, spec.stop_signals)
            raise _failure_in_log(spec)
        time.sleep(0.01)


def _spawn(spec: ServerSpec, argv: Sequence[str], lock: FileLock) -> int:
    """Start the server detached; return its process number."""
    spec.log.parent.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        spec.log.replace(spec.log.with_suffix(".previous.log"))
    with spec.log.open("wb") as log:
        shell = subprocess.run(
            [*_DETACH, *argv],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=spec.folder,
            start_new_session=True,
            pass_fds=(lock.fileno,),
            **run_as(spec.account),
        )
    return int(shell.stdout)


def _make_socket_folder(spec: ServerSpec) -> None:
    # What a dead server left there, its socket and perhaps a lock file, keeps the next one from starting.
    shutil.rmtree(spec.socket.parent, ignore_errors=True)
    spec.socket.parent.mkdir(mode=0o700)
    if spec.account is not None:
        os.chown(spec.socket.parent, spec.account.uid, spec.account.gid)


def _failure_in_log(spec: ServerSpec) -> EmbeddedServerError:
    return failure(spec.name, spec.log.read_text("utf-8", "replace"), spec.folder, spec.setting)


def _end(processes: list[psutil.Process], name: str, signals: Sequence[int]) -> None:
    for number in signals:
        for process in processes:
            with contextlib.suppress(psutil.Error):
                process.send_signal(number)
        end = time.monotonic() + _STOP_SECONDS
        while (processes := [process for process in processes if not _has_ended(process)]) and time.monotonic() < end:
            time.sleep(0.01)
        if not processes:
            return
    raise EmbeddedServerError(f"{name} (process {processes[0].pid}) cannot be stopped: end it by hand.")


def _has_ended(process: psutil.Process) -> bool:
    """Tell whether a process has ended, also where its parent, a container's first process, does not collect it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    return True


def _processes(spec: ServerSpec) -> list[psutil.Process]:
    """Return the processes that serve `spec.folder`, without their own children."""
    named = [
        process
        for process in psutil.process_iter(["name", "ppid"])
        if any(program in (process.info["name"] or "") for program in spec.programs)
    ]
    ours = {process.pid: process for process in named if _works_in(process, str(spec.folder))}
    return [process for process in ours.values() if process.info["ppid"] not in ours]


def _works_in(process: psutil.Process, folder: str) -> bool:
    """Tell whether a process works in a folder, by its command line (public) or its working directory (its own)."""
    try:
        return folder in process.cmdline() or process.cwd() == folder
    except psutil.Error:
        return False


def _lost_its_folder(process: psutil.Process, folder: Path) -> bool:
    """Tell whether the folder of a process was deleted under it: it must not serve the one that is there now."""
    if not folder.exists():
        return True
    try:
        return not os.path.samefile(f"/proc/{process.pid}/cwd", folder)
    except OSError:  # no such file system here, or the process is another account's: take it as it says
        return False
