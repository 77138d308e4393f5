"""One set through the stores: each user's sessions are written and questions asked, in the order they were lived."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.bench.figures import Figures
from tests.bench.recall.answers import Answer
from tests.bench.recall.asking import ask_all, asked_by
from tests.bench.recall.place import Place
from tests.bench.recall.scoring import Measured, means, measures, timing
from tests.bench.recall.sets import Question, Store
from tests.bench.recall.writing import write


class Asked(NamedTuple):
    """What each profile brought for one question; rankings hold the set's own ids."""

    store: Store
    question: Question
    answers: dict[str, Answer]


async def live(
    place: Place, stores: Sequence[Store], profiles: Sequence[str], *, done: Callable[[int], object] = lambda _: None
) -> list[Asked]:
    """Write and ask; `done` is called with how many memories were written or questions answered since."""
    found = []
    for store in stores:
        user_id = f"{store.set} {store.name}"
        names: dict[str, str] = {}
        said_ms: dict[str, int] = {}
        written = 0
        for question in store.questions:
            for number in range(written, question.after):
                new = await write(place, store, number, user_id)
                names |= {memory_id: said.id for memory_id, said in new.items()}
                said_ms |= {memory_id: said.at_ms for memory_id, said in new.items()}
                done(len(new))
            written = max(written, question.after)
            turn = asked_by(user_id, question.text, question.at_ms, store.zone)
            found.append(Asked(store, question, await ask_all(place, turn, profiles, said_ms, names)))
            done(1)
    return found


def figures(asked: Sequence[Asked], profile: str, apart: Sequence[str]) -> Figures:
    """Return a profile's figures over a set; of a peer those over the questions it was asked."""
    answered = [(each.question, each.answers[profile]) for each in asked if profile in each.answers]
    measured = [
        Measured(question.id, question.category, measures(answer.ranking, answer.shown, question.evidence))
        for question, answer in answered
    ]
    return {**means(measured, apart), **timing(answer for _, answer in answered)}
