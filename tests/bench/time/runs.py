"""One parser over everything it can read: the sets of its languages, and the lines that name no time."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.figures import Figures, rate
from tests.bench.time import no_time
from tests.bench.time.answers import Answer, Outcome, Question, figures
from tests.bench.time.sets import Case, Days, TimeSet

Ask = Callable[[Sequence[Question]], Sequence[Answer]]


@dataclass(frozen=True)
class Run:
    """What came of the cases of each set, and of the lines."""

    parser: str
    outcomes: Mapping[TimeSet, Sequence[Outcome]]
    lines: Sequence[tuple[no_time.Line, Answer]]

    def figures(self) -> Figures:
        """Return all figures under their names in the file, such as `duckling_en.ours.start` and `no_time.ours`."""
        found: Figures = {}
        for each, outcomes in self.outcomes.items():
            found |= {f"{each.name}.{self.parser}{name}": value for name, value in figures(outcomes).items()}
        for part, value in self.seen().items():
            found[f"no_time{'' if part == 'both' else f'_{part}'}.{self.parser}"] = value
        return found

    def seen(self) -> Figures:
        """Return the share of the lines in which a time was found: by language, and of both for who reads both."""
        parts = {language: [row for row in self.lines if row[0].language == language] for language in no_time.LANGUAGES}
        if all(parts.values()):
            parts["both"] = list(self.lines)
        return {part: rate(rows, lambda row: bool(row[1].found)) for part, rows in parts.items() if rows}

    def wrong(self) -> Iterator[str]:
        """Yield what went wrong as JSON lines."""
        for each, outcomes in self.outcomes.items():
            for outcome in outcomes:
                case = outcome.case
                if outcome.right and outcome.sentence_right is not False:
                    continue
                yield _line(
                    set=each.name,
                    id=case.id,
                    text=case.text,
                    sentence=case.sentence,
                    said=case.said.isoformat(),
                    sides=each.sides,
                    right=[_written(days) for days in case.right],
                    got=[_written(days) for days in outcome.readings],
                    alone_right=outcome.right,
                    alone_right_inclusive=outcome.right_inclusive,
                    sentence_right=outcome.sentence_right,
                )
        for line, answer in self.lines:
            if answer.found:
                words = [line.text[one.start : one.end] for one in answer.found]
                yield _line(set=f"no_time_{line.language}", text=line.text, got=words)


def run(parser: str, languages: Sequence[str], sets: Mapping[TimeSet, Sequence[Case]], ask: Ask) -> Run:
    """Ask a parser that reads these languages for all cases, their sentences, and the lines that name no time."""
    chosen = {each: cases for each, cases in sets.items() if each.language in languages}
    lines = [line for line in no_time.lines() if line.language in languages]
    questions = [question for each, cases in chosen.items() for case in cases for question in _questions(each, case)]
    questions += [Question(line.text, False, no_time.SAID, line.language, "past") for line in lines]
    answers = iter(ask(questions))
    outcomes = {each: [_outcome(each, case, answers) for case in cases] for each, cases in chosen.items()}
    return Run(parser, outcomes, list(zip(lines, answers, strict=True)))


def _questions(each: TimeSet, case: Case) -> Iterator[Question]:
    for side in each.sides:
        yield Question(case.text, True, case.said, each.language, side)
    if case.sentence:
        yield Question(case.sentence, False, case.said, each.language, each.sides[0])


def _outcome(each: TimeSet, case: Case, answers: Iterator[Answer]) -> Outcome:
    """Return what came of a case; the answers come in the order of its questions."""
    alone, *others = [next(answers) for _ in each.sides]
    return Outcome(case, alone, next(answers) if case.sentence else None, others[0] if others else None)


def _written(days: Days) -> list[str | None]:
    return [None if day is None else day.isoformat() for day in days]


def _line(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False)
