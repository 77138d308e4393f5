"""Finding what to remember, and shortening talk, without a language model: the user's own sentences, by rules."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from nodes.language.grounding import numbers
from nodes.language.modality import is_plan, is_uncertain
from nodes.language.progress import progress
from nodes.language.sentences import (
    asks_to_remember,
    assertions,
    bare,
    clauses,
    is_injection,
    is_instruction,
    is_question,
    is_small_talk,
    own_sentences,
    sentences,
)
from nodes.language.statements import is_dated, is_decision, kind_of, read
from nodes.language.timex import named_time
from nodes.language.tokens import count, cut
from state.ports import Distillation, Summary
from state.records import Candidate, Evidence, TaskChange, TimeWindow, Turn, normalised
from state.slots import is_single_valued

MEMORY_TOKENS = 50
MOST_CANDIDATES = 12
IMPORTANT = 2.0
_TIMELESS = {"user.name", "user.birthday", "user.age", "user.phone", "user.email", "user.address"}

_SELF = re.compile(r"我|咱|俺|本人|\b(?:i|i'm|i've|i'll|i'd|im|me|my|mine|myself|we|we're|we've|we'll|our|us)\b", re.I)
_EMPTY = re.compile(
    r"(?:我|i|we)\s*(?:也|真的?|都|再|还|think|guess|do|am|'m)*\s*"
    r"(?:不(?:太)?(?:知道|确定|清楚|明白|懂)|想想|看看|同意|觉得(?:也)?(?:可以|行|好|对)|明白|懂|知道"
    r"|so|don't know|agree|understand|see|not sure|know)(?:了|吧|啊)?",
    re.I,
)
# Said about the talk itself, or as a courtesy: no news of the user.
_ABOUT_TALK = re.compile(
    r"你的?(?:这些|这个)?(?:建议|推荐|回答|陪伴|帮助|语气|分享|关心)|(?:和|跟|与)你(?:聊|说|分享|交流)"
    r"|聊天|(?:这些|这个|那)(?:真)?(?:也)?(?:都)?(?:是)?(?:个)?(?:好)?建议"
    r"|我(?:也)?会(?:去)?(?:认真|好好|尽力|努力)?(?:地)?(?:看看|试试|试一试|考虑|注意|听取|实践|去做)"
    r"|(?:也)?(?:是)?(?:这么|这样)(?:认为|觉得|想)|下次再聊|有道理"
    r"|\byour (?:advice|suggestions?|help|recommendations?|answers?|time|tips?)\b|\b(?:talk|chat"
    r"|talking|chatting) (?:to|with) you\b"
    r"|\bi(?:'ll| will) (?:try|check|consider|think about|look into) (?:it|that|this|them)\b"
    r"|\bi (?:agree|hope so|think so too)\b",
    re.I,
)
_SUPPOSES = re.compile(r"^(?:如果|要是|假如|假设|倘若|万一|假使|if|suppose|imagine|what if|in case)", re.I)
_WEATHER = re.compile(r"天气|下雨|下雪|阳光|\b(?:weather|rain(?:ing|y)?|snow(?:ing)?|sunny)\b", re.I)


class OfflineDistiller:
    """Keeps the sentences in which the user states something. Implements `state.ports.Distiller`."""

    async def distill(self, turn: Turn, context: Sequence[Turn]) -> Distillation:  # noqa: ARG002
        """Return the turn's own statements, verbatim, and its task changes; the context is not needed to copy words.

        At most twelve candidates a turn, those with a slot or marked important first: each costs a search.
        """
        return await asyncio.to_thread(_distilled, turn)


def _distilled(turn: Turn) -> Distillation:
    found: list[Candidate] = []
    changes: list[TaskChange] = []
    seen: set[str] = set()
    marked = False
    for sentence in own_sentences(turn.text):
        important = asks_to_remember(sentence) or marked
        marked = important and re.search(r"[:：]$", sentence) is not None
        if change := _task_change(sentence, turn):
            changes.append(change)
        # "Remember these points:" only announces what follows.
        kept = [piece for piece in _pieces(sentence) if _is_worth_keeping(piece, important and not marked, turn)]
        if important and not kept and found:
            # "This is important" alone speaks of what was said before it.
            found[-1] = found[-1].model_copy(update={"weight": IMPORTANT})
        for piece in kept:
            candidate = _candidate(piece, turn, important)
            if candidate is not None and (key := re.sub(r"\W+", "", normalised(candidate.text))) not in seen:
                seen.add(key)
                found.append(candidate)
    best = sorted(range(len(found)), key=lambda at: (found[at].slot is None, found[at].weight < IMPORTANT, at))
    kept_places = sorted(best[:MOST_CANDIDATES])
    return Distillation(candidates=tuple(found[at] for at in kept_places), task_changes=tuple(changes))


def _pieces(sentence: str) -> Iterator[str]:
    """Yield what a sentence tells; one that names several attributes is taken apart, so that each stands alone."""
    for told in assertions(sentence):
        parts = clauses(told)
        slots = [read(part).slot for part in parts]
        named = [slot for slot in slots if slot is not None]
        if len(set(named)) < 2 or slots[0] is None or is_uncertain(told):
            yield told
            continue
        run = parts[0]
        for part, slot in zip(parts[1:], slots[1:], strict=True):
            if slot is not None:
                yield _trimmed(run)
                run = part
            else:
                run += part
        yield _trimmed(run)


def _trimmed(piece: str) -> str:
    return re.sub(r"^[，,；;、\s]*(?:(?:and|but|so)\s+(?=i\b|i'm\b|my\b))?|[，,；;：:、\s]+$", "", piece, flags=re.I)


def _is_worth_keeping(piece: str, important: bool, turn: Turn) -> bool:
    words = bare(piece)
    chinese = len(re.findall(r"[\u3400-\u9fff]", words))
    size = chinese + len(re.findall(r"[^\W\u3400-\u9fff]+", words))
    if is_instruction(piece) or is_small_talk(piece) or _SUPPOSES.search(words) or _EMPTY.fullmatch(words):
        return False
    statement = read(piece)
    if statement.slot is not None:
        return True
    enough = size >= (4 if chinese else 3)
    if _ABOUT_TALK.search(words) and not important:
        return False
    if _SELF.search(words):
        return enough
    if important and enough and not re.match(r"(?:这|此|that|this|it)\b|(?:这|此)", words, re.I):
        return True
    if is_decision(words):
        return size >= (6 if chinese else 4)
    if _WEATHER.search(words) or size < (6 if chinese else 4):
        return False
    time = _time(piece, turn)
    return time is not None and len(words) - len(time.text) >= (4 if chinese else 8)


def _candidate(piece: str, turn: Turn, important: bool) -> Candidate | None:
    text = cut(piece, MEMORY_TOKENS)
    span = text if text == piece else text.removesuffix("…")
    if not span.strip():
        return None
    statement = read(piece)
    slot = statement.slot
    if is_single_valued(slot) and statement.negated and not statement.changes:
        slot = None  # "I do not live in Oslo" says nothing of where one lives
    time = None if slot in _TIMELESS else _time(piece, turn)
    return Candidate(
        kind="task" if progress(piece) else kind_of(piece),
        text=text,
        evidence=(Evidence(turn_id=turn.turn_id, span=span),),
        slot=slot,
        weight=IMPORTANT if important else 1.0,
        event_start_ms=time.start_ms if time else None,
        event_end_ms=time.end_ms if time else None,
        mentioned_ms=turn.at_ms,
        time_zone=turn.time_zone,
    )


def _time(piece: str, turn: Turn) -> TimeWindow | None:
    prefer: Literal["past", "future"] = "future" if is_plan(piece) or kind_of(piece) == "task" else "past"
    return named_time(piece, now_ms=turn.at_ms, time_zone=turn.time_zone, prefer=prefer)


def _task_change(sentence: str, turn: Turn) -> TaskChange | None:
    said = progress(sentence)
    if said is None:
        return None
    due = None
    if said.state == "open" and said.step is None:
        due = named_time(sentence, now_ms=turn.at_ms, time_zone=turn.time_zone, prefer="future")
    return TaskChange(
        title=said.title,
        evidence=Evidence(turn_id=turn.turn_id, span=sentence),
        state=said.state,
        step=said.step,
        steps=said.steps,
        due_ms=due.end_ms - 1 if due else None,
    )


class OfflineSummariser:
    """Picks the user's most informative sentences. Implements `state.ports.Summariser`."""

    async def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return at most 50 tokens of the user's own sentences, verbatim and in order.

        Where the user only greeted and asked, the longest of what was said stands for the talk.
        """
        return Summary(text=await asyncio.to_thread(_summary, turns))


def _summary(turns: Sequence[Turn]) -> str:
    said = [sentence for turn in turns if turn.role == "user" for sentence in own_sentences(turn.text)]
    said = [sentence for sentence in dict.fromkeys(said) if not is_injection(sentence)]
    weights = {sentence: _information(sentence) for sentence in said}
    chosen: list[str] = []
    for sentence in sorted(said, key=lambda sentence: -weights[sentence]):
        wanted = [other for other in said if other in chosen or other == sentence]
        if weights[sentence] > 0 and count(" ".join(wanted)) <= MEMORY_TOKENS:
            chosen.append(sentence)
    if chosen:
        return " ".join(sentence for sentence in said if sentence in chosen)
    best = max(said, key=lambda sentence: (weights[sentence], len(sentence)), default="")
    if not best:
        other = [sentence for turn in turns for sentence in sentences(turn.text) if not is_injection(sentence)]
        best = max(other, key=len, default="")
    return cut(best, MEMORY_TOKENS)


def _information(sentence: str) -> float:
    """Return how much a sentence tells of the user, 0 for greetings, questions and requests."""
    told = " ".join(assertions(sentence))
    if is_small_talk(sentence) or not told or is_instruction(sentence):
        return 0.0
    statement = read(told)
    score = 2.0 * (statement.slot is not None) + 2.0 * asks_to_remember(sentence) + 1.5 * is_decision(told)
    score += 1.0 * is_dated(told) + 1.0 * bool(numbers(told)) + 1.0 * (_SELF.search(told) is not None)
    score += 0.5 * (re.search(r"\b[A-Z][a-z]+|《", told[1:]) is not None) - 0.5 * is_question(sentence)
    return max(score, 0.0)
