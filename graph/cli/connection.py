"""How a command gets at the endpoint: the one that was named, one that runs here, or one started for the command."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

from graph.cli import address
from graph.cli.chat import ensure
from graph.cli.client import Endpoint
from graph.cli.devserver import DevServer, project
from graph.cli.terminal import Screen
from state.settings import Settings

Found = TypeVar("Found")


def read_settings() -> Settings:
    """Read the settings as the server does, `.env` of the project included."""
    return Settings.read(_env_file=project() / ".env")


def running(settings: Settings, url: str | None) -> str | None:
    """Return the endpoint that was named, else one that runs here, else None."""
    if url is None and settings.url is not None:
        url = str(settings.url)
    return url or address.running(project() / settings.data_dir)


@contextmanager
def connected(settings: Settings, url: str | None, user: str, screen: Screen) -> Iterator[tuple[Endpoint, DevServer]]:
    """Give the endpoint, started where it has to be; what was started is stopped at the end."""
    with closing(Endpoint(running(settings, url) or address.startable(), user)) as endpoint:
        server = DevServer(endpoint, home=project(), data_dir=settings.data_dir, environ=os.environ)
        try:
            if not endpoint.answers():
                for sentence in settings.announcements():
                    screen.note(sentence)
            ensure(server, endpoint, screen)
            yield endpoint, server
        finally:
            server.stop()


def answer(
    ask: Callable[[Endpoint], Found],
    show: Callable[[Screen, Found], None],
    *,
    as_json: bool,
    user: str,
    url: str | None,
) -> None:
    """Ask the endpoint one thing and show the answer, or print it as JSON."""
    screen = Screen()
    with connected(read_settings(), url, user, screen) as (endpoint, _):
        found = ask(endpoint)
    if as_json:
        screen.data(found)
    else:
        show(screen, found)
