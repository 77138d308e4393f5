"""`loci`: the command line, a client of the endpoint."""

import os
import signal
import sys
import uuid
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version as installed_version
from types import FrameType
from typing import Annotated, Literal, cast
from zoneinfo import ZoneInfo

import typer
from pydantic import TypeAdapter, ValidationError
from tzlocal import get_localzone_name

from graph.cli import address
from graph.cli.chat import Talk, converse, ensure, say
from graph.cli.client import ALL_STATUSES, Endpoint
from graph.cli.devserver import DevServer, project
from graph.cli.terminal import Screen, clean, prepare_streams
from state.context import Context
from state.errors import EndpointError, LociError
from state.records import Status
from state.settings import HttpUrl, Settings

DEFAULT_USER = Context().user_id

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _examples(*lines: str) -> str:
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


memories_app = typer.Typer(no_args_is_help=True, help="Look at, search and forget memories.")
disputes_app = typer.Typer(no_args_is_help=True, help="Look at what contradicts what is remembered.")
app.add_typer(memories_app, name="memories")
app.add_typer(disputes_app, name="disputes")


def _http_url(text: str | None) -> str | None:
    if text is not None:
        try:
            TypeAdapter(HttpUrl).validate_python(text)
        except ValidationError:
            raise typer.BadParameter(f"{text} is no http(s) URL such as http://127.0.0.1:2024") from None
    return text


def _user_id(text: str) -> str:
    text = clean(text).strip()
    if not text.isprintable() or not 1 <= len(text) <= 200:
        raise typer.BadParameter("a user id is 1 to 200 printable characters")
    return text


def _statuses(names: list[str] | None) -> list[str] | None:
    if unknown := set(names or []) - set(ALL_STATUSES):
        raise typer.BadParameter(f"{min(unknown)} is none of {', '.join(ALL_STATUSES)}")
    return names


def _time_zone(name: str | None) -> str | None:
    if name is not None:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            raise typer.BadParameter(f"{name} is no IANA time zone such as Asia/Shanghai") from None
    return name


def _show_version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


Url = Annotated[
    str | None, typer.Option(callback=_http_url, help="The endpoint; LOCI_URL, else one that runs here, if not given.")
]
User = Annotated[str, typer.Option(callback=_user_id, help="Whose memory it is.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Limit = Annotated[int, typer.Option(min=1, max=500, help="How many at most.")]
MemoryId = Annotated[str, typer.Argument(help="A memory's id, or its first 6 characters or more.", metavar="ID")]


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Loci: a personal assistant that remembers.

    Every command talks to an endpoint, at LOCI_URL or --url.

    Where none runs on this machine, it is started for the command and stopped after it.
    """


@app.command(
    epilog=_examples(
        "loci chat",
        'loci chat "我端午节在哪家餐厅请的客户？" --memories',
        "cat notes.txt | loci chat --user ana > answer.txt",
    )
)
def chat(
    message: Annotated[str | None, typer.Argument(help="What to say. Standard input is not read then.")] = None,
    user: User = DEFAULT_USER,
    session: Annotated[uuid.UUID | None, typer.Option(help="Go on with this session; a new one if not given.")] = None,
    url: Url = None,
    time_zone: Annotated[
        str | None,
        typer.Option(callback=_time_zone, help="IANA name; LOCI_TIME_ZONE, else this machine's, if not given."),
    ] = None,
    memories: Annotated[
        bool, typer.Option("--memories", "-m", help="Show the memories behind each answer, with dates and scores.")
    ] = False,
    profile: Annotated[Literal["balanced", "classic"], typer.Option(help="How memories are ranked.")] = "balanced",
) -> None:
    """Talk with Loci.

    With a MESSAGE: one answer. Without one, on a terminal: a conversation; in a pipe: all of its text is one message.

    The reply goes to standard output; what was remembered, disputed or did not work, to standard error.
    """
    screen = Screen()
    settings = _settings()
    text = _message(message)
    zone = time_zone or settings.time_zone or get_localzone_name() or "UTC"
    talk = Talk(
        session_id=str(session or uuid.uuid4()),
        context=Context(user_id=user, time_zone=zone, profile=profile),
        time_zone=zone,
        show_recalled=memories,
    )
    with _connected(settings, url, user, screen) as (endpoint, server):
        if text is None:
            converse(talk, endpoint, server, screen)
        else:
            say(text, talk, endpoint, screen)


@memories_app.command(
    "list",
    epilog=_examples(
        "loci memories list",
        "loci memories list --status pending --status disputed",
        "loci memories list --json | jq -r '.memories[].text'",
    ),
)
def list_memories(
    status: Annotated[
        list[str] | None,
        typer.Option(
            callback=_statuses,
            metavar="|".join(ALL_STATUSES),
            help="Only these; may be repeated. All but rejected if not given.",
        ),
    ] = None,
    limit: Limit = 50,
    as_json: AsJson = False,
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """List memories, newest first; a * marks a provisional verdict."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        page = endpoint.memories(cast(list[Status], status or []), limit=limit)
    if as_json:
        screen.data(page)
        return
    screen.memories(page["memories"])
    if (shown := len(page["memories"])) < page["total"] or not shown:
        screen.note(f"{shown} of {page['total']} memories")


@memories_app.command("search", epilog=_examples('loci memories search "在哪里吃饭" --limit 5'))
def search_memories(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Limit = 10,
    as_json: AsJson = False,
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """Search active memories by meaning and words, best first."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        found = endpoint.search(_some_text(query), limit=limit)
    if as_json:
        screen.data(found)
        return
    screen.memories(found)
    if not found:
        screen.note("nothing found")


@memories_app.command("show", epilog=_examples("loci memories show 5b0f1d5e"))
def show_memory(memory_id: MemoryId, as_json: AsJson = False, user: User = DEFAULT_USER, url: Url = None) -> None:
    """Show one memory and why it is believed: its source, its verdict, what it was compared with, its history."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        found = endpoint.memory(endpoint.resolve(clean(memory_id)))
    if as_json:
        screen.data(found)
    else:
        screen.detail(found)


@memories_app.command("forget", epilog=_examples("loci memories forget 5b0f1d5e --yes"))
def forget_memory(
    memory_id: MemoryId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """Forget one memory, in every store; asks first."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        full_id = endpoint.resolve(clean(memory_id))
        if not yes:
            screen.memories([endpoint.memory(full_id)["memory"]])
            if not sys.stdin.isatty():
                raise LociError("Nothing is forgotten: nobody is there to ask, so say --yes.")
            typer.confirm("Forget it?", abort=True, err=True)
        done = endpoint.forget(full_id)
    rest = ", its point in the index will follow" if done["indexed"] else ""
    screen.note(f"forgotten: {full_id}{rest}")


@disputes_app.command("list", epilog=_examples("loci disputes list", "loci disputes list --json"))
def list_disputes(limit: Limit = 50, as_json: AsJson = False, user: User = DEFAULT_USER, url: Url = None) -> None:
    """List open disputes: what is new, and what it stands against."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        disputes = endpoint.disputes(limit=limit)
    if as_json:
        screen.data(disputes)
        return
    screen.disputes(disputes)
    if not disputes:
        screen.note("no open disputes")


@app.command(epilog=_examples("loci curate --once"))
def curate(
    once: Annotated[bool, typer.Option("--once", help="One pass; what is done without it too.")] = True,  # noqa: ARG001
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """Run a pass of the curator: index what waits, distil what was left, archive idle sessions, judge again."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        screen.curation(endpoint.curate())


@app.command(epilog=_examples("loci doctor", "loci doctor --json | jq .ok"))
def doctor(as_json: AsJson = False, user: User = DEFAULT_USER, url: Url = None) -> None:
    """Say of each part whether it works, and what to do where it does not.

    Starts nothing. The exit code is 1 if a part is down or no endpoint answers.
    """
    screen = Screen()
    settings = _settings()
    with closing(Endpoint(_running(settings, url) or address.DEFAULT, user)) as endpoint:
        try:
            health = endpoint.health()
        except EndpointError as error:
            if as_json:
                screen.data({"ok": False, "parts": [], "error": str(error)})
            screen.error(error)
            screen.note(
                "The settings are valid. `loci chat` starts Loci and stops it again; `make dev` keeps it running."
            )
            raise typer.Exit(1) from None
    if as_json:
        screen.data(health)
    else:
        screen.health(health["parts"])
    if not health["ok"]:
        raise typer.Exit(1)


@app.command()
def version() -> None:
    """Show the version."""
    typer.echo(f"loci {installed_version('loci-assistant')}")


def main() -> None:
    """Run the command line; every expected failure is one sentence on standard error and exit code 1."""
    prepare_streams()
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)
    try:
        app()
    except LociError as error:
        Screen().error(error)
        sys.exit(1)


def _leave(number: int, _: FrameType | None) -> None:
    """Leave as after an error, so that what was started is stopped: a closed window must leave no server."""
    sys.exit(128 + number)


def _settings() -> Settings:
    return Settings.read(_env_file=project() / ".env")


def _running(settings: Settings, url: str | None) -> str | None:
    """Return the endpoint that was named, else one that runs here, else None."""
    if url is None and settings.url is not None:
        url = str(settings.url)
    return url or address.running(project() / settings.data_dir)


@contextmanager
def _connected(settings: Settings, url: str | None, user: str, screen: Screen) -> Iterator[tuple[Endpoint, DevServer]]:
    """Give the endpoint, started where it has to be; what was started is stopped at the end."""
    with closing(Endpoint(_running(settings, url) or address.startable(), user)) as endpoint:
        server = DevServer(endpoint, home=project(), data_dir=settings.data_dir, environ=os.environ)
        try:
            if not endpoint.answers():
                for sentence in settings.announcements():
                    screen.note(sentence)
            ensure(server, endpoint, screen)
            yield endpoint, server
        finally:
            server.stop()


def _message(argument: str | None) -> str | None:
    """Return the one message to send, or None: a conversation."""
    if argument is None:
        if sys.stdin.isatty():
            return None
        argument = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    return _some_text(argument)


def _some_text(text: str) -> str:
    if not (text := clean(text).strip()):
        raise LociError("There is nothing to send: the text is empty.")
    return text
