"""Comparing what two statements measure, and when what they tell happens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.models.offline_verifier.findings import NEW, Finding, unsure
from nodes.language.claims import Claim
from nodes.language.modality import is_past, is_plan, is_uncertain
from nodes.language.quantities import Quantity, contains, same
from nodes.language.wording import Content, ranks
from state.records import Candidate, Memory

DAY_MS = 86_400_000
YEAR_MS = 366 * DAY_MS

_SINCE = re.compile(
    r"从.{1,12}(?:起|开始)|自.{1,12}(?:起|以来)|\d(?:年|月|日|号)起|\b(?:since|as of|from|starting)\b", re.IGNORECASE
)
_AGAIN = re.compile(
    r"又|再(?!也|不)|还要?(?=看|去|有)|另外|第[二三四五]次|\b(?:again|another|second|also|one more|too)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"每|天天|平时|通常|一般|经常|总是|习惯|从来|\b(?:every|each|usually|always|daily|weekly|often|mornings"
    r"|evenings|(?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"昨[天晚]|前天|今[早晚]|刚才|上周|上个月|去了?趟|(?<![养有生带雇])了(?=\d|[一二两三四五六七八九十半])"
    r"|\b(?:yesterday|last (?:night|week|month|year"
    r"|summer|winter)|this morning|ago|today|tonight)\b"
    r"|\b(?:i|we) (?:just )?(?:ran|went|met|saw|had|bought|paid|spent|swam|walked|drove|flew|took|ate|drank|was"
    r"|were|did)\b",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"以后|今后|从.{1,6}起|\b(?:from now on|now|going forward)\b", re.IGNORECASE)
_PROGRESS = re.compile(
    r"第.{1,4}[章页课集关步期]|\b(?:chapter|page|lesson|episode|level|step|season|week|day)\s\d|看到|读到|学到|做到"
    r"|进行到|写到",
    re.IGNORECASE,
)
_EVER = re.compile(r"从来|从未|从不|没.{0,6}过|\b(?:never|ever|don't|doesn't|can't|not)\b", re.IGNORECASE)
_AGING = frozenset(("age", "count", "grade"))
# "Kiran is 8": a person with nothing but a number.
_AGED = re.compile(
    r"(?:\b(?:am|is|are|turned|turning)|'[sm]) (?:\w+ )?\d{1,2}\b(?! (?!already|now|today|next|this|and|soon)\w"
    r"|[%$])|(?:今年|已经|都|快|满)?[\d一二两三四五六七八九十]+岁?了?[。！]?$|\byear of\b",
    re.I,
)
_PART_OF_WEEK = re.compile(
    r"周末|工作日|周[一二三四五六日天]|休息日|假期|\b(?:weekends?|weekdays?|on (?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)days?)\b",
    re.IGNORECASE,
)
_CALENDAR = frozenset(("date", "weekday", "clock"))


@dataclass(frozen=True)
class Times:
    """When what a candidate and a memory tell happens, and when they were said."""

    candidate: Candidate
    old: Memory
    apart: bool
    together: bool
    over: bool
    long_before: bool

    @classmethod
    def of(cls, candidate: Candidate, old: Memory) -> "Times":
        """Read the times of both."""
        mine, theirs = _window(candidate), _window(old)
        meet = mine is not None and theirs is not None and max(mine[0], theirs[0]) < min(mine[1], theirs[1])
        return cls(
            candidate=candidate,
            old=old,
            apart=mine is not None and theirs is not None and not meet,
            together=meet
            and mine is not None
            and theirs is not None
            and max(mine[1] - mine[0], theirs[1] - theirs[0]) <= 2 * DAY_MS,
            over=theirs is not None and theirs[1] <= candidate.mentioned_ms,
            long_before=mine is not None and mine[1] < old.mentioned_ms - YEAR_MS,
        )

    def from_later_on(self, text: str) -> bool:
        """Say whether the candidate holds from a day on that is later than what stands."""
        start = self.candidate.event_start_ms
        later = start is not None and start > max(self.old.event_start_ms or 0, self.old.mentioned_ms)
        return later and _SINCE.search(text) is not None

    def grew_older(self, mine: Claim, theirs: Claim) -> bool:
        """Say whether an age rose with the time between."""
        ages = [
            max((one.value for one in claim.measured if one.dimension in _AGING), default=0.0)
            for claim in (theirs, mine)
        ]
        years = (self.candidate.mentioned_ms - self.old.mentioned_ms) / YEAR_MS
        return years > 0 and 0 < ages[1] - ages[0] <= years + 1

    def went_by(self, mine: Claim, theirs: Claim) -> bool:
        """Say whether a duration grew by about the time between, as the weeks of a pregnancy."""
        spans = [max(one.value for one in claim.measured if one.dimension == "duration") for claim in (theirs, mine)]
        between = (self.candidate.mentioned_ms - self.old.mentioned_ms) / 1000
        return between > DAY_MS / 1000 and 0.5 * between <= spans[1] - spans[0] <= 1.5 * between

    def on_other_days(self, mine: Claim, theirs: Claim) -> bool:
        """Say whether both name days or weekdays and none of them is the same."""
        return bool(_disagreeing(mine.measured, theirs.measured, self.together) & {"date", "weekday"})

    def dated(self, claim: Claim) -> bool:
        """Say whether a claim names a day or a time of day."""
        return any(one.dimension in _CALENDAR for one in claim.measured)

    def measures_agree(self, mine: Claim, theirs: Claim) -> bool:
        """Say whether the memory has all that the candidate measures."""
        return all(
            contains(theirs.measured, one) or (self.together and one.dimension in ("date", "weekday"))
            for one in mine.measured
        ) and not _disagreeing(mine.measured, theirs.measured, self.together)

    def happens_once(self, event: Claim, denial: Claim) -> bool:
        """Say whether one happened once and the other denies a habit or another time."""
        once = _ONCE.search(event.text) is not None and _HABIT.search(event.text) is None
        return once and _EVER.search(denial.text) is None


def _window(told: Candidate | Memory) -> tuple[int, int] | None:
    if told.event_start_ms is None or told.event_end_ms is None:
        return None
    return told.event_start_ms, told.event_end_ms


def _disagreeing(mine: Sequence[Quantity], theirs: Sequence[Quantity], together: bool) -> set[str]:
    """Return the dimensions in which both measure something and nothing of it is the same."""
    found = set()
    for dimension in {one.dimension for one in mine} & {one.dimension for one in theirs}:
        if together and dimension in ("date", "weekday"):
            continue
        first = [one for one in mine if one.dimension == dimension]
        second = [one for one in theirs if one.dimension == dimension]
        if not any(same(a, b) for a in first for b in second):
            found.add(dimension)
    money = {"money", "usd", "eur", "gbp", "jpy"}
    if not found:
        # "15 万" and "15 万元": a bare number beside a measured one.
        for counted, other in ((mine, theirs), (theirs, mine)):
            bare_ones = [one for one in counted if one.dimension == "count"]
            sums = [one for one in other if one.dimension in money]
            if (
                bare_ones
                and sums
                and not any(one.dimension in money for one in counted)
                and not any(one.value == total.value for one in bare_ones for total in sums)
            ):
                found.add("money")
    return found


def by_measure(mine: Claim, theirs: Claim, changes: bool, times: Times, *, bare: bool = False) -> Finding | None:
    """Compare two statements that measure the same of the same; None where they do not.

    `bare` says that they are known to be of one attribute, whatever their words.
    """
    differ = _disagreeing(mine.measured, theirs.measured, times.together)
    if not differ or mine.negated != theirs.negated:
        return None
    if _HABIT.search(mine.text) and _ONCE.search(theirs.text) and not _HABIT.search(theirs.text):
        return NEW
    if (
        _ONCE.search(mine.text)
        and not _HABIT.search(mine.text)
        and not changes
        and (_HABIT.search(theirs.text) or _ONCE.search(theirs.text) or times.candidate.kind == "event")
    ):
        return NEW
    if not bare and (subject := _other_subject(mine, theirs, changes)) is not None:
        return subject
    ahead, shared = mine.about.minus(theirs.about), mine.about.both(theirs.about)
    if not bare and not changes and not differ & _CALENDAR and compounds(mine.text, shared, ahead):
        return unsure("perhaps a part of the same subject")
    if is_past(mine.text) != is_past(theirs.text) or is_uncertain(mine.text) != is_uncertain(theirs.text):
        return NEW
    if differ & {"date", "weekday"}:
        return _by_calendar(mine, theirs, changes, times)
    if differ <= _AGING and _grows(mine, theirs, differ) and times.grew_older(mine, theirs):
        return Finding("update", "one grows older")
    if differ == {"duration"} and times.went_by(mine, theirs):
        return Finding("update", "time went by")
    if changes and mine.topic is not None and theirs.topic is not None and mine.topic.minus(theirs.topic).size:
        return unsure("perhaps the same subject, and it changed")
    more_special = theirs.about.minus(mine.about).size > 0
    if changes and more_special and not times.together and theirs.about.minus(mine.about).size > mine.about.size / 2:
        return Finding("undecided", "perhaps the same subject, and it changed", exact=False)
    if changes or _went_on(mine, theirs, differ):
        return Finding("update", "the same subject, and its words say that it changed", exact=not more_special)
    if _other_days(mine, theirs):
        return NEW
    if _only_clock_of_habits(mine, theirs, differ):
        return unsure("it may be said of another time")
    return Finding("conflict", "the same subject with another measure", exact=not more_special)


def _grows(mine: Claim, theirs: Claim, differ: set[str]) -> bool:
    """Say whether what differs rises by one every year: an age, a year at school."""
    if differ != {"count"}:
        return True
    people = bool(mine.who.name or mine.who.chain) or mine.about.size == theirs.about.size == 0
    return people and _AGED.search(mine.text) is not None


def _other_subject(mine: Claim, theirs: Claim, changes: bool) -> Finding | None:
    """Return what follows where the words do not speak of the same; None where they do."""
    if ranks(mine.text) != ranks(theirs.text):
        return NEW
    ahead, behind = mine.about.minus(theirs.about), theirs.about.minus(mine.about)
    shared = mine.about.both(theirs.about)
    if not ahead.size and not behind.size:
        return None
    if not shared.size:
        return NEW
    if ahead.size and behind.size:
        if (
            mine.topic is not None
            and theirs.topic is not None
            and not (mine.topic.minus(theirs.topic).size or theirs.topic.minus(mine.topic).size)
        ):
            return None
        # With a word or two of many in other words it may still be the same.
        most = shared.size - max(ahead.size, behind.size)
        if compounds(mine.text, shared, ahead) or compounds(theirs.text, shared, behind):
            return unsure("perhaps the same subject") if changes and most >= 0 else NEW
        other_thing = mine.topic is not None and theirs.topic is not None
        near = shared.size >= 2 * max(ahead.size, behind.size) and not other_thing
        return unsure("perhaps the same subject") if near or (changes and most >= 0) else NEW
    if ahead.size > 2 * shared.size or behind.size > 2 * shared.size:
        return unsure("perhaps the same subject") if changes else NEW
    return None


def compounds(text: str, shared: Content, more: Content) -> bool:
    """Say whether characters that differ stand right beside shared ones: 护照 and 驾照 share no word."""
    if not shared.chars or not more.chars:
        return False
    one, other = (f"[{''.join(chars)}]" for chars in (shared.chars, more.chars))
    return re.search(f"{other}{one}|{one}{other}", text) is not None


def _by_calendar(mine: Claim, theirs: Claim, changes: bool, times: Times) -> Finding:
    """Compare statements of the same that name different days."""
    habit_stays = _HABIT.search(theirs.text) and not _HABIT.search(mine.text) and not _FROM_NOW.search(mine.text)
    if changes and habit_stays:
        return unsure("perhaps only this once")
    if changes and not (times.over and times.apart):
        return Finding("update", "the same subject, and its words say that it changed")
    if _AGAIN.search(mine.text) or times.over:
        return NEW
    dates = [one.value for claim in (mine, theirs) for one in claim.measured if one.dimension == "date"]
    monthly = bool(dates) and max(dates) < 100
    if (_HABIT.search(mine.text) or _HABIT.search(theirs.text)) and not monthly:
        return unsure("it may be true of both days")
    definite = (
        mine.topic is not None
        or re.search(r"到期|截止|有效期|\b(?:due|expires?|valid|ends?|renew\w*|deadline)\b", mine.text, re.IGNORECASE)
        is not None
        or _same_day_known(mine, theirs)
    )
    if (definite or monthly) and not is_plan(mine.text):
        return Finding("conflict", "the same on another day")
    return NEW if times.apart else unsure("it may be true of both days")


def _same_day_known(mine: Claim, theirs: Claim) -> bool:
    # "graduated in 2012": what happens once in a life has one year.
    return mine.attribute is not None and mine.attribute == theirs.attribute and mine.attribute != "is"


def _went_on(mine: Claim, theirs: Claim, differ: set[str]) -> bool:
    if not _PROGRESS.search(mine.text) or "count" not in differ:
        return False
    counts = [max(one.value for one in claim.measured if one.dimension == "count") for claim in (theirs, mine)]
    return counts[0] < counts[1]


def _only_clock_of_habits(mine: Claim, theirs: Claim, differ: set[str]) -> bool:
    named = [{found.group().lower() for found in _PART_OF_WEEK.finditer(claim.text)} for claim in (mine, theirs)]
    return differ <= {"clock", "count"} and named[0] != named[1]


def _other_days(mine: Claim, theirs: Claim) -> bool:
    """Say whether both name days of the week or parts of it, and none of them is the same."""
    named = [{found.group().lower() for found in _PART_OF_WEEK.finditer(claim.text)} for claim in (mine, theirs)]
    return bool(named[0] and named[1]) and not named[0] & named[1]
