"""The conversation in the terminal."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graph.cli.answer import (
    Degraded,
    Disputed,
    Event,
    Judged,
    Recalled,
    Replied,
    Resolved,
    Row,
    Stored,
    TaskChanged,
    Token,
)
from graph.cli.client import Endpoint
from graph.cli.devserver import DevServer
from graph.cli.hints import command
from graph.cli.notices import Notices
from graph.cli.terminal import Screen
from graph.cli.text import clean
from state.context import Context
from state.errors import EndpointError, LociError

HELP = """\
/memories   the newest memories
/disputes   what is disputed, with both sides
/recalled   show or hide the memories behind each answer
/new        a new session; memories stay
/help       this
/quit       leave, as Ctrl-D does; Ctrl-C stops an answer"""

LISTED = 20


@dataclass(frozen=True)
class Talk:
    """What stays the same from message to message.

    `goes_on` says that the next one follows here, `told` holds what need not be told again in this session.
    """

    session_id: str
    context: Context
    time_zone: str
    show_recalled: bool
    goes_on: bool
    told: set[str] = field(default_factory=set)


def say(text: str, talk: Talk, endpoint: Endpoint, screen: Screen) -> None:
    """Send one message, show the reply as it comes, then what it changed; raise EndpointError where that fails."""
    showing = _Showing(talk, screen)
    try:
        with contextlib.closing(endpoint.ask(talk.session_id, text, talk.context)) as events:
            for event in events:
                showing.take(event)
    except EndpointError as error:
        raise type(error)(f"{error} Your message is kept." if showing.stored else str(error)) from error
    finally:
        showing.end()


class _Showing:
    """One answer on the screen, with a spinner while there is nothing to show."""

    def __init__(self, talk: Talk, screen: Screen) -> None:
        self.stored = False
        self._talk = talk
        self._screen = screen
        self._mid_line = False
        self._memories: list[Row] = []
        self._resolved: list[Resolved] = []
        self._disputes: list[Row] = []
        self._changes: list[Row] = []
        self._degraded: list[str] = []
        self._spinner = contextlib.ExitStack()
        self._wait_for("thinking")

    def take(self, event: Event) -> None:
        """Show an event, or keep it for the end of the answer."""
        match event:
            case Stored():
                self.stored = True
            case Recalled(memories):
                if self._talk.show_recalled:
                    self._spinner.close()
                    self._screen.recalled(memories)
            case Token(text):
                self._spinner.close()
                self._screen.reply(text)
                self._mid_line = True
            case Replied():
                self._end_line()
                self._wait_for("checking what to remember")
            case Judged(memory):
                self._memories.append(memory)
            case Resolved():
                self._resolved.append(event)
            case Disputed(dispute):
                self._disputes.append(dispute)
            case TaskChanged(change):
                self._changes.append(change)
            case Degraded(parts):
                self._degraded += parts

    def end(self) -> None:
        """Show what is left to say."""
        self._spinner.close()
        self._end_line()
        talk = self._talk
        session_id = None if talk.goes_on else talk.session_id
        notices = Notices(self._screen, user=talk.context.user_id, session_id=session_id, told=talk.told)
        for ended in self._resolved:
            notices.resolved(ended)
        notices.judged(self._memories)
        notices.disputed(self._disputes, talk.time_zone)
        for change in self._changes:
            notices.task(change)
        notices.degraded(self._degraded)

    def _wait_for(self, what: str) -> None:
        self._spinner.close()
        self._spinner.enter_context(self._screen.waiting(what))

    def _end_line(self) -> None:
        if self._mid_line:
            self._screen.reply("\n")
        self._mid_line = False


def converse(talk: Talk, endpoint: Endpoint, server: DevServer, screen: Screen) -> None:
    """Talk until the user leaves. An endpoint that went away is started anew where it can be."""
    with contextlib.suppress(ImportError):  # the line editor; Windows has none
        import readline  # noqa: F401, PLC0415  its import changes how input() works
    screen.note(f"Loci at {endpoint.url}, user {endpoint.user_id}. /help lists what else there is, Ctrl-D leaves.")
    for text in _messages(screen):
        try:
            match text.split()[0].casefold():
                case "/help":
                    screen.note_block(HELP)
                case "/new":
                    talk = replace(talk, session_id=str(uuid.uuid4()), told=set())
                    screen.note(f"session {talk.session_id}")
                case "/recalled":
                    talk = replace(talk, show_recalled=not talk.show_recalled)
                    screen.note(f"memories behind each answer are {'shown' if talk.show_recalled else 'hidden'}")
                case "/memories":
                    screen.page(endpoint.memories([], limit=LISTED))
                case "/disputes":
                    screen.disputes(endpoint.disputes(limit=LISTED))
                case word if word.startswith("/"):
                    screen.note(f"{word} is no command: /help lists them.")
                case _:
                    ensure(server, endpoint, screen)
                    say(text, talk, endpoint, screen)
        except KeyboardInterrupt:
            screen.note("stopped")
        except LociError as error:
            screen.error(error)
    again = command("chat", "--session", talk.session_id, user=talk.context.user_id)
    screen.note(f"To go on with this session: {again}")


def ensure(server: DevServer, endpoint: Endpoint, screen: Screen) -> None:
    """Start the endpoint if nothing answers there, and note what of it does not work."""
    if endpoint.answers():
        return
    with screen.waiting("Starting Loci, which takes a few seconds"):
        server.start()
        parts = endpoint.health()["parts"]
    for part in parts:
        if part["state"] == "down":
            screen.note(f"{part['name']} is down: {part['detail']} {part['advice']}", "yellow")


def _messages(screen: Screen) -> Iterator[str]:
    """Yield what the user types until they leave."""
    while True:
        try:
            text = clean(input("> ")).strip()
        except EOFError:
            screen.reply("\n")
            return
        except KeyboardInterrupt:
            screen.reply("\n")
            screen.note("Ctrl-D or /quit leaves.")
            continue
        if text.casefold() in ("/quit", "/exit"):
            return
        if text:
            yield text
