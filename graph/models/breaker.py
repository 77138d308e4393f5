"""A circuit breaker before a server: one that keeps failing is left alone for a while."""

from contextlib import suppress

from circuitbreaker import CircuitBreaker

from state.errors import ModelUnavailable

FAILURES = 3
REST_SECONDS = 30.0


class Breaker:
    """Counts outages in a row. After FAILURES of them nothing is asked for a while; then the next answer decides.

    What came of a call is told by `failed` and `answered`; a call that was cancelled says nothing about the server.
    """

    def __init__(self, *, rest_seconds: float = REST_SECONDS) -> None:
        self._circuit = CircuitBreaker(
            failure_threshold=FAILURES, recovery_timeout=rest_seconds, expected_exception=ModelUnavailable
        )

    @property
    def trouble(self) -> str | None:
        """Return one sentence while the server is left alone, else None."""
        if not self._circuit.opened:
            return None
        return (
            f"{self._circuit.last_failure} It failed {self._circuit.failure_count} times in a row "
            f"and is asked again in {self._circuit.open_remaining} s."
        )

    def check(self) -> None:
        """Raise ModelUnavailable while the server is left alone."""
        if trouble := self.trouble:
            raise ModelUnavailable(trouble)

    def failed(self, outage: ModelUnavailable) -> None:
        """Count an outage."""
        # Around the call itself, the circuit would take any other exception for a success, a cancellation too.
        with suppress(ModelUnavailable), self._circuit:
            raise outage

    def answered(self) -> None:
        """Forget the outages: the server is there."""
        self._circuit.reset()
