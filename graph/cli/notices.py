"""What an answer changed, told in notes: what was remembered, disputed, settled and refused, and what did not work."""

from collections.abc import Iterable, Sequence

from graph.cli.answer import Resolved
from graph.cli.hints import answering, confirming
from graph.cli.terminal import Row, Screen
from graph.cli.text import line
from nodes.language.confidential import secret_in
from nodes.language.dates import day

PROVISIONAL = "provisional: no verifier has checked it yet"
DOCTOR = "`loci doctor` says more."
QUOTED = 40
"""Characters of a refused text that are shown."""

_WITHOUT = {
    "chat": "The chat model does not answer: your message is kept, ask again later.",
    "distiller": "The distiller did not get through: what you said is kept and will be looked through later.",
    "verifier": "The verifier does not answer: what is new waits, is not taken for true yet, and is checked later.",
    "redis": "Redis does not answer: nothing is lost, this session is read from PostgreSQL, more slowly.",
    "qdrant": "Qdrant does not answer: nothing is lost, but memories cannot be searched by meaning until it is back.",
    "postgres": "PostgreSQL does not answer: this reply and what it teaches may not be kept.",
}
"""What it means for the user that a part did not work in a run."""
_LASTING = ("verifier", "redis", "qdrant")
"""Parts whose failure says nothing about one message alone: a session tells of it once."""
_SECRET = "it holds a secret"


class Notices:
    """The notes under answers. What stays the same throughout a session is in `told` once it has been told.

    Args:
        user: Whose commands are named.
        session_id: The session to name where it is not gone on with by itself; see `graph.cli.hints.answering`.
    """

    def __init__(self, screen: Screen, *, user: str, session_id: str | None, told: set[str]) -> None:
        self._screen = screen
        self._user = user
        self._session_id = session_id
        self._told = told

    def judged(self, memories: Iterable[Row]) -> None:
        """Note what became of each thing the user said; what is refused for one reason shares a line."""
        refused: dict[str, list[str]] = {}
        for memory in memories:
            if memory["status"] == "rejected":
                refused.setdefault(memory["reason"], []).append(memory["text"])
            else:
                self._kept(memory)
        for reason, texts in refused.items():
            count = f" ({len(texts)})" if len(texts) > 1 else ""
            words = "" if reason.startswith(_SECRET) else _shown(texts)
            self._note(f"not remembered{count}: {reason}{words}")

    def _kept(self, memory: Row) -> None:
        text, mark = memory["text"], " (provisional)" if memory["provisional"] else ""
        match memory["status"], memory.get("relation"):
            case "active", "duplicate" | "resolves":
                self._note(f"known already: {text}")
            case "active", "update":
                gone = memory.get("replaced", [])
                before = f"; no longer: {_quoted(gone)}" if gone else ""
                self._note(f"updates: {text}{before}{mark}")
                self._explain_mark(mark)
            case "active", _:
                self._note(f"remembered: {text}{mark}")
                self._explain_mark(mark)
            case "superseded", _:
                self._note(f"remembered, as it was before: {text}{mark}")
                self._explain_mark(mark)
            case "disputed", "duplicate":
                self._note(f"said again, still disputed: {text}")
                self._note(answering(memory["memory_id"], self._user, self._session_id))
            case "pending", _:
                self._note(f"waits for a check: {text} ({memory['reason']})")
                self._note(f"To take it for true now: {confirming(memory['memory_id'], self._user)}")

    def disputed(self, disputes: Iterable[Row], time_zone: str) -> None:
        """Show both sides of new disputes, and how each can be ended."""
        for dispute in disputes:
            self._note(f"disputed, and held back: “{dispute['text']}”", "yellow")
            for old in dispute["against"]:
                self._note(f"against, from {day(old['mentioned_ms'], time_zone)}: “{old['text']}”", "yellow")
            self._note(answering(dispute["memory_id"], self._user, self._session_id), "yellow")

    def resolved(self, piece: Resolved) -> None:
        """Note how a dispute ended, with both sides as far as they are known."""
        ended = piece.ended
        new, old = _quoted([ended["dispute_text"]]), _quoted(piece.opposed)
        match ended["resolution"]:
            case "keep_new":
                gone = f"; {old} no longer {_do(piece.opposed)}" if old else ", and no longer what it contradicted"
                self._note(f"settled: {new} holds{gone}")
            case "keep_old":
                stands = piece.opposed or [ended["text"]]
                self._note(f"settled: {_quoted(stands)} {_hold(stands)}; {new} does not")
            case None:
                self._note(f"settled: {_quoted([ended['text']])} holds now; nothing more to ask about {new}")
            case "keep_both":
                both = f"{old} and {new} both hold" if len(piece.opposed) == 1 else ""
                all_of_them = f"{old} hold, and so does {new}" if old else f"{new} holds, and what it contradicted too"
                self._note(f"settled: {both or all_of_them}")

    def task(self, change: Row) -> None:
        """Note what was said about a task."""
        step, steps = change.get("step"), change.get("steps")
        at = f", step {step}" if step is not None else ""
        at += f" of {steps}" if at and steps is not None else ""
        ended = f", {change['state']}" if change.get("state") not in (None, "open") else ""
        self._note(f"task: {change['title']}{at}{ended}")

    def degraded(self, parts: Iterable[str]) -> None:
        """Say what did not work, as it matters to the user."""
        degraded(self._screen, parts, self._told)

    def _explain_mark(self, mark: str) -> None:
        if mark:
            _once(self._screen, PROVISIONAL, self._told)

    def _note(self, text: str, style: str = "dim") -> None:
        self._screen.note(text, style)


def degraded(screen: Screen, parts: Iterable[str], told: set[str]) -> None:
    """Say what did not work; of what lasts, only what has not been told yet."""
    news = [part for part in parts if part not in told]
    told.update(part for part in news if part in _LASTING)
    for part in news:
        screen.note(_WITHOUT.get(part, f"{part} did not work this time."), "yellow")
    if news:
        _once(screen, DOCTOR, told, "yellow")


def _once(screen: Screen, sentence: str, told: set[str], style: str = "dim") -> None:
    if sentence not in told:
        told.add(sentence)
        screen.note(sentence, style)


def _quoted(texts: Sequence[str]) -> str:
    return " and ".join(f"“{text}”" for text in texts)


def _shown(texts: Sequence[str]) -> str:
    """Return the refused words that hold no secret, whatever they were refused for, after a colon."""
    words = [_short(text) for text in dict.fromkeys(texts) if secret_in(text) is None]
    return f": {', '.join(words)}" if words else ""


def _short(text: str) -> str:
    words = line(text)
    return f"“{words}”" if len(words) <= QUOTED else f"“{words[: QUOTED - 1].rstrip()}…”"


def _hold(texts: Sequence[str]) -> str:
    return "holds" if len(texts) == 1 else "hold"


def _do(texts: Sequence[str]) -> str:
    return "does" if len(texts) == 1 else "do"
