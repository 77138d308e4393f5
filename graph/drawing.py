"""Draw the assistant's graph into documents: `python -m graph.drawing FILE…`."""

import re
import sys
from pathlib import Path

from graph.assistant import build_assistant
from graph.services import Services
from state.settings import Settings

BEGIN, END = "<!-- drawing: make drawing -->", "<!-- /drawing -->"


def drawing() -> str:
    """Return the assistant's graph as Mermaid text, the gate unfolded."""
    return build_assistant(Services(Settings())).get_graph(xray=True).draw_mermaid()


def insert(document: str, mermaid: str) -> str:
    """Return the document with the drawing between its two markers; raise ValueError where they are missing."""
    block = f"{BEGIN}\n```mermaid\n{mermaid.strip()}\n```\n{END}"
    changed, count = re.subn(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: block, document, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"the document must hold {BEGIN} and {END} once")
    return changed


def main(paths: list[str]) -> None:
    """Redraw each file in place."""
    mermaid = drawing()
    for path in map(Path, paths):
        path.write_text(insert(path.read_text("utf-8"), mermaid), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
