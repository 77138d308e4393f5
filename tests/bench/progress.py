"""How far a run is, as a bar on the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def progress(console: Console, name: str, total: int) -> Iterator[Callable[..., object]]:
    """Show a bar while it lasts; what it gives is called with how much was done since, by default 1."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task(name, total=total)

        def advance(count: int = 1) -> None:
            shown.advance(task, count)

        yield advance
