"""Judging candidates without a language model: few rules, made to be wrong seldom and silent often.

What no rule is sure of is `undecided`, and waits. Every verdict is provisional: Qwen judges again once it is there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodes.language.grounding import numbers, occurs, overlap, ungrounded
from nodes.language.modality import is_uncertain
from nodes.language.sentences import bare, sentences
from nodes.language.statements import Statement, one_valued, read
from state.ports import Judgement, Neighbour
from state.records import Candidate, Grounding, Memory, Relation, Turn, Verdict, normalised
from state.settings import OFFLINE
from state.slots import is_single_valued

RULES = "offline-1"
YEAR_MS = 366 * 86_400_000
PERHAPS_SAME_SUBJECT = 0.4
SAME_SUBJECT = 0.6
SURELY_SAME_SUBJECT = 0.85
STRENGTH: dict[Relation, int] = {"duplicate": 4, "conflict": 3, "update": 2, "undecided": 1, "new": 0}
CONFIDENCE: dict[Relation, float] = {"duplicate": 0.8, "conflict": 0.6, "update": 0.6, "undecided": 0.0, "new": 0.5}

_SINCE = re.compile(
    r"从.{1,12}(?:起|开始)|自.{1,12}(?:起|以来)|\d(?:年|月|日|号)起|\b(?:since|as of|from|starting)\b", re.IGNORECASE
)
_TIME_WORDS = re.compile(
    r"[上下这本]个?(?:周|月|星期|礼拜)[一二三四五六日天]?|(?:周|星期|礼拜)[一二三四五六日天]"
    r"|[昨今明前后]天|[去今明前后]年|上午|下午|早上|晚上|[零一二三四五六七八九十\d]+[年月日号点时分]"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|tomorrow|yesterday|tonight|last|next"
    r"|week|month|year)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|am|pm)\b",
    re.IGNORECASE,
)
# Words that carry no subject: function words, polarity, change.
_FUNCTION_ZH = re.compile(
    r"不再|不是|不太|没有|再也|已经|现在|其实|更正|推迟|延期|提前|改成|改为|改到|换成|换到|搬到|变成|改(?=[吃喝用去坐])"
    r"|[不没未别了吗呢啊我的是在到就也都很还把被]|[一二两三四五六七八九十百]+(?=[\u4e00-\u9fff])"
)
_FUNCTION = re.compile(
    r"\b(?:i'm|i've|i|me|my|we|our|the|a|an|is|are|am|was|were|be|been|it|its|to|at|on|in|of|for|with"
    r"|and|do|does|did|has|have|had|will|would"
    r"|not|no|never|longer|any ?more|now|actually|correction|update|moved|changed|switched|instead"
    r"|pushed|back|postponed|rescheduled|from|by|that|this|user)\b"
    r"|\b\w+n't\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Finding:
    relation: Relation
    reason: str


_NEW = _Finding("new", "nothing that stands speaks of the same")


class OfflineVerifier:
    """Judges by rules. Implements `state.ports.Verifier`."""

    async def verify(self, candidate: Candidate, source: Sequence[Turn], company: Sequence[Neighbour]) -> Judgement:
        """Judge a candidate by its words, its source and the memories beside it."""
        grounded, why = _grounding(candidate, source)
        if grounded != "supported":
            return _judgement(Verdict(relation="undecided", grounded=grounded, confidence=0.6, reason=why))
        if candidate.kind == "episode":
            return _judgement(Verdict(relation="new", grounded=grounded, confidence=0.5, reason=why))
        found = [(neighbour, _relation(candidate, neighbour)) for neighbour in company]
        _, best = max(found, key=lambda pair: _weight(candidate, *pair), default=(None, _NEW))
        concerned = [beside.memory.memory_id for beside, finding in found if finding.relation == best.relation]
        return _judgement(
            Verdict(
                relation=best.relation,
                grounded=grounded,
                confidence=CONFIDENCE[best.relation],
                reason=best.reason,
                concerns=() if best.relation == "new" else tuple(concerned),
            )
        )


def _weight(candidate: Candidate, neighbour: Neighbour, finding: _Finding) -> tuple[bool, int]:
    """Rank a finding: what is said of the holder of a single-valued slot counts before all else."""
    holds_the_slot = neighbour.same_slot and is_single_valued(candidate.slot)
    return holds_the_slot and finding.relation != "new", STRENGTH[finding.relation]


def _judgement(verdict: Verdict) -> Judgement:
    return Judgement(verdict=verdict, verifier=OFFLINE, provisional=True, prompt_hash=RULES)


def _grounding(candidate: Candidate, source: Sequence[Turn]) -> tuple[Grounding, str]:
    """Say whether the source bears the candidate: its words stand there, in the same sense."""
    if not candidate.text.strip():
        return "unsupported", "it says nothing"
    said = {turn.turn_id: turn.text for turn in source}
    texts = [said.get(part.turn_id, "") for part in candidate.evidence]
    if strange := ungrounded(candidate.text, texts):
        return "unsupported", f"not in the source: {', '.join(strange)}"
    if candidate.kind == "episode":
        return "supported", "its numbers, dates and names occur in the conversation"
    spans = [part.span for part in candidate.evidence]
    if not spans or not all(occurs(span, text) for span, text in zip(spans, texts, strict=True)):
        return "unsupported", "the words it rests on do not occur in the source"
    around = " ".join(
        sentence for span, text in zip(spans, texts, strict=True) for sentence in _sentences_around(span, text)
    )
    if candidate.slot is not None and is_uncertain(around) and not is_uncertain(candidate.text):
        return "partial", "the source asks, supposes or reports it"
    if not any(occurs(candidate.text, span) or occurs(candidate.text.rstrip("…"), span) for span in spans):
        if _content(candidate.text) and overlap(_content(candidate.text), _content(around)) == 0.0:
            return "partial", "its words are not those of the source"
        if read(candidate.text).negated != any(read(span).negated for span in spans):
            return "partial", "it says the opposite of its source, or seems to"
    elif read(around).negated and not read(candidate.text).negated and _is_cut_from(candidate, around):
        return "unsupported", "the source denies it"
    return "supported", "its words stand in the source"


def _sentences_around(span: str, text: str) -> Iterator[str]:
    for sentence in sentences(text):
        if occurs(span, sentence) or occurs(sentence, span):
            yield sentence


def _is_cut_from(candidate: Candidate, around: str) -> bool:
    """Say whether a negation stands right before the span in its sentence, left out by the span."""
    return any(
        re.search(
            r"(?:不|没有?|未|别|not|n't|never|no longer|no)\s*(?:再|太|很|是)?\s*" + re.escape(bare(part.span)),
            around,
            re.I,
        )
        for part in candidate.evidence
    )


def _relation(candidate: Candidate, neighbour: Neighbour) -> _Finding:
    old = neighbour.memory
    apart = _happen_apart(candidate, old)
    if _plain(candidate.text) == _plain(old.text):
        return _NEW if apart else _Finding("duplicate", "the same words")
    mine, theirs = read(candidate.text), read(old.text)
    if mine.slot is not None and theirs.slot is not None:
        found = _by_value(candidate, old, mine, theirs)
        if found is not None:
            return found
    elif neighbour.same_slot and is_single_valued(candidate.slot):
        return _Finding("undecided", "the same attribute, and its value cannot be read")
    return _by_words(candidate, old, mine, theirs, apart)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", normalised(text.replace("’", "'"))).strip()


def _happen_apart(candidate: Candidate, old: Memory) -> bool:
    """Say whether both name a time and the times do not meet."""
    if None in (candidate.event_start_ms, candidate.event_end_ms, old.event_start_ms, old.event_end_ms):
        return False
    starts = (candidate.event_start_ms or 0, old.event_start_ms or 0)
    ends = (candidate.event_end_ms or 0, old.event_end_ms or 0)
    return max(starts) >= min(ends)


def _by_value(candidate: Candidate, old: Memory, mine: Statement, theirs: Statement) -> _Finding | None:
    """Compare two statements that both name an attribute; None where the words must decide."""
    tastes = {"user.likes", "user.dislikes"}
    if mine.slot != theirs.slot and not {mine.slot, theirs.slot} <= tastes:
        return _NEW
    slot, one, other = mine.slot or "", _values(mine), _values(theirs)
    if mine.slot != theirs.slot:
        # To like and to dislike the same cannot both be; not to dislike is not to like.
        opposed = bool(one & other) and not mine.negated and not theirs.negated
        return _changed_or(candidate, mine, old, "the opposite taste") if opposed else _NEW
    if is_single_valued(slot):
        return _single(candidate, old, mine, theirs)
    if not one & other:
        return _NEW
    if mine.negated == theirs.negated:
        # Of two dogs, or of a child a year later, the same value is said again: the rest must be known too.
        known = one <= other and not ungrounded(candidate.text, [old.text])
        return _Finding("duplicate", "the same attribute, value and sense") if known else None
    if one == other:
        return _changed_or(candidate, mine, old, "the opposite of what stands")
    return _Finding("conflict", "it denies a part of what stands")


def _single(candidate: Candidate, old: Memory, mine: Statement, theirs: Statement) -> _Finding:
    same, finer = _same_value(mine, theirs)
    if mine.negated == theirs.negated:
        if same:
            return _Finding("duplicate", "the same attribute, value and sense")
        if mine.negated:
            return _NEW
        if finer:
            return _Finding("update", "the same value, said more exactly")
        if mine.slot == "user.age" and _age(mine) > _age(theirs) and candidate.mentioned_ms > old.mentioned_ms:
            return _Finding("update", "one grows older")
        return _changed_or(candidate, mine, old, "another value of an attribute that has one")
    if same:
        return _changed_or(candidate, mine, old, "the opposite of what stands")
    if mine.negated:
        return _NEW  # "not in Oslo" leaves "in Rome" as it is
    return _Finding("update", "a value where one was denied")


def _values(statement: Statement) -> frozenset[str]:
    parts = re.split(r"[、,]|和|与|以及|\s(?:and|or|&)\s", statement.value or "")
    return frozenset(_value(part) for part in parts if part.strip())


def _value(text: str) -> str:
    value = re.sub(r"^(?:the|a|an|my) |\s+", "", normalised(text))
    return (
        value[:-1] if len(value) > 3 and value.isascii() and value.endswith("s") and not value.endswith("ss") else value
    )


def _same_value(mine: Statement, theirs: Statement) -> tuple[bool, bool]:
    """Say whether two values are the same, and whether the first is the second said more exactly."""
    one, other = _value(mine.value or ""), _value(theirs.value or "")
    if mine.slot in ("user.birthday", "user.age", "user.phone"):
        first, second = numbers(mine.value or ""), numbers(theirs.value or "")
        if mine.slot == "user.phone":
            return re.sub(r"\D", "", one) == re.sub(r"\D", "", other), False
        if first and second:
            return first <= second, first > second
    if mine.slot in ("user.name", "user.partner"):
        return _is_part_of_name(mine.value or "", theirs.value or ""), False
    if mine.slot in ("user.home_city", "user.hometown", "user.address", "user.occupation", "user.employer"):
        return one == other or (len(one) > 1 and one in other), len(other) > 1 and other in one and one != other
    return one == other, False


def _is_part_of_name(one: str, other: str) -> bool:
    """Say whether one name is a part of the other, as a given name is of the full one."""
    first, second = normalised(one), normalised(other)
    if first.isascii() and second.isascii():
        words = set(first.split()), set(second.split())
        return words[0] <= words[1] or words[0] >= words[1]
    return first == second or (min(len(first), len(second)) > 1 and (first in second or second in first))


def _age(statement: Statement) -> float:
    return max(numbers(statement.value or ""), default=0.0)


def _changed_or(candidate: Candidate, mine: Statement, old: Memory, conflict: str) -> _Finding:
    """Return an update where the words say that something changed, else a conflict."""
    long_before = candidate.event_end_ms is not None and candidate.event_end_ms < old.mentioned_ms - YEAR_MS
    if mine.changes and not long_before:
        return _Finding("update", "its words say that this changed")
    later = candidate.event_start_ms is not None and candidate.event_start_ms > max(
        old.event_start_ms or 0, old.mentioned_ms
    )
    if later and _SINCE.search(candidate.text):
        return _Finding("update", "it holds from a later day on")
    return _Finding("conflict", conflict)


def _by_words(candidate: Candidate, old: Memory, mine: Statement, theirs: Statement, apart: bool) -> _Finding:
    """Compare two statements without a common attribute by their content words."""
    one, other = one_valued(candidate.text), one_valued(old.text)
    if one is not None and other is not None and _value(one[0]) == _value(other[0]):
        if _value(one[1]) == _value(other[1]):
            return _Finding("duplicate", "the same subject and value")
        return _changed_or(candidate, mine, old, "another value of a subject that has one")
    alike = overlap(_content(candidate.text), _content(old.text))
    opposed = mine.negated != theirs.negated
    differ = opposed or _counts_differ(candidate.text, old.text)
    if not differ or alike < PERHAPS_SAME_SUBJECT or (apart and not mine.changes):
        return _NEW
    if alike < SAME_SUBJECT:
        return _Finding("undecided", "perhaps the same subject, and it changed") if mine.changes else _NEW
    if mine.changes or _grew_older(candidate, old):
        return _Finding("update", "the same subject, and its words say that it changed")
    if alike >= SURELY_SAME_SUBJECT and not (candidate.kind == "event" and not opposed):
        return _Finding("conflict", "the same subject with the opposite sense or other numbers")
    return _Finding("undecided", "close to what stands, with another sense or other numbers")


def _grew_older(candidate: Candidate, old: Memory) -> bool:
    ages = [re.findall(r"(\d+)(?=\s*(?:周?岁|years? old))", text) for text in (old.text, candidate.text)]
    return (
        all(len(age) == 1 for age in ages)
        and int(ages[0][0]) < int(ages[1][0])
        and old.mentioned_ms < candidate.mentioned_ms
    )


def _counts_differ(one: str, other: str) -> bool:
    first, second = numbers(one), numbers(other)
    return bool(first) and bool(second) and first != second


def _content(text: str) -> str:
    """Return what a text is about: without function words, polarity, change, numbers and time."""
    plain = _FUNCTION_ZH.sub("", _TIME_WORDS.sub("", normalised(text.replace("’", "'"))))
    return re.sub(r"(?<![a-z])\d[\d.:,]*(?:st|nd|rd|th|am|pm)?", "", _FUNCTION.sub(" ", plain))
