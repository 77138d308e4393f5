"""The command line: `python -m tests.bench.recall.peers`, or `make bench-peers`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.bench import sheets
from tests.bench.recall.cache import CachedEmbeddings
from tests.bench.recall.peers import figures, running, stores, vectors
from tests.bench.recall.peers.catalogue import PEERS, Peer

BENCH = Path(__file__).parents[4] / ".loci" / "bench"
WIDTH = 140


def main(
    stores_file: Annotated[
        Path, typer.Option("--stores", exists=True, dir_okay=False, help="The sets, as the recall bench exports them.")
    ],
    out: Annotated[Path, typer.Option(help="Where each peer's rankings and its log go, as <peer>.json and .log.")],
    peers: Annotated[str, typer.Option(help="Whom to run, with commas between.")] = ",".join(PEERS),
    limit_stores: Annotated[
        int | None, typer.Option(min=1, help="Of each set only so many stores, the first ones; else all.")
    ] = None,
) -> None:
    """Run other memory libraries over the sets of the recall bench, with Loci's own embedder.

    Each has an environment of its own under .loci/bench/peers, made at its first run from the package index. Times
    are the libraries' own: every text is embedded before, once.
    """
    names = [name.strip() for name in peers.split(",") if name.strip()]
    if unknown := [name for name in names if name not in PEERS]:
        raise typer.BadParameter(f"no such peer: {', '.join(unknown)}; there are {', '.join(PEERS)}")
    try:
        chosen = stores.first(stores.read(stores_file), stores_a_set=limit_stores)
    except ValueError as trouble:
        raise typer.BadParameter(str(trouble)) from None
    out = out.resolve()  # a peer runs in a folder of its own
    out.mkdir(parents=True, exist_ok=True)
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)  # a file or a pipe has no width, and eighty columns cut the tables
    with TemporaryDirectory(prefix="loci-peers-") as folder:
        bench = Bench(console, Path(folder), out)
        bench.embed(chosen)
        failed = [name for name in names if not bench.run(PEERS[name], chosen)]
    bench.show(chosen)
    if failed:
        console.print(f"Failed: {', '.join(failed)}. What is above is of the others.", style="red")
        raise typer.Exit(1)


class Bench:
    """One run, with a folder for what it hands to the peers; its figures are read from what they have written."""

    def __init__(self, console: Console, folder: Path, out: Path) -> None:
        self._console = console
        self._stores, self._vectors = folder / "stores.jsonl", folder / "vectors.sqlite"
        self._out = out
        self._written: dict[str, Path] = {}

    def embed(self, chosen: Sequence[stores.Store]) -> None:
        """Embed all texts; what an earlier run or the recall bench has embedded is read from their cache."""
        with (
            closing(CachedEmbeddings(BENCH / "cache" / "vectors.sqlite")) as embedder,
            self._progress("embedding") as step,
        ):
            vectors.write(self._vectors, vectors.texts(chosen), embedder, step)

    def run(self, peer: Peer, chosen: Sequence[stores.Store]) -> bool:
        """Run a peer, and say so where it fails; return whether it did not."""
        taken = stores.first(chosen, memories_a_set=peer.memories_a_set)
        if len(taken) < len(chosen):
            self._console.print(f"{peer.name}: {len(taken)} of {len(chosen)} stores, it is slow", style="yellow")
        written, log = self._out / f"{peer.name}.json", self._out / f"{peer.name}.log"
        written.unlink(missing_ok=True)
        environment = BENCH / "peers" / peer.environment.name
        try:
            with self._console.status(f"{peer.name}: its environment"):
                running.make(peer.environment, environment, log)
            stores.write(self._stores, taken)
            with self._progress(peer.name) as step:
                running.run(peer, environment, self._stores, self._vectors, written, log, step)
        except running.PeerFailed as trouble:
            self._console.print(f"{peer.name} failed: {trouble}", style="red", markup=False, highlight=False)
            return False
        self._written[peer.name] = written
        return True

    def show(self, chosen: Sequence[stores.Store]) -> None:
        """Print the figures of the peers that ran, and where their rankings are."""
        for sheet in figures.tables(self._written, chosen):
            sheets.show(self._console, sheet)
        if self._written:
            self._console.print(f"Rankings: {self._out}")

    @contextmanager
    def _progress(self, name: str) -> Iterator[Callable[[int, int], object]]:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self._console, transient=True) as progress:
            task = progress.add_task(name, total=None)
            yield lambda done, total: progress.update(task, completed=done, total=total)


if __name__ == "__main__":
    typer.run(main)
