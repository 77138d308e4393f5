"""What comes before the gate: the rule that skips turns with nothing to keep, and what the offline distiller keeps.

The rule (`worth_distilling`) saves a model call for each turn it skips. What that costs is read off snippets with gold
memories: a skipped one is lost. What it saves is counted on turns of real talk: LoCoMo, Chinese companion chats, and
users of a project assistant. Then each snippet goes as one turn through the offline distiller and the verifier, with
nothing standing beside it: a gold memory counts as kept where what is let through holds half of its words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graph.models.offline import OfflineDistiller
from nodes.fact_check.refusal import refusal
from nodes.language.sentences import worth_distilling
from state.errors import ModelError
from state.records import Candidate, Turn
from tests.bench.figures import Figures, rate, share
from tests.bench.gate.place import Place
from tests.bench.gate.public import rows_of

COVERED = 0.5
NOW_MS = 1_781_841_600_000
ZONE = "America/New_York"

_PLAIN = re.compile(
    r"a|an|the|and|or|of|in|on|at|to|for|with|from|by|as|is|are|was|were|be|been|will|would|has|have|had|it|its|this"
    r"|that|their|his|her|they|he|she|we|i|my|our|user|not|no"
)

TURNS: dict[str, tuple[str, Callable[[Mapping[str, Any]], str]]] = {
    "locomo_en": ("locomo/memories.jsonl", lambda row: str(row["text"]).removeprefix(f"{row['speaker']}: ")),
    "memorybank_zh": ("memorybank_zh/memories.jsonl", lambda row: str(row["user"])),
    "realmem_en": ("realmem_en/queries.jsonl", lambda row: str(row["question"])),
}


def skip_figures(data: Path) -> Figures:
    """Return the shares of turns that are skipped, and of snippets that are lost by it; only of data that is there."""
    found: Figures = {}
    for name, (place, text_of) in TURNS.items():
        if (data / place).is_file():
            said = [text_of(row) for row in rows_of(data / place)]
            found[f"skip.saved.{name}"] = rate(said, lambda text: not worth_distilling(text))
            found[f"skip.turns.{name}"] = len(said)
    for language in ("zh", "en") if (snippets := _snippets(data)) else ():
        told = [str(row[f"text_{language}"]) for row in snippets if row["memories_en"]]
        found[f"skip.lost.{language}"] = rate(told, lambda text: not worth_distilling(text))
        found[f"skip.snippets.{language}"] = len(told)
    return found


async def kept_figures(place: Place, data: Path) -> Figures:
    """Return how much of the English snippets' gold memories is let through, and how many notes that takes."""
    snippets = _snippets(data)
    if not snippets:
        return {}
    gold = covered = notes = 0
    for row in snippets:
        kept = await _let_through(place, str(row["id"]), str(row["text_en"]))
        notes += len(kept)
        words = [_words(text) for text in kept]
        for memory in row["memories_en"]:
            wanted = _words(memory["content"])
            gold += 1
            covered += any(share(len(wanted & held), len(wanted)) >= COVERED for held in words)
    return {"kept.en": share(covered, gold), "kept.gold": gold, "kept.notes": notes}


def _snippets(data: Path) -> list[dict[str, Any]]:
    path = data / "mempalace_extraction" / "cases.jsonl"
    return rows_of(path) if path.is_file() else []


async def _let_through(place: Place, turn_id: str, text: str) -> list[str]:
    place.clock.set(NOW_MS)
    fields = {"user_id": "bench", "session_id": "bench", "turn_id": turn_id, "role": "user", "text": text}
    turn = Turn.model_validate({**fields, "time_zone": ZONE, "at_ms": NOW_MS})
    if not worth_distilling(text):
        return []
    distilled = await OfflineDistiller().distill(turn, ())
    return [
        candidate.text
        for candidate in distilled.candidates
        if refusal(candidate, {turn_id: text}) is None and await _is_new(place, candidate, [turn])
    ]


async def _is_new(place: Place, candidate: Candidate, source: Sequence[Turn]) -> bool:
    try:
        judgement = await place.watched.verify(candidate, source, [], seconds=place.seconds)
    except ModelError:
        return False
    return judgement.verdict.grounded == "supported" and judgement.verdict.relation == "new"


def _words(text: str) -> set[str]:
    found = re.findall(r"\d+(?:[.,]\d+)*|[a-z]+", text.casefold())
    return {word for word in found if not _PLAIN.fullmatch(word)}
