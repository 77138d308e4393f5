"""What a memory is to a candidate: the same, replaced by it, contradicted by it, or about something else."""

import re
from dataclasses import replace

from graph.models.offline_verifier.attributes import TASTES, by_slot
from graph.models.offline_verifier.findings import NEW, NOT_AT_ODDS, SAME, Finding, unsure
from graph.models.offline_verifier.kinds import USES, by_kind, one_state
from graph.models.offline_verifier.measures import Times, by_measure, compounds
from graph.models.offline_verifier.said import Said, changed_or
from graph.models.offline_verifier.values import comparable, compare, one_kind, perhaps_one_name
from nodes.language.change import sets_against
from nodes.language.claims import Claim, across, claim
from nodes.language.modality import is_past, is_plan, is_uncertain
from nodes.language.people import relations
from nodes.language.polarity import denials, denies_having, ended, is_past_tense, is_restricted, never_was, opposite
from nodes.language.quantities import contains, quantities
from nodes.language.sentences import clauses, sentences
from nodes.language.wording import Content, content, details, plain_words, ranks, stem
from state.ports import Neighbour
from state.records import normalised

_CALLED = re.compile(r"(?:叫|名字是|\bnamed |\bcalled )(?P<name>[\u4e00-\u9fff]{1,4}|[A-Z]\w+)")
_ONLY = re.compile(
    r"唯一|只有|就(?:这|那|一)|只(?:喜欢|爱|养|用|喝|吃|会|支持)|\b(?:only (?!when|if|on|at|in|after)|one and only|sole"
    r"|never any(?:one|thing)? else|no other|nothing (?:else|but)|nobody else)",
    re.IGNORECASE,
)
_NO_OTHER = re.compile(
    r"\bnever any(?:one|thing)? else\b|\bno other\b|没(?:有)?别的|不(?:喜欢|爱|支持)别的", re.IGNORECASE
)
_SOMEBODY = frozenset(("user.pet", "user.child", "user.friend"))
_ONCE_IN_A_LIFE = frozenset(("graduated", "married in", "born"))
_FIGURES = frozenset("一二两三四五六七八九十")
_HOME = frozenset(("home", "hous", "家"))


def relation(said: Said, neighbour: Neighbour) -> Finding:
    """Return what a memory is to the candidate."""
    found = _compared(said, neighbour)
    told = said.claim.who
    if found.relation in ("conflict", "update") and told.is_one_of_many and not said.changes:
        return unsure("it may be said of another of them")
    if found.relation == "conflict" and _known_to_the_user(said, neighbour.memory.text):
        return Finding("update", "it sets what was before against what is")
    return found


def _known_to_the_user(said: Said, old: str) -> bool:
    """Say whether the source itself names what differs in the memory, and sets it against what is."""
    if not any(map(sets_against, sentences(said.turn))):
        return False
    now = content(said.candidate.text)
    before = claim(old)
    told = quantities(plain_words(said.turn))
    measured = [one for one in before.measured if not contains(said.claim.measured, one)]
    if measured and said.claim.measured:
        return all(contains(told, one) for one in measured)
    differs = content(before.value or before.statement.value or old).minus(now)
    return differs.size > 0 and not differs.minus(content(said.turn)).size


def _compared(said: Said, neighbour: Neighbour) -> Finding:
    old = neighbour.memory
    mine, theirs = across(said.claim, claim(old.text))
    times = Times.of(said.candidate, old)
    if _plain(said.candidate.text) == _plain(old.text):
        return NEW if times.apart else SAME
    if denial := _possession(said, mine, theirs):
        return denial
    of_slot = neighbour.same_slot and (mine.who.is_user or theirs.who.is_user)
    if found := _ends(said, mine, theirs, neighbour, times):
        return found
    if not mine.who.may_be(theirs.who) and not of_slot and not _named_thing(mine, theirs):
        return NEW
    if opposite(mine.text, theirs.text) and not is_plan(mine.text) and not is_past(mine.text):
        return changed_or(said, times, "only one of the two can be")
    if found := _by_attribute(said, mine, theirs, times):
        return found
    if _says_no_more(mine, theirs, times) and not (said.corrected and mine.about.words - theirs.about.words):
        return SAME
    found = by_slot(said, mine, theirs, neighbour, times) or _by_name(mine, theirs, neighbour, times)
    if found:
        return found
    if found := by_measure(mine, theirs, said.changes, times):
        return found
    if one_state(mine, theirs):
        return Finding("update", "its words say that this changed") if said.changes else unsure("it may be another now")
    found = _only_one(said, mine, theirs, neighbour) or _by_polarity(said, mine, theirs, times)
    return found if found not in (None, NEW) else _by_clause(said, mine, theirs, times) or found or NOT_AT_ODDS


def _by_clause(said: Said, mine: Claim, theirs: Claim, times: Times) -> Finding | None:
    """Compare clause by clause, where what one denies is one clause of several."""
    parts = [[part for part in clauses(one.text) if content(part).size] for one in (mine, theirs)]
    if len(parts[0]) * len(parts[1]) not in range(2, 10):
        return None
    for first in parts[0]:
        for second in parts[1]:
            told, known = (replace(claim(part), who=one.who) for part, one in ((first, mine), (second, theirs)))
            if told.negated != known.negated and (found := _by_polarity(said, told, known, times)):
                return found
    return None


def _only_one(said: Said, mine: Claim, theirs: Claim, neighbour: Neighbour) -> Finding | None:
    """Compare two different values of one attribute where one of the two texts says that there is only one."""
    if (
        not neighbour.same_slot
        or (mine.negated != theirs.negated and not _NO_OTHER.search(mine.text))
        or is_past(mine.text)
        or is_past(theirs.text)
    ):
        return None
    ahead, behind = _contrast(mine.about, theirs.about)
    if not ahead.size or not behind.size or not (_ONLY.search(mine.text) or _ONLY.search(theirs.text)):
        return None
    return changed_or(said, Times.of(said.candidate, neighbour.memory), "there is only one, and another is named")


def _named_thing(mine: Claim, theirs: Claim) -> bool:
    """Say whether what looks like a name is a thing the other speaks of: "Rent is due" and "the rent is due"."""
    for one, other in ((mine, theirs), (theirs, mine)):
        if one.who.name and not one.who.chain and not other.who.chain and stem(one.who.name) in other.about.words:
            return True
    return False


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", normalised(text.replace("’", "'"))).strip()


def _contrast(one: Content, other: Content) -> tuple[Content, Content]:
    return one.minus(other), other.minus(one)


def _says_no_more(mine: Claim, theirs: Claim, times: Times) -> bool:
    """Say whether the memory already has all the words, measures and the sense of the candidate."""
    ahead_in_detail, behind_in_detail = (
        details(one.text) - details(other.text) for one, other in ((mine, theirs), (theirs, mine))
    )
    if (ahead_in_detail and behind_in_detail) or _FIGURES & ahead_in_detail:
        return False
    if mine.negated != theirs.negated or times.apart or is_past(mine.text) != is_past(theirs.text):
        return False
    if denials(mine.text) > 1 and denials(mine.text) != denials(theirs.text):
        return False  # "I can't not like it" is said of something else than of liking it
    if mine.changes and not theirs.changes and mine.statement.slot is None and not mine.measured:
        return False
    ahead, behind = _contrast(mine.about, theirs.about)
    if (
        ahead.size
        or (mine.about.size < 1 and behind.size and not mine.measured)
        or behind.size > max(1.0, 0.5 * mine.about.size)
    ):
        return False
    return times.measures_agree(mine, theirs) and (
        mine.statement.slot == theirs.statement.slot or None in (mine.statement.slot, theirs.statement.slot)
    )


def _possession(said: Said, mine: Claim, theirs: Claim) -> Finding | None:
    """Compare "I have no pets" with "my cat": who denies having any has none."""
    for denies, has in ((mine, theirs), (theirs, mine)):
        if is_past(has.text) or (is_plan(has.text) and has.who.is_user):
            continue  # one who had a dog once has none now
        if denies.who.is_user and denies_having(denies.text, has.text):
            if said.changes:
                return Finding("update", "its words say that this changed")
            return Finding("conflict", "one has what the other says there is none of")
    return None


def _ends(said: Said, mine: Claim, theirs: Claim, neighbour: Neighbour, times: Times) -> Finding | None:
    """Find what the candidate says is over: sold, cancelled, left."""
    if (
        theirs.statement.slot in TASTES
        or theirs.negated
        or times.apart
        or times.on_other_days(mine, theirs)
        or any(True for _ in ended(theirs.text))
    ):
        return None
    known = content(theirs.text)
    related = mine.about.both(theirs.about).size > 0 or neighbour.same_slot
    for over in [*ended(mine.text), *(ended(said.around) if related else ())]:
        gone = content(over)
        named = theirs.who.name is not None and stem(theirs.who.name) in gone.words
        if not (named or neighbour.same_slot or mine.who.may_be(theirs.who)):
            continue
        if gone.size and not gone.minus(known).size and gone.size >= known.size / (4 if gone.size > 1 else 3):
            return Finding("update", "it says that this is over")
    return None


def _by_attribute(said: Said, mine: Claim, theirs: Claim, times: Times) -> Finding | None:
    """Compare two statements of one attribute that has no slot: a verb's or a copula's."""
    if mine.attribute is None or mine.value is None or theirs.value is None:
        return None
    if ranks(mine.text) != ranks(theirs.text):
        return None
    slots = {mine.statement.slot, theirs.statement.slot}
    if (mine.attribute == "is" and slots != {None}) or (mine.attribute.startswith("=") and slots & _SOMEBODY):
        return None
    if mine.attribute != theirs.attribute and not (mine.topic and theirs.topic):
        return None
    if mine.topic is not None and theirs.topic is not None:
        ahead, behind = _contrast(mine.topic, theirs.topic)
        if not _HOME.issuperset(ahead.words | ahead.chars) or not _HOME.issuperset(behind.words | behind.chars):
            return None
    if mine.negated or theirs.negated or (mine.several and not said.changes):
        return None
    if is_past(mine.text) != is_past(theirs.text) or is_plan(mine.text) != is_plan(theirs.text):
        return None
    equal, finer = compare(mine.value, theirs.value, mine.attribute)
    if equal and times.measures_agree(mine, theirs):
        no_more = mine.about.minus(theirs.about).size <= 1 and not details(mine.text) - details(theirs.text)
        return SAME if no_more else None
    if (
        mine.attribute == "is"
        and relations(mine.text)
        and perhaps_one_name(mine.value, theirs.value)
        and not said.changes
    ):
        return unsure("it may be the same name in another form")
    kinds_differ = mine.attribute == theirs.attribute == "is" and not one_kind(mine, theirs)
    if kinds_differ or not comparable(mine.value, theirs.value) or (finer and not said.changes):
        return None
    if (
        mine.attribute not in _ONCE_IN_A_LIFE
        and not mine.attribute.startswith("=")
        and (times.dated(mine) or times.dated(theirs))
    ):
        return None  # when something is, the times decide
    if mine.attribute in _ONCE_IN_A_LIFE and not said.corrected:
        return Finding("conflict", "what happens once has one time")
    return changed_or(said, times, "another value of what has one")


def _by_name(mine: Claim, theirs: Claim, neighbour: Neighbour, times: Times) -> Finding | None:
    """Find the same pet, child or friend by name, called by another word for what they are."""
    names = [found["name"] if (found := _CALLED.search(one.text)) else None for one in (mine, theirs)]
    if not neighbour.same_slot or names[0] is None or names[0] != names[1] or mine.negated != theirs.negated:
        return None
    return SAME if mine.about.minus(theirs.about).size <= 1 and times.measures_agree(mine, theirs) else None


def _is_compound(text: str, shared: Content, more: Content) -> bool:
    """Say whether the shared characters are only the beginning of a longer word, as 游泳 in 游泳卡."""
    if not shared.chars or not more.chars:
        return False
    return re.search(f"[{''.join(shared.chars)}][{''.join(more.chars)}]", text) is not None


def _share_a_word(one: str, other: str, shared: Content) -> bool:
    """Say whether two texts share a Latin word, or Chinese characters that stand together in both."""
    if shared.words or len(shared.chars) < 2:
        return True
    pairs = [one[at : at + 2] for at in range(len(one) - 1) if set(one[at : at + 2]) <= shared.chars]
    return any(pair in other for pair in pairs)


def _perhaps_denied(no: Claim, yes: Claim, shared: Content, ahead: Content) -> Finding | None:
    """Leave open whether a denial that says more meets what stands: where the two share more than what one does."""
    things = shared.minus(USES).size
    narrow = is_restricted(no.text, yes.text) or is_past(no.text) != is_past(yes.text) or is_past_tense(yes.text)
    if things < 1 or denials(no.text) > 1 or ahead.size > shared.size or narrow or compounds(no.text, shared, ahead):
        return None
    return unsure("it may deny what stands")


def _by_polarity(said: Said, mine: Claim, theirs: Claim, times: Times) -> Finding | None:
    """Compare a statement with one that denies the same."""
    if mine.negated == theirs.negated or times.apart:
        return None
    no, yes = (mine, theirs) if mine.negated else (theirs, mine)
    if (found := by_kind(said, no, yes, times)) is not None:
        return found
    shared = no.about.both(yes.about)
    ahead, behind = _contrast(no.about, yes.about)
    if not shared.size or not _share_a_word(no.text, yes.text, shared):
        return None
    if ahead.size > 0.34 * no.about.size:
        return _perhaps_denied(no, yes, shared, ahead)
    if ahead.size and behind.size and compounds(no.text, shared, ahead):
        return None  # pork and beef
    if is_restricted(no.text, yes.text):
        return NEW
    if is_past(mine.text) != is_past(theirs.text) and not never_was(no.text):
        return NEW
    if is_past_tense(yes.text) and not never_was(no.text):
        return NEW
    if is_uncertain(mine.text) or is_uncertain(theirs.text) or is_plan(mine.text) != is_plan(theirs.text):
        return unsure("one of them is not certain")
    if times.happens_once(yes, no):
        return NEW
    if behind.size > 2 * shared.size or _is_compound(yes.text, shared, behind):
        return unsure("it may deny a part of what stands")
    return changed_or(said, times, "the opposite of what stands")
