"""Where a bench shows its tables: the terminal, and a page of the documentation between markers of its name."""

from pathlib import Path

import typer
from rich.console import Console

from tests.bench import sheets

WIDTH = 140


def open_console(width: int = WIDTH) -> Console:
    """Return a console; a file or a pipe has no width, and gets this one: eighty columns would cut the tables."""
    console = Console()
    return console if console.is_terminal else Console(width=width)


def rewritten(page: Path, name: str, tables: str) -> str:
    """Return a page with these tables in its part of that name; what is wrong with it is wrong with the command."""
    try:
        return sheets.insert(page.read_text(encoding="utf-8"), name, tables)
    except (OSError, ValueError) as trouble:
        raise typer.BadParameter(f"{page}: {trouble}") from None
