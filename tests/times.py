"""What a text names as its time, in the words the tests of time expressions use. Unless said otherwise, it is the
morning of Monday, 2026-11-30.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from nodes.language.timex import named_time
from nodes.language.timex.calendar import Prefer
from state.records import TimeWindow

SHANGHAI, NEW_YORK, UTC = "Asia/Shanghai", "America/New_York", "UTC"
ZONES = (SHANGHAI, NEW_YORK, UTC)
MONDAY = datetime(2026, 11, 30, 10)


def ms(local: datetime, zone: str) -> int:
    """Return the instant of a wall time in a zone."""
    return int(local.replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def named(text: str, *, now: datetime = MONDAY, zone: str = SHANGHAI, prefer: Prefer = "past") -> TimeWindow | None:
    """Return the window that a text names."""
    return named_time(text, now_ms=ms(now, zone), time_zone=zone, prefer=prefer)


def local(text: str, *, now: datetime = MONDAY, zone: str = SHANGHAI, prefer: Prefer = "past") -> tuple[str, str]:
    """Return start and end of the named window on the wall clock, "2026-11-29 18:00" style."""
    window = named(text, now=now, zone=zone, prefer=prefer)
    assert window is not None, f"no time in {text!r}"
    start, end = (datetime.fromtimestamp(at / 1000, ZoneInfo(zone)) for at in (window.start_ms, window.end_ms))
    return shown(start), shown(end)


def shown(at: datetime) -> str:
    """Return a moment as "2026-11-29 18:00", the start of a day as "2026-11-29"."""
    return at.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00")


def of_days(first: str, count: int) -> tuple[str, str]:
    """Return the first of some days and the day after the last."""
    start = date.fromisoformat(first)
    return first, (start + timedelta(days=count)).isoformat()


def listed(text: str) -> list[str]:
    """Return the parts of a text between bars and line ends."""
    return [part.strip() for line in text.strip().splitlines() for part in line.split("|")]
