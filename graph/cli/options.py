"""The options that commands share, and what makes them valid."""

from collections.abc import Callable
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from graph.cli.client import ALL_STATUSES
from graph.cli.text import clean
from state.settings import HttpUrl
from state.zones import is_zone


def examples(*lines: str) -> str:
    """Return the last paragraph of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def http_url(example: str) -> Callable[[str | None], str | None]:
    """Return what checks an option that takes a URL; one that is none is told with an example."""

    def check(text: str | None) -> str | None:
        if text is not None:
            try:
                TypeAdapter(HttpUrl).validate_python(text)
            except ValidationError:
                raise typer.BadParameter(f"{text} is no http(s) URL such as {example}") from None
        return text

    return check


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
    if name is not None and not is_zone(name):
        raise typer.BadParameter(f"{name} is no IANA time zone such as Asia/Shanghai")
    return name


Url = Annotated[
    str | None,
    typer.Option(
        callback=http_url("http://127.0.0.1:2024"),
        help="The endpoint; LOCI_URL, else one that runs here, if not given.",
    ),
]
User = Annotated[str, typer.Option(callback=_user_id, help="Whose memory it is.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Limit = Annotated[int, typer.Option(min=1, max=500, help="How many at most.")]
MemoryId = Annotated[
    str, typer.Argument(callback=clean, help="A memory's id, or its first 6 characters or more.", metavar="ID")
]
Statuses = Annotated[
    list[str] | None,
    typer.Option(
        callback=_statuses,
        metavar="|".join(ALL_STATUSES),
        help="Only these; may be repeated. All but rejected if not given.",
    ),
]
TimeZone = Annotated[
    str | None,
    typer.Option(callback=_time_zone, help="IANA name; LOCI_TIME_ZONE, else this machine's, if not given."),
]
