"""Time zones by their IANA names."""

from zoneinfo import ZoneInfo


def is_zone(name: str) -> bool:
    """Say whether this machine knows a time zone of that name."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
