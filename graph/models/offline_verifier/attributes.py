"""Comparing two statements of one attribute of the registry: the home city, an allergy, what one likes."""

import re

from graph.models.offline_verifier.findings import NEW, SAME, Finding, unsure
from graph.models.offline_verifier.measures import Times, by_measure
from graph.models.offline_verifier.said import Said, changed_or
from graph.models.offline_verifier.values import comparable, compare, perhaps_one_name, several
from nodes.language.claims import Claim
from nodes.language.modality import is_past, is_plan, is_uncertain
from nodes.language.polarity import is_restricted
from nodes.language.quantities import same
from nodes.language.wording import content
from state.ports import Neighbour
from state.slots import is_single_valued

TASTES = frozenset(("user.likes", "user.dislikes"))
_ANY = re.compile(
    r"任何|什么.{0,6}[都也]|(?:所有|一切).{0,6}都不|\b(?:any|anything|nothing|none|no one|nobody)\b", re.IGNORECASE
)
_STAGE = re.compile(r"结婚|领证|订婚|\b(?:married|engaged|wife|husband)\b|老婆|老公|妻子|丈夫", re.IGNORECASE)
# What an attribute is called beside its value.
_FRAME = content("work job live home name called 工作职业住家名做", measured=True)


def by_slot(said: Said, mine: Claim, theirs: Claim, neighbour: Neighbour, times: Times) -> Finding | None:
    """Compare two statements of one attribute of the registry; None where the words must decide."""
    one, other = mine.statement, theirs.statement
    if one.slot is None and {said.candidate.slot, other.slot} == TASTES and mine.who.is_user:
        liked = content(other.value or "")
        if liked.size and not liked.minus(mine.about).size and not mine.negated and not other.negated:
            return changed_or(said, times, "the opposite taste")
    if one.slot is None or other.slot is None:
        if neighbour.same_slot and neighbour.memory.single_valued and mine.who.is_user:
            return _unread(said, mine, theirs, times)
        return None
    if one.slot != other.slot:
        if not {one.slot, other.slot} <= TASTES:
            return None if neighbour.same_slot else NEW
        # To like and to dislike the same cannot both be; not to dislike is not to like.
        opposed = bool(several(one.value or "") & several(other.value or "")) and not one.negated and not other.negated
        return changed_or(said, times, "the opposite taste") if opposed else NEW
    single = neighbour.memory.single_valued if neighbour.same_slot else is_single_valued(one.slot)
    if single:
        return _single(said, mine, theirs, times)
    first, second = several(one.value or ""), several(other.value or "")
    no, yes = (one, other) if one.negated else (other, one)
    of_all = one.negated != other.negated and _ANY.search(mine.text if one.negated else theirs.text) is not None
    if of_all and not content(no.value or "").both(content(yes.value or "")).size:
        return unsure("it may be of what is denied as a whole")
    if (
        (
            one.slot in ("user.skill", "user.language")
            and one.negated != other.negated
            and not first & second
            and (denied := content(no.value or "")).size
        )
        and not denied.minus(content(yes.value or "")).size
        and not is_restricted(mine.text if one.negated else theirs.text, yes.value or "")
    ):
        return changed_or(said, times, "the opposite of what stands")
    if not first & second:
        # Of one child, one dog: what is measured must agree.
        if not mine.who.is_user and mine.who == theirs.who and mine.measured and theirs.measured:
            return None
        return NEW if comparable(one.value or "", other.value or "") else None
    if one.negated == other.negated:
        known = first <= second and not mine.about.minus(theirs.about).size and times.measures_agree(mine, theirs)
        return SAME if known else None
    if one.negated and is_restricted(mine.text, theirs.text):
        return NEW
    if first == second:
        return changed_or(said, times, "the opposite of what stands")
    return Finding("conflict", "it denies a part of what stands")


def _unread(said: Said, mine: Claim, theirs: Claim, times: Times) -> Finding:
    """Compare two statements of one attribute whose value was not read from both: what differs is the value."""
    if is_past(theirs.text) and not is_past(mine.text):
        return NEW
    if is_past(mine.text) or is_plan(mine.text) or is_uncertain(mine.text):
        return unsure("the same attribute, and its value cannot be read")
    if mine.measured and theirs.measured and said.candidate.slot in ("user.age", "user.birthday", "user.phone"):
        found = by_measure(mine, theirs, said.changes, times, bare=True)
        if found is not None:
            return found
    ahead, behind = mine.about.minus(theirs.about).minus(_FRAME), theirs.about.minus(mine.about).minus(_FRAME)
    if mine.negated == theirs.negated and not ahead.size and mine.about.size and not said.corrected:
        return SAME
    if ahead.size and behind.size and mine.negated == theirs.negated and comparable(mine.text, theirs.text):
        if said.changes:
            return Finding("update", "its words say that this changed")
        # With most of the words alike, those that differ are the value.
        shared, other = mine.about.both(theirs.about).size, max(ahead.size, behind.size)
        if shared >= other or (other <= 3 and mine.about.minus(_FRAME).size <= 3):
            return Finding("conflict", "another value of an attribute that has one")
    known = theirs.about.minus(_FRAME)
    if said.changes and known.size and not known.minus(content(said.turn)).size:
        return Finding("update", "it names what was before, and says that this changed")
    return unsure("the same attribute, and its value cannot be read")


def _single(said: Said, mine: Claim, theirs: Claim, times: Times) -> Finding:
    one, other = mine.statement, theirs.statement
    equal, finer = compare(one.value or "", other.value or "", one.slot or "")
    if one.slot == "user.birthday" and mine.measured and theirs.measured:
        equal = equal and same(mine.measured[0], theirs.measured[0])  # the year may stand outside the value
    if is_past(mine.text) != is_past(theirs.text) or (is_plan(theirs.text) and not is_plan(mine.text)):
        return NEW
    if not equal and not finer and not comparable(one.value or "", other.value or ""):
        return unsure("the values are written in two scripts")
    if (
        not equal
        and not said.changes
        and one.slot == "user.name"
        and perhaps_one_name(one.value or "", other.value or "")
    ):
        return unsure("it may be the same name in another form")
    if one.negated == other.negated:
        if equal and (found := by_measure(mine, theirs, said.changes, times, bare=True)):
            return found
        if equal:
            closer = one.slot == "user.partner" and _STAGE.search(mine.text) and not _STAGE.search(theirs.text)
            return Finding("update", "the same person, who became more") if closer else SAME
        if one.negated:
            return NEW
        if finer:
            return Finding("update", "the same value, said more exactly")
        if one.slot == "user.age" and times.grew_older(mine, theirs):
            return Finding("update", "one grows older")
        return changed_or(said, times, "another value of an attribute that has one")
    if equal:
        return changed_or(said, times, "the opposite of what stands")
    if one.negated:
        return NEW  # "not in Oslo" leaves "in Rome" as it is
    return Finding("update", "a value where one was denied")
