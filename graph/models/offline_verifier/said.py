"""A candidate as it was said, and what follows where it differs from what stands."""

from dataclasses import dataclass

from graph.models.offline_verifier.findings import Finding
from graph.models.offline_verifier.measures import Times
from nodes.language.claims import Claim
from state.records import Candidate


@dataclass(frozen=True)
class Said:
    """A candidate as it was said: its claim, and what the words around it in the source say of change."""

    candidate: Candidate
    claim: Claim
    around: str
    turn: str
    changed: bool
    corrected: bool

    @property
    def changes(self) -> bool:
        """Say whether the user said that something became different."""
        return self.changed or self.corrected


# What nobody can change, only put right.
_FOR_LIFE = frozenset(("user.birthday", "user.hometown"))


def changed_or(said: Said, times: Times, conflict: str) -> Finding:
    """Return an update where the words say that something changed, else a conflict."""
    for_life = said.claim.statement.slot in _FOR_LIFE or said.candidate.slot in _FOR_LIFE
    if said.corrected or (said.changes and not for_life and not times.long_before):
        return Finding("update", "its words say that this changed")
    if times.from_later_on(said.candidate.text):
        return Finding("update", "it holds from a later day on")
    return Finding("conflict", conflict)
