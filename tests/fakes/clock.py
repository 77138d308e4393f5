"""A clock set by hand."""

from tests.factories import NOW_MS


class HandClock:
    """Satisfies `state.ports.Clock`: stands still until it is set, and goes back where a test says so."""

    def __init__(self, now_ms: int = NOW_MS) -> None:
        self.at_ms = now_ms

    def now_ms(self) -> int:
        return self.at_ms
