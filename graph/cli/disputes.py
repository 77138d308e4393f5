"""`loci disputes`: what contradicts what is remembered, and how the user ends it."""

import typer

from graph.cli.client import Endpoint, Json
from graph.cli.connection import answer
from graph.cli.detail import show_dispute
from graph.cli.hints import settling
from graph.cli.memories import show_decided
from graph.cli.options import AsJson, Limit, MemoryId, Url, User, examples
from graph.cli.terminal import Screen
from state.context import DEVELOPMENT_USER
from state.records import Resolution

disputes_app = typer.Typer(no_args_is_help=True, help="Look at and end what contradicts what is remembered.")


@disputes_app.command("list", epilog=examples("loci disputes list", "loci disputes list --json"))
def list_disputes(limit: Limit = 50, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """List open disputes: what is new, what it stands against, and when a reply last asked you about it.

    A dispute has the id of what is new.
    """
    answer(lambda endpoint: endpoint.disputes(limit=limit), Screen.disputes, as_json=as_json, user=user, url=url)


@disputes_app.command("show", epilog=examples("loci disputes show 5b0f1d5e"))
def show(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """Show both sides of an open dispute, each with where it was said, its verdict and its history."""

    def tell(screen: Screen, found: Json) -> None:
        show_dispute(screen, found)
        screen.note(f"To settle it: {settling(found['memory']['memory']['memory_id'], user)}")

    answer(lambda endpoint: endpoint.dispute(endpoint.resolve(memory_id)), tell, as_json=as_json, user=user, url=url)


@disputes_app.command("keep-new", epilog=examples("loci disputes keep-new 5b0f1d5e"))
def keep_new(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """End a dispute: the new memory holds, and what it contradicts is superseded, with the time it held."""
    _end(memory_id, "keep_new", as_json=as_json, user=user, url=url)


@disputes_app.command("keep-old", epilog=examples("loci disputes keep-old 5b0f1d5e"))
def keep_old(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """End a dispute: what stands goes on to hold, and the new memory is rejected."""
    _end(memory_id, "keep_old", as_json=as_json, user=user, url=url)


@disputes_app.command("keep-both", epilog=examples("loci disputes keep-both 5b0f1d5e"))
def keep_both(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """End a dispute: both hold. From then on you may have several values where they stand, such as two homes."""
    _end(memory_id, "keep_both", as_json=as_json, user=user, url=url)


def _end(memory_id: str, resolution: Resolution, *, as_json: bool, user: str, url: str | None) -> None:
    def ask(endpoint: Endpoint) -> Json:
        return endpoint.end_dispute(endpoint.resolve(memory_id), resolution)

    answer(ask, show_decided, as_json=as_json, user=user, url=url)
