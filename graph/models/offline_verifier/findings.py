"""What one memory is to a candidate, with the reason."""

from dataclasses import dataclass

from state.records import Relation


@dataclass(frozen=True)
class Finding:
    """A relation to one memory and why; `exact` unless the memory's words are more special than the candidate's."""

    relation: Relation
    reason: str
    exact: bool = True


NEW = Finding("new", "nothing that stands speaks of the same")
NOT_AT_ODDS = Finding("new", "no rule finds it at odds with what stands")
SAME = Finding("duplicate", "the same is known already")


def unsure(reason: str) -> Finding:
    """Return a finding that leaves the matter open."""
    return Finding("undecided", reason)
