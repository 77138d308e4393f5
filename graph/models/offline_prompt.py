"""The prompt of `nodes.prompts.respond` read back into its parts, for a responder that is no language model."""

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

_DAY = r"\d{4,}-\d\d-\d\d (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MEMORY = re.compile(
    rf'^\[(?P<number>\d+)\] (?P<about>(?:by |from )?{_DAY}|{_DAY} \.\. {_DAY}): "(?P<text>.*)" '
    rf'\(said (?P<said>{_DAY})(?:, (?P<marks>[^"]*))?\)$'
)
_DETAIL = re.compile(r"^    in the user's own words: \"(?P<text>.*)\"$")
_EARLIER = re.compile(rf'^\(said (?:{_DAY} )?\d\d:\d\d\) (?P<role>user|assistant): "(?P<text>.*)"$')
_HELD = re.compile(rf"^no longer true: held from (?P<first>{_DAY}) to (?P<last>{_DAY})$")
_SIDE = rf'(?P<day>{_DAY}): "(?P<text>.*%s)"'
_DISPUTE = re.compile(rf'^(?P<first>\d+)\) (?P<standing>{_DAY}: ".*") \d+\) {_SIDE % ""}$')
_STANDING = re.compile(rf'{_SIDE % "?"}(?=; {_DAY}: "|$)')
_TASK = re.compile(
    r"^- (?P<title>.*): (?P<state>open|blocked|done|cancelled)(?:, step (?P<step>\d+)(?: of (?P<steps>\d+))?)?"
    rf"(?:, due (?P<due>{_DAY}))?$"
)
_NOW = re.compile(
    rf"^Now: (?P<day>{_DAY}) (?P<time>\d\d:\d\d) (?P<offset>\S+), the user's time zone is (?P<zone>\S+)\.$"
)


@dataclass(frozen=True)
class Quotable:
    """One thing the user said: from memory with its number and days, or from this session without.

    `about` and `said` are days as `nodes.language.dates` writes them, `about` one, "first .. last", "by last" or
    "from first". `held` is given where it is no longer true: the first and the last day it held. `detail` are the words
    behind a memory, where they were asked for.
    """

    text: str
    number: int | None = None
    about: str = ""
    said: str = ""
    marks: tuple[str, ...] = ()
    held: tuple[str, str] | None = None
    detail: str = ""

    @property
    def days(self) -> tuple[str, str]:
        """The first and the last day it is about, or held; what began then, goes on: its last day is empty."""
        if self.held:
            return self.held
        if self.about.startswith("from "):
            return self.about.removeprefix("from "), ""
        first, _, last = self.about.removeprefix("by ").partition(" .. ")
        return first, last or first


@dataclass(frozen=True)
class Side:
    """One side of a dispute: the user's words and the day they were said."""

    text: str
    day: str


@dataclass(frozen=True)
class Dispute:
    """What stands, under the number `first`, and what was said against it, under the next number."""

    first: int
    standing: tuple[Side, ...]
    disputed: Side


@dataclass(frozen=True)
class TaskLine:
    """A task as the prompt tells it."""

    title: str
    state: str
    step: int | None = None
    steps: int | None = None
    due: str | None = None


@dataclass(frozen=True)
class Now:
    """The minute the question was asked: day with weekday, clock time, the instant (epoch ms, UTC), the user's zone."""

    day: str
    time: str
    ms: int
    zone: str


@dataclass(frozen=True)
class Blocks:
    """What a system message holds for the reply; `now` is None where it does not tell the time.

    `earlier` is what the user said in this conversation, too far back to be a message of the prompt.
    """

    memories: tuple[Quotable, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    tasks: tuple[TaskLine, ...] = ()
    earlier: tuple[str, ...] = ()
    now: Now | None = None


def read_blocks(system: str) -> Blocks:
    """Read memories, disputes, tasks and the time out of a system message; a line of another form is left out."""
    lines = system.splitlines()
    remembered = _block(lines, "memories")
    memories = ((_MEMORY.match(line), _DETAIL.match(below)) for line, below in pairwise([*remembered, ""]))
    disputes = (_DISPUTE.match(line) for line in _block(lines, "disputes"))
    tasks = (_TASK.match(line) for line in _block(lines, "tasks"))
    earlier = (_EARLIER.match(line) for line in _block(lines, "earlier"))
    # What a memory quotes stands inside a block, before the line that tells the time.
    now = next((match for line in reversed(lines) if (match := _NOW.match(line))), None)
    return Blocks(
        memories=tuple(_memory(match, detail) for match, detail in memories if match),
        disputes=tuple(_dispute(match) for match in disputes if match),
        tasks=tuple(_task(match) for match in tasks if match),
        earlier=tuple(match["text"] for match in earlier if match and match["role"] == "user"),
        now=_now(now) if now else None,
    )


def _block(lines: list[str], tag: str) -> list[str]:
    if f"<{tag}>" not in lines or f"</{tag}>" not in lines:
        return []
    start = lines.index(f"<{tag}>")
    return lines[start + 1 : lines.index(f"</{tag}>", start)]


def _memory(match: re.Match[str], detail: re.Match[str] | None) -> Quotable:
    marks = [mark for mark in (match["marks"] or "").split(", ") if mark]
    held = next((found for mark in marks if (found := _HELD.match(mark))), None)
    return Quotable(
        match["text"],
        int(match["number"]),
        match["about"],
        match["said"],
        tuple(mark for mark in marks if not _HELD.match(mark)),
        (held["first"], held["last"]) if held else None,
        detail["text"] if detail else "",
    )


def _dispute(match: re.Match[str]) -> Dispute:
    standing = tuple(Side(side["text"], side["day"]) for side in _STANDING.finditer(match["standing"]))
    return Dispute(int(match["first"]), standing, Side(match["text"], match["day"]))


def _task(match: re.Match[str]) -> TaskLine:
    step, steps = match["step"], match["steps"]
    return TaskLine(
        match["title"], match["state"], int(step) if step else None, int(steps) if steps else None, match["due"]
    )


def _now(match: re.Match[str]) -> Now:
    instant = datetime.fromisoformat(f"{match['day'][:-4]}T{match['time']}{match['offset']}")
    return Now(match["day"], match["time"], int(instant.timestamp() * 1000), match["zone"])
