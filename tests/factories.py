"""Records with sensible fields, for tests that care about one or two of them."""

from typing import Any

from state.ports import Judgement, Neighbour
from state.records import Candidate, Evidence, Memory, Receipt, Turn, Verdict
from state.schema import CandidateRow, HitRow, RankedRow

ZONE = "Asia/Shanghai"
NOW_MS = 1_796_025_600_000  # 2026-11-30 16:00 in Shanghai, a Monday
DAY_MS = 86_400_000


def turn(text: str = "我住在北京", **fields: Any) -> Turn:
    base = {"user_id": "ann", "session_id": "s1", "turn_id": "t1", "role": "user", "time_zone": ZONE, "at_ms": NOW_MS}
    return Turn.model_validate({**base, "ordinal": 1, "text": text, **fields})


def candidate(text: str = "我住在北京", **fields: Any) -> Candidate:
    base = {"kind": "fact", "evidence": (Evidence(turn_id="t1", span=text),), "mentioned_ms": NOW_MS}
    return Candidate.model_validate({**base, "time_zone": ZONE, "text": text, **fields})


def memory(memory_id: str = "00000000-0000-5000-8000-000000000001", text: str = "我住在北京", **fields: Any) -> Memory:
    base = {"user_id": "ann", "session_id": "s1", "kind": "fact", "status": "active", "mentioned_ms": NOW_MS}
    evidence = (Evidence(turn_id="t1", span=text),)
    receipt = receipt_of("conflict" if fields.get("status") == "disputed" else "new")
    return Memory.model_validate(
        {**base, "time_zone": ZONE, "memory_id": memory_id, "text": text, "evidence": evidence, "receipt": receipt}
        | fields
    )


def receipt_of(relation: str, **fields: Any) -> Receipt:
    base = {"grounded": "supported", "confidence": 0.9, "reason": "as said", "verifier": "Qwen/Qwen3-8B"}
    return Receipt.model_validate(
        {**base, "provisional": False, "prompt_hash": "abc", "judged_ms": NOW_MS, "relation": relation, **fields}
    )


def judgement(relation: str, **fields: Any) -> Judgement:
    base = {"grounded": "supported", "confidence": 0.9, "reason": "as said"}
    verdict = Verdict.model_validate({**base, "relation": relation, **fields})
    return Judgement(
        verdict=verdict, compared=verdict.concerns, verifier="Qwen/Qwen3-8B", provisional=False, prompt_hash="abc"
    )


def candidate_row(
    proposed: Candidate | None = None,
    verdict: Judgement | None = None,
    company: list[Memory] | None = None,
    refused: str | None = None,
) -> CandidateRow:
    beside = [
        Neighbour(memory=standing, similarity=0.9, same_slot=standing.slot is not None).row()
        for standing in company or []
    ]
    return {
        "memory_id": "00000000-0000-5000-8000-0000000000ff",
        "candidate": (proposed or candidate()).row(),
        "source": [turn().row()],
        "context": [],
        "asked": [],
        "company": beside,
        "refused": refused,
        "judgement": verdict.row() if verdict else None,
        "standing": None,
    }


def hit_row(standing: Memory | None = None, **fields: Any) -> HitRow:
    row: HitRow = {
        "memory": (standing or memory()).row(),
        "similarity": 0.9,
        "similarity_rank": 1,
        "lexical": 1.0,
        "lexical_rank": 1,
        "in_window": False,
        "parts": {"meaning": 1.0, "words": 1.0, "subject": 0.0, "asks": 0.0, "slot": 0.0},
        "relevance": 1.0,
        "against": None,
    }
    return {**row, **fields}  # type: ignore[typeddict-item]


def ranked_row(number: int = 1, text: str = "我住在北京", **fields: Any) -> RankedRow:
    row: RankedRow = {
        "number": number,
        "memory_id": f"m{number}",
        "text": text,
        "kind": "fact",
        "status": "active",
        "session_id": "s0",
        "mentioned_ms": NOW_MS,
        "event_start_ms": None,
        "event_end_ms": None,
        "valid_from_ms": None,
        "valid_to_ms": None,
        "time_zone": ZONE,
        "score": 1.0,
        "parts": {"importance": 1.0},
        "stale": False,
        "provisional": False,
        "detail": None,
        "reason": None,
    }
    return {**row, **fields}  # type: ignore[typeddict-item]
