"""The command line: `python -m tests.bench.gate`, or `make bench-gate`."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from state.errors import LociError
from tests.bench.figures import versions, write
from tests.bench.gate import distilling, memtrust, own, public, report
from tests.bench.gate.figures import own_baselines, own_figures
from tests.bench.gate.outcome import Outcome
from tests.bench.gate.own_cases import load
from tests.bench.gate.place import Judge, Place, open_place
from tests.bench.gate.scoring import sample
from tests.bench.pages import open_console, rewritten
from tests.bench.progress import progress
from tests.bench.told import Told

ROOT = Path(__file__).parents[3]
SETS = ("own", "ocnli", "cdconv", "prosecco", "memtrust", "distill")
PUBLIC = ("ocnli", "cdconv", "prosecco")


def main(
    data: Annotated[
        Path, typer.Option(help="Where the shared data is; a set that is not there is left out, with a note.")
    ] = ROOT.parent / "shared" / "data",
    sets: Annotated[str, typer.Option(help="What to measure, with commas between.")] = ",".join(SETS),
    verifier: Annotated[
        Judge, typer.Option(help="Who judges; qwen is the endpoint that LOCI_VERIFIER_BASE_URL, _MODEL, _PROFILE name.")
    ] = Judge.OFFLINE,
    limit: Annotated[
        int,
        typer.Option(min=0, help="At most so many cases of each set, always the same ones; 0 takes all."),
    ] = 0,
    errors: Annotated[
        Path | None, typer.Option(help="Write the own cases that came out wrong to this file, as JSON lines.")
    ] = None,
    with_blind_errors: Annotated[
        bool,
        typer.Option(
            "--with-blind-errors",
            help="Write the blind cases among them too. Rules made in view of them measure nothing any more.",
        ),
    ] = False,
    page: Annotated[
        Path | None, typer.Option(help="Write the tables into this page, between its markers `bench: gate`.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where the figures go; a file that is there is replaced.")] = (
        ROOT / ".loci" / "bench" / "gate.json"
    ),
) -> None:
    """Measure the write gate: what it lets through, disputes, holds back and refuses.

    The own cases run through the gate's nodes and real stores in a temporary folder, the public sets through its
    verifier. Prints tables, with simpler ways over the same cases beside, and writes all figures to one JSON file.
    """
    chosen = [name.strip() for name in sets.split(",") if name.strip()]
    if unknown := [name for name in chosen if name not in SETS]:
        raise typer.BadParameter(f"no such set: {', '.join(unknown)}; there are {', '.join(SETS)}")
    if with_blind_errors and errors is None:
        raise typer.BadParameter("--with-blind-errors needs --errors FILE")
    console = open_console()
    if page is not None:
        rewritten(page, "gate", "")  # a page without markers is no reason to lose a run
    try:
        bench = Bench(console, verifier, data, limit)
        outcomes = asyncio.run(bench.run(chosen))
    except LociError as trouble:
        console.print(str(trouble), style="red")
        raise typer.Exit(1) from None
    write(out, bench.figures)
    console.print(f"Figures: {out}")
    if page is not None:
        page.write_text(rewritten(page, "gate", bench.tables()), encoding="utf-8")
    if errors is not None:
        wrong = [row for row in outcomes if not row.right and (with_blind_errors or row.case.part == "dev")]
        errors.write_text("".join(row.row() + "\n" for row in wrong), encoding="utf-8")
        console.print(f"{len(wrong)} cases that came out wrong: {errors}")


class Bench(Told):
    """One run: what is measured is printed at once and gathered in `figures`."""

    def __init__(self, console: Console, judge: Judge, data: Path, limit: int) -> None:
        super().__init__(console, {**versions(*report.PACKAGES)})
        self._judge = judge
        self._data = data
        self._limit = limit

    async def run(self, chosen: list[str]) -> list[Outcome]:
        """Measure the chosen sets; return what came of the own cases."""
        outcomes: list[Outcome] = []
        async with open_place(self._judge) as place:
            if "own" in chosen:
                outcomes = await self._own(place)
            await self._public(place, [name for name in PUBLIC if name in chosen])
            if "memtrust" in chosen:
                await self._memtrust(place)
            if "distill" in chosen:
                await self._distilling(place)
        return outcomes

    async def _own(self, place: Place) -> list[Outcome]:
        cases = sample(load(), self._limit, lambda case: case.id)
        with progress(self._console, "own", len(cases)) as advance:
            outcomes = await own.run(place, cases, done=advance)
        figures, baselines = own_figures(outcomes), own_baselines(outcomes)
        self._add(f"own.{self._judge}", figures)
        self._add("size", {"own": len(cases)})
        for way, scores in baselines.items():
            self._add(f"own.baseline.{way}", scores)
        self._tell(*report.own_sheets(self._judge, figures, baselines))
        self._cost("own", place)
        return outcomes

    async def _public(self, place: Place, names: list[str]) -> None:
        shown = []
        for name in names:
            pairs = public.pairs(name, self._data, self._limit)
            if pairs is None:
                self._absent(name)
                continue
            with progress(self._console, name, len(pairs) + len(pairs[: public.COMPARED])) as advance:
                figures, baselines = await public.run(place, name, pairs, done=advance)
            self._add(f"{name}.{self._judge}", figures)
            self._add("size", {name: len(pairs)})
            for way, scores in baselines.items():
                self._add(f"{name}.baseline.{way}", scores)
            shown.append((name, {**figures, "pairs": len(pairs)}, baselines))
            self._cost(name, place)
        if shown:
            self._tell(report.public_sheet(self._judge, shown))

    async def _memtrust(self, place: Place) -> None:
        cases = memtrust.cases(self._data)
        if cases is None:
            self._absent("memtrust")
            return
        figures, told = await memtrust.run(place, cases)
        self._add(f"memtrust.{self._judge}", figures)
        self._add("size", {"memtrust": len(cases)})
        self._tell(report.memtrust_sheet(self._judge, figures))
        for line in told:
            self._console.print(f"  {line}", highlight=False)
        self._cost("memtrust", place)

    async def _distilling(self, place: Place) -> None:
        figures = {**distilling.skip_figures(self._data), **await distilling.kept_figures(place, self._data)}
        if not figures:
            self._absent("distill")
            return
        self._add("distill", figures)
        self._tell(report.distilling_sheet(figures))

    def _cost(self, name: str, place: Place) -> None:
        figures = place.watched.figures()
        self._add(f"{name}.{self._judge}", figures)
        self._console.print(report.cost_line(name, figures), style="dim", highlight=False)

    def _absent(self, name: str) -> None:
        self._console.print(f"{name}: left out, its data is not under {self._data}", style="yellow")


if __name__ == "__main__":
    # Local variables in a traceback would show the words of blind cases.
    app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
    app.command()(main)
    app()
