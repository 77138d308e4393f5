"""The project's own cases: one JSON object a line, in `cases/{zh,en}_{dev,blind}.jsonl`.

Rules and prompts may be made with the dev files in view, never with the blind ones: nothing here shows a case's words.
"""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nodes.fact_check.own_words import MEMORY_TOKENS
from nodes.language.grounding import occurs
from nodes.language.tokens import count
from state.records import Grounding, Kind, Resolution
from state.slots import is_single_valued

CASES = Path(__file__).parent / "cases"
ZONES = {"zh": "Asia/Shanghai", "en": "America/New_York"}

Language = Literal["zh", "en"]
Part = Literal["dev", "blind"]
Name = Literal[
    "new",
    "duplicate",
    "update",
    "conflict",
    "both_true",
    "unsupported",
    "partial",
    "instruction",
    "secret",
    "resolves",
]
Index = Annotated[int, Field(ge=0)]
NAMES: tuple[Name, ...] = Name.__args__  # type: ignore[attr-defined]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Standing(_Strict):
    """A memory the user has before anything is said. `opposes` are places in the case's list of memories."""

    text: str
    said: date
    slot: str | None
    kind: Kind
    event: tuple[datetime, datetime] | None = None
    status: Literal["active", "disputed"] = "active"
    opposes: tuple[Index, ...] = ()
    asked: bool = False


class Note(_Strict):
    """The candidate: what is proposed to be remembered of what is said, right or wrong."""

    text: str
    span: str
    slot: str | None
    kind: Kind
    event: tuple[datetime, datetime] | None = None
    answers: Index | None = None


class Expected(_Strict):
    """What the gate should find. Of partial support, the relation is that of the supported part."""

    refused: Literal[True] | None = None
    grounded: Grounding | None = None
    relation: Literal["new", "duplicate", "update", "conflict", "resolves"] | None = None
    concerns: tuple[Index, ...] = ()
    resolution: Resolution | None = None
    supported_part: str | None = None


class Case(_Strict):
    """One case, with the language and the part of the set its file stands for."""

    id: str
    name: Name = Field(alias="class")
    tags: tuple[str, ...]
    now: datetime
    memories: tuple[Standing, ...]
    assistant: str | None = None
    said: str
    note: Note
    expect: Expected
    language: Language
    part: Part

    @property
    def label(self) -> str:
        """The class the gate should come to: what is true beside what stands is new."""
        return "new" if self.name == "both_true" else self.name

    @property
    def zone(self) -> str:
        """The user's time zone."""
        return ZONES[self.language]

    def ms(self, at: datetime) -> int:
        """Return a local time of the case as epoch milliseconds."""
        return int(at.replace(tzinfo=ZoneInfo(self.zone)).timestamp() * 1000)

    def said_ms(self, index: int) -> int:
        """Return when a standing memory was said: at noon, or a minute before now where that was today."""
        noon = datetime.combine(self.memories[index].said, datetime.min.time()) + timedelta(hours=12)
        return min(self.ms(noon) + index, self.ms(self.now) - 120_000 + index)

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        for problem, holds in (*self._memory_rules(), *self._note_rules(), *self._expectation_rules()):
            if not holds:
                raise ValueError(problem)
        return self

    def _memory_rules(self) -> list[tuple[str, bool]]:
        active = [memory for memory in self.memories if memory.status == "active"]
        single = [memory.slot for memory in active if is_single_valued(memory.slot)]
        return [
            ("a memory is said after now", all(memory.said <= self.now.date() for memory in self.memories)),
            ("a memory is too long", all(count(memory.text) <= MEMORY_TOKENS for memory in self.memories)),
            ("two memories hold a slot of one value", len(single) == len(set(single))),
            ("a disputed memory opposes nothing", all(m.opposes for m in self.memories if m.status == "disputed")),
            ("an active memory opposes one", not any(memory.opposes or memory.asked for memory in active)),
            (
                "a memory opposes one that does not stand",
                all(self._has(at) and self.memories[at].status == "active" for m in self.memories for at in m.opposes),
            ),
        ]

    def _note_rules(self) -> list[tuple[str, bool]]:
        note, answered = self.note, self.note.answers
        return [
            ("the span does not occur in what is said", bool(note.span.strip()) and occurs(note.span, self.said)),
            # What is refused may be of any length: nobody has cut it yet.
            ("the note is too long", bool(self.expect.refused) or count(note.text) <= MEMORY_TOKENS),
            ("an event ends before it starts", note.event is None or note.event[0] < note.event[1]),
            ("it answers what was not asked", answered is None or (self._has(answered) and self._asked(answered))),
        ]

    def _expectation_rules(self) -> list[tuple[str, bool]]:
        expect, name = self.expect, self.name
        relation = {"both_true": "new", "partial": expect.relation, "unsupported": None}.get(name, name)
        if name in ("instruction", "secret"):
            return [("what is refused has no verdict", expect == Expected(refused=True))]
        grounded = name if name in ("unsupported", "partial") else "supported"
        disputed = all(self._has(at) and self.memories[at].status == "disputed" for at in expect.concerns)
        return [
            ("only instructions and secrets are refused", expect.refused is None),
            (f"a case of {name} is not {expect.grounded}", expect.grounded == grounded),
            (f"a case of {name} is not {expect.relation}", expect.relation == relation),
            ("the supported part has no relation", name != "partial" or expect.relation is not None),
            ("it concerns a memory that is not there", all(self._has(at) for at in expect.concerns)),
            ("only what is new concerns nothing", bool(expect.concerns) == (relation not in (None, "new"))),
            ("a resolution goes with resolves", (expect.resolution is not None) == (relation == "resolves")),
            ("it resolves one open dispute", relation != "resolves" or (disputed and len(expect.concerns) == 1)),
            ("a supported part goes with partial support", bool(expect.supported_part) == (name == "partial")),
        ]

    def _has(self, index: int) -> bool:
        return index < len(self.memories)

    def _asked(self, index: int) -> bool:
        return self.memories[index].status == "disputed" and self.memories[index].asked


class CaseBroken(ValueError):
    """A case file breaks its own format; names file, line and rule, and none of the case's words."""


def load(folder: Path = CASES) -> list[Case]:
    """Read all four files; raise CaseBroken at the first line that is no case, or whose id was there before."""
    cases: list[Case] = []
    seen: set[str] = set()
    for language in ZONES:
        for part in ("dev", "blind"):
            path = folder / f"{language}_{part}.jsonl"
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                case = _case(line, {"language": language, "part": part}, f"{path.name}, line {number}")
                if case.id in seen:
                    raise CaseBroken(f"{path.name}, line {number}: the id {case.id} was there before")
                seen.add(case.id)
                cases.append(case)
    return cases


def _case(line: str, of_file: dict[str, str], place: str) -> Case:
    try:
        return Case.model_validate({**json.loads(line), **of_file})
    except json.JSONDecodeError as error:
        raise CaseBroken(f"{place}: no JSON at column {error.colno}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CaseBroken(f"{place}: {where} {first['msg']}") from None
