"""The parts of a source and of a note: small enough that each says one thing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodes.language.people import subject
from nodes.language.polarity import denials
from nodes.language.relations import ANY_EN, ANY_ZH
from nodes.language.sentences import bare, clauses, sentences

_AND = re.compile(r"\s+and\s+(?=\w)|、|(?<=[\u4e00-\u9fff])(?:和|以及)(?=[\u4e00-\u9fff])", re.IGNORECASE)
# Others without a relation to the user: pronouns, neighbours by their place, people at large.
THIRD = re.compile(
    r"^(?:\w+\s)?(?:she|he|they)(?:'s|'re|'d)?\b|^(?:some|any|every|no)(?:one|body)\b|^(?:the|this|that|some"
    r"|a) (?:people|guy|man|woman|lady"
    r"|couple|family|girl|boy|bloke|folks|person|kid|host|speaker|author|driver|cashier|stranger)\b"
    r"|^(?:她|他|它|人家|别人|有人|大家|某|谁|那[个位]?(?:人|男的|女的|姑娘|小伙|大[爷妈姐哥叔])|(?:楼[上下]|隔壁|对[门面]|旁边|前面|后面|小区里?)(?:的|那|有)*(?:户|家|个"
    r"|位|人|邻|一))",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"(?:至于|关于|说到|要说)[^，,]{1,12}$|(?:as for|as to|regarding|when it comes to)\b[^,]{1,24}$", re.IGNORECASE
)
_COMPANY = re.compile(
    rf"(?<=[\u4e00-\u9fff])(?:和|跟|与|同|陪着?|带着?)(?:他|她|自己)?的?(?:{ANY_ZH})(?:一起|一块儿?)?(?=[\u4e00-\u9fff])"
    rf"| (?:together )?with (?:(?:my|his|her|their|the user's) )?(?:{ANY_EN})\b",
    re.IGNORECASE,
)
SELF = re.compile(r"我|咱|俺|\b(?:i|i'm|my|me|we|our)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Piece:
    """A stretch of the source, smaller than a clause where it is joined by "and", with what stands around it."""

    text: str
    before: str
    after: str
    sentence: str
    last: bool
    denied: bool
    another: bool


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a source, each with what stands around it."""
    for sentence in sentences(text):
        parts = _with_topics(clauses(sentence))
        another = False
        for at, part in enumerate(parts):
            before, after = "".join(parts[max(at - 1, 0) : at]), "".join(parts[at + 1 : at + 2])
            small = [piece for piece in re.split(r"\s+(?:and|so)\s+", part) if piece.strip()]
            denied = False
            who = subject(part)[0]
            if who.chain or THIRD.match(bare(part)):
                another = True
            elif SELF.match(bare(part)):
                another = False
            for piece in small:
                inherits = piece is not small[0] and len(piece.split()) <= 3 and not SELF.search(piece)
                denied = denied and inherits
                yield Piece(
                    piece, before, after, sentence, at == len(parts) - 1, denied, another and not SELF.search(piece)
                )
                denied = denied or denials(piece) % 2 == 1


def _with_topics(parts: Sequence[str]) -> list[str]:
    """Join "as for pork," and 至于叉烧， with the clause that says something of it."""
    joined: list[str] = []
    for part in parts:
        if joined and _TOPIC.match(bare(joined[-1])):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def units(note: str) -> list[str]:
    """Return what a note says, one thing at a time."""
    found: list[str] = []
    for clause in clauses(note):
        found += (
            [piece for piece in _AND.split(clause) if piece.strip()]
            if re.search("[a-zA-Z]", clause)
            else _listed(clause)
        )
    return [bare(unit).strip() for unit in found if bare(unit).strip()] or [note]


def _listed(clause: str) -> list[str]:
    """Split 对牛奶和鸡蛋过敏 into 对牛奶过敏 and 对鸡蛋过敏."""
    match = re.match(
        r"^(?P<head>.*?(?:对|喜欢吃?|讨厌|爱吃|会"
        r"|有))(?P<one>[^和、，的]{1,8})[和、](?P<two>[^和、，]{1,8}?)(?P<end>过敏)?$",
        bare(clause),
    )
    if match is None:
        return [clause]
    end = match["end"] or ""
    return [f"{match['head']}{match['one']}{end}", f"{match['head']}{match['two']}{end}"]


def without(note: str, said: Sequence[str], wrong: Sequence[bool]) -> str:
    """Return the note without its wrong units, or "" where that cannot be cut out."""
    kept = [unit for unit, bad in zip(said, wrong, strict=True) if not bad]
    if wrong[0]:
        # What stands after a wrong beginning keeps its sense only with a subject of its own.
        return kept[0] if len(kept) == 1 and subject(kept[0])[0].chain else ""
    if len(kept) == 1:
        return kept[0]
    end = next(at for at, bad in enumerate(wrong) if bad)
    place = note.find(said[end])
    return bare(re.sub(r"\s+and\s*$", "", note[:place])) if place > 0 and all(wrong[end:]) else ""


def without_company(note: str) -> str:
    """Return a note without those with whom something is done: 和妻子 and "with his wife"."""
    return _COMPANY.sub("", note)
