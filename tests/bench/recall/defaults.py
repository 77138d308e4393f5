"""The ranking's defaults beside what they could be: the same questions over the same memories, once per variant.

A set is written once and each of its questions asked with the defaults and with each variant in force. A variant of
what is in the index has the sets written anew, in a place of their own: the words' rarity is counted over all of it.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from rich.console import Console

from tests.bench.figures import Figures
from tests.bench.gate.scoring import sample
from tests.bench.progress import progress
from tests.bench.recall import beliefs, precisionmem, run, sets
from tests.bench.recall.place import Place
from tests.bench.recall.variants import VARIANTS

PRECISION = "precisionmem"
NAMES = ("locomo", "memorybank", "realmem", PRECISION)
DEFAULT = "balanced"
"""Our profile as it is: the row that all others are compared with."""
LIMIT = 200

Found = dict[str, dict[str, Figures]]
"""The figures of each way, by set."""


async def compared(
    place: Callable[[], AbstractAsyncContextManager[Place]],
    data: Path,
    names: Sequence[str],
    limit: int,
    console: Console,
) -> Found:
    """Return the figures of the defaults and of each variant; a set that is not under `data` is left out."""
    asked = [name for name, variant in VARIANTS.items() if not variant.at_writing]
    async with place() as first:
        found = await _lived(first, data, names, limit, [DEFAULT, *asked], console)
    for name, variant in VARIANTS.items():
        if variant.at_writing:
            with variant.in_force():
                async with place() as anew:
                    found[name] = (await _lived(anew, data, names, limit, [DEFAULT], console))[DEFAULT]
    return {way: found[way] for way in (DEFAULT, *VARIANTS)}


async def _lived(
    place: Place, data: Path, names: Sequence[str], limit: int, ways: Sequence[str], console: Console
) -> Found:
    found: Found = {way: {} for way in ways}
    for name in names:
        started = time.perf_counter()
        lived = _beliefs if name == PRECISION else _set
        measured = await lived(place, data, name, limit, ways, console)
        if not measured:
            console.print(f"{name}: left out, its data is not under {data}", style="yellow")
            continue
        for way, figures in measured.items():
            found[way][name] = figures
        took = f"{name}, asked in {len(ways)} ways: {time.perf_counter() - started:.0f} s"
        console.print(took, style="dim", highlight=False)
    return found


async def _set(
    place: Place, data: Path, name: str, limit: int, ways: Sequence[str], console: Console
) -> dict[str, Figures]:
    stores = sets.load(name, data, limit)
    if stores is None:
        return {}
    total = sum(sum(map(len, store.sessions)) + len(store.questions) for store in stores)
    with progress(console, name, total) as advance:
        asked = await run.live(place, stores, ways, done=advance)
    return {way: run.figures(asked, way, sets.SETS[name].apart) for way in ways}


async def _beliefs(
    place: Place, data: Path, name: str, limit: int, ways: Sequence[str], console: Console
) -> dict[str, Figures]:
    fixtures = precisionmem.load(data / "precisionmem_en")
    if fixtures is None:
        return {}
    fixtures = fixtures._replace(cases=sample(fixtures.cases, limit, lambda case: case.name))
    with progress(console, name, len(fixtures.cases) + sum(map(len, fixtures.sessions))) as advance:
        judged = await beliefs.run(place, fixtures, ways, done=advance)
    return {way: beliefs.figures(judged, way) for way in ways}
