"""What recall hands on: what bears on the question, what its time or its slot names, and a guess where nothing does."""

from typing import Any

from nodes.ranking.weighing import weighed
from state.records import Calibration, Hit, Memory, Unrelated
from tests.factories import memory

EN = Calibration(embedder="e", unrelated=(Unrelated(question="en", memory="en", mean=0.7, spread=0.01),))


def told(question: str, *memories: tuple[str, float], inside: tuple[int, ...] = (), **knobs: Any) -> list[str]:
    """Return the texts nothing speaks against; a memory is a text and its z-score of closeness."""
    standing: dict[str, Memory] = {f"m{place}": memory(f"m{place}", text) for place, (text, _) in enumerate(memories)}
    hits = [
        Hit(memory_id=f"m{place}", similarity=0.7 + close / 100, in_window=place in inside)
        for place, (_, close) in enumerate(memories)
    ]
    rows = weighed(question, hits, standing, calibration=EN, **knobs)
    return [row["memory"]["text"] for row in rows if row["against"] is None]


def test_inside_a_named_time_it_is_enough_not_to_be_far_behind() -> None:
    dentist, chatter, other = ("The dentist found a crack", 5.0), ("We had soup", 1.2), ("The fan is loud", 0.2)
    assert told("what did the dentist say last week?", dentist, chatter, other, inside=(0, 1, 2)) == [dentist[0]]
    assert told("what did the dentist say last week?", dentist, ("I was told to floss", 3.5), inside=(0, 1)) == [
        "The dentist found a crack",
        "I was told to floss",
    ]


def test_a_question_of_nothing_but_a_time_is_told_all_of_it() -> None:
    said = [("We raced boats", -1.0), ("I fell asleep", -2.0)]
    assert told("what happened on that day?", *said, inside=(0,), time_alone=True) == ["We raced boats"]


def test_a_slot_names_its_memory() -> None:
    assert told("where do I live?", ("We moved to Leeds", 0.5), ("I like tea", 0.4), in_slot={"m0"}) == [
        "We moved to Leeds"
    ]


def test_where_nothing_bears_on_a_personal_question_the_nearest_few_that_stand_out_are_told() -> None:
    crowd = [(f"The {thing} is loud", 0.5) for thing in ("fan", "dog", "bus", "bell", "door", "crowd", "sea")]
    near = [("I married Tom", 2.3), ("Emma is at school", 2.1), ("I swim", 1.9), ("We rent a flat", 1.8)]
    assert told("Who is my partner?", *crowd, *near) == [text for text, _ in near[:3]]
    assert told("Who is the best painter?", *crowd, *near) == []


def test_small_talk_and_orders_are_told_nothing() -> None:
    assert told("Thanks!", ("I married Tom", 2.3)) == []
    assert told("Write me a poem", ("I married Tom", 2.3)) == []


def test_what_took_a_memorys_place_is_told_with_it() -> None:
    old = memory("m0", "I lived in Boston", status="superseded", superseded_by="m1")
    new = memory("m1", "Denver it is")
    hits = [Hit(memory_id="m0", similarity=0.76), Hit(memory_id="m1", similarity=0.69)]
    rows = weighed("where did I live before?", hits, {"m0": old, "m1": new}, calibration=EN)
    assert [row["against"] for row in rows] == [None, None]
