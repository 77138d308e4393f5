"""Whether a source bears a candidate: its words, numbers and names were said by the user, of the same, and meant."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from graph.models.offline_verifier.parts import Piece, pieces, units, without, without_company
from graph.models.offline_verifier.sense import meant_otherwise
from nodes.language.claims import claim
from nodes.language.grounding import names, occurs, ungrounded
from nodes.language.people import relations, subject
from nodes.language.quantities import Quantity, contains, quantities
from nodes.language.sentences import bare, is_question, sentences
from nodes.language.timex import named_time
from nodes.language.timex.calendar import Prefer
from nodes.language.wording import Content, content, own, plain_words
from state.ports import Neighbour
from state.records import Candidate, Grounding, TimeWindow, Turn

ENOUGH = 0.5
"""How much of a note's content must be the source's own words; the rest may be other words for it."""

ENOUGH_OF_A_PART = 0.6
"""The same of a part that is joined to a note: added words are few."""

LONG = 1200
MOST_PIECES = 80
"""How much of a long source is compared piece by piece: what stands around the evidence."""

_SIDES: tuple[Prefer, ...] = ("past", "future")
_RELATIVE = re.compile(
    r"[今明昨后前]天|[今明昨]晚|今早|[上下这本]个?(?:周|月|星期|礼拜)|[去今明前后]年|月[初底中]|年[初底]"
    r"|周[一二三四五六日天末]|礼拜|节"
    r"|\b(?:today|tomorrow|yesterday|tonight|next|last|this|ago|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"周[一二三四五六日天末]|礼拜|节|day$|^(?:this|ago)$", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:to|in|from|at|near|via|on|for) [A-Z]\w+(?: [A-Z]\w+)*")
_PERSON = re.compile(
    r"[他她]|们|家(?!具|务|里)|孩|娃|宝|人(?=家|$|[，,])|老[大二三公婆]|\b(?:he|she|him|her|his|they|them|their|kids?|guys?|girls?|boys?"
    r"|lad|lass|baby|folks|family|we|us|our)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:对|是的?|没错|嗯|好的?|yes|yeah|yep|right|correct|exactly|sure)\b|^\W*(?:对|是的|没错|嗯)", re.IGNORECASE
)
_NOT_BEFORE = re.compile(r"(?:不是|而非|并非|\bnot(?: on| in)?|\brather than|\binstead of)\s*$", re.IGNORECASE)
_FINE = re.compile(r"没事|没问题|可以|不要紧|\b(?:fine|ok|okay|no problem)\b", re.IGNORECASE)
_TAIL_EN = re.compile(
    r"\s(?:in|at|with|for|from|on|near|called|named|as|to|by|every|since)\s(?:(?!\b(?:in|at|with|for|from"
    r"|near)\b)[^,])*$"
)


@dataclass(frozen=True)
class Support:
    """How far a source bears a candidate, why, and the part it does bear where that is not all."""

    grounded: Grounding
    reason: str
    part: str = ""


def support(
    candidate: Candidate, source: Sequence[Turn], context: Sequence[Turn], company: Sequence[Neighbour] = ()
) -> Support:
    """Say whether the source bears a candidate; what it denies may stand in a disputed memory beside it."""
    if not bare(candidate.text).strip():
        return Support("unsupported", "it says nothing")
    turns = {turn.turn_id: turn for turn in source}
    cited = [turns.get(part.turn_id) for part in candidate.evidence]
    texts = [turn.text if turn else "" for turn in cited]
    if candidate.kind == "episode":
        strange = ungrounded(candidate.text, texts)
        reason = f"not in the source: {', '.join(strange)}" if strange else "its numbers, dates and names were said"
        return Support("unsupported" if strange else "supported", reason)
    spans = [part.span for part in candidate.evidence]
    if not spans or not all(occurs(span, text) for span, text in zip(spans, texts, strict=True)):
        return Support("unsupported", "the words it rests on do not occur in the source")
    if any(turn is not None and turn.role == "assistant" for turn in cited):
        return Support("unsupported", "only the assistant said it")
    disputed = " ".join(one.memory.text for one in company if one.memory.status == "disputed" or one.asked)
    reader = _Reader(candidate, list(dict.fromkeys(texts)), spans, _asked(context), disputed)
    return reader.judge(candidate.text)


def _asked(context: Sequence[Turn]) -> str:
    """Return what the assistant asked right before, which a short answer leaves out."""
    said = context[-1].text if context and context[-1].role == "assistant" else ""
    return " ".join(sentence for sentence in sentences(said) if is_question(sentence))


def _near(text: str, spans: Sequence[str]) -> str:
    """Return the part of a long source that stands around the spans."""
    if len(text) <= LONG:
        return text
    starts = [text.find(span[:40]) for span in spans]
    first = max(min((start for start in starts if start >= 0), default=0) - LONG // 4, 0)
    return text[first : first + LONG]


class _Reader:
    """Compares notes with one source."""

    def __init__(
        self, candidate: Candidate, texts: Sequence[str], spans: Sequence[str], question: str, disputed: str
    ) -> None:
        self._candidate = candidate
        self._text = "\n".join(_near(text, spans) for text in texts)
        self._question = question
        self._copied = False
        self._disputed = quantities(plain_words(disputed))
        self._spans = [bare(own(span[:LONG]))[: LONG // 4] for span in spans]
        self._pieces = list(
            islice((piece for text in texts for piece in pieces(_near(own(text), self._spans))), MOST_PIECES)
        )
        self._said = content(self._text)
        self._measured = quantities(plain_words(self._text))

    def judge(self, note: str) -> Support:
        """Judge a note as a whole and by its parts."""
        said = units(note)
        self._copied = self._is_copied(note)
        wrong = [self._wrong(unit, said[0]) for unit in said]
        if not any(wrong):
            return Support("supported", "its words stand in the source")
        reason = next(why for why in wrong if why)
        if None in wrong and (wrong[0] is None or content(said[wrong.index(None)]).size > 1):
            kept = without(note, said, [why is not None for why in wrong])
            return Support("partial", reason, kept)
        tail = _TAIL_EN.search(said[0])
        alone = without_company(note)
        if alone != note and reason.startswith("not in the source") and self._wrong(alone, alone) is None:
            return Support("partial", reason, alone)
        if tail is not None and len(said) == 1 and reason.startswith("not in the source") and self._adds(tail.group()):
            shorter = said[0][: tail.start()]
            if len(shorter.split()) > 3 and self._wrong(shorter, shorter) is None:
                return Support("partial", reason, shorter)
        if self._confirms(note):
            return Support("partial", "the user only said yes to the assistant's words")
        return Support("unsupported", reason)

    def _adds(self, tail: str) -> bool:
        """Say whether a tail tells something more, and does not say otherwise what the source measures too."""
        known = {one.dimension for one in self._measured}
        return not any(one.dimension in known for one in quantities(tail))

    def _is_copied(self, note: str) -> bool:
        words = re.escape(bare(own(note)))
        return re.search(rf"(?:^|[，,。.!！？?；;:：\n])\s*{words}", own(self._text), re.IGNORECASE) is not None

    def _confirms(self, note: str) -> bool:
        return _YES.match(self._text) is not None and content(note).minus(content(self._question)).size <= 1

    def _wrong(self, unit: str, first: str) -> str | None:
        """Return why the source does not bear a unit of the note, or None."""
        if strange := self._strange(unit):
            return f"not in the source: {', '.join(strange)}"
        wanted, best = _without_measuring(content(unit), quantities(plain_words(unit))), self._best(unit, first)
        said = self._said if unit == first else content(" ".join(piece.text for piece in best[:1]))
        shared = wanted.both(said)
        answer = wanted.minus(said).both(content(self._question)) if self._question else None
        known = shared.size + (answer.size if answer else 0.0)
        enough = ENOUGH if unit == first else ENOUGH_OF_A_PART
        if wanted.size and (known < enough * wanted.size or (not shared.size and not quantities(plain_words(unit)))):
            return "its words are not those of the source"
        reasons = [meant_otherwise(unit, first, piece, self._text, copied=self._copied) for piece in best]
        value = content(claim(unit).statement.value or "")
        if (
            unit != first
            and value.size
            and best
            and _FINE.search(best[0].text)
            and not wanted.minus(value).both(content(best[0].text)).size
        ):
            return "the source says it is otherwise"
        return None if None in reasons or not reasons else reasons[0]

    def _strange(self, unit: str) -> list[str]:
        """Return numbers, names and values of a unit that were not said."""
        words = plain_words(unit)
        lower = own(f"{self._text} {self._question}").casefold()
        strange = [
            one
            for one in quantities(words)
            if not self._measures(one) and not (one.dimension == "count" and one.value == 1)
        ]
        denied = [one for one in strange if _NOT_BEFORE.search(words[: one.start]) and contains(self._disputed, one)]
        found = [one.text for one in strange if one not in denied]
        found += [name for name in names(own(unit)) if not re.search(rf"(?<![a-z]){re.escape(name.casefold())}", lower)]
        found += [kin for kin in relations(unit) - relations(f"{self._text} {self._question}") if self._names_nobody()]
        found += [word for word in _RELATIVE.findall(unit) if not _WEEKDAY.search(word) and not self._is_timed(word)]
        said = claim(unit)
        strict = said.statement.value or (said.value if said.attribute not in (None, "is") else None)
        if strict and re.search(r"[\u4e00-\u9fff]", strict):
            missing = content(strict, measured=True).minus(content(f"{self._text} {self._question}", measured=True))
            found += ["".join(sorted(missing.chars))] if missing.chars else []
        if named := re.search(r"(?:叫|名为|姓|名叫)(?P<name>[\u4e00-\u9fff]{1,3})$", bare(own(unit))):
            found += [named["name"]] if named["name"] not in own(self._text) else []
        return found

    def _names_nobody(self) -> bool:
        """Say whether the source speaks of nobody whom a relation in a note could mean."""
        if _PERSON.search(self._text) or names(_PLACE.sub(" ", self._text)):
            return False
        return not any(subject(piece.text)[0].name for piece in self._pieces)

    def _is_timed(self, word: str) -> bool:
        """Say whether the source names the time that a relative word does, in whatever words."""
        given = f"{self._text} {self._question}"
        return (
            word.casefold() in given.casefold()
            or not self._times(word)
            or any(
                a.start_ms < b.end_ms and b.start_ms < a.end_ms for a in self._times(word) for b in self._times(given)
            )
        )

    def _measures(self, one: Quantity) -> bool:
        if contains(self._measured, one) or (self._question and contains(quantities(plain_words(self._question)), one)):
            return True
        if one.dimension not in ("date", "weekday"):
            return False
        return self._resolved(one) or any(
            a.start_ms < b.end_ms and b.start_ms < a.end_ms
            for a in self._times(one.text)
            for text in (self._text, *self._spans)
            for b in self._times(text)
        )

    def _times(self, text: str) -> list[TimeWindow]:
        """Return when a text may mean, said when the candidate was; of "since May" the month that it names."""
        said_ms, zone = self._candidate.mentioned_ms, self._candidate.time_zone
        times: list[TimeWindow | None] = []
        for prefer in _SIDES:
            time = named_time(text, now_ms=said_ms, time_zone=zone, prefer=prefer)
            if time is not None and time.open:
                time = named_time(time.text, now_ms=said_ms, time_zone=zone, prefer=prefer)
            times.append(time)
        return [time for time in times if time is not None]

    def _resolved(self, one: Quantity) -> bool:
        """Say whether a date is that of the event, which code resolved from relative words, and no other was said."""
        start, end = self._candidate.event_start_ms, self._candidate.event_end_ms
        if start is None and end is not None:  # "by Friday" is over with Friday
            start = end - 1
        if end is None and start is not None:
            end = start + 1
        if start is None or end is None or any(given.dimension == "date" for given in self._measured):
            return False
        found = named_time(one.text, now_ms=start, time_zone=self._candidate.time_zone, prefer="future")
        return (
            found is not None
            and found.start_ms < end
            and start < found.end_ms
            and _RELATIVE.search(self._text) is not None
        )

    def _best(self, unit: str, first: str) -> list[Piece]:
        """Return the pieces of the source that say most of a unit; those of its span where they say as much."""
        wanted, measured = content(unit), quantities(plain_words(unit))
        value = content(claim(unit).statement.value or "")

        # What sets it apart from the unit it is joined to tells best which piece speaks of it.
        further = wanted.minus(content(first))

        def share(piece: Piece) -> float:
            given = content(piece.text)
            common = wanted.both(given).size + value.both(given).size + further.both(given).size
            return common + sum(0.5 for one in measured if contains(quantities(plain_words(piece.text)), one))

        most = max(map(share, self._pieces), default=0.0)
        best = [piece for piece in self._pieces if share(piece) == most and most > 0]
        of_span = [piece for piece in best if any(span in piece.sentence for span in self._spans)]
        return of_span or best


# What a quantity of a dimension says by itself: of 78 kg one need not say "weighs".
_SAYS_ITSELF = {
    "mass": ("weigh", "weight", "体", "重"),
    "length": ("tall", "height", "long", "身", "高", "长"),
    "age": ("old", "age", "岁"),
    "money": ("cost", "price", "pay", "花", "价", "钱"),
    "usd": ("cost", "price", "pay", "花", "价", "钱"),
}


def _without_measuring(wanted: Content, measured: Sequence[Quantity]) -> Content:
    said = {word for one in measured for word in _SAYS_ITSELF.get(one.dimension, ())}
    return Content(wanted.words - said, wanted.chars - said)
