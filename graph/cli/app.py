"""`loci`: the command line, a client of the endpoint."""

import os
import signal
import sys
import uuid
import warnings
from contextlib import closing, suppress
from importlib.metadata import version as installed_version
from types import FrameType
from typing import Annotated, Literal

import typer
from tzlocal import get_localzone_name

from graph.cli import address
from graph.cli.chat import Talk, converse, say
from graph.cli.client import Endpoint
from graph.cli.connection import connected, read_settings, running
from graph.cli.devserver import DevServer, project
from graph.cli.disputes import disputes_app
from graph.cli.memories import memories_app
from graph.cli.options import AsJson, TimeZone, Url, User, examples
from graph.cli.probe import probe_verifier
from graph.cli.terminal import Screen, prepare_streams
from graph.cli.text import some_text
from state.context import DEVELOPMENT_USER, Context
from state.errors import EndpointError, EndpointUnreachable, LociError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
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
    epilog=examples(
        "loci chat",
        'loci chat "我端午节在哪家餐厅请的客户？" --memories',
        "cat notes.txt | loci chat --user ana > answer.txt",
    )
)
def chat(
    message: Annotated[str | None, typer.Argument(help="What to say. Standard input is not read then.")] = None,
    user: User = DEVELOPMENT_USER,
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
    settings = read_settings()
    text = _message(message)
    zone = time_zone or settings.time_zone or get_localzone_name() or "UTC"
    talk = Talk(
        session_id=str(session or uuid.uuid4()),
        context=Context(user_id=user, time_zone=zone, profile=profile),
        time_zone=zone,
        show_recalled=memories,
        goes_on=text is None,
    )
    with connected(settings, url, user, screen) as (endpoint, server):
        if text is None:
            converse(talk, endpoint, server, screen)
        else:
            say(text, talk, endpoint, screen)


@app.command(epilog=examples("loci curate", "loci curate --once"))
def curate(
    once: Annotated[bool, typer.Option("--once", help="One pass: so far that is all there is.")] = True,  # noqa: ARG001
    user: User = DEVELOPMENT_USER,
    url: Url = None,
) -> None:
    """Run a pass of the curator: index what waits, distil what was left, archive idle sessions, judge again.

    It goes over what all users left behind, and shows how far it is, not what they said.
    """
    screen = Screen()
    with connected(read_settings(), url, user, screen) as (endpoint, _):
        screen.curation(endpoint.curate())


@app.command(epilog=examples("loci calibrate", "loci calibrate --json | jq .unrelated"))
def calibrate(as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """Measure what the embedder's cosines mean, and keep it with the index.

    It is measured with built-in sentences, never with memories. The bundled embedder comes with its measure, another is
    measured when memories are first looked for: do it again where the model behind the same name has changed.
    """
    screen = Screen()
    with connected(read_settings(), url, user, screen) as (endpoint, _), screen.waiting("measuring"):
        calibration = endpoint.calibrate()
    if as_json:
        screen.data(calibration)
    else:
        screen.calibration(calibration)


@app.command(epilog=examples("loci dev", "LOCI_URL=http://127.0.0.1:2025 loci dev"))
def dev() -> None:
    """Run the LangGraph dev server in the foreground; Ctrl-C stops it. The other commands find it.

    It listens at LOCI_URL, else on port 2024, else, where another program holds that, on a free port.
    """
    screen = Screen()
    settings = read_settings()
    url = running(settings, None) or address.startable()
    with closing(Endpoint(url, DEVELOPMENT_USER)) as endpoint:
        if endpoint.answers():
            raise EndpointError(
                f"Loci runs already, at {endpoint.url}: stop it first, or set LOCI_URL to another port."
            )
        if settings.url is None and url != address.DEFAULT:
            screen.note(f"{address.DEFAULT} is held by another program: Loci listens at {url}.")

        def ready() -> None:
            screen.note(f"Loci listens at {endpoint.url}; Ctrl-C stops it.")
            if running(settings, None) != url:
                screen.note(f"Set LOCI_URL={url} for other commands: {settings.data_dir} cannot name it.", "yellow")

        server = DevServer(endpoint, home=project(), data_dir=settings.data_dir, environ=os.environ)
        with suppress(KeyboardInterrupt):
            server.serve(ready)


@app.command(epilog=examples("loci doctor", "loci doctor --json | jq .ok"))
def doctor(as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """Say of each part whether it works, and what to do where it does not.

    Starts nothing. The exit code is 1 if a part is down or no endpoint answers.
    """
    screen = Screen()
    settings = read_settings()
    try:
        if (where := running(settings, url)) is None:
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


app.command(epilog=examples("loci probe-verifier --base-url http://localhost:8000/v1"))(probe_verifier)


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


def _message(argument: str | None) -> str | None:
    """Return the one message to send, or None: a conversation."""
    if argument is None:
        if sys.stdin.isatty():
            return None
        argument = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    return some_text(argument)
