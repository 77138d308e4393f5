"""Whether a stretch of a source means what a note says of it: stated, by the user, of the same, in the same sense."""

import re

from graph.models.offline_verifier.parts import SELF, THIRD, Piece
from nodes.language.modality import is_left_open, is_past, is_plan, is_sarcasm, is_uncertain, is_wish
from nodes.language.people import relations, subject
from nodes.language.phrases import TAG
from nodes.language.polarity import denials
from nodes.language.sentences import bare, is_question
from nodes.language.wording import content, own

_CONDITION = re.compile(
    r"^\W*(?:(?:唉|哎|嗯|那)[，,]?)?(?:如果|要是|假如|假设|倘若|万一|if|suppose|imagine|unless|in case)\b"
    r"|^\W*(?:如果|要是|假如|假设|倘若|万一)",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"(?:说|问|抱怨|告诉我|讲|喊|写道|表示|念叨|回复|留言)[我道过了]*\s*[：:，,]?\s*$|\b(?:says?|said|told me|asks?"
    r"|asked|whispers?|writes?"
    r"|wrote|replied|goes)\W*$",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(r"[：:]\s*$|他|她|人|客服|医生|\b(?:he|she|they|who|someone|people|the \w+)\b", re.IGNORECASE)
_QUOTES = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"|'(?=\w)[^']*'(?!\w)")
_DID_NOT = re.compile(
    r"^\W*(?:(?:后来|结果|最后).{0,6}没|.{0,4}没(?:去|买|做|办|谈)?成|(?:但|可|不过)是?(?:还是)?没(?:去|买|成))"
    r"|\b(?:but )?(?:i|we) (?:didn't|couldn't|never did|decided not)\b",
    re.IGNORECASE,
)
# "If you need it", said after a statement, supposes nothing of it.
_ASIDE = re.compile(r"(?<=\w),?\s(?:if|in case) (?:you|the|that|it|anyone|anybody|this|somebody)\b.*$", re.IGNORECASE)
_AHEAD = re.compile(r"\b(?:will|would|'ll|'d|could|might|should|may)\b", re.IGNORECASE)
_INDIFFERENT = re.compile(
    r"没(?:啥|什么)?感觉|无感|一般般|无所谓|不感冒|\bnot (?:really )?(?:into|my (?:thing|cup of tea))\b"
    r"|\bdon't care for\b|\bmeh\b"
    r"|\btake it or leave\b",
    re.IGNORECASE,
)
_LIKES = re.compile(r"喜欢|爱|\b(?:likes?|loves?|enjoys?|adores?|fond of|fan of)\b", re.IGNORECASE)
_MESSAGE = re.compile(
    r"微信|短信|消息|来?信|邮件|留言|语音|电话|朋友圈|群里|发|写|回复?"
    r"|\b(?:texts?|texted|messages?|messaged|e-?mails?|e-?mailed|notes?|voicemails?|posts?|posted|letters?|calls?|called|writes?|wrote)\b",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"(?:小说|书|电影|电视剧|剧|故事|游戏|梦)(?:里|中)|主角|\bin (?:the|my|a) (?:book|novel|movie|film|story|dream"
    r"|game|series"
    r"|show)\b|\bthe (?:hero|character|protagonist)\b",
    re.IGNORECASE,
)
# One side denies by a word that the other may put without a negation.
_BY_WORD = re.compile(
    r"戒|滴酒不沾|取消|不在|离开|辞|\b(?:quit|stopped|gave up|cancel\w*|without|free of|teetotal)\b",
    re.IGNORECASE,
)


def meant_otherwise(unit: str, first: str, piece: Piece, text: str, *, copied: bool = False) -> str | None:
    """Return why a piece of a source that has a unit's words does not mean what the unit says, or None.

    `first` is the first unit of the note, whose subject holds for those without one; `text` is the whole source.
    `copied` says that the note is words of the source from the beginning of a clause on.
    """
    note = own(unit)
    sure = not is_uncertain(note) and not is_left_open(note)
    if sure and (reason := _not_stated(note, piece, own(text))):
        return reason
    if _LIKES.search(note) and _INDIFFERENT.search(piece.text) and not _INDIFFERENT.search(note):
        return "the source does not care for it"
    if is_past(piece.text) and not is_past(note) and not re.search(r"\d{4}", note):
        return "the source says it of the past"
    done = re.search(r"[\u4e00-\u9fff]了(?:[^解]|$)|\bhas \w+ed\b", note)
    if is_plan(piece.text) and not is_plan(note) and done:
        return "the source only plans it"
    # What was copied with what stands before it is of whoever that is of, and denies what it denied.
    if not (copied and (THIRD.match(bare(note)) or unit != first)) and _of_another(note, own(first), piece, text):
        return "the source says it of another"
    denied = (denials(piece.text) + piece.denied) % 2 == 1
    by_another_word = bool(_BY_WORD.search(note)) != bool(_BY_WORD.search(piece.text))
    if not copied and denied != (denials(note) % 2 == 1) and not by_another_word:
        return "it says the opposite of its source"
    return None


def _not_stated(note: str, piece: Piece, source: str) -> str | None:
    """Return how a piece speaks of something without stating it, or None where it states it."""
    asks = is_question(piece.text) or (piece.last and re.search(r"[?？]\W*$", piece.sentence))
    if asks or TAG.search(piece.sentence):
        return "the source only asks it"
    if _CONDITION.match(piece.text) or _CONDITION.match(piece.before) or is_wish(piece.text):
        return "the source only supposes it"
    said = re.sub(r"it's not as if", "it is not so that", piece.text, flags=re.IGNORECASE)
    uncertain = is_uncertain(said if _AHEAD.search(said) else _ASIDE.sub("", said))
    if uncertain or is_left_open(piece.after) or _DID_NOT.search(piece.after):
        return "the source supposes, hedges or reports it"
    somebody = _SOMEBODY.search(piece.before) or relations(piece.before)
    if _hands_over_to_another(piece.before):
        return "the source reports another's words"
    if _SPEAKS.search(piece.before) and not SELF.match(bare(piece.before)) and somebody:
        return "the source reports another's words"
    if _FICTION.search(piece.sentence) and not _FICTION.search(note):
        return "the source tells a story"
    quotes = _QUOTES.findall(piece.sentence)
    if any(SELF.search(quote) and not content(note).minus(content(quote)).size for quote in quotes):
        return "it stands in another's words"
    if is_sarcasm(source) and not re.search(r"(?:昨天|之前|上次|刚才|那次).{0,4}说", source):
        return "it is not meant"
    return None


def _hands_over_to_another(before: str) -> bool:
    """Say whether somebody else's words follow: who that is stands before a colon."""
    if re.search(r"[：:]\s*$", before) is None:
        return False
    another = bool(subject(before)[0].chain) or THIRD.match(bare(before)) is not None
    return another and _MESSAGE.search(before) is not None


def _of_another(note: str, first: str, piece: Piece, text: str) -> bool:
    mine, theirs = subject(note)[0], subject(piece.text)[0]
    mine = subject(first)[0] if mine.is_user else mine
    known = relations(note) | relations(first)
    if theirs.is_user:
        if THIRD.match(bare(piece.text)) and not SELF.search(piece.text):
            return mine.is_user and not known
        if piece.another and mine.is_user:
            return not known
        return bool(mine.chain) and not (known & relations(text) or mine.name)
    if mine.is_user:
        return not (set(theirs.chain) & known or (theirs.name or "-") in note.lower())
    same_name = mine.name is not None and mine.name == theirs.name
    called = relations(theirs.name or "")  # "Mum's operation" names her by what she is
    return not (mine.may_be(theirs) or (set(theirs.chain) | called) & known or same_name)
