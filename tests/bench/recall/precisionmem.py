"""PrecisionMemBench: does the right belief surface, and only that one?

A port of what github.com/tenurehq/precisionMemBench (MIT) does around a memory system: its adapter puts together what
a case is judged by (`built`), and its evaluation counts (`score`, `session_score`, `figures`). A published system
returned about twenty beliefs a question: precision 0.09 at recall 1.00.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Belief = Mapping[str, Any]
"""A belief of the fixtures, as it stands there."""

USER = "test-user"
MOST = 20
"""So many beliefs a case may be answered with, its pinned ones included, where it names no budget of its own."""


class Case(NamedTuple):
    """A question put to the beliefs of one user in some scopes, and what is to come of it.

    `only` is what the relevant beliefs must be, no more and no less; None where a case asserts nothing of the kind.
    """

    name: str
    category: str
    user: str
    scope: tuple[str, ...]
    query: str
    most: int
    only: tuple[str, ...] | None
    never: tuple[str, ...] = ()


class Step(NamedTuple):
    """One turn of a session case: a question, then perhaps a belief that is new or known by more names from then on."""

    case: Case
    noise: tuple[str, ...]
    created: Belief | None
    renamed: tuple[str, tuple[str, ...]] | None


class Score(NamedTuple):
    """What came of one case; precision and recall are None where there is nothing to count."""

    precision: float | None
    recall: float | None
    passed: bool


class Fixtures(NamedTuple):
    """All beliefs by id, the single cases, the sessions."""

    beliefs: dict[str, Belief]
    cases: list[Case]
    sessions: list[list[Step]]


def load(folder: Path) -> Fixtures | None:
    """Read the fixtures, None where they are not there."""
    if not (folder / "retrieval_cases.jsonl").exists():
        return None
    beliefs = {row["_id"]: row for row in _rows(folder / "beliefs_seed.jsonl")}
    cases = [
        _case(row, row["caseId"], row["category"], row["query"]) for row in _rows(folder / "retrieval_cases.jsonl")
    ]
    sessions = [
        [_step(turn, row["caseId"]) for turn in row["turns"]] for row in _rows(folder / "session_retrieval_cases.jsonl")
    ]
    return Fixtures(beliefs, cases, sessions)


def _rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _case(row: Mapping[str, Any], name: str, category: str, query: str) -> Case:
    expected = row["expect"].get("relevantBeliefs") or {}
    only = expected.get("shouldOnlyInclude")
    return Case(
        name=name,
        category=category,
        user=row.get("userId", USER),
        scope=tuple(row["scope"]),
        query=query,
        most=row.get("budget", {}).get("maxBeliefs", MOST),
        only=tuple(only) if only is not None else None,
        never=tuple(expected.get("mustExclude", ())),
    )


def _step(turn: Mapping[str, Any], name: str) -> Step:
    renamed = turn.get("updateBeliefAtTurn")
    return Step(
        case=_case(turn, f"{name} {turn['turnIndex']}", "Session-level noise isolation", turn["userMessage"]),
        noise=tuple(turn["expect"].get("noiseCheck", {}).get("mustNotSurface", ())),
        created=turn.get("createBeliefAtTurn"),
        renamed=(renamed["beliefId"], tuple(renamed.get("addAliases", ()))) if renamed else None,
    )


def in_scope(belief: Belief, user: str, scope: Iterable[str]) -> bool:
    """Say whether a belief is the user's own and of one of these scopes."""
    return belief["user_id"] == user and not set(scope).isdisjoint(belief["scope"])


def pinned(case: Case, beliefs: Mapping[str, Belief]) -> list[str]:
    """Return what the host shows at any question: such beliefs are no finds."""
    return [
        name
        for name, belief in beliefs.items()
        if belief["pinned"]
        and belief["type"] != "open_question"
        and not belief["superseded_by"]
        and not belief["resolved_at"]
        and in_scope(belief, case.user, case.scope)
    ]


def built(case: Case, found: Sequence[str], beliefs: Mapping[str, Belief]) -> list[str]:
    """Return the relevant beliefs of a case: what a memory system found, as the benchmark's adapter completes it.

    Nothing where nothing is asked or no place is left. What is pinned is shown already; whoever a relation joins comes
    with it, an open question excepted; pinned ones take their places first.
    """
    if not case.query.strip() or not case.most:
        return []
    shown = pinned(case, beliefs)
    own = [name for name in dict.fromkeys(found) if name not in shown]
    joined = [
        name
        for relation in own
        if beliefs[relation]["type"] == "relation"
        for name in beliefs[relation].get("participants", ())
        if name not in (*shown, *own)
        and beliefs[name]["type"] != "open_question"
        and in_scope(beliefs[name], case.user, case.scope)
    ]
    return list(dict.fromkeys([*own, *joined]))[: max(0, case.most - len(shown))]


def score(case: Case, relevant: Sequence[str], beliefs: Mapping[str, Belief]) -> Score:
    """Score one case. Precision counts, as 0, also where something came though nothing should."""
    got, expected = set(relevant), set(case.only or ())
    surfaced = got.union(pinned(case, beliefs))
    passed = surfaced.isdisjoint(case.never) and (case.only is None or got == expected)
    hits = len(got & expected)
    precision = hits / len(got) if got else 0.0 if expected else None
    return Score(precision, hits / len(expected) if expected else None, passed)


def session_score(case: Case, noise: Sequence[str], relevant: Sequence[str], beliefs: Mapping[str, Belief]) -> Score:
    """Score one turn of a session, where pinned beliefs count as found and noise may not surface at all."""
    got, expected = set(relevant), set(case.only or ())
    surfaced = got.union(pinned(case, beliefs))
    passed = surfaced.isdisjoint(noise) and (case.only is None or got == expected)
    hits = len(surfaced & expected)
    return Score(hits / len(got) if got else None, hits / len(expected) if expected else None, passed)


def figures(scores: Sequence[Score]) -> dict[str, float]:
    """Return the means over those cases where there is something to count, and the share of cases that pass."""
    return {
        "precision": _mean(score.precision for score in scores),
        "recall": _mean(score.recall for score in scores),
        "passed": _mean(float(score.passed) for score in scores),
        "n": len(scores),
    }


def _mean(values: Iterable[float | None]) -> float:
    counted = [value for value in values if value is not None]
    return sum(counted) / len(counted) if counted else 0.0
