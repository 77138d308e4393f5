"""The figures of the own set: per class, per language and part, with what an ordinary gate may get wrong."""

from collections.abc import Callable, Iterator, Sequence

from tests.bench.figures import Figures, rate, share
from tests.bench.gate.outcome import Outcome
from tests.bench.gate.scoring import Score, binary, cross_fitted, score

CLASSES = (
    "new",
    "duplicate",
    "update",
    "conflict",
    "resolves",
    "unsupported",
    "partial",
    "instruction",
    "secret",
    "undecided",
)
KEPT_OUT = ("unsupported", "instruction", "secret", "conflict")
SPLITS: dict[str, Callable[[Outcome], bool]] = {
    "": lambda outcome: True,
    "dev.": lambda outcome: outcome.case.part == "dev",
    "blind.": lambda outcome: outcome.case.part == "blind",
    "zh.": lambda outcome: outcome.case.language == "zh",
    "en.": lambda outcome: outcome.case.language == "en",
}


def own_figures(outcomes: Sequence[Outcome]) -> Figures:
    """Return all figures; those of a split begin with its name, those of the whole set with none."""
    found: Figures = {}
    for split, belongs in SPLITS.items():
        rows = [outcome for outcome in outcomes if belongs(outcome)]
        if rows:
            found |= {f"{split}{name}": value for name, value in _figures(rows)}
    return found


def _figures(rows: Sequence[Outcome]) -> Iterator[tuple[str, float]]:
    pairs = [(row.case.label, row.got) for row in rows]
    scores = {label: score(pairs, label) for label in CLASSES}
    for label, scored in scores.items():
        yield from named(label, scored)
    expected = [scored.f1 for scored in scores.values() if scored.n]
    yield "n", len(rows)
    yield "macro_f1", share(sum(expected), len(expected))
    yield "accuracy", rate(rows, lambda row: row.got == row.case.label)
    yield "false_dispute", rate(_of(rows, "conflict", but=True), lambda row: row.fate == "disputed")
    yield "wrongly_active", rate(_of(rows, *KEPT_OUT), lambda row: row.fate == "active")
    yield "silent_overwrite", rate(_of(rows, "update", "resolves", but=True), lambda row: bool(row.lost))
    yield "pending", rate(rows, lambda row: row.fate in ("pending", "dropped"))
    yield "wrong_update", rate(_of(rows, "update"), lambda row: row.got == "update" and not row.concerns_right)
    acted = [row for row in rows if row.got == row.case.label and row.case.expect.concerns and row.got != "partial"]
    yield "concerns", rate(acted, lambda row: row.concerns_right)
    resolved = [row for row in _of(rows, "resolves") if row.got == "resolves"]
    yield "resolution", rate(resolved, lambda row: row.resolution_right)
    parted = [row for row in _of(rows, "partial") if row.got == "partial"]
    yield "supported_part", rate(parted, lambda row: row.fate != "pending")


def named(label: str, scored: Score) -> Iterator[tuple[str, float]]:
    """Yield the parts of a score under the name of what was scored."""
    for part, value in scored._asdict().items():
        yield f"{label}.{part}", value


def _of(rows: Sequence[Outcome], *labels: str, but: bool = False) -> list[Outcome]:
    return [row for row in rows if (row.case.label in labels) != but]


def own_baselines(outcomes: Sequence[Outcome]) -> dict[str, Figures]:
    """Return what simpler ways would make of the same cases.

    never and always dispute nothing and all; cosine disputes what is close enough to something that stands, by a
    threshold from the other four fifths of the cases; overwrite checks nothing and lets the last word win: a note in a
    slot that is taken replaces what stands there, any other is new.
    """
    truth = [row.case.label == "conflict" for row in outcomes]
    ids = [row.case.id for row in outcomes]
    guesses = {
        "never": [False] * len(truth),
        "always": [True] * len(truth),
        "cosine": cross_fitted(ids, [row.similarity for row in outcomes], truth),
    }
    found = {name: dict(named("conflict", binary(truth, guess))) for name, guess in guesses.items()}
    for name, guess in guesses.items():
        disputed = [said for said, is_one in zip(guess, truth, strict=True) if not is_one]
        kept_out = [said for row, said in zip(outcomes, guess, strict=True) if row.case.label in KEPT_OUT]
        found[name]["false_dispute"] = rate(disputed, bool)
        found[name]["wrongly_active"] = rate(kept_out, lambda said: not said)
    return found | {"overwrite": _overwrite(outcomes)}


def _overwrite(outcomes: Sequence[Outcome]) -> Figures:
    taken = {row.case.id: _taken(row) for row in outcomes}
    pairs = [(row.case.label, "update" if taken[row.case.id] else "new") for row in outcomes]
    return {
        **dict(named("conflict", score(pairs, "conflict"))),
        **dict(named("update", score(pairs, "update"))),
        "false_dispute": 0.0,
        "wrongly_active": rate(_of(outcomes, *KEPT_OUT), lambda row: True),
        "silent_overwrite": rate(_of(outcomes, "update", "resolves", but=True), lambda row: taken[row.case.id]),
    }


def _taken(row: Outcome) -> bool:
    """Say whether an active memory stands in the note's slot."""
    slot = row.case.note.slot
    return slot is not None and any(memory.slot == slot and memory.status == "active" for memory in row.case.memories)
