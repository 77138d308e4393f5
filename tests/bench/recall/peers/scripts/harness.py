"""What the scripts of the peers share; it runs in a peer's environment and needs the standard library only.

A script hands `run` a class: made for each set with an empty folder and the vectors, filled memory by memory, then
asked question by question. The times are the peer's own, in milliseconds: a vector is looked up, not computed.
"""

import argparse
import json
import os
import sqlite3
import statistics
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import version
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

LIMIT = 20  # memories a ranking
DIMENSION = 384


class Vectors:
    """The vectors of every text of the run; a text that is not there was changed by the peer, and is an error."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as database:
            rows = database.execute("SELECT kind, text, vector FROM vectors")
            self._rows = {(kind, text): array("f", vector).tolist() for kind, text, vector in rows}

    def passage(self, text: str) -> list[float]:
        """Return the vector of a memory."""
        return self._vector("passage", text)

    def query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return self._vector("query", text)

    def _vector(self, kind: str, text: str) -> list[float]:
        try:
            return self._rows[kind, text]
        except KeyError:
            raise LookupError(f"no vector of the {kind} {text[:60]!r}") from None


class Peer(Protocol):
    """One library, holding the stores of one set apart."""

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        """Make it with an empty folder for its files."""

    def add(self, store: str, memory: dict[str, str]) -> None:
        """Keep a memory, with id, time and text, in a store."""

    def search(self, store: str, query: dict[str, Any], limit: int) -> list[str]:
        """Return the ids of the memories of a store that answer a question (`question`, `asked_at`), best first."""

    def close(self) -> None:
        """Let go of the files."""


def run(make: Callable[[Path, Vectors], Peer], package: str) -> None:
    """Run a peer over all sets, and write its rankings and times; `package` is whose version is told."""
    parser = argparse.ArgumentParser()
    for name in ("--stores", "--vectors", "--folder", "--out"):
        parser.add_argument(name, type=Path, required=True)
    told = parser.parse_args()
    rows = [json.loads(line) for line in told.stores.read_text(encoding="utf-8").splitlines()]
    progress = Progress(sum(len(row["memories"]) + len(row["queries"]) for row in rows))
    vectors = Vectors(told.vectors)
    found: dict[str, Any] = {"version": version(package), "rankings": {}, "ms": {}, "stores": {}}
    for name, of_set in groupby(sorted(rows, key=itemgetter("set")), key=itemgetter("set")):
        stores = list(of_set)
        folder = told.folder / f"set-{len(found['ms'])}"
        folder.mkdir(parents=True)
        peer = make(folder, vectors)
        found["rankings"][name], found["ms"][name] = measured(peer, stores, progress)
        found["stores"][name] = [row["store"] for row in stores]
        peer.close()
    told.out.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def measured(peer: Peer, stores: list[dict[str, Any]], progress: "Progress") -> tuple[dict[str, list[str]], Any]:
    """Fill and ask the stores of one set; return its rankings by question, and the medians of both times."""
    timed: dict[str, list[float]] = {"add": [], "search": []}
    rankings: dict[str, list[str]] = {}
    for store, what, row in events(stores):
        began = time.perf_counter()
        if what == "add":
            peer.add(store, row)
        else:
            rankings[row["qid"]] = peer.search(store, row, LIMIT)[:LIMIT]
        timed[what].append(time.perf_counter() - began)
        progress.step()
    return rankings, {what: median(seconds) for what, seconds in timed.items()}


def events(stores: list[dict[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield what happens, as (store, "add" or "search", row): a question comes after the memories that it may see.

    Those that may see everything come last, when the stores of all users are filled, as in use.
    """
    late = []
    for number, store in enumerate(stores):
        name, memories = f"store-{number}", store["memories"]
        early = defaultdict(list)
        for query in store["queries"]:
            after = query.get("after")
            if after is None or after >= len(memories):
                late.append((name, "search", query))
            else:
                early[after].append((name, "search", query))
        for count, memory in enumerate(memories):
            yield from early[count]
            yield name, "add", memory
    yield from late


def median(seconds: list[float]) -> float | None:
    """Return the median in milliseconds; None of nothing."""
    return round(statistics.median(seconds) * 1000, 3) if seconds else None


class Progress:
    """Tells how far it is, as lines `done total`; whatever else is printed goes to stderr, with the warnings."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._out = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def step(self) -> None:
        """One memory kept or one question asked."""
        self._done += 1
        if self._done % 20 == 0 or self._done == self._total:
            self._out.write(f"{self._done} {self._total}\n")
