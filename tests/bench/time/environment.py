"""The environment of the peers, made with pip where it is asked for, and how they are asked in it."""

import json
import os
import subprocess
import venv
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.time.answers import Answer, Found, Question
from tests.bench.time.sets import Days

SCRIPT = Path(__file__).with_name("peers.py")
REQUIREMENTS = (
    "jionlp==1.5.31",
    "recognizers-text-suite==1.0.2a2",
    "emoji<2",  # recognizers-text calls what emoji 2 no longer has
    "dateparser==1.5.0",
    "parsedatetime==2.6",
)
LANGUAGES = {
    "jionlp": ("zh",),
    "recognizers": ("zh", "en"),
    "dateparser": ("zh", "en"),
    "parsedatetime": ("en",),
}


class PeersFailed(Exception):
    """The environment could not be made, or the libraries do not run in it."""


class Replies(NamedTuple):
    """The answers in the order of the questions, the version of the library, how many questions raised an error."""

    answers: list[Answer]
    version: str
    errors: int


def make(folder: Path) -> Path:
    """Make the environment unless it is there with these requirements; return its Python.

    Raises:
        PeersFailed: pip could not install them.
    """
    python, mark, wanted = folder / "bin" / "python", folder / "installed", "\n".join(REQUIREMENTS)
    if not (mark.exists() and mark.read_text(encoding="utf-8") == wanted):
        venv.create(folder, clear=True, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PeersFailed(done.stderr.strip())
        mark.write_text(wanted, encoding="utf-8")
    return python


def ask(python: Path, parser: str, questions: Sequence[Question]) -> Replies:
    """Put the questions to a peer.

    Raises:
        PeersFailed: The process ended before it had answered all.
    """
    lines = "".join(json.dumps({**each._asdict(), "said": each.said.isoformat()}) + "\n" for each in questions)
    # Isolated: beside the script lie modules of ours. In UTC, for one of them takes an instant and reads local time.
    done = subprocess.run(
        [str(python), "-I", str(SCRIPT), parser],
        input=lines,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "TZ": "UTC"},
        check=False,
    )
    if done.returncode:
        raise PeersFailed(done.stderr.strip())
    version, *replies = (json.loads(line) for line in done.stdout.splitlines())
    return Replies([_answer(reply) for reply in replies], version, sum(bool(reply["error"]) for reply in replies))


def _answer(reply: dict[str, Any]) -> Answer:
    found = tuple(Found(start, end, Days(_day(first), _day(last))) for start, end, first, last in reply["found"])
    return Answer(found, reply["ms"])


def _day(written: str | None) -> date | None:
    return None if written is None else date.fromisoformat(written)
