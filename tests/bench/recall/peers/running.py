"""Making a peer's environment and running its script there, as child processes."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.recall.peers.catalogue import SCRIPTS, Environment, Peer

PROGRESS = re.compile(r"(\d+) (\d+)\n")  # done and total, as the scripts tell it
STAMP = "loci-packages.txt"  # in a finished environment: what it was made of

# No peer may call home, fetch a model or write into the home of who runs this.
QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "OMP_WAIT_POLICY": "passive",
    "PYTHONPATH": "",
    "PYTHONUNBUFFERED": "1",
}


class PeerFailed(Exception):
    """An environment that could not be made, or a script that ended badly; the text says why and where to look."""


def making(environment: Environment, folder: Path) -> list[list[str]]:
    """Return the command lines that make an environment in a folder, in their order."""
    install = [str(python(folder)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    lines = [[sys.executable, "-m", "venv", "--clear", str(folder)], [*install, *environment.packages]]
    if environment.alone:
        lines.append([*install, "--no-deps", *environment.alone])
    return lines


def python(folder: Path) -> Path:
    """Return the interpreter of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make(environment: Environment, folder: Path, log: Path) -> bool:
    """Make an environment unless it is there with the very packages; return whether it was made.

    Raises PeerFailed.
    """
    stamp, content = folder / STAMP, "\n".join((*environment.packages, *environment.alone)) + "\n"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == content:
        return False
    with log.open("w", encoding="utf-8") as told:
        for line in making(environment, folder):
            if subprocess.run(line, stdout=told, stderr=told, check=False).returncode:
                raise PeerFailed(f"its environment could not be made: {last_line(log)} (all of it: {log})")
    stamp.write_text(content, encoding="utf-8")
    return True


def running(peer: Peer, folder: Path, stores: Path, vectors: Path, work: Path, out: Path) -> list[str]:
    """Return the command line that runs a peer's script in its environment."""
    line = [str(python(folder)), str(SCRIPTS / peer.script), "--stores", str(stores), "--vectors", str(vectors)]
    return [*line, "--folder", str(work), "--out", str(out)]


def run(
    peer: Peer, folder: Path, stores: Path, vectors: Path, out: Path, log: Path, step: Callable[[int, int], object]
) -> None:
    """Run a peer's script; `step` is told how far it is, as done and total.

    What the script and the library print goes to the log. Raises PeerFailed, also where nothing was written.
    """
    with TemporaryDirectory(prefix="loci-peer-") as work, log.open("w", encoding="utf-8", buffering=1) as told:
        environment = {**os.environ, **QUIET, "HOME": work, "MEM0_DIR": work}
        line = running(peer, folder, stores, vectors, Path(work), out)
        with subprocess.Popen(
            line, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told, text=True
        ) as child:
            assert child.stdout is not None
            for said in child.stdout:
                if progress := PROGRESS.fullmatch(said):
                    step(int(progress[1]), int(progress[2]))
                else:  # some libraries print while they are imported
                    told.write(said)
    if child.returncode:
        raise PeerFailed(f"its script ended with {child.returncode}: {last_line(log)} (all of it: {log})")
    if not out.is_file():
        raise PeerFailed(f"its script wrote no rankings (what it said: {log})")


def last_line(log: Path) -> str:
    """Return the last line that says something, of an exception the one with its message."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "it said nothing")
