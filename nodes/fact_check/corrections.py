"""A user's edit of a memory as what it is: a correction they say, with the one candidate that follows from it."""

import re

from nodes.fact_check.own_words import UNDATED
from nodes.language.pieces import time_of
from nodes.language.statements import read
from state.records import Candidate, Evidence, Memory, Turn


def correction(old: str, new: str) -> str:
    """Return how the user corrects a memory, in the language of the new words: only the old ones are quoted."""
    if re.search(r"[\u3400-\u9fff]", new):
        return f"更正：“{old}”不对。{new}"
    return f'Correction: "{old}" is not right. {new}'


def corrected(memory: Memory, new: str, said: Turn) -> Candidate:
    """Return the candidate with the new words; its evidence is where they stand in the correction that was said.

    Time words that were not touched mean what they meant when the memory was said; others are read from now on. Words
    that state another attribute leave the slot of the old ones.
    """
    slot = read(new).slot or memory.slot
    then = time_of(memory.text, now_ms=memory.mentioned_ms, time_zone=memory.time_zone)
    now = time_of(new, now_ms=said.at_ms, time_zone=said.time_zone) if slot not in UNDATED else None
    start_ms, end_ms = (now.begins_ms, now.ends_ms) if now else (None, None)
    if now and then and now.text == then.text:
        start_ms, end_ms = memory.event_start_ms, memory.event_end_ms
    return Candidate(
        kind=memory.kind,
        text=new,
        evidence=(Evidence(turn_id=said.turn_id, span=new),),
        slot=slot,
        weight=memory.weight,
        event_start_ms=start_ms,
        event_end_ms=end_ms,
        mentioned_ms=said.at_ms,
        time_zone=said.time_zone,
        corrects=memory.memory_id,
    )
