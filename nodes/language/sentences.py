"""What a message is made of: sentences and clauses, and which of them ask, greet, instruct or tell (zh + en).

Everything returned is a verbatim substring of what was given, so that it can serve as evidence.
"""

import re
from collections.abc import Iterator

from nodes.language import injection
from nodes.language.bids import is_bid
from nodes.language.phrases import (
    ASKS_EN,
    ASKS_ZH,
    ASKS_ZH_COUNT,
    ASKS_ZH_END,
    ASKS_ZH_LEAD,
    CALLING,
    MARKS_IMPORTANT,
    NOT_ASKING_ZH,
    PASTES,
    REMEMBER_LEAD,
    REPROACH,
    REQUEST,
    SELF,
    SMALL_TALK,
    SUBORDINATE,
    TAG,
)

CJK = r"\u3400-\u9fff\uf900-\ufaff"

_FENCE = "```"
_OPENER = re.compile(f'{_FENCE}|[“「『《"]')
# What closes a quotation, or the end of its line, which leaves it open.
_CLOSER = {opener: re.compile(f"[{closer}\n]") for opener, closer in ("“”", "「」", "『』", "《》", '""')}
# A row of marks is tried once, at its first: from each mark, and back from each end, takes the square of its length.
_BORDER = re.compile(
    rf"[。！？；…]++[)）】]*+|(?<![!?;])[!?;]++[)）】]*+(?=\s|$|[{CJK}])|(?<!\.)\.++[)）】]*+(?=\s|$)"
    rf"|(?<=[{CJK}])\.(?=[{CJK}])|\n++"
)
_AFTER_QUOTE = re.compile(r"(?<![。！？.!?])[。！？.!?]++[”」』\"](?=\s*$|\s+[A-Z]|\s*\n)", re.M)
_TITLE = re.compile(r"(?:^|[\s(\"“])(?:mr|mrs|ms|dr|prof|st|no|vs|e\.g|i\.e|fig|dept|approx|[a-hj-z]|\d{1,2})$", re.I)
_ABBREVIATION = re.compile(r"(?:^|\s|\d)(?:a\.m|p\.m|etc|inc|ltd|co|jr|sr|u\.s|u\.k)$", re.I)
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*\d{1,2}$")

_JOINS_STEPS = re.compile(r"[；;]+$")
_FIRST_STEP = re.compile(
    r"(?:^|[：:，,\s])(?:第[一1]步?|首先|先|[1①][.、)）])|(?:^|[:,]\s*)(?:step (?:1|one)|first(?:ly)?|1[.)])", re.I
)
_NEXT_STEP = re.compile(
    r"\s*(?:第[二三四五六七八九十\d]+步?|其次|然后|再|接着|接下来|随后|之后|最后|\d[.、)）]|[②-⑨])"
    r"|\s*(?:and )?(?:step \w+|second(?:ly)?|third(?:ly)?|fourth|then|next|after that|finally|lastly?|\d[.)])\b",
    re.I,
)
_LIST_OF_STEPS = 400  # characters; no memory holds more
# How far one has come: each step said to be done is news of its own.
_STEP_NEWS = re.compile(
    r"完成|做完|做到|搞定|进行|卡[在住]|结束了|[?？]|\b(?:done|finished|completed?|blocked|stuck|cancelled)\b", re.I
)

_CLAUSE_BORDER = re.compile(
    r"[，；：]|[,;:](?!\d|\s(?:19|20)\d\d\b)|——|\s[-–—]\s|(?=但是|可是|不过(?!敏))|(?<!不)(?=但(?!是|愿|凡))"
    r"|\s(?=(?:but|and|so) (?:i|i'm|i've|my|we|our|please|can|could|what|where|how|do|don't|hate|dislike|can't)\b)",
    re.I,
)

# "老抽放几勺" asks at its end, where 放了几勺 and 过几步 mean "some".
_ASKS_ZH_DOSE = re.compile(r"(?<![好这那过有十前后头每近了])几(?:[勺匙片滴粒颗]|(?<=[共要分]几)步)(?:呢|啊|呀)?$")

_MARKS = re.compile(rf"[^\w{CJK}]*+")
_LATIN = re.compile(r"[a-z0-9']", re.I)


def sentences(text: str) -> list[str]:
    """Split a text into its sentences: verbatim substrings, in order, without those that hold no word.

    A quotation is never cut inside, so that its words stay with the one who is quoted; a fenced block is one piece.
    """
    borders = {match.end() for match in _AFTER_QUOTE.finditer(text)}
    last = max(borders, default=0)
    for match in _unquoted(_BORDER, text):
        if not _is_abbreviation(text, match) and not _inside_steps(text, match, last):
            borders.add(match.end())
            last = max(last, match.end())
    pieces: list[str] = []
    start = 0
    for border in sorted(borders | {len(text)}):
        piece = text[start:border].strip()
        if re.search(r"\w", piece):
            pieces.append(piece)
        start = border
    return pieces


def _unquoted(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that do not start inside a quotation."""
    quotes = _quotations(text)
    start, end = next(quotes, (len(text), len(text)))
    for match in pattern.finditer(text):
        while match.start() >= end and end < len(text):
            start, end = next(quotes, (len(text), len(text)))
        if not start <= match.start() < end:
            yield match


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each quotation and each fenced block starts and ends, marks included, in order.

    A quotation stays in its line, an opening mark without its closing one is none; a fence may stay open.
    """
    open_until = dict.fromkeys(_CLOSER, 0)
    at = 0
    while (found := _OPENER.search(text, at)) is not None:
        start, opener = found.span()[0], found.group()
        at = start + 1
        if opener == _FENCE:
            closing = text.find(_FENCE, start + len(_FENCE))
            at = len(text) if closing < 0 else closing + len(_FENCE)
            yield start, at
        elif start >= open_until[opener]:
            closing_mark = _CLOSER[opener].search(text, at)
            if closing_mark is None or closing_mark.group() == "\n":
                # Neither do the same marks that follow in this line close.
                open_until[opener] = len(text) if closing_mark is None else closing_mark.start()
            else:
                at = closing_mark.end()
                yield start, at


def _is_abbreviation(text: str, border: re.Match[str]) -> bool:
    if not border.group().startswith(".") or len(border.group().strip()) > 1:
        return False
    before, after = text[max(border.start() - 12, 0) : border.start()], text[border.end() : border.end() + 2].strip()
    if _TITLE.search(before) and not before[-1:].isdigit():
        return bool(after)
    if _LIST_NUMBER.search(before):
        return True
    return bool(_ABBREVIATION.search(before)) and bool(after) and not after[0].isupper()


def _inside_steps(text: str, border: re.Match[str], start: int) -> bool:
    """Say whether a list of steps goes on behind a border: its steps are one thing told, as far as they are no news."""
    if not _JOINS_STEPS.match(border.group()) or border.start() - start > _LIST_OF_STEPS:
        return False
    if _NEXT_STEP.match(text, border.end()) is None or _FIRST_STEP.search(text[start : border.start()]) is None:
        return False
    following = _BORDER.search(text, border.end())
    return _STEP_NEWS.search(text, start, following.end() if following else len(text)) is None


def clauses(sentence: str) -> list[str]:
    """Split a sentence at commas, colons, dashes and contrasting words; verbatim, with the mark left at the end."""
    pieces: list[str] = []
    start = 0
    for match in _unquoted(_CLAUSE_BORDER, sentence):
        pieces.append(sentence[start : match.end()])
        start = match.end()
    pieces.append(sentence[start:])
    joined: list[str] = []
    for piece in pieces:
        # The space between ", " and "and I" is no clause, and the clauses must add up to the sentence.
        if joined and not re.search(r"\w", piece):
            joined[-1] += piece
        else:
            joined.append(piece)
    return [piece for piece in joined if re.search(r"\w", piece)]


def bare(text: str) -> str:
    """Return a text without the marks and spaces at its ends, curly apostrophes straightened."""
    plain = text.replace("’", "'").replace("‘", "'")
    # The marks at the end are the first of the reversed text: a search for them would start at every mark.
    return plain[_after_marks(plain, 0) : len(plain) - _after_marks(plain[::-1], 0)]


def _after_marks(text: str, at: int) -> int:
    match = _MARKS.match(text, at)
    return match.end() if match is not None else at


def is_question(sentence: str) -> bool:
    """Say whether a sentence asks, with or without a question mark."""
    if re.search(r"[?？][)）”」』\"'\s]*$", sentence) is not None or _asks(sentence):
        return True
    words = _bare_without_quotes(sentence)
    return ASKS_ZH_COUNT.search(words) is not None or _ASKS_ZH_DOSE.search(words) is not None


def _asks(clause: str) -> bool:
    """Say whether a clause asks by its words."""
    words = _bare_without_quotes(clause)
    if not re.search(rf"[{CJK}]", words):
        return ASKS_EN.search(words) is not None
    if ASKS_ZH_LEAD.search(words) and not _is_remember_request(words):
        return True
    return bool(ASKS_ZH_END.search(words) or ASKS_ZH.search(NOT_ASKING_ZH.sub("", words)))


def _is_remember_request(words: str) -> bool:
    # "记得我对花生过敏" asks to remember; "记得我对什么过敏" asks a question.
    return words.startswith("记得") and not ASKS_ZH.search(words) and not ASKS_ZH_END.search(words)


def _bare_without_quotes(text: str) -> str:
    kept, at = [], 0
    for start, end in _quotations(text):
        kept.append(text[at:start])
        at = end
    return bare(" ".join([*kept, text[at:]]))


def is_small_talk(sentence: str) -> bool:
    """Say whether a sentence only greets, thanks, agrees or takes leave."""
    rest = bare(sentence)
    if not rest:
        return True
    at = 0
    while at < len(rest):
        match = SMALL_TALK.match(rest, at) or CALLING.match(rest, at)
        if match is None or match.end() == at or _LATIN.match(rest, match.end()):
            return False
        at = _after_marks(rest, match.end())
    return True


def is_injection(text: str) -> bool:
    """Say whether a text tries to overrule what the assistant was told, or tells it what to do and believe."""
    return injection.is_injection(text)


def is_instruction(sentence: str) -> bool:
    """Say whether a sentence tells the assistant what to do and tells nothing about the user beside it."""
    if is_injection(sentence):
        return True
    return any(_requests(clause) for clause in clauses(sentence)) and not assertions(sentence)


def _requests(clause: str) -> bool:
    words = bare(clause)
    asked = REMEMBER_LEAD.sub("", words)
    if asked != words and re.match(r"(?:to|要|用|把)\b", asked, re.I):
        asked = re.sub(r"^to\s+", "", asked, flags=re.I)
    return REQUEST.search(asked) is not None or is_bid(asked)


def asks_to_remember(text: str) -> bool:
    """Say whether a text asks to keep something in mind or calls it important."""
    plain = text.replace("’", "'")
    return any(
        MARKS_IMPORTANT.search(sentence) is not None and not is_question(sentence) for sentence in sentences(plain)
    )


def worth_distilling(text: str) -> bool:
    """Say whether a message may hold something to remember.

    False only where every sentence is small talk or a question without a statement beside it.
    """
    return any(
        not is_small_talk(sentence) and (not is_question(sentence) or bool(assertions(sentence)))
        for sentence in sentences(text)
    )


def own_sentences(text: str) -> list[str]:
    """Return the sentences a user says in their own words: no quoted lines, fenced blocks or text pasted for a task.

    What follows a request that ends in a colon ("translate this: ...") is its object, not a statement.
    """
    own: list[str] = []
    for sentence in sentences(text):
        if sentence.startswith((">", "```", "|")):
            continue
        own.append(sentence)
        if not asks_to_remember(sentence) and (PASTES.search(sentence) or hands_over(sentence)):
            break
    return own


def hands_over(sentence: str) -> bool:
    """Say whether a sentence ends in a request and a colon, as "translate this:" does: what follows is its object."""
    return any(_requests(clause) and re.search(r"[:：]\s*$", clause) is not None for clause in clauses(sentence))


def assertions(sentence: str) -> list[str]:
    """Return the stretches of a sentence that tell something: verbatim, without greeting, question and request.

    "I moved to Berlin, any tips?" tells "I moved to Berlin"; "I live in Berlin, right?" tells nothing, it checks. What
    stands after a question or a request counts only where it speaks of the speaker.
    """
    if is_injection(sentence) or TAG.search(sentence.strip()):
        return []
    parts = clauses(sentence)
    kinds = [_kind(part) for part in parts]
    if is_question(sentence):
        if "ask" not in kinds:
            return []
        parts, kinds = parts[: kinds.index("ask")], kinds[: kinds.index("ask")]
    runs: list[list[str]] = [[]]
    turned = [is_question(sentence)]
    for part, kind in zip(parts, kinds, strict=True):
        if kind == "tell":
            runs[-1].append(part)
        else:
            if kind == "request" and re.search(r"[:：]\s*$", part):
                break
            runs.append([])
            turned.append(turned[-1] or kind in ("ask", "request"))
    beside = len(runs) > 1 or is_question(sentence)
    return [
        piece
        for run, must_be_self in zip(runs, turned, strict=True)
        if (piece := _joined(run, sentence))
        and (not must_be_self or SELF.search(piece))
        and not (beside and all(SUBORDINATE.search(bare(part)) for part in run))
    ]


def _kind(clause: str) -> str:
    words = bare(clause)
    if is_small_talk(clause) or not REMEMBER_LEAD.sub("", words) or REPROACH.fullmatch(words):
        return "talk"
    if _requests(clause):
        return "request"
    return "ask" if _asks(clause) else "tell"


def _joined(run: list[str], sentence: str) -> str:
    # Clauses follow each other without a gap, so that their sum is a substring of the sentence.
    piece = "".join(run).strip().rstrip("，,：:；; ")
    return piece if piece in sentence else ""
