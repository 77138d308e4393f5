"""Which points a search means, as Qdrant's filters over a point's payload."""

from collections.abc import Sequence
from typing import Any

from qdrant_client import models

from state.records import Language, TimeWindow


def of_user(user_id: str) -> models.Filter:
    """Return the filter for all points of a user."""
    return models.Filter(must=[is_user(user_id)])


def is_user(user_id: str) -> models.FieldCondition:
    """Return the condition that a point is this user's."""
    return models.FieldCondition(key="metadata.user_id", match=models.MatchValue(value=user_id))


def has_status(statuses: Sequence[str]) -> models.FieldCondition:
    """Return the condition that a point has one of these statuses."""
    return models.FieldCondition(key="metadata.status", match=models.MatchAny(any=list(statuses)))


def in_language(language: Language) -> models.FieldCondition:
    """Return the condition that a memory is in this language."""
    return models.FieldCondition(key="metadata.language", match=models.MatchValue(value=language))


def is_inside(payload: dict[str, Any], window: TimeWindow) -> bool:
    """Say whether a memory was said inside the window, or its event overlaps it: what `said_or_happening` asks."""
    said: int | None = payload.get("mentioned_ms")
    inside = said is not None and window.holds(said)
    return inside or window.meets(payload.get("event_start_ms"), payload.get("event_end_ms"))


def said_or_happening(window: TimeWindow) -> models.Filter:
    """Return the filter for memories said inside the window, or whose event overlaps it."""

    def field(key: str, **limits: float) -> models.FieldCondition:
        return models.FieldCondition(key=f"metadata.{key}", range=models.Range(**limits))

    def lacks(key: str) -> models.IsEmptyCondition:
        return models.IsEmptyCondition(is_empty=models.PayloadField(key=f"metadata.{key}"))

    begun = field("event_start_ms", lt=window.end_ms)
    due = field("event_end_ms", gt=window.start_ms, lte=window.end_ms)
    return models.Filter(
        should=[
            field("mentioned_ms", gte=window.start_ms, lt=window.end_ms),
            field("event_start_ms", gte=window.start_ms, lt=window.end_ms),
            models.Filter(must=[begun, field("event_end_ms", gt=window.start_ms)]),
            models.Filter(must=[begun, lacks("event_end_ms")]),
            models.Filter(must=[due, lacks("event_start_ms")]),
        ]
    )
