"""A table of figures, printed to a terminal and written into a page of the documentation."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table


class Sheet(NamedTuple):
    """A table: title, heads of the columns, rows. The first `names` columns hold words, all others numbers."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1


def show(console: Console, sheet: Sheet) -> None:
    """Print a sheet; a line stands between rows that begin with different words, where several begin with the same."""
    table = Table(title=sheet.title, title_justify="left")
    for place, head in enumerate(sheet.heads):
        table.add_column(head, justify="left" if place < sheet.names else "right")
    groups = [row[0] for row in sheet.rows]
    grouped = len(set(groups)) < len(groups)
    for place, row in enumerate(sheet.rows):
        table.add_row(*row, end_section=grouped and groups[place + 1 : place + 2] != [row[0]])
    console.print(table)


def markdown(sheet: Sheet) -> str:
    """Return a sheet as a Markdown table under its title."""
    rules = [":--" if place < sheet.names else "--:" for place in range(len(sheet.heads))]
    lines = [sheet.heads, rules, *sheet.rows]
    return "\n".join([f"**{sheet.title}**", "", *(f"| {' | '.join(line)} |" for line in lines)])


def insert(page: str, name: str, text: str) -> str:
    """Return a page with a text between the markers of that name; raise ValueError unless they stand there once."""
    begin, end = f"<!-- bench: {name} -->", f"<!-- /bench: {name} -->"
    block = f"{begin}\n{text.strip()}\n{end}"
    changed, count = re.subn(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: block, page, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"The page must hold {begin} and {end} once.")
    return changed
