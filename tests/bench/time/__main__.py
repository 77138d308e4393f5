"""The command line: `python -m tests.bench.time`, or `make bench-time`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tests.bench import sheets
from tests.bench.figures import provenance, versions, write
from tests.bench.pages import open_console, rewritten
from tests.bench.time import environment, no_time, ours
from tests.bench.time.answers import Answer, Question
from tests.bench.time.report import no_time_sheet, sets_sheet
from tests.bench.time.runs import Run, run
from tests.bench.time.sets import SETS, Case, TimeSet

ROOT = Path(__file__).parents[3]
BENCHES = ROOT / ".loci" / "bench"
PEERS = BENCHES / "peers" / "time"
PACKAGES = ("loci-assistant", "borax", "tzdata")


def main(
    data: Annotated[
        Path, typer.Option(help="Where the shared data is; a set that is not there is left out, with a note.")
    ] = ROOT.parent / "shared" / "data",
    peers: Annotated[
        bool,
        typer.Option("--peers", help=f"Ask ready-made parsers too; pip puts them into {PEERS.relative_to(ROOT)}."),
    ] = False,
    errors: Annotated[Path | None, typer.Option(help="Write what ours got wrong to this file, as JSON lines.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="Write the tables into this page, between its markers `bench: time`.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where the figures go; a file that is there is replaced.")] = (
        BENCHES / "time.json"
    ),
) -> None:
    """Measure which days the rules read from time expressions, and how often they see a time where none is named.

    Prints tables, with ready-made parsers over the same cases beside, if they are asked for, and writes all figures to
    one JSON file.
    """
    console = open_console()
    if page is not None:
        rewritten(page, "time", "")  # a page without markers is no reason to lose a run
    found = {each: each.cases(data) for each in SETS}
    cases = {each: rows for each, rows in found.items() if rows is not None}
    for each in found.keys() - cases.keys():
        console.print(f"{each.name}: left out, its data is not under {data}", style="yellow")
    told: dict[str, float | str] = {**versions(*PACKAGES), "size.no_time": len(no_time.lines())}
    told |= {f"size.{each.name}": len(rows) for each, rows in cases.items()}
    own = run("ours", no_time.LANGUAGES, cases, ours.ask)
    others = []
    if peers:
        try:
            others = _peers(console, cases, told)
        except environment.PeersFailed as trouble:
            console.print(str(trouble), style="red", markup=False)
            raise typer.Exit(1) from None
    for one in (own, *others):
        told |= one.figures()
    tables = [sets_sheet(own, others), no_time_sheet([own, *others])]
    for table in tables:
        sheets.show(console, table)
    write(out, told)
    console.print(f"Figures: {out}")
    if page is not None:
        text = "\n\n".join([provenance(told), *(sheets.markdown(table) for table in tables)])
        page.write_text(rewritten(page, "time", text), encoding="utf-8")
    if errors is not None:
        wrong = list(own.wrong())
        errors.write_text("".join(line + "\n" for line in wrong), encoding="utf-8")
        console.print(f"{len(wrong)} that ours got wrong: {errors}")


def _peers(console: Console, cases: Mapping[TimeSet, Sequence[Case]], told: dict[str, float | str]) -> list[Run]:
    """Ask all peers; what versions they are, and how often they broke, is told."""
    runs = []
    with console.status(f"Installing into {PEERS}…"):
        python = environment.make(PEERS)
    for parser, languages in environment.LANGUAGES.items():

        def ask(questions: Sequence[Question], parser: str = parser) -> list[Answer]:
            replies = environment.ask(python, parser, questions)
            told[f"version.{parser}"] = replies.version
            if replies.errors:
                told[f"errors.{parser}"] = replies.errors
            return replies.answers

        with console.status(f"Asking {parser}…"):
            runs.append(run(parser, languages, cases, ask))
    return runs


if __name__ == "__main__":
    typer.run(main)
