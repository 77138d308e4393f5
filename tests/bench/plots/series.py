"""What is drawn: which curves and bars come out of the product's formulas and of the benches' figures."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, get_args

from nodes.ranking.decay import DAY_MS
from nodes.ranking.profiles import balanced, classic
from state.records import Kind
from tests.bench.recall.asking import OURS, SIMPLER
from tests.bench.recall.sets import SETS as RECALL_SETS
from tests.bench.time.sets import SETS as TIME_SETS
from tests.factories import NOW_MS, hit_row, memory

DAYS = 365
HIT = ".hit@5"


class Curve(NamedTuple):
    """A line of shares, the first for day 0."""

    name: str
    shares: tuple[float, ...]


class Panel(NamedTuple):
    """The bars of one set, from the top: name, and share from 0 to 1; None where it was not measured."""

    title: str
    bars: Mapping[str, float | None]


def decay_curves() -> list[Curve]:
    """Return what is left of a memory from day 0 to 365: for kinds that fade alike one curve, and one for `classic`."""
    kinds: dict[tuple[float, ...], list[str]] = {}
    for kind in get_args(Kind):
        kinds.setdefault(tuple(_balanced(kind, day) for day in range(DAYS + 1)), []).append(kind)
    curves = [Curve(", ".join(names), shares) for shares, names in kinds.items()]
    return [*curves, Curve("classic, every kind", tuple(_classic(day) for day in range(DAYS + 1)))]


def recall_panels(figures: Mapping[str, Any]) -> list[Panel]:
    """Return hit@5 of every way to rank, a panel for each set: ours, the simpler ways, then other libraries."""
    found = _by_set(
        (*key.removesuffix(HIT).partition(".")[::2], value) for key, value in figures.items() if key.endswith(HIT)
    )
    return _panels(found, RECALL_SETS, (*OURS, *SIMPLER))


def time_panels(figures: Mapping[str, Any]) -> list[Panel]:
    """Return the share with the right days of every parser, a panel for each set: ours, then other libraries."""
    found = _by_set((*key.partition(".")[::2], value) for key, value in figures.items())
    return _panels(found, [each.name for each in TIME_SETS], ("ours",))


def _balanced(kind: Kind, day: int) -> float:
    return balanced(hit_row(), memory(kind=kind, mentioned_ms=NOW_MS - day * DAY_MS), NOW_MS, 0.0)["decay"]


def _classic(day: int) -> float:
    parts = classic(hit_row(), memory(mentioned_ms=NOW_MS - day * DAY_MS), NOW_MS, 0.0)
    return parts["decay"] * parts["stale"]


def _by_set(found: Iterable[tuple[str, str, Any]]) -> dict[str, dict[str, float]]:
    """Return the figures of each way by its set; a way with a point in it is a part of one (`balanced.dated`)."""
    sets: dict[str, dict[str, float]] = {}
    for name, way, value in found:
        if way and "." not in way:
            sets.setdefault(name, {})[way] = value
    return sets


def _panels(found: Mapping[str, Mapping[str, float]], sets: Iterable[str], first: Iterable[str]) -> list[Panel]:
    there = [name for name in sets if name in found]
    ways = {way for name in there for way in found[name]}
    known = [way for way in first if way in ways]
    order = [*known, *sorted(ways.difference(known))]
    return [Panel(name, {way: found[name].get(way) for way in order}) for name in there]
