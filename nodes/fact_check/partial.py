"""A candidate without what its source does not say."""

import re
from collections.abc import Sequence
from itertools import pairwise

from nodes.language.grounding import folded, numbers, occurs, touches, ungrounded
from nodes.language.modality import is_hedged, is_past, is_plan, is_uncertain, negations
from nodes.language.sentences import CJK, bare, clauses, is_question, sentences
from nodes.language.statements import is_dated, read
from nodes.language.subjects import has_subject
from state.records import Candidate, Turn, Verdict

_USER = re.compile(r"\b(?:the )?user(?:'s)?\b|用户(?:的)?|^我(?:的)?|\b(?:i|my)\b", re.I)
_UNIT = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['.-][^\W_{CJK}]+)*")
_FUNCTION_EN = re.compile(
    r"an?|the|and|or|but|of|to|in|on|at|for|with|from|by|as|is|are|am|was|were|be|been|being|has|have|had|do|does|did|will"
    r"|would|its?|this|that|these|those|them|they|he|she|his|her|him|their|my|me|our|we|i|you|your|also|too|very|so|then"
    r"|than"
)
_FUNCTION_ZH = frozenset("的了在是和与及也都就还很")
# Where a sentence joins things of one kind, each can be dropped alone.
_JOINT_EN = re.compile(r",? and (?!(?:a )?half\b)|,? as well as |,? plus ", re.I)
_JOINT_ZH = re.compile(rf"(?<=[{CJK}A-Za-z\d])(?:、|和(?!平|谐|解|睦|尚)|以及|还有|并且|而且)(?=[{CJK}A-Za-z\d])")
_JOINTS = re.compile(f"{_JOINT_EN.pattern}|{_JOINT_ZH.pattern}", re.I)
_ASIDE_EN = re.compile(r" (?=(?:in|at|for|with|since|from|on|near|by|every|twice|once|because|named|called) )", re.I)
_ENOUGH = 0.5
_LEAST_LEFT = 2


def reduced(candidate: Candidate, verdict: Verdict, source: Sequence[Turn]) -> Candidate | None:
    """Return a candidate without what its source does not say, or None where that cannot be told apart.

    The verifier's own `supported_part` is taken where it is made of the candidate's words in their order, in the same
    sense, and stands in the source; else clauses, conjuncts and adjuncts are dropped whose words do not occur in the
    sentences around the evidence. The slot stays where the rest still states it, the time where the rest names one.
    """
    around = _around(candidate, source)
    if candidate.kind == "episode" or candidate.answers is not None or not around:
        return None
    rest = verdict.supported_part.strip()
    if not rest or not _is_part(rest, candidate.text) or not _is_borne(rest, around):
        rest = _without_unsaid(candidate.text, around)
    if not rest or not _stands(rest, candidate.text):
        return None
    changed: dict[str, object] = {"text": rest}
    if candidate.slot is not None and read(rest).slot != candidate.slot:
        changed["slot"] = None
    if is_dated(candidate.text) and not is_dated(rest):
        changed |= {"event_start_ms": None, "event_end_ms": None}
    return candidate.model_copy(update=changed)


def _around(candidate: Candidate, source: Sequence[Turn]) -> list[str]:
    """Return the sentences around the evidence, as far as they state something."""
    said = {turn.turn_id: turn.text for turn in source}
    found = [
        sentence
        for part in candidate.evidence
        for sentence in sentences(said.get(part.turn_id, ""))
        if part.span and touches(part.span, sentence)
    ]
    return list(dict.fromkeys(found))


def _is_part(rest: str, text: str) -> bool:
    """Say whether a text is another one with words left out, none of them a word that turns its sense."""
    whole, part = _units(text), _units(rest)
    if not part or len(part) >= len(whole):
        return False
    remaining = iter(whole)
    if not all(unit in remaining for unit in part):
        return False
    return _sense(rest) == _sense(text) or bare(rest) in [bare(clause) for clause in clauses(text)]


def _sense(text: str) -> tuple[int, bool, bool, bool]:
    return negations(text), is_hedged(text), is_past(text), is_plan(text)


def _is_borne(rest: str, around: Sequence[str]) -> bool:
    return not ungrounded(rest, around) and _support(rest, _claims(around)) > _ENOUGH


def _stands(rest: str, text: str) -> bool:
    """Say whether what is left still says something of somebody."""
    meaning = [
        unit for unit in _units(_USER.sub(" ", rest)) if unit not in _FUNCTION_ZH and not _FUNCTION_EN.fullmatch(unit)
    ]
    if len(meaning) < _LEAST_LEFT or folded(bare(rest)) == folded(bare(text)):
        return False
    return has_subject(rest) or _USER.match(rest) is not None or not (has_subject(text) or _USER.match(text))


def _without_unsaid(text: str, around: Sequence[str]) -> str:
    """Drop the clauses, then the conjuncts, then the adjunct at the end that the source does not say."""
    claims = _claims(around)
    parts = clauses(text)
    kept = [part for part in parts if _says(part, claims)]
    # Where no clause is borne whole, the first may be in part.
    rest = "".join(kept) or parts[0]
    for joint in (_JOINT_EN, _JOINT_ZH):
        rest = _without_conjuncts(rest, joint, claims)
    rest = re.sub(r"^\W+|[，,；;：:、\s]+$", "", _without_adjunct(rest, claims))
    if kept and kept[0] is not parts[0] and not has_subject(rest) and (user := _USER.match(text)):
        # What stands first names whom the rest is about.
        rest = user.group() + (" " if rest[:1].isascii() else "") + rest
    pieces = [piece for clause in clauses(rest) for piece in re.split(_JOINTS, clause)]
    return rest if _is_borne(rest, around) and all(_says(piece, claims) for piece in pieces) else ""


def _without_conjuncts(text: str, joint: re.Pattern[str], claims: Sequence[str]) -> str:
    at = 0
    while border := joint.search(text, at):
        before, after = text[: border.start()], text[border.end() :]
        following = joint.search(after)
        conjunct, tail = (after[: following.start()], after[following.start() :]) if following else (after, "")
        predicate = _shared_end(conjunct, before) if joint is _JOINT_ZH else ""
        # 和 is also the middle of words (协和医院): what stands before a joint must be said.
        joins = not _content(before) or _support(_last(before), claims) == 1.0
        if joins and not _says(conjunct.removesuffix(predicate), claims, beside=predicate):
            text = before + predicate + tail
        else:
            at = border.end()
    return text


def _last(text: str) -> str:
    """Return the last Latin word of a text or its last two Chinese characters."""
    return _UNIT.findall(text)[-1] if re.search(r"[A-Za-z\d]\W*$", text) else bare(text)[-2:]


def _shared_end(conjunct: str, before: str) -> str:
    """Return the predicate that closes a Chinese enumeration, "过敏" of "对牛奶和鸡蛋过敏"."""
    opened = re.search(r"(?:对)[^，,。]{1,12}$", before)
    closed = re.search(r"(?:都)?(?:过敏|感兴趣|很?熟悉|不?满意|上瘾|着迷)[^，,。]{0,4}$", conjunct)
    return closed.group() if opened and closed else ""


def _without_adjunct(text: str, claims: Sequence[str]) -> str:
    borders = [match.start() for match in _ASIDE_EN.finditer(text)]
    for at in reversed(borders):
        aside, rest = text[at:], text[:at]
        if len(_content(rest)) >= _LEAST_LEFT and _content(aside) and _support(aside, claims) == 0.0:
            text = rest
    return text


def _claims(around: Sequence[str]) -> list[str]:
    """Return the clauses that state something: not what is asked, supposed, called a maybe or said by another."""
    found: list[str] = []
    for sentence in around:
        parts = clauses(sentence)
        found += parts[:-1] if is_question(sentence) else parts
    return [part for part in found if not is_uncertain(part)]


def _says(part: str, claims: Sequence[str], beside: str = "") -> bool:
    """Say whether the claims say a part in the same sense; with a predicate, those of them that say it too."""
    if not _content(part):
        return True
    same_sense = [claim for claim in claims if negations(claim) % 2 == negations(part + beside) % 2]
    if beside:
        same_sense = [claim for claim in same_sense if occurs(beside, claim) or _support(beside, [claim]) > _ENOUGH]
    if not numbers(part) <= numbers("\n".join(same_sense)):
        return False
    return _support(part, same_sense) > _ENOUGH


def _support(part: str, claims: Sequence[str]) -> float:
    """Return the share of a part's content words, or pairs of Chinese characters, that the claims hold."""
    content = _content(part)
    said = {unit for claim in claims for unit in _content(claim)}
    return sum(unit in said for unit in content) / len(content) if content else 0.0


def _content(text: str) -> list[str]:
    """Return stems of Latin words and numbers, and pairs of neighbouring Chinese characters, without function words."""
    plain = _USER.sub(" ", folded(text))
    found: list[str] = []
    for run in re.findall(rf"[{CJK}]+|[^\W_{CJK}]+(?:['.-][^\W_{CJK}]+)*", plain):
        if re.match(f"[{CJK}]", run):
            meaning = [char for char in run if char not in _FUNCTION_ZH]
            pairs = [first + second for first, second in pairwise(meaning)]
            found += pairs or meaning
        elif not _FUNCTION_EN.fullmatch(run):
            found.append(_stem(run))
    return found


def _stem(word: str) -> str:
    plain = re.sub(r"'s$|'$", "", word)
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            return re.sub(r"(.)\1$", r"\1", plain.removesuffix(ending))
    return plain


def _units(text: str) -> list[str]:
    return _UNIT.findall(folded(text))
