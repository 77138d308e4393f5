"""The answer to one message, read from the stream of a run."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Stored:
    """The message is durable, since `at_ms`."""

    at_ms: int


@dataclass(frozen=True)
class Recalled:
    """The memories the reply is written with: rows of `state.schema.RankedRow`."""

    memories: list[Row]


@dataclass(frozen=True)
class Token:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True)
class Replied:
    """The reply is complete; what it may teach is being checked."""


@dataclass(frozen=True)
class Judged:
    """A memory the gate has judged, as `nodes.persist.stored_row` gives it."""

    memory: Row


@dataclass(frozen=True)
class Disputed:
    """A new memory that contradicts standing ones: a `state.schema.DisputeRow`."""

    dispute: Row


@dataclass(frozen=True)
class Resolved:
    """A dispute that the user has ended: what now stands, `dispute_id`, `dispute_text` and `resolution`.

    `resolution` is None where a newer word of the user left the dispute without an object.

    `opposed` are the texts of what it stood against, as far as the run told of it: it names two open disputes.
    """

    ended: Row
    opposed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TaskChanged:
    """What the user said about a task: `title`, `state`, `step`, `steps`; None where it stays as it was."""

    change: Row


@dataclass(frozen=True)
class Degraded:
    """Parts that did not work in this run."""

    parts: list[str]


Event = Stored | Recalled | Token | Replied | Judged | Disputed | Resolved | TaskChanged | Degraded

RANKING = "rerank"
REPLYING = "respond"


class AnswerReader:
    """Reads the parts of a run's stream (modes messages-tuple, custom and updates) into events."""

    def __init__(self) -> None:
        self.run_id: str | None = None
        self._shown = ""
        self._degraded: list[str] = []
        self._against: dict[str, list[str]] = {}

    def read(self, event: str, data: Any) -> Iterator[Event]:
        """Yield what one part of the stream says."""
        if event == "metadata":
            self.run_id = data["run_id"]
        elif event == "messages":
            message, about = data
            # Models of other nodes stream too; the user is spoken to by one.
            if about.get("langgraph_node") == REPLYING:
                yield from self._token(_text(message["content"]))
        elif event == "custom":
            yield from self._custom(data)
        elif event == "updates":
            for node, update in data.items():
                yield from self._update(node, update or {})

    def _token(self, text: str) -> Iterator[Token]:
        if text:
            self._shown += text
            yield Token(text)

    def _update(self, node: str, update: Row) -> Iterator[Event]:
        if node == RANKING:
            yield Recalled(update["recalled"])
        if node == REPLYING and update.get("messages"):
            yield from self._token(self._missing(_text(update["messages"][-1]["content"])))
            yield Replied()
        for dispute in update.get("disputes", []):
            self._against[dispute["memory_id"]] = [memory["text"] for memory in dispute["against"]]
        new = [part for part in update.get("degraded", []) if part not in self._degraded]
        if new:
            self._degraded += new
            yield Degraded(new)

    def _custom(self, data: Row) -> Iterator[Event]:
        kind = data.get("event")
        if kind == "stored":
            yield Stored(data["at_ms"])
        elif kind == "memory":
            yield Judged(data)
        elif kind == "dispute":
            yield Disputed(data)
        elif kind == "resolved":
            yield Resolved(data, self._against.get(data["dispute_id"], []))
        elif kind == "task":
            yield TaskChanged(data)

    def _missing(self, reply: str) -> str:
        """Return what of the reply was not streamed: all of it, or a notice that follows a stream that broke."""
        if reply.startswith(self._shown):
            return reply[len(self._shown) :]
        return "" if reply.strip() == self._shown.strip() else f"\n\n{reply}"


def _text(content: str | list[Any]) -> str:
    if isinstance(content, str):
        return content
    return "".join(block["text"] for block in content if isinstance(block, dict) and block.get("type") == "text")
