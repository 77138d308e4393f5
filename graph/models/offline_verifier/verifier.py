"""The offline verifier: what the source bears, what stands beside it, which dispute it ends."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from graph.models.offline_verifier.findings import NEW, NOT_AT_ODDS, Finding, unsure
from graph.models.offline_verifier.relation import relation
from graph.models.offline_verifier.said import Said
from graph.models.offline_verifier.settling import answered, settled
from graph.models.offline_verifier.support import support
from nodes.language.change import became, puts_right
from nodes.language.claims import claim
from nodes.language.grounding import touches
from nodes.language.sentences import sentences
from state.ports import Judgement, Neighbour
from state.records import Candidate, Relation, Resolution, Turn, Verdict
from state.settings import OFFLINE

RULES = "offline-3"
# Cosine of the bundled embedder. Of notes from real talk 2 to 4 in a hundred lie as near to what stands (LoCoMo,
# MemoryBank); of changes and conflicts that rules took for new, on cases they were not made for, 10 of 22.
NEARLY_THE_SAME = 0.95
STRENGTH: dict[Relation, int] = {"duplicate": 4, "conflict": 3, "update": 2, "undecided": 1, "new": 0}
CONFIDENCE: dict[Relation, float] = {
    "duplicate": 0.8,
    "resolves": 0.8,
    "conflict": 0.6,
    "update": 0.6,
    "undecided": 0.0,
    "new": 0.5,
}


class OfflineVerifier:
    """Judges by rules. Implements `state.ports.Verifier`."""

    async def verify(
        self,
        candidate: Candidate,
        source: Sequence[Turn],
        company: Sequence[Neighbour],
        *,
        context: Sequence[Turn] = (),
        seconds: float,
    ) -> Judgement:
        """Judge a candidate by its words, its source and the memories beside it; it takes milliseconds."""
        async with asyncio.timeout(seconds):
            verdict = await asyncio.to_thread(_verdict, candidate, source, company, context)
        return Judgement(
            verdict=verdict,
            compared=tuple(neighbour.memory.memory_id for neighbour in company),
            verifier=OFFLINE,
            provisional=True,
            prompt_hash=RULES,
        )


def _verdict(
    candidate: Candidate, source: Sequence[Turn], company: Sequence[Neighbour], context: Sequence[Turn]
) -> Verdict:
    if candidate.answers is not None:
        kept = answered(candidate, source, company, context)
        if kept is None:
            return Verdict(relation="undecided", grounded="supported", reason="it does not say which side holds")
        return _resolves(candidate.answers, kept, "the user answers the question")
    found = support(candidate, source, context, company)
    if found.grounded != "supported":
        return Verdict(
            relation="undecided",
            grounded=found.grounded,
            confidence=0.6,
            reason=found.reason,
            supported_part=found.part,
        )
    if candidate.kind == "episode":
        return Verdict(relation="new", grounded="supported", confidence=0.5, reason=found.reason)
    said = _as_said(candidate, source)
    if end := settled(said, source, company):
        return _resolves(*end, "the user says which side holds")
    return _beside(said, company)


def _resolves(dispute: str, kept: Resolution, reason: str) -> Verdict:
    return Verdict(
        relation="resolves",
        grounded="supported",
        confidence=CONFIDENCE["resolves"],
        reason=reason,
        concerns=(dispute,),
        resolution=kept,
    )


def _as_said(candidate: Candidate, source: Sequence[Turn]) -> Said:
    """Read a candidate with what its source says around it of change."""
    spans = [part.span for part in candidate.evidence]
    said = {turn.turn_id: turn.text for turn in source}
    turned = [sentence for part in candidate.evidence for sentence in sentences(said.get(part.turn_id, ""))]
    around = [sentence for sentence in turned if any(touches(span, sentence) for span in spans)]
    # "Graduated! I'm a lawyer now": a word or two right before belong to it.
    around += [before for before, after in pairwise(turned) if after in around and len(before) <= 16]
    told = claim(candidate.text)
    return Said(
        candidate=candidate,
        claim=told,
        around=" ".join(around),
        turn=" ".join(turned),
        changed=told.changes or any(map(became, around)),
        corrected=any(map(puts_right, turned)),
    )


def _beside(said: Said, company: Sequence[Neighbour]) -> Verdict:
    found = [(neighbour, _to(said, neighbour)) for neighbour in company]
    _, best = max(found, key=lambda pair: _weight(*pair), default=(None, NEW))
    alike = [(beside, finding) for beside, finding in found if finding.relation == best.relation]
    surest = max((finding.exact for _, finding in alike), default=True)
    concerned = tuple(beside.memory.memory_id for beside, finding in alike if finding.exact == surest)
    return Verdict(
        relation=best.relation,
        grounded="supported",
        confidence=CONFIDENCE[best.relation],
        reason=best.reason,
        concerns=() if best.relation == "new" else concerned,
    )


def _to(said: Said, neighbour: Neighbour) -> Finding:
    """Return what a memory is to a candidate; what is disputed is not believed, and contradicts nobody."""
    found = relation(said, neighbour)
    if neighbour.memory.status == "disputed":
        return NEW if found.relation in ("conflict", "undecided") else found
    if found is NOT_AT_ODDS and (neighbour.similarity or 0.0) >= NEARLY_THE_SAME:
        return unsure("it is close to what stands, and no rule can tell how")
    return found


def _weight(neighbour: Neighbour, finding: Finding) -> tuple[bool, int]:
    """Rank a finding: what is said of the holder of a single-valued slot counts before all else."""
    holds_the_slot = neighbour.same_slot and neighbour.memory.single_valued
    return holds_the_slot and finding.relation != "new", STRENGTH[finding.relation]
