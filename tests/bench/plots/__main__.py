"""The command line: `python -m tests.bench.plots`, or `make plots`."""

import importlib.util
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tests.bench.plots.series import Panel, decay_curves, recall_panels, time_panels
from tests.bench.recall.asking import OURS

ROOT = Path(__file__).parents[3]


def main(
    benches: Annotated[Path, typer.Option(help="Where the benches wrote their figures.")] = ROOT / ".loci" / "bench",
    out: Annotated[Path, typer.Option(help="Where the pictures go.")] = ROOT / "docs" / "plots",
) -> None:
    """Draw the pictures of the documentation: decay.svg, and recall.svg and time.svg of what was measured last."""
    if importlib.util.find_spec("matplotlib") is None:
        typer.secho("matplotlib is missing: run `make plots`, or pip install '.[plots]' first.", fg="red", err=True)
        raise typer.Exit(1)
    from tests.bench.plots import drawing  # matplotlib is asked for first

    lines = decay_curves()
    drawing.curves(
        out / "decay.svg", "What is left of a memory: by kind, and by the known formula", lines, dashed=[lines[-1].name]
    )
    typer.echo(out / "decay.svg")
    bars: tuple[tuple[str, str, Callable[[Mapping[str, Any]], list[Panel]], tuple[str, ...]], ...] = (
        ("recall", "hit@5 of each way to rank", recall_panels, OURS[:1]),
        ("time", "Time expressions: share with the right first and last day", time_panels, ("ours",)),
    )
    for name, title, panels_of, ours in bars:
        source = benches / f"{name}.json"
        panels = panels_of(json.loads(source.read_text(encoding="utf-8"))) if source.exists() else []
        if not panels:
            typer.secho(f"{name}.svg: left out, nothing was measured in {source}", fg="yellow")
            continue
        drawing.bars(out / f"{name}.svg", title, panels, ours)
        typer.echo(out / f"{name}.svg")


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
    app.command()(main)
    app()
