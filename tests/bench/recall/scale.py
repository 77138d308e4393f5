"""How long recall takes in a large store: `python -m tests.bench.recall.scale`, or `make bench-scale`.

One user with so many memories, all made up, half Chinese, of two years, in the bundled stores. They are written through
the journal and the outbox as the gate writes them, and questions are asked of the nodes as the graph binds them. The
embedder is left out on both sides: vectors are made of the words (`word_vectors`), and making them is not counted.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from state.errors import LociError
from tests.bench import sheets
from tests.bench.figures import Figures, share, versions, write_part
from tests.bench.pages import open_console
from tests.bench.recall import made_up
from tests.bench.recall.asking import ask, asked_by
from tests.bench.recall.place import Place, open_place
from tests.bench.recall.report import PACKAGES
from tests.bench.recall.scoring import spread
from tests.bench.recall.sets import Said
from tests.bench.recall.word_vectors import DIMENSION, WordVectors, vector_of
from tests.bench.recall.writing import candidate, keep, say

PREFIX = "scale"
WHOLE, PARTS = "whole", ("index", "journal", "weighing", "rerank")
"""`weighing` is all that `recall` does beside asking the stores."""
OUT = Path(__file__).parents[3] / ".loci" / "bench" / "recall.json"
USER, ZONE = "scale", "Asia/Shanghai"
NOW = datetime(2026, 11, 30, 4, 30, tzinfo=UTC)
DAYS = 730
SESSION = 50
"""So many memories are told in one session, a minute apart."""
KEPT = 20
"""So many of the nearest the exact search returns."""
WARM = 40
"""So many other questions are asked first."""


def main(
    memories: Annotated[int, typer.Option(min=100, help="So many memories the user has.")] = 10_000,
    questions: Annotated[int, typer.Option(min=10, help="So many questions are asked.")] = 200,
    out: Annotated[
        Path, typer.Option(help="Where the figures go, as `scale.…`; what else is in the file stays.")
    ] = OUT,
) -> None:
    """Measure how long recall and rerank take in a large store, beside exact search in numpy."""
    console = open_console()
    console.print(
        f"{memories} memories of one user; vectors of {DIMENSION} numbers are made of the words, not by the embedder, "
        "and no time for embedding is counted."
    )
    try:
        figures = asyncio.run(measure(console, memories, questions))
    except LociError as trouble:
        console.print(str(trouble), style="red")
        raise typer.Exit(1) from None
    sheets.show(console, sheet(figures))
    console.print(f"Beside it: {os.getloadavg()[0]:.1f} processes at work on {os.cpu_count()} processors.", style="dim")
    write_part(out, PREFIX, {**figures, **versions(*PACKAGES)})
    console.print(f"Figures: {out}")


async def measure(console: Console, memories: int, questions: int) -> Figures:
    """Fill a store, ask, and return the figures: milliseconds, their ratio, and how many memories there were."""
    told = made_up.told(memories)
    async with open_place(WordVectors()) as place:
        started = time.perf_counter()
        await fill(place, told)
        console.print(f"written in {time.perf_counter() - started:.0f} s", style="dim", highlight=False)
        spent = watched(place)
        await ask_each(place, made_up.questions(WARM, seed=2), spent)
        asked = made_up.questions(questions, seed=3)
        taken = await ask_each(place, asked, spent)
    exact = exact_search([each.text for each in told], asked)
    return {
        "memories": float(memories),
        "questions": float(questions),
        **spread("ms", [each[WHOLE] for each in taken]),
        **{f"{part}.ms": statistics.median(each[part] for each in taken) for part in PARTS},
        "numpy.ms": statistics.median(exact),
        "ratio": share(statistics.median(each[WHOLE] for each in taken), statistics.median(exact)),
    }


async def fill(place: Place, told: Sequence[made_up.Told]) -> None:
    """Have the user tell all of it, session after session, spread evenly over the days before the questions."""
    for start in range(0, len(told), SESSION):
        some = told[start : start + SESSION]
        began = NOW - timedelta(days=DAYS * (1 - start / len(told)) + 1)
        at_ms = [int((began + timedelta(minutes=minute)).timestamp() * 1000) for minute in range(len(some))]
        said = [Said(str(start + number), at_ms[number], each.text) for number, each in enumerate(some)]
        turns = await say(place, USER, f"{USER} {start}", ZONE, said)
        candidates = [
            candidate(turn).model_copy(update={"kind": each.kind, "slot": each.slot})
            for turn, each in zip(turns, some, strict=True)
        ]
        await keep(place, turns, candidates, [()] * len(turns))


async def ask_each(place: Place, questions: Sequence[str], spent: dict[str, float]) -> list[Figures]:
    """Return what each question took, in milliseconds: recall and rerank in all, and their parts."""
    now_ms = int(NOW.timestamp() * 1000)
    taken = []
    for number, text in enumerate(questions):
        spent.clear()
        answer = await ask(place, asked_by(USER, text, now_ms + number, ZONE), "balanced")
        parts = {part: spent.get(part, 0.0) * 1000 for part in ("index", "journal", "rerank")}
        weighing = spent["recall"] * 1000 - parts["index"] - parts["journal"]
        taken.append({WHOLE: answer.ms or 0.0, **parts, "weighing": weighing})
    return taken


def watched(place: Place) -> dict[str, float]:
    """Have the nodes and the stores they ask note the seconds they take without embedding, and return where."""
    spent: dict[str, float] = {}
    index, journal = place.services.long_term_memory, place.services.journal
    for part, owner, names in (
        ("index", index, ("search", "calibration")),
        ("journal", journal, ("memories", "in_slot")),
        ("recall", place, ("recall",)),
        ("rerank", place, ("rerank",)),
    ):
        for name in names:
            setattr(owner, name, _timed(getattr(owner, name), part, spent, place))
    return spent


def _timed(
    work: Callable[..., Awaitable[Any]], part: str, spent: dict[str, float], place: Place
) -> Callable[..., Awaitable[Any]]:
    async def timed(*given: Any, **named: Any) -> Any:
        started = time.perf_counter() - place.embeddings.seconds
        try:
            return await work(*given, **named)
        finally:
            took = time.perf_counter() - place.embeddings.seconds - started
            spent[part] = spent.get(part, 0.0) + took

    return timed


def exact_search(memories: Sequence[str], questions: Sequence[str]) -> list[float]:
    """Return the milliseconds that numpy takes for the nearest to each question, over all vectors in one matrix."""
    matrix = np.stack([vector_of(text) for text in memories])
    taken = []
    for text in questions:
        vector = vector_of(text)
        started = time.perf_counter()
        cosines = matrix @ vector
        nearest = np.argpartition(cosines, -KEPT)[-KEPT:]
        nearest = nearest[np.argsort(-cosines[nearest])]
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def sheet(figures: Figures) -> sheets.Sheet:
    """Return the table of a run."""
    heads = ["memories", "recall + rerank, ms", "p95", *PARTS, "numpy, ms", "ours / numpy"]
    names = ["ms", "ms.p95", *(f"{part}.ms" for part in PARTS), "numpy.ms"]
    row = [f"{figures['memories']:.0f}", *(f"{figures[name]:.2f}" for name in names), f"{figures['ratio']:.1f}"]
    return sheets.Sheet("Recall and rerank in a large store, medians without embedding", heads, [row], names=0)


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
    app.command()(main)
    app()
