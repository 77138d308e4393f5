"""The command line: `python -m tests.bench.recall`, or `make bench-recall`."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from state.errors import LociError
from tests.bench import sheets
from tests.bench.figures import prefixed, provenance, read_part, versions, write
from tests.bench.gate.scoring import sample
from tests.bench.pages import open_console, rewritten
from tests.bench.progress import progress
from tests.bench.recall import beliefs, defaults, exchange, misses, precisionmem, report, run, sets
from tests.bench.recall.asking import OURS, SIMPLER
from tests.bench.recall.cache import CachedEmbeddings
from tests.bench.recall.defaults import PRECISION
from tests.bench.recall.place import Place, open_place
from tests.bench.recall.scoring import slug
from tests.bench.recall.writing import screened_out
from tests.bench.told import Told

ROOT = Path(__file__).parents[3]
HOME = ROOT / ".loci" / "bench"
SCALE = "scale"  # measured by itself, see tests.bench.recall.scale
NAMES = (*sets.SETS, PRECISION)
WAYS = (*OURS, *SIMPLER)
VARIANTS = "recall-variants"
WIDTH = 230

Measured = TypeVar("Measured")


def main(
    data: Annotated[
        Path, typer.Option(help="Where the shared data is; a set that is not there is left out, with a note.")
    ] = ROOT.parent / "shared" / "data",
    chosen: Annotated[str, typer.Option("--sets", help="What to measure, with commas between.")] = ",".join(NAMES),
    profiles: Annotated[
        str, typer.Option(help="Ways to rank, with commas between: our profiles, and simpler ways to compare with.")
    ] = ",".join(WAYS),
    limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            show_default=f"all; with --variants {defaults.LIMIT}",
            help="At most so many questions of each set, always the same ones; 0 takes all.",
        ),
    ] = None,
    variants: Annotated[
        bool,
        typer.Option(
            "--variants",
            help=f"Measure the ranking's defaults beside what they could be, over {', '.join(defaults.NAMES)}.",
        ),
    ] = False,
    errors: Annotated[
        Path | None, typer.Option(help="Write the questions our profiles miss to this file, as JSON lines.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(help="Measure nothing: write the chosen sets into this folder, for the peers.")
    ] = None,
    peer_rankings: Annotated[
        Path | None, typer.Option(help="A folder with a file of rankings from each peer, to stand in the tables too.")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            help="Write the tables into this page, between its markers `bench: recall`, or `recall-variants`."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            show_default=".loci/bench/recall.json; with --variants .loci/bench/recall-variants.json",
            help="Where the figures go; of a file that is there only `scale.…` is kept.",
        ),
    ] = None,
) -> None:
    """Measure recall: whether the memories that answer a question come first.

    Each set is lived through: its sessions are written and its questions asked through the product's stores and nodes,
    in a temporary folder. Prints tables, and writes all figures to one JSON file.
    """
    names, ways = _among(chosen, NAMES), _among(profiles, WAYS)
    console = open_console(WIDTH)
    if variants:
        if errors or export or peer_rankings or ways != list(WAYS):
            raise typer.BadParameter("--variants goes with --data, --sets, --limit, --page and --out only")
        _vary(console, data, names, defaults.LIMIT if limit is None else limit, page, out)
        return
    if page is not None:
        rewritten(page, "recall", "")  # a page without markers is no reason to lose a run
    out = out or HOME / "recall.json"
    bench = Bench(console, data, ways, limit or 0, peer_rankings)
    if export is not None:
        stores = [store for name in names if name in sets.SETS for store in sets.load(name, data, limit or 0) or []]
        console.print(f"For the peers: {exchange.export(export, stores)}")
        return
    _finished(console, bench.run(names))
    write(out, {**bench.figures, **read_part(out, SCALE)})
    console.print(f"Figures: {out}")
    if page is not None:
        page.write_text(rewritten(page, "recall", bench.tables()), encoding="utf-8")
    if errors is not None:
        errors.write_text("".join(f"{line}\n" for line in bench.missed), encoding="utf-8")
        console.print(f"{len(bench.missed)} misses of our profiles: {errors}")


def _vary(console: Console, data: Path, names: list[str], limit: int, page: Path | None, out: Path | None) -> None:
    """Measure the defaults beside their variants; print, write and show what came of it."""
    measured = [name for name in names if name in defaults.NAMES]
    if page is not None:
        rewritten(page, VARIANTS, "")
    found = _finished(console, defaults.compared(_place, data, measured, limit, console))
    if not found[defaults.DEFAULT]:
        raise typer.BadParameter(f"none of {', '.join(defaults.NAMES)} was chosen and is under {data}")
    figures: dict[str, float | str] = {**versions(*report.PACKAGES), "limit": limit}
    for way, by_set in found.items():
        for name, each in by_set.items():
            figures |= prefixed(f"variants.{slug(way)}.{name}", each)
    out = out or HOME / "recall-variants.json"
    write(out, figures)
    sheet = report.variants_sheet(
        found, defaults.DEFAULT, {name: each.change() for name, each in defaults.VARIANTS.items()}
    )
    sheets.show(console, sheet)
    console.print(f"Figures: {out}")
    if page is not None:
        tables = f"{provenance(figures)}\n\n{sheets.markdown(sheet)}"
        page.write_text(rewritten(page, VARIANTS, tables), encoding="utf-8")


def _place() -> AbstractAsyncContextManager[Place]:
    return open_place(CachedEmbeddings(HOME / "cache" / "vectors.sqlite"))


def _finished(console: Console, work: Coroutine[Any, Any, Measured]) -> Measured:
    """Return what the work gives; where a store or a model fails, say so and end the command."""
    try:
        return asyncio.run(work)
    except LociError as trouble:
        console.print(str(trouble), style="red")
        raise typer.Exit(1) from None


def _among(given: str, known: tuple[str, ...]) -> list[str]:
    names = [name.strip() for name in given.split(",") if name.strip()]
    if unknown := [name for name in names if name not in known]:
        raise typer.BadParameter(f"no such thing: {', '.join(unknown)}; there are {', '.join(known)}")
    return names


class Bench(Told):
    """One run: what is measured is printed at once and gathered in `figures`, misses in `missed`."""

    def __init__(self, console: Console, data: Path, ways: list[str], limit: int, peers: Path | None) -> None:
        super().__init__(console, {**versions(*report.PACKAGES)})
        self.missed: list[str] = []
        self._data = data
        self._ways = ways
        self._limit = limit
        self._peers = peers

    async def run(self, names: list[str]) -> None:
        """Measure the chosen sets."""
        async with _place() as place:
            for name in names:
                started = time.perf_counter()
                before = place.embeddings.found, place.embeddings.made
                there = await (self._beliefs(place) if name == PRECISION else self._set(place, name))
                if not there:
                    self._console.print(f"{name}: left out, its data is not under {self._data}", style="yellow")
                    continue
                found, made = place.embeddings.found - before[0], place.embeddings.made - before[1]
                took = f"{name}: {time.perf_counter() - started:.0f} s; {found} vectors from the cache, {made} made"
                self._console.print(took, style="dim", highlight=False)

    async def _set(self, place: Place, name: str) -> bool:
        stores = sets.load(name, self._data, self._limit)
        if stores is None:
            return False
        said = sum(len(session) for store in stores for session in store.sessions)
        questions = sum(len(store.questions) for store in stores)
        with progress(self._console, name, said + questions) as advance:
            asked = await run.live(place, stores, self._ways, done=advance)
        self._add(name, {"refused": screened_out(stores)})
        self._add(f"size.{name}", {"memories": said, "questions": questions})
        apart = sets.SETS[name].apart
        found = {way: run.figures(asked, way, apart) for way in self._ways}
        for peer in exchange.peers(self._peers, name) if self._peers else ():
            found[peer.name] = run.figures(exchange.joined(asked, peer), peer.name, apart) | peer.times
        for way, figures in found.items():
            self._add(f"{name}.{way}", figures)
        for way in self._ours():
            self.missed += misses.of_set(asked, way)
        self._tell(report.set_sheet(name, found, apart), report.category_sheet(name, found))
        return True

    async def _beliefs(self, place: Place) -> bool:
        fixtures = precisionmem.load(self._data / "precisionmem_en")
        if fixtures is None:
            return False
        fixtures = fixtures._replace(cases=sample(fixtures.cases, self._limit, lambda case: case.name))
        total = len(fixtures.cases) + sum(map(len, fixtures.sessions))
        with progress(self._console, PRECISION, total) as advance:
            judged = await beliefs.run(place, fixtures, self._ways, done=advance)
        found = {way: beliefs.figures(judged, way) for way in self._ways}
        for way, figures in found.items():
            self._add(f"{PRECISION}.{way}", figures)
        self._add(f"size.{PRECISION}", {"beliefs": len(fixtures.beliefs), "cases": len(fixtures.cases)})
        for way in self._ours():
            self.missed += misses.of_beliefs(judged, way)
        self._tell(report.beliefs_sheet(found))
        return True

    def _ours(self) -> list[str]:
        return [way for way in self._ways if way in OURS]


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
    app.command()(main)
    app()
