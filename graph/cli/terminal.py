"""What the command line shows: replies on standard output, notes about them on standard error.

So a pipe gets the reply alone. Rich leaves colours and widths out where a stream is no terminal; there, tables become
lines of fields parted by tabs.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from graph.cli.wrapping import breaks
from nodes.language.dates import day, span, stamp

Row = dict[str, Any]

SHORT_ID = 8
_UNPRINTABLE = dict.fromkeys(each for each in (*range(32), *range(127, 160)) if chr(each) not in "\n\t")
_STRAY_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_INDENT = 4
_FIELD_INDENT = 12
_STATE_STYLE = {"works": "green", "degraded": "yellow", "down": "bold red", "off": "dim"}
_WITHOUT = {
    "chat": "The chat model does not answer: your message is kept, ask again later.",
    "distiller": "The distiller did not get through: what you said is kept and will be looked through later.",
    "verifier": "The verifier does not answer: what is new waits, is not taken for true yet, and is checked later.",
    "redis": "Redis does not answer: nothing is lost, this session is read from PostgreSQL, more slowly.",
    "qdrant": "Qdrant does not answer: nothing is lost, but memories cannot be searched by meaning until it is back.",
    "postgres": "PostgreSQL does not answer: this reply and what it teaches may not be kept.",
}
"""What it means for the user that a part did not work in a run."""


def clean(text: str) -> str:
    """Return text from a terminal or an argument as valid Unicode.

    Bytes that Python could not decode come as lone surrogates: they are read as UTF-8 where they are, else replaced.
    """
    return _STRAY_SURROGATE.sub("\ufffd", text).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def plain(text: object) -> str:
    """Return text without control characters: what was said or remembered must not steer the terminal."""
    return str(text).translate(_UNPRINTABLE)


def line(text: object) -> str:
    """Return text on one line."""
    return " ".join(plain(text).split())


def prepare_streams() -> None:
    """Make standard streams take any text: UTF-8 where they would be ASCII, and no error for what cannot be shown."""
    for stream in (sys.stdout, sys.stderr):
        ascii_only = stream.encoding.lower() in ("ascii", "us-ascii", "ansi_x3.4-1968", "646")
        stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="replace")  # type: ignore[union-attr]


class Screen:
    """The two streams of a terminal or a pipe."""

    def __init__(self) -> None:
        self.out = Console(highlight=False, markup=False, soft_wrap=True)
        self.err = Console(highlight=False, markup=False, soft_wrap=True, stderr=True)

    def reply(self, text: str) -> None:
        """Show a piece of a reply at once."""
        self.out.file.write(plain(text))
        self.out.file.flush()

    def note(self, text: str, style: str = "dim") -> None:
        """Show one line about what happened."""
        self._print(self.err, Text(line(text), style=style))

    def note_block(self, text: str) -> None:
        """Show several lines of explanation."""
        self.err.print(Text(plain(text), style="dim"))

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Say on a terminal what is waited for, until it is there."""
        if not self.err.is_terminal:
            yield
            return
        with self.err.status(Text(f"{what}…", style="dim")):
            yield

    def error(self, sentence: object) -> None:
        """Show why something did not work."""
        self._print(self.err, Text.assemble(("Error: ", "bold red"), line(sentence)))

    def data(self, value: object) -> None:
        """Print JSON for scripts, never wrapped or coloured."""
        self.out.file.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[Text | str]]) -> None:
        """Print a table on a terminal, else a line a row with fields parted by tabs."""
        if not self.out.is_terminal:
            for row in rows:
                self.out.file.write("\t".join(line(cell) for cell in row) + "\n")
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in headings:
            table.add_column(heading, overflow="fold", no_wrap=heading in ("id", "status", "date", "part", "state"))
        for row in rows:
            table.add_row(*(cell if isinstance(cell, Text) else Text(plain(cell)) for cell in row))
        self.out.print(table, soft_wrap=False)

    def memories(self, memories: Sequence[Row]) -> None:
        """List memories, one a row."""
        rows = [
            (memory["memory_id"][:SHORT_ID], _status(memory), memory["kind"], _said(memory), line(memory["text"]))
            for memory in memories
        ]
        self.table(("id", "status", "kind", "date", "text"), rows)

    def recalled(self, memories: Sequence[Row]) -> None:
        """Note the memories a reply is written with: number, date, text, score and its parts."""
        if not memories:
            self.note("recalled nothing")
        for memory in memories:
            marks = "".join(f", {mark}" for mark in ("stale", "provisional") if memory[mark])
            parts = " ".join(f"{name} {value:.2f}" for name, value in memory["parts"].items())
            happens = memory["event_start_ms"]
            about = f" (about {day(happens, memory['time_zone'])})" if happens is not None else ""
            self.note(
                f"[{memory['number']}] {_said(memory)} {memory['text']}{about} "
                f"— score {memory['score']:.2f}{marks} ({parts})"
            )

    def judged(self, memories: Sequence[Row]) -> None:
        """Note what became of what the user said."""
        for memory in memories:
            mark = " (provisional)" if memory["provisional"] else ""
            match memory["status"], memory.get("relation"):
                case "active", "duplicate":
                    self.note(f"known already: {memory['text']}{mark}")
                case "active", "update":
                    self.note(f"updates: {memory['text']}{mark}")
                case "active", _:
                    self.note(f"remembered: {memory['text']}{mark}")
                case "pending", _:
                    self.note(f"waits for a check: {memory['text']} ({memory['reason']})")
                case "rejected", _:
                    self.note(f"not remembered: {memory['reason']}")
        if any(memory["status"] == "active" and memory["provisional"] for memory in memories):
            self.note("provisional: no verifier has checked it yet")

    def disputed(self, dispute: Row, time_zone: str) -> None:
        """Show both sides of a dispute."""
        self.note(f"disputed, and held back: “{dispute['text']}”", "yellow")
        for old in dispute["against"]:
            self.note(f"against, from {day(old['mentioned_ms'], time_zone)}: “{old['text']}”", "yellow")

    def task(self, change: Row) -> None:
        """Note what was said about a task."""
        step, steps = change.get("step"), change.get("steps")
        at = f", step {step}" if step is not None else ""
        at += f" of {steps}" if at and steps is not None else ""
        ended = f", {change['state']}" if change.get("state") not in (None, "open") else ""
        self.note(f"task: {change['title']}{at}{ended}")

    def degraded(self, parts: Sequence[str]) -> None:
        """Say what did not work, as it matters to the user."""
        for part in parts:
            self.note(_WITHOUT.get(part, f"{part} did not work this time."), "yellow")
        if parts:
            self.note("`loci doctor` says more.", "yellow")

    def disputes(self, disputes: Sequence[Row]) -> None:
        """List open disputes, each with the memories it stands against."""
        rows: list[tuple[str, str, str, str]] = []
        for dispute in disputes:
            new = dispute["memory"]
            rows.append((new["memory_id"][:SHORT_ID], "new", _said(new), line(new["text"])))
            rows += [
                (old["memory_id"][:SHORT_ID], "against", _said(old), line(old["text"])) for old in dispute["against"]
            ]
        self.table(("id", "side", "date", "text"), rows)

    def health(self, parts: Sequence[Row]) -> None:
        """Show what works, what does not, and what to do about it."""
        rows = [
            (part["name"], Text(part["state"], style=_STATE_STYLE[part["state"]]), part["detail"], part["advice"])
            for part in parts
        ]
        self.table(("part", "state", "detail", "advice"), rows)

    def curation(self, events: Iterable[Row]) -> None:
        """Show the progress of a pass of the curator as it comes: a bar on a terminal, a line each in a pipe."""
        bar = Progress(
            TextColumn("{task.description}", style="dim"),
            BarColumn(),
            MofNCompleteColumn(),
            console=self.err,
            transient=True,
            disable=not self.err.is_terminal,
        )
        with bar:
            task = bar.add_task("curator", total=None, visible=False)
            for event in events:
                counted = "done" in event
                if event["note"] == "finished":
                    bar.stop()
                    self.note(f"finished: {_tally(event.get('stored', {}))}")
                elif counted and not bar.disable:
                    # A job is named when it begins: those before it are done.
                    done = max(0, event["done"] - 1)
                    bar.update(task, description=line(event["note"]), completed=done, total=event["of"], visible=True)
                else:
                    self.note(f"{event['note']} ({event['done']} of {event['of']})" if counted else event["note"])

    def detail(self, found: Row) -> None:
        """Show one memory and why it is believed."""
        memory, zone = found["memory"], found["memory"]["time_zone"]
        fields = [("memory", memory["memory_id"]), ("text", memory["text"]), ("status", _status(memory))]
        fields += [("kind", memory["kind"]), ("slot", memory["slot"] or "none")]
        fields += [("said", stamp(memory["mentioned_ms"], zone)), ("session", memory["session_id"])]
        if memory["event_start_ms"] is not None:
            end_ms = memory["event_end_ms"] or memory["event_start_ms"] + 1
            fields.append(("happens", span(memory["event_start_ms"], end_ms, zone)))
        if memory["valid_to_ms"] is not None:
            fields.append(("held until", stamp(memory["valid_to_ms"], zone)))
        fields += [
            (name, memory[key])
            for name, key in (("replaces", "supersedes"), ("weight", "weight"), ("mentions", "mentions"))
            if memory[key] is not None
        ]
        fields.append(("cited", f"{memory['citations']} times"))
        if memory["opposes"]:
            fields.append(("opposes", ", ".join(memory["opposes"])))
        fields += _receipt(memory["receipt"], zone)
        fields += _sources(memory["evidence"], found["sources"])
        for event in found["history"]:
            change = f"{event['from_status'] or 'nothing'} -> {event['to_status'] or 'forgotten'}"
            fields.append(("history", f"{stamp(event['at_ms'], zone)} {event['actor']}: {change} {event['reason']}"))
        for name, value in fields:
            self._print(self.out, Text.assemble((f"{name:<{_FIELD_INDENT}}", "dim"), line(value)), _FIELD_INDENT)

    def _print(self, console: Console, text: Text, indent: int = _INDENT) -> None:
        """Print one line; a terminal gets it broken between words, what is left being indented."""
        if not console.is_terminal:
            console.print(text)
            return
        first, *rest = text.divide(breaks(text.plain, console.width, indent))
        for row in (first, *(Text(" " * indent).append_text(row) for row in rest)):
            row.rstrip()
            console.print(row)


def _receipt(receipt: Row | None, zone: str) -> list[tuple[str, object]]:
    if receipt is None:
        return [("verdict", "none yet")]
    provisional = ", provisional" if receipt["provisional"] else ""
    return [
        (
            "verdict",
            f"{receipt['relation']}, {receipt['grounded']}, confidence {receipt['confidence']:.2f}{provisional}: "
            f"{receipt['reason']}",
        ),
        ("verifier", receipt["verifier"]),
        ("prompt", receipt["prompt_hash"]),
        ("judged", stamp(receipt["judged_ms"], zone)),
        ("compared", ", ".join(receipt["neighbours"]) or "with nothing"),
    ]


def _sources(evidence: Sequence[Row], sources: Sequence[Row]) -> list[tuple[str, object]]:
    said = {turn["turn_id"]: turn for turn in sources}
    fields: list[tuple[str, object]] = []
    for part in evidence:
        turn = said.get(part["turn_id"])
        when = f"{stamp(turn['at_ms'], turn['time_zone'])} " if turn else ""
        fields.append(("source", f"{when}turn {part['turn_id']}"))
        if part["span"]:
            fields.append(("span", part["span"]))
        if turn and line(turn["text"]) != line(part["span"]):
            fields.append(("in", turn["text"]))
    return fields


def _tally(stored: Row) -> str:
    """Return how many memories came to be what: "2 memories active, 1 pending"."""
    if not stored:
        return "no memory changed"
    first, *rest = [(count, status) for status, count in stored.items()]
    noun = "memory" if first[0] == 1 else "memories"
    return ", ".join([f"{first[0]} {noun} {first[1]}", *(f"{count} {status}" for count, status in rest)])


def _status(memory: Row) -> str:
    receipt = memory["receipt"]
    return f"{memory['status']}*" if receipt and receipt["provisional"] else str(memory["status"])


def _said(memory: Row) -> str:
    return day(memory["mentioned_ms"], memory["time_zone"])
