"""One thing measured, and when two of them are the same."""

from collections.abc import Iterable
from dataclasses import dataclass

# Units between which people round: those of other systems, and months and years in days.
_ROUNDED = frozenset((453.592, 28.3495, 1609.344, 0.3048, 0.0254, 0.092903, 2_629_746, 31_556_952))


@dataclass(frozen=True)
class Quantity:
    """One thing measured: its dimension, its value in the dimension's base unit, how it was written, where.

    `unit` is the factor from the unit as written to the base unit. `loose` says that a time of day is known modulo 12
    hours only ("three o'clock"). A date reads yyyymmdd, where a part that was not said is 0.
    """

    dimension: str
    value: float
    text: str
    start: int
    end: int
    unit: float = 1.0
    loose: bool = False


def same(one: Quantity, other: Quantity) -> bool:
    """Say whether two quantities of one dimension have the same value; across systems of units it may be rounded."""
    if one.dimension == "date":
        return _same_date(int(one.value), int(other.value))
    if one.dimension == "clock" and (one.loose or other.loose):
        return one.value % 720 == other.value % 720
    if one.unit == other.unit:
        return one.value == other.value
    rounded = 0.02 if _ROUNDED & {one.unit, other.unit} else 1e-6
    return abs(one.value - other.value) <= rounded * max(abs(one.value), abs(other.value))


def contains(given: Iterable[Quantity], wanted: Quantity) -> bool:
    """Say whether a quantity is among others; a bare number matches by its value alone."""
    for one in given:
        if one.dimension == wanted.dimension and same(one, wanted):
            return True
        if "count" in (one.dimension, wanted.dimension) and one.value / one.unit == wanted.value / wanted.unit:
            return True
    return False


def _same_date(one: int, other: int) -> bool:
    # yyyymmdd, where a part that was not said is 0.
    parts = [(one // 10_000, other // 10_000), (one // 100 % 100, other // 100 % 100), (one % 100, other % 100)]
    told = [(first, second) for first, second in parts if 0 not in (first, second)]
    return bool(told) and all(first == second for first, second in told)
