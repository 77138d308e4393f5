"""Whether a candidate ends an open dispute, and how."""

import re
from collections.abc import Sequence

from graph.models.offline_verifier.relation import relation
from graph.models.offline_verifier.said import Said
from nodes.language.agreement import has_own_subject, held_by, offers_choice, questions
from nodes.language.answers import Choice, by_sense, calls_wrong, choice, is_no_answer, names_both, says_which
from nodes.language.bearing import bears_on
from nodes.language.claims import claim
from nodes.language.modality import is_past, is_plan, is_uncertain, negations
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
    reply = context[-1].text if context and context[-1].role == "assistant" else ""
    # Asked about two things at once, "the second one" says nothing of either.
    alone = sum(one.asked and one.memory.status == "disputed" for one in company) <= 1
    spans = " ".join(part.span for part in candidate.evidence)
    said = (turn.text[:LONGEST_ANSWER] for turn in source if turn.role == "user")
    for text in dict.fromkeys((spans[:LONGEST_ANSWER], candidate.text, *said)):
        if is_no_answer(text):
            return None
        named = _named(text, reply, disputed, standing) if alone else None
        by_value = _side(text, disputed, standing) if _is_said_of(text, reply, disputed, standing) else None
        if named is not None and by_value is not None and named != by_value:
            return None  # it names one side and the other's value
        if side := named or by_value:
            return KEEPS[side]
    return None


def _named(text: str, reply: str, disputed: Neighbour, standing: Sequence[Neighbour]) -> Choice | None:
    """Read an answer that names a side only by its place, by yes or no, or by a part of its words.

    By its place, unless the reply let the user choose between other things; else only where the reply asked about the
    dispute. Yes and no answer the one question of the reply, where that asks just which side holds.
    """
    new, old = disputed.memory.text, standing[0].memory.text
    asked = questions(reply)
    about = [one for one in asked if _is_about(one, disputed, standing)]
    choices = [one for one in asked if offers_choice(one)]
    if all(one in about for one in choices) and len(choices) <= 1 and (place := choice(text)):
        return place
    if asked and not about:
        return None
    if len(asked) == 1 and len(standing) == 1 and (held := held_by(text, asked[0], new, old)):
        return "new" if held == new else "old"
    return by_sense(text, new, old) if about else None


def _is_said_of(text: str, reply: str, disputed: Neighbour, standing: Sequence[Neighbour]) -> bool:
    """Say whether a value in an answer is one of the dispute's: "Tucson" answers what the reply asked last."""
    if not questions(reply) or any(_is_about(one, disputed, standing) for one in questions(reply)):
        return True
    shared = [content(one.memory.text) for one in (disputed, *standing)]
    return all(content(text).both(side).size for side in shared)


def _is_about(question: str, disputed: Neighbour, standing: Sequence[Neighbour]) -> bool:
    """Say whether a question speaks of the dispute; "which one is right?" does, of what was said before."""
    if offers_choice(question) and not has_own_subject(question):
        return True
    return bears_on(question, [disputed.memory, *(one.memory for one in standing)])


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
    if by_end := _by_last_digits(text, disputed.memory.text, old_text):
        return by_end
    new = _affirmed(text, disputed.memory.text, old_text)
    old = _affirmed(text, old_text, disputed.memory.text)
    return None if new == old else "new" if new else "old"


def _by_last_digits(text: str, new: str, old: str) -> Choice | None:
    """Read 90年 for 1990, or 0188 for 555-0188: the last digits of a number that only one side has."""
    found: set[Choice] = set()
    for clause in clauses(text):
        if calls_wrong(clause) or relations(clause) - relations(f"{new} {old}") or negations(clause):
            continue
        if re.search(r"是我[\u4e00-\u9fff]|\b(?:is|was) my (?!\w+ one\b)\w", clause):
            continue  # it says whose the other is
        for digits in re.findall(r"\d{2,}", clause):
            ends = [any(_ends(number, digits) for number in _numbers(side)) for side in (new, old)]
            if ends[0] != ends[1]:
                found.add("new" if ends[0] else "old")
    return found.pop() if len(found) == 1 else None


def _numbers(text: str) -> list[str]:
    return [re.sub(r"\D", "", number) for number in re.findall(r"\d[\d -]*\d", text)]


def _ends(number: str, digits: str) -> bool:
    return len(number) > len(digits) and number.endswith(digits)


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
        strange = words.minus(content(side)).minus(content(other)).size
        if strange and not words.both(content(side).both(content(other))).size:
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
        strange = said.about.minus(new.about).minus(old.about).size
        if about.size and about.both(said.about).size >= 0.5 * about.size and not strange and not calls_wrong(clause):
            return "new" if said.negated == new.negated else "old"
    return None
