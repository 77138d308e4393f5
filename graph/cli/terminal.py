"""What the command line shows: replies on standard output, notes about them on standard error.

So a pipe gets the reply alone. Rich leaves colours and widths out where a stream is no terminal; there, tables become
lines of fields parted by tabs.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from graph.cli.hints import SHORT_ID
from graph.cli.text import line, plain
from graph.cli.wrapping import breaks
from nodes.language.dates import about, day

Row = dict[str, Any]

_INDENT = 4
_FIELD_INDENT = 12
_MARK = "**"
_UNBROKEN = ("id", "status", "side", "date", "asked", "part", "state")
# The parts of a score that are told: those that multiply to it, then what makes up its relevance.
_SCORED = ("similarity", "relevance", "decay", "importance", "window", "stale", "meaning", "words", "subject", "slot")
_STATE_STYLE = {"works": "green", "degraded": "yellow", "down": "bold red", "off": "dim"}


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
        """Print a table on a terminal, else a line a row with fields parted by tabs; nothing where there is no row."""
        if not rows:
            return
        if not self.out.is_terminal:
            for row in rows:
                self.out.file.write("\t".join(line(cell) for cell in row) + "\n")
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in headings:
            table.add_column(heading, overflow="fold", no_wrap=heading in _UNBROKEN)
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

    def page(self, page: Row) -> None:
        """List a page of memories, and say how many there are where it does not hold all of them, or none."""
        memories, total = page["memories"], page["total"]
        self.memories(memories)
        if not total:
            self.note("no memories")
        elif len(memories) < total:
            self.note(f"{len(memories)} of {total} memories")

    def recalled(self, memories: Sequence[Row]) -> None:
        """Note the memories a reply is written with: number, date, text, score and its parts."""
        if not memories:
            self.note("recalled nothing")
        for memory in memories:
            marks = "".join(f", {mark}" for mark in ("stale", "provisional") if memory[mark])
            told = (name for name in _SCORED if memory["parts"].get(name, 0.0))
            parts = ", ".join(f"{name} {memory['parts'][name]:.2f}" for name in told)
            when = about(memory["event_start_ms"], memory["event_end_ms"], memory["time_zone"])
            dated = f" (about {when})" if when else ""
            self.note(
                f"[{memory['number']}] {_said(memory)} {memory['text']}{dated} "
                f"— score {memory['score']:.2f}{marks} ({parts})"
            )

    def disputes(self, disputes: Sequence[Row]) -> None:
        """List open disputes, each with the memories it stands against and the day the user was last asked."""
        if not disputes:
            self.note("no open disputes")
        rows: list[tuple[str, str, str, str, str]] = []
        for dispute in disputes:
            new, raised_ms = dispute["memory"], dispute["raised_ms"]
            asked = day(raised_ms, new["time_zone"]) if raised_ms is not None else "not yet"
            rows.append((new["memory_id"][:SHORT_ID], "new", _said(new), asked, line(new["text"])))
            rows += [
                (old["memory_id"][:SHORT_ID], "against", _said(old), "", line(old["text"]))
                for old in dispute["against"]
            ]
        self.table(("id", "side", "date", "asked", "text"), rows)

    def health(self, parts: Sequence[Row]) -> None:
        """Show what works, what does not, and what to do about it."""
        rows = [
            (part["name"], Text(part["state"], style=_STATE_STYLE[part["state"]]), part["detail"], part["advice"])
            for part in parts
        ]
        self.table(("part", "state", "detail", "advice"), rows)

    def calibration(self, calibration: Row) -> None:
        """Show where an embedder's cosines lie between questions and memories that have nothing in common."""
        rows = [
            (calibration["embedder"], pair["question"], pair["memory"], f"{pair['mean']:.3f}", f"{pair['spread']:.3f}")
            for pair in calibration["unrelated"]
        ]
        self.table(("embedder", "question", "memory", "mean cosine", "standard deviation"), rows)

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

    def fields(self, fields: Iterable[tuple[str, str | tuple[str, str, str]]]) -> None:
        """Show named values, one a line; of a value in three parts the middle one is marked."""
        for name, value in fields:
            start = (f"{name:<{_FIELD_INDENT}}", "dim")
            if isinstance(value, str):
                shown = Text.assemble(start, line(value))
            elif self.out.is_terminal:
                shown = Text.assemble(start, value[0], (value[1], "bold underline"), value[2])
            else:
                mark = _MARK if value[1] else ""
                shown = Text.assemble(start, value[0], mark, value[1], mark, value[2])
            self._print(self.out, shown, _FIELD_INDENT)

    def heading(self, text: str, *, gap: bool = False) -> None:
        """Show what the lines that follow are about; with a gap, after an empty line."""
        self.out.print("\n" * gap, Text(line(text), style="bold"), sep="")

    def outcome(self, memories: Iterable[Row]) -> None:
        """Show what became of memories, one a line."""
        for memory in memories:
            text = f"{memory['status']}: {memory['text']} ({memory['memory_id'][:SHORT_ID]})"
            if memory["status"] in ("pending", "rejected") and memory["receipt"] is not None:
                text += f": {memory['receipt']['reason']}"
            self._print(self.out, Text(line(text)))

    def _print(self, console: Console, text: Text, indent: int = _INDENT) -> None:
        """Print one line; a terminal gets it broken between words, what is left being indented."""
        if not console.is_terminal:
            console.print(text)
            return
        first, *rest = text.divide(breaks(text.plain, console.width, indent))
        for row in (first, *(Text(" " * indent).append_text(row) for row in rest)):
            row.rstrip()
            console.print(row)


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
