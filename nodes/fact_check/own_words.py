"""Candidates without a model: the user's own sentences, found by rules and copied word for word."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nodes.language.phrases import MARKS_IMPORTANT, REMEMBER_LEAD
from nodes.language.pieces import is_worth_keeping, pieces, time_of
from nodes.language.progress import progress
from nodes.language.sentences import asks_to_remember, bare, clauses, is_injection, own_sentences
from nodes.language.statements import kind_of, read
from nodes.language.subjects import leaves_another
from nodes.language.tokens import MARK, cut
from state.records import Candidate, Evidence, TaskChange, Turn, normalised, plausible_step
from state.slots import is_single_valued

MEMORY_TOKENS = 50
IMPORTANT = 2.0
# What is so at any time; a date beside it belongs to something else.
UNDATED = {"user.name", "user.birthday", "user.age", "user.phone", "user.email", "user.address"}
_ANNOUNCES = re.compile(r"[:：]$")
# What a wish says of its object without naming it: "remember this", "这一点对我很重要".
_POINTS = re.compile(
    r"这(?:一?点|个|件?事|些|句话?|条)?|那(?:一?点|个|件?事|些)|(?:上面|以上|刚才|前面)(?:说)?的?(?:话|内容)?|此事|对我(?:来说)?|一下|[了吧啊哦呢]"
    r"|\b(?:this|that|it|these|those|the above|what i (?:just )?(?:said|told you)|(?:to|for) me|please|pls|ok|and"
    r"|point|fact|thing|too|well|one)\b",
    re.I,
)


class Told(NamedTuple):
    """A candidate that copies the user's words, and the sentence it stands in."""

    candidate: Candidate
    sentence: str


class Telling(NamedTuple):
    """What a turn tells by rules. `wish` asks to remember something which the turn itself does not say."""

    told: tuple[Told, ...]
    task_changes: tuple[TaskChange, ...]
    wish: str | None


def telling(turn: Turn) -> Telling:
    """Return the turn's own statements, each once and in order; what the user asks to remember has weight 2.0.

    "This is important" alone marks the sentence before it, "Remember these points:" what follows.
    """
    found: list[Told] = []
    changes: list[TaskChange] = []
    wish: str | None = None
    marked = of_another = False
    for sentence in own_sentences(turn.text):
        if change := _task_change(sentence, turn):
            changes.append(change)
        wishes = asks_to_remember(sentence) and not is_injection(sentence)
        announces = (wishes or marked) and _ANNOUNCES.search(sentence) is not None
        points = wishes and not announces and not _names_something(sentence)
        kept = [] if points else _kept(sentence, turn, wishes or marked, announces=announces, other=of_another)
        of_another = leaves_another(clauses(sentence), before=of_another)
        if points and found:
            found = [_weighted(each) if each.sentence == found[-1].sentence else each for each in found]
        elif points:
            wish = sentence
        found += [Told(candidate, sentence) for candidate in kept]
        wish = None if kept else wish
        marked = announces or wish is not None
    return Telling(_each_once(found), tuple(changes), wish)


def _kept(sentence: str, turn: Turn, important: bool, *, announces: bool, other: bool) -> list[Candidate]:
    """Return the candidates of one sentence; a wish that rules cannot take apart is kept whole."""
    kept = [
        piece
        for piece in pieces(sentence, other=other)
        if is_worth_keeping(piece, now_ms=turn.at_ms, time_zone=turn.time_zone, important=important and not announces)
    ]
    if not kept and not announces and asks_to_remember(sentence) and not is_injection(sentence):
        kept = [sentence]
    return [candidate for piece in kept if (candidate := _candidate(piece, turn, important)) is not None]


def _names_something(wish: str) -> bool:
    rest = MARKS_IMPORTANT.sub(" ", REMEMBER_LEAD.sub("", bare(wish)))
    return re.search(r"\w", _POINTS.sub(" ", rest)) is not None


def _weighted(told: Told) -> Told:
    return told._replace(candidate=told.candidate.model_copy(update={"weight": IMPORTANT}))


def _each_once(found: Sequence[Told]) -> tuple[Told, ...]:
    """Leave out what repeats earlier words; marked important once, it is important."""
    by_words: dict[str, Told] = {}
    for each in found:
        words = re.sub(r"\W+", "", normalised(each.candidate.text))
        first = by_words.setdefault(words, each)
        if each.candidate.weight > first.candidate.weight:
            by_words[words] = _weighted(first)
    return tuple(by_words.values())


def _candidate(piece: str, turn: Turn, important: bool) -> Candidate | None:
    text, span = shortened(piece)
    if not span.strip():
        return None
    statement = read(piece)
    slot = statement.slot
    if is_single_valued(slot) and statement.negated and not statement.changes:
        slot = None  # "I do not live in Oslo" says nothing of where one lives
    time = None if slot in UNDATED else time_of(piece, now_ms=turn.at_ms, time_zone=turn.time_zone)
    return Candidate(
        kind="task" if progress(piece, now_ms=turn.at_ms, time_zone=turn.time_zone) else kind_of(piece),
        text=text,
        evidence=(Evidence(turn_id=turn.turn_id, span=span),),
        slot=slot,
        weight=IMPORTANT if important else 1.0,
        event_start_ms=time.begins_ms if time else None,
        event_end_ms=time.ends_ms if time else None,
        mentioned_ms=turn.at_ms,
        time_zone=turn.time_zone,
    )


def shortened(words: str) -> tuple[str, str]:
    """Return words as a memory may hold them, and what of them stands verbatim in their turn: without the mark."""
    text = cut(words, MEMORY_TOKENS)
    return text, text if text == words else text.removesuffix(MARK)


def _task_change(sentence: str, turn: Turn) -> TaskChange | None:
    said = progress(sentence, now_ms=turn.at_ms, time_zone=turn.time_zone)
    if said is None:
        return None
    return TaskChange(
        title=said.title,
        evidence=Evidence(turn_id=turn.turn_id, span=sentence),
        state=said.state,
        step=plausible_step(said.step),
        steps=plausible_step(said.steps),
        due_ms=said.due_ms,
    )
