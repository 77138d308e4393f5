"""`loci memories`: what is remembered, why, and what the user decides about it."""

import sys
from typing import Annotated, cast

import click
import typer
from tzlocal import get_localzone_name

from graph.cli.client import Endpoint, Json
from graph.cli.connection import answer, connected, read_settings
from graph.cli.detail import show_memory
from graph.cli.hints import settling
from graph.cli.notices import degraded
from graph.cli.options import AsJson, Limit, MemoryId, Statuses, Url, User, examples
from graph.cli.terminal import Screen
from graph.cli.text import clean, some_text
from state.context import DEVELOPMENT_USER
from state.errors import LociError
from state.records import Status

memories_app = typer.Typer(no_args_is_help=True, help="Look at, search, confirm, correct and forget memories.")


@memories_app.command(
    "list",
    epilog=examples(
        "loci memories list",
        "loci memories list --status pending --status disputed",
        "loci memories list --json | jq -r '.memories[].text'",
    ),
)
def list_memories(
    status: Statuses = None,
    limit: Limit = 50,
    as_json: AsJson = False,
    user: User = DEVELOPMENT_USER,
    url: Url = None,
) -> None:
    """List memories, newest first; a * marks a provisional verdict."""
    statuses = cast(list[Status], status or [])
    answer(lambda endpoint: endpoint.memories(statuses, limit=limit), Screen.page, as_json=as_json, user=user, url=url)


@memories_app.command("search", epilog=examples('loci memories search "在哪里吃饭" --limit 5'))
def search_memories(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many at most.")] = 10,
    as_json: AsJson = False,
    user: User = DEVELOPMENT_USER,
    url: Url = None,
) -> None:
    """Search active memories by meaning and words, best first."""

    def show(screen: Screen, found: list[Json]) -> None:
        screen.memories(found)
        if not found:
            screen.note("nothing found")

    text = some_text(query)
    answer(lambda endpoint: endpoint.search(text, limit=limit), show, as_json=as_json, user=user, url=url)


@memories_app.command("show", epilog=examples("loci memories show 5b0f1d5e", "loci memories show 5b0f1d5e --json"))
def show(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """Show one memory and why it is believed: its receipt.

    Where it was said and in which words, the verdict and who gave it, what it was compared with, what it replaced or
    contradicts, and every change of its status.
    """
    answer(
        lambda endpoint: endpoint.memory(endpoint.resolve(memory_id)), show_memory, as_json=as_json, user=user, url=url
    )


@memories_app.command(
    "confirm", epilog=examples("loci memories list --status pending", "loci memories confirm 5b0f1d5e")
)
def confirm(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """Take a pending memory for true, or make a provisional verdict final.

    A pending one that contradicts what stands in its place becomes disputed: then say which of them holds.
    """

    def ask(endpoint: Endpoint) -> Json:
        return endpoint.confirm(endpoint.resolve(memory_id))

    def show(screen: Screen, done: Json) -> None:
        show_decided(screen, done)
        if (first := done["changed"][0])["status"] == "disputed":
            screen.note(f"Another memory stands in its place. To settle it: {settling(first['memory_id'], user)}")

    answer(ask, show, as_json=as_json, user=user, url=url)


@memories_app.command("reject", epilog=examples("loci memories reject 5b0f1d5e"))
def reject(memory_id: MemoryId, as_json: AsJson = False, user: User = DEVELOPMENT_USER, url: Url = None) -> None:
    """Say that a pending or an active memory is wrong; what an active one had replaced comes back.

    It is kept as rejected, with its receipt, and recalled no more; `loci memories forget` deletes it.
    """

    def ask(endpoint: Endpoint) -> Json:
        return endpoint.reject(endpoint.resolve(memory_id))

    answer(ask, show_decided, as_json=as_json, user=user, url=url)


@memories_app.command(
    "edit",
    epilog=examples(
        'loci memories edit 5b0f1d5e "我对花生和虾过敏"',
        "loci memories edit 5b0f1d5e",
        "echo 'I live in Oslo' | loci memories edit 5b0f1d5e",
    ),
)
def edit(
    memory_id: MemoryId,
    text: Annotated[str | None, typer.Argument(help="The words that are right instead.", metavar="[TEXT]")] = None,
    as_json: AsJson = False,
    user: User = DEVELOPMENT_USER,
    url: Url = None,
) -> None:
    """Correct an active memory. The new words pass the gate, as if you had said them in a conversation.

    Without a TEXT: on a terminal, your editor opens with the memory in it; in a pipe, standard input is read.
    """
    screen, settings = Screen(), read_settings()
    zone = settings.time_zone or get_localzone_name() or "UTC"
    with connected(settings, url, user, screen) as (endpoint, _):
        full_id = endpoint.resolve(memory_id)
        words = some_text(text) if text is not None else _words(endpoint.memory(full_id)["memory"])
        with screen.waiting("checking the new words"):
            done = endpoint.edit(full_id, words, time_zone=zone)
    if as_json:
        screen.data(done)
    else:
        _show_edited(screen, done, user)


@memories_app.command("forget", epilog=examples("loci memories forget 5b0f1d5e --yes"))
def forget(
    memory_id: MemoryId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    user: User = DEVELOPMENT_USER,
    url: Url = None,
) -> None:
    """Forget one memory: delete it, its receipt and its point in the index; asks first.

    The words it was made from stay in the transcript, and may still stand in the summary of their session.
    """
    screen = Screen()
    with connected(read_settings(), url, user, screen) as (endpoint, _):
        full_id = endpoint.resolve(memory_id)
        if not yes:
            screen.memories([endpoint.memory(full_id)["memory"]])
            if not sys.stdin.isatty():
                raise LociError("Nothing is forgotten: nobody is there to ask, so say --yes.")
            typer.confirm("Forget it?", abort=True, err=True)
        done = endpoint.forget(full_id)
    rest = ", its point in the index will follow" if done["indexed"] else ""
    screen.note(f"forgotten: {full_id}{rest}")


def show_decided(screen: Screen, done: Json) -> None:
    """Show what became of every memory that a decision changed, and what a dispute was about that goes on as it was."""
    screen.outcome([*done["changed"], *done.get("kept", [])])
    if not done["indexed"]:
        screen.note("Qdrant does not answer: what is searched by meaning follows when it is back.", "yellow")


def _words(memory: Json) -> str:
    """Return the words the user gives instead of a memory's, from a pipe or an editor."""
    if not sys.stdin.isatty():
        return some_text(sys.stdin.buffer.read().decode("utf-8-sig", "replace"))
    if memory["status"] != "active":
        raise LociError(f"Only an active memory can be corrected, and this one is {memory['status']}.")
    try:
        words = click.edit(memory["text"] + "\n")
    except click.ClickException as error:
        raise LociError(f"{error.message} Give the text on the command line instead.") from error
    if words is None or clean(words).split() == memory["text"].split():
        raise LociError("Nothing is changed: the text is as it was.")
    return some_text(words)


def _show_edited(screen: Screen, done: Json, user: str) -> None:
    new, before = done["memory"], done["before"]
    if new is None:
        screen.note("Your correction is kept, and is judged later.", "yellow")
    screen.outcome([each for each in (new, before) if each is not None])
    if new is not None and new["status"] == "disputed":
        screen.note(f"It contradicts what is remembered. To settle it: {settling(new['memory_id'], user)}")
    degraded(screen, done["degraded"], set())
