"""Dates as a prompt shows them: in the user's zone, with weekday and offset, the same under every locale."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

# strftime's %a speaks the language of the machine; a prompt must not.
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def stamp(ms: int, time_zone: str) -> str:
    """Return the minute an instant falls in, such as "2026-06-19 Fri 12:30 +08:00".

    Args:
        ms: Epoch milliseconds, UTC.
        time_zone: IANA name of the user's zone.

    Raises:
        zoneinfo.ZoneInfoNotFoundError: The zone is unknown.
    """
    local = _local(ms, time_zone)
    return f"{_date(local)} {local:%H:%M} {_offset(local)}"


def day(ms: int, time_zone: str) -> str:
    """Return the day an instant falls on in a zone, such as "2026-06-19 Fri"; arguments as in `stamp`."""
    return _date(_local(ms, time_zone))


def span(start_ms: int, end_ms: int, time_zone: str) -> str:
    """Return the days that `[start_ms, end_ms)` touches: one day, or "2026-06-01 Mon .. 2026-06-30 Tue".

    Args:
        start_ms: Epoch milliseconds, UTC, included.
        end_ms: Epoch milliseconds, UTC, excluded; an end not after the start gives the day of the start.
        time_zone: IANA name of the user's zone.

    Raises:
        zoneinfo.ZoneInfoNotFoundError: The zone is unknown.
    """
    first, last = day(start_ms, time_zone), day(max(start_ms, end_ms - 1), time_zone)
    return first if first == last else f"{first} .. {last}"


def about(start_ms: int | None, end_ms: int | None, time_zone: str) -> str | None:
    """Return the days of a time as `span` does, "by" the last or "from" the first where only that is known.

    Args:
        start_ms: Epoch milliseconds, UTC, included; None where no start is known.
        end_ms: Epoch milliseconds, UTC, excluded; None where no end is known.
        time_zone: IANA name of the user's zone.

    Raises:
        zoneinfo.ZoneInfoNotFoundError: The zone is unknown.
    """
    if start_ms is not None and end_ms is not None:
        return span(start_ms, end_ms, time_zone)
    if end_ms is not None:
        return f"by {day(end_ms - 1, time_zone)}"
    return None if start_ms is None else f"from {day(start_ms, time_zone)}"


def _local(ms: int, time_zone: str) -> datetime:
    # Added to the epoch, not read by fromtimestamp: that one refuses years before 1970 on some systems.
    instant = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=ms)
    return instant.astimezone(ZoneInfo(time_zone))


def _date(local: datetime) -> str:
    return f"{local.date().isoformat()} {_WEEKDAYS[local.weekday()]}"


def _offset(local: datetime) -> str:
    text = local.isoformat(timespec="minutes")
    return text[len("2026-06-19T12:30") :]
