"""The few figures a run of the peers shows at once; the recall bench reads the rankings and has the rest."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.recall import scoring, sets
from tests.bench.recall.peers.stores import Query, Store
from tests.bench.sheets import Sheet

SHOWN = ("hit@1", "hit@5", "recall@20")


def measured(rankings: Mapping[str, Sequence[str]], queries: Sequence[Query]) -> list[scoring.Measured]:
    """Return the measures of each question that has evidence and a ranking."""
    return [
        scoring.Measured(
            query.qid, query.category, scoring.measures(rankings[query.qid], scoring.DEEP, set(query.evidence))
        )
        for query in queries
        if query.evidence and query.qid in rankings
    ]


def tables(written: Mapping[str, Path], chosen: Sequence[Store]) -> Iterator[Sheet]:
    """Yield one table a set, of the peers that have rankings of it."""
    found = {peer: json.loads(path.read_text(encoding="utf-8")) for peer, path in written.items()}
    for name in dict.fromkeys(store.set for store in chosen):
        queries = [query for store in chosen if store.set == name for query in store.queries]
        rows = [[peer, *_row(told, name, queries)] for peer, told in found.items() if name in told["rankings"]]
        yield Sheet(name, ("peer", "version", "stores", "questions", *SHOWN, "add ms", "search ms"), rows, names=2)


def _row(told: Mapping[str, Any], name: str, queries: Sequence[Query]) -> list[str]:
    apart = sets.SETS[name].apart if name in sets.SETS else ()
    means = scoring.means(measured(told["rankings"][name], queries), apart)
    times = [f"{told['ms'][name][key] or 0:.2f}" for key in ("add", "search")]
    shares = [f"{means[key]:.3f}" for key in SHOWN]
    return [told["version"], str(len(told["stores"][name])), f"{means['n']:.0f}", *shares, *times]
