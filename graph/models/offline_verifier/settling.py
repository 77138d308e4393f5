"""Whether a candidate ends an open dispute, and how."""

from collections.abc import Sequence

from graph.models.offline_verifier.relation import relation
from graph.models.offline_verifier.said import Said
from nodes.language.answers import Choice, calls_wrong, choice, is_no_answer, names_both, says_which
from nodes.language.claims import claim
from nodes.language.modality import is_past, is_plan, is_uncertain
from nodes.language.people import relations
from nodes.language.polarity import is_past_tense
from nodes.language.quantities import contains
from nodes.language.sentences import clauses
from nodes.language.wording import content
from state.ports import Neighbour
from state.records import Candidate, Resolution, Turn

LONGEST_ANSWER = 400
KEEPS: dict[Choice, Resolution] = {"new": "keep_new", "old": "keep_old", "both": "keep_both"}


def answered(
    candidate: Candidate, source: Sequence[Turn], company: Sequence[Neighbour], context: Sequence[Turn]
) -> Resolution | None:
    """Read a short answer to the dispute it answers; None where it is not sure what the user means."""
    disputed = next((one for one in company if one.memory.memory_id == candidate.answers), None)
    standing = [one for one in company if disputed and one.memory.memory_id in disputed.memory.opposes]
    if disputed is None or not standing:
        return None
    question = context[-1].text if context and context[-1].role == "assistant" else ""
    # Asked about two things at once, "the second one" says nothing of either.
    alone = sum(one.asked and one.memory.status == "disputed" for one in company) <= 1
    spans = " ".join(part.span for part in candidate.evidence)
    said = (turn.text[:LONGEST_ANSWER] for turn in source if turn.role == "user")
    for text in dict.fromkeys((spans[:LONGEST_ANSWER], candidate.text, *said)):
        if is_no_answer(text):
            return None
        named = choice(text, question, disputed.memory.text, [one.memory.text for one in standing]) if alone else None
        by_value = _side(text, disputed, standing)
        if named is not None and by_value is not None and named != by_value:
            return None  # it names one side and the other's value
        if side := named or by_value:
            return KEEPS[side]
    return None


def settled(said: Said, source: Sequence[Turn], company: Sequence[Neighbour]) -> tuple[str, Resolution] | None:
    """Say which open dispute a statement settles and how; None where it settles none for sure."""
    text = (" ".join(turn.text for turn in source) or said.candidate.text)[:LONGEST_ANSWER]
    for disputed in company:
        standing = [one for one in company if one.memory.memory_id in disputed.memory.opposes]
        later = said.candidate.mentioned_ms > disputed.memory.mentioned_ms
        if disputed.memory.status != "disputed" or not standing or not later:
            continue
        if not disputed.asked and not says_which(text):
            continue
        if disputed.asked and names_both(" ".join(part.span for part in said.candidate.evidence)[:LONGEST_ANSWER]):
            return disputed.memory.memory_id, "keep_both"
        side = (
            _restated(said, disputed, standing)
            or _side(said.candidate.text, disputed, standing)
            or _sense(said.candidate.text, disputed, standing)
        )
        if side is not None:
            return disputed.memory.memory_id, KEEPS[side]
    return None


def _restated(said: Said, disputed: Neighbour, standing: Sequence[Neighbour]) -> Choice | None:
    new = relation(said, disputed).relation == "duplicate"
    old = any(relation(said, one).relation == "duplicate" for one in standing)
    return None if new == old else "new" if new else "old"


def _side(text: str, disputed: Neighbour, standing: Sequence[Neighbour]) -> Choice | None:
    """Say which side's own value a text affirms: the words and measures that the other side has not."""
    old_text = " ".join(one.memory.text for one in standing)
    new = _affirmed(text, disputed.memory.text, old_text)
    old = _affirmed(text, old_text, disputed.memory.text)
    return None if new == old else "new" if new else "old"


def _affirmed(text: str, side: str, other: str) -> bool:
    mine, theirs = claim(side), claim(other)
    value = content(side, measured=True).minus(content(other, measured=True))
    measured = [one for one in mine.measured if not contains(theirs.measured, one)]
    for clause in clauses(text):
        said, words = claim(clause), content(clause)
        if calls_wrong(clause) or is_past(clause) or is_past_tense(clause) or is_plan(clause) or is_uncertain(clause):
            continue
        if relations(clause) - relations(f"{side} {other}"):
            continue  # said of somebody else
        # "12号" answers "5月12日 or 5月21日", "41" answers "I'm 41 or I'm 47"; "call mum at 5pm" answers neither.
        strange = words.minus(content(side)).size
        if strange > 1 and not words.both(mine.about).size:
            continue
        named = [one for one in measured if contains(said.measured, one)]
        third = [one for one in said.measured if not contains([*mine.measured, *theirs.measured], one)]
        if any(one.dimension in {known.dimension for known in measured} for one in third):
            continue
        given = content(clause, measured=True)
        told = value.size and value.chars <= given.chars and value.both(given).size >= 0.5 * value.size
        if named or (told and not measured):
            return said.negated == mine.negated
    return False


def _sense(text: str, disputed: Neighbour, standing: Sequence[Neighbour]) -> Choice | None:
    """Say which side a text affirms where one denies what the other says, by the first clause that speaks of it."""
    new, old = claim(disputed.memory.text), claim(standing[0].memory.text)
    if new.negated == old.negated:
        return None
    about = new.about.both(old.about)
    for clause in clauses(text):
        said = claim(clause)
        if about.size and about.both(said.about).size >= 0.5 * about.size and not calls_wrong(clause):
            return "new" if said.negated == new.negated else "old"
    return None
