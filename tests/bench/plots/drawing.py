"""How it is drawn: with matplotlib, as SVG; the same figures give the same file."""

from collections.abc import Collection, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.bench.plots.series import Curve, Panel

# Colours that stay apart for the colour-blind (Okabe and Ito, 2008).
COLOURS = ("#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9")
OURS, OTHERS, FADED = "#0072b2", "#b0b0b0", "#d55e00"
STYLE = {
    "svg.hashsalt": "loci",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
}
MONTH_DAYS = 30


def curves(path: Path, title: str, lines: Sequence[Curve], dashed: Collection[str]) -> None:
    """Draw shares over days, each line with its name at its end."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.subplots()
        for line, colour in zip(lines, (*COLOURS[: len(lines) - len(dashed)], *[FADED] * len(dashed)), strict=True):
            style = "--" if line.name in dashed else "-"
            axes.plot(range(len(line.shares)), line.shares, color=colour, linestyle=style, linewidth=2)
            axes.annotate(
                line.name,
                (len(line.shares) - 1, line.shares[-1]),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                color=colour,
            )
        days = max(len(line.shares) for line in lines)
        axes.set(title=title, xlabel="days since it was said", ylabel="share left", ylim=(0, 1.05), xlim=(0, days - 1))
        axes.set_xticks([*range(0, days, 2 * MONTH_DAYS)])
        axes.grid(alpha=0.3)
        _save(figure, path)


def bars(path: Path, title: str, panels: Sequence[Panel], ours: Collection[str]) -> None:
    """Draw a panel beside the other, in each a bar for every name, with its share at its end; ours stand out."""
    with mpl.rc_context(STYLE):
        names = list(panels[0].bars)
        figure = Figure(figsize=(1.2 + 1.9 * len(panels), 1.2 + 0.3 * len(names)), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left")
        for axes, panel in zip(figure.subplots(1, len(panels), sharey=True, squeeze=False)[0], panels, strict=True):
            _bars(axes, panel, ours)
        _save(figure, path)


def _bars(axes: Axes, panel: Panel, ours: Collection[str]) -> None:
    places = range(len(panel.bars))
    for place, (name, share) in zip(places, panel.bars.items(), strict=True):
        if share is not None:
            axes.barh(place, share, color=OURS if name in ours else OTHERS)
        axes.text((share or 0) + 0.02, place, "–" if share is None else f"{share:.2f}", va="center", fontsize=9)
    axes.set(title=panel.title, xlim=(0, 1.2))
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_yticks([*places], [*panel.bars])
    axes.set_ylim(len(panel.bars) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _save(figure: Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date, no version of the library: another run, or another release, changes nothing.
    figure.savefig(path, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
