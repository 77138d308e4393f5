"""The figures of a run as tables."""

from collections.abc import Sequence

from tests.bench.figures import share
from tests.bench.sheets import Sheet
from tests.bench.time.answers import figures
from tests.bench.time.runs import Run
from tests.bench.time.sets import SETS

COLUMNS = {
    "": "start and end",
    ".inclusive": "ranges inclusive",
    ".start": "start",
    ".parsed": "parsed",
    ".sentence": "in its sentence",
    ".ms": "ms",
}


def sets_sheet(ours: Run, peers: Sequence[Run]) -> Sheet:
    """Return ours and the peers on each set; the last column says how often ours is right for once the other is."""
    rows = []
    for each in SETS:
        for one in (ours, *peers):
            if each in one.outcomes:
                found = figures(one.outcomes[each])
                rows.append(
                    [
                        each.name,
                        one.parser,
                        f"{len(one.outcomes[each])}",
                        *(f"{found[column]:.3f}" if column in found else "" for column in COLUMNS),
                        f"{share(figures(ours.outcomes[each])[''], found['']):.2f}" if found[""] else "-",
                    ]
                )
    heads = ["set", "parser", "n", *COLUMNS.values(), "ours / its"]
    return Sheet("Time expressions: share with the right days, and median milliseconds", heads, rows, names=2)


def no_time_sheet(runs: Sequence[Run]) -> Sheet:
    """Return in how many of the lines that name no time each parser finds one."""
    heads = ["zh", "en", "both"]
    rows = []
    for one in runs:
        seen = one.seen()
        rows.append([one.parser, *(f"{seen[head]:.3f}" if head in seen else "" for head in heads)])
    return Sheet("Lines that name no time: share in which one is found", ["parser", *heads], rows)
