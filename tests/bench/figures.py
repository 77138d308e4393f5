"""Figures of a bench: shares, and the file they are written to."""

import json
import platform
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

Figures = dict[str, float]

T = TypeVar("T")


def share(part: float, whole: float) -> float:
    """Return part of whole, 0 of nothing."""
    return part / whole if whole else 0.0


def rate(rows: Iterable[T], counts: Callable[[T], bool]) -> float:
    """Return the share of rows that count."""
    found = [counts(row) for row in rows]
    return share(sum(found), len(found))


def versions(*packages: str) -> dict[str, str]:
    """Return what figures depend on beside the code of the bench: Python, these packages, the moment."""
    return {
        "version.python": platform.python_version(),
        **{f"version.{package}": version(package) for package in packages},
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def prefixed(prefix: str, figures: Mapping[str, float]) -> Figures:
    """Return the figures with a prefix before each name."""
    return {f"{prefix}.{name}": value for name, value in figures.items()}


def write(path: Path, figures: Mapping[str, float | str]) -> None:
    """Write all figures as one flat JSON object, rounded to five places."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flat = {name: round(value, 5) if isinstance(value, float) else value for name, value in figures.items()}
    path.write_text(json.dumps(flat, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def read_part(path: Path, prefix: str) -> dict[str, float | str]:
    """Return the figures of a file whose names begin with a prefix and a point; none where there is no file."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: value for name, value in kept.items() if name.startswith(f"{prefix}.")}


def write_part(path: Path, prefix: str, figures: Mapping[str, float | str]) -> None:
    """Write figures with a prefix in the place of those that a file has; all others stay."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    others = {name: value for name, value in kept.items() if not name.startswith(f"{prefix}.")}
    write(path, {**others, **{f"{prefix}.{name}": value for name, value in figures.items()}})


def provenance(figures: Mapping[str, float | str]) -> str:
    """Say when and with what the figures were made."""
    with_ = ", ".join(f"{name.removeprefix('version.')} {figures[name]}" for name in figures if name.startswith("vers"))
    return f"Made {figures['made']} with {with_}."
