"""What a bench has found so far: figures gathered under flat names, tables shown at once and kept for a page."""

from rich.console import Console

from tests.bench import sheets
from tests.bench.figures import Figures, prefixed, provenance


class Told:
    """Base of a bench's run. `figures` are written to a file in the end, `tables` to a page."""

    def __init__(self, console: Console, figures: dict[str, float | str]) -> None:
        self.figures = figures
        self._console = console
        self._told: list[str] = []

    def tables(self) -> str:
        """Return all tables as Markdown, with when and with what they were made."""
        return "\n\n".join([provenance(self.figures), *self._told])

    def _tell(self, *found: sheets.Sheet) -> None:
        for sheet in found:
            sheets.show(self._console, sheet)
            self._told.append(sheets.markdown(sheet))

    def _add(self, prefix: str, figures: Figures) -> None:
        self.figures |= prefixed(prefix, figures)
