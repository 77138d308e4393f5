"""`loci`: the command line, a client of the endpoint."""

import os
import signal
import sys
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version as installed_version
from types import FrameType
from typing import Annotated, Literal, TypeVar, cast

import typer
from tzlocal import get_localzone_name

from graph.cli import address
from graph.cli.chat import Talk, converse, ensure, say
from graph.cli.client import Endpoint, Json
from graph.cli.devserver import DevServer, project
from graph.cli.options import AsJson, Limit, MemoryId, Statuses, TimeZone, Url, User
from graph.cli.terminal import Screen, clean, prepare_streams
from state.context import Context
from state.errors import EndpointError, EndpointUnreachable, LociError
from state.records import Status
from state.settings import Settings

DEFAULT_USER = Context().user_id
Found = TypeVar("Found")

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


def _show_version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


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
    time_zone: TimeZone = None,
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
    status: Statuses = None,
    limit: Limit = 50,
    as_json: AsJson = False,
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """List memories, newest first; a * marks a provisional verdict."""

    def show(screen: Screen, page: Json) -> None:
        screen.memories(page["memories"])
        if (shown := len(page["memories"])) < page["total"] or not shown:
            screen.note(f"{shown} of {page['total']} memories")

    statuses = cast(list[Status], status or [])
    _answer(lambda endpoint: endpoint.memories(statuses, limit=limit), show, as_json=as_json, user=user, url=url)


@memories_app.command("search", epilog=_examples('loci memories search "在哪里吃饭" --limit 5'))
def search_memories(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Limit = 10,
    as_json: AsJson = False,
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """Search active memories by meaning and words, best first."""

    def show(screen: Screen, found: list[Json]) -> None:
        screen.memories(found)
        if not found:
            screen.note("nothing found")

    text = _some_text(query)
    _answer(lambda endpoint: endpoint.search(text, limit=limit), show, as_json=as_json, user=user, url=url)


@memories_app.command("show", epilog=_examples("loci memories show 5b0f1d5e"))
def show_memory(memory_id: MemoryId, as_json: AsJson = False, user: User = DEFAULT_USER, url: Url = None) -> None:
    """Show one memory and why it is believed: its source, its verdict, what it was compared with, its history."""

    def ask(endpoint: Endpoint) -> Json:
        return endpoint.memory(endpoint.resolve(memory_id))

    _answer(ask, Screen.detail, as_json=as_json, user=user, url=url)


@memories_app.command("forget", epilog=_examples("loci memories forget 5b0f1d5e --yes"))
def forget_memory(
    memory_id: MemoryId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """Forget one memory: delete it, its receipt and its point in the index; asks first.

    The words it was made from stay in the transcript, and may still stand in the summary of their session.
    """
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        full_id = endpoint.resolve(memory_id)
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

    def show(screen: Screen, disputes: list[Json]) -> None:
        screen.disputes(disputes)
        if not disputes:
            screen.note("no open disputes")

    _answer(lambda endpoint: endpoint.disputes(limit=limit), show, as_json=as_json, user=user, url=url)


@app.command(epilog=_examples("loci curate", "loci curate --once"))
def curate(
    once: Annotated[bool, typer.Option("--once", help="One pass: so far that is all there is.")] = True,  # noqa: ARG001
    user: User = DEFAULT_USER,
    url: Url = None,
) -> None:
    """Run a pass of the curator: index what waits, distil what was left, archive idle sessions, judge again.

    It goes over what all users left behind, and shows how far it is, not what they said.
    """
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        screen.curation(endpoint.curate())


@app.command(epilog=_examples("loci dev", "LOCI_URL=http://127.0.0.1:2025 loci dev"))
def dev() -> None:
    """Run the LangGraph dev server in the foreground; Ctrl-C stops it. The other commands find it.

    It listens at LOCI_URL, else on port 2024, else, where another program holds that, on a free port.
    """
    screen = Screen()
    settings = _settings()
    url = _running(settings, None) or address.startable()
    with closing(Endpoint(url, DEFAULT_USER)) as endpoint:
        if endpoint.answers():
            raise EndpointError(
                f"Loci runs already, at {endpoint.url}: stop it first, or set LOCI_URL to another port."
            )
        if settings.url is None and url != address.DEFAULT:
            screen.note(f"{address.DEFAULT} is held by another program: Loci listens at {url}.")

        def ready() -> None:
            screen.note(f"Loci listens at {endpoint.url}; Ctrl-C stops it.")
            if _running(settings, None) != url:
                screen.note(f"Set LOCI_URL={url} for other commands: {settings.data_dir} cannot name it.", "yellow")

        server = DevServer(endpoint, home=project(), data_dir=settings.data_dir, environ=os.environ)
        with suppress(KeyboardInterrupt):
            server.serve(ready)


@app.command(epilog=_examples("loci doctor", "loci doctor --json | jq .ok"))
def doctor(as_json: AsJson = False, user: User = DEFAULT_USER, url: Url = None) -> None:
    """Say of each part whether it works, and what to do where it does not.

    Starts nothing. The exit code is 1 if a part is down or no endpoint answers.
    """
    screen = Screen()
    settings = _settings()
    try:
        if (where := _running(settings, url)) is None:
            raise EndpointUnreachable("No Loci runs on this machine.")
        with closing(Endpoint(where, user)) as endpoint:
            health = endpoint.health()
    except EndpointError as error:
        if as_json:
            screen.data({"ok": False, "parts": [], "error": str(error)})
        screen.error(error)
        screen.note("The settings are valid. `loci chat` starts Loci and stops it again; `loci dev` keeps it running.")
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


def _answer(
    ask: Callable[[Endpoint], Found],
    show: Callable[[Screen, Found], None],
    *,
    as_json: bool,
    user: str,
    url: str | None,
) -> None:
    """Ask the endpoint one thing and show the answer, or print it as JSON."""
    screen = Screen()
    with _connected(_settings(), url, user, screen) as (endpoint, _):
        found = ask(endpoint)
    if as_json:
        screen.data(found)
    else:
        show(screen, found)


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
