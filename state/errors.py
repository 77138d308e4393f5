"""The one error tree of Loci.

    LociError
    ├── SettingsError            a setting is missing or wrong; names the variable
    ├── InputRejected            a run was given nothing it can answer
    ├── DecisionRefused          a memory's status does not allow what the user decides about it
    ├── TenantMissing            a port was called without a user id
    ├── StoreError
    │   ├── EmbeddedServerError  a bundled server cannot start; says what to do
    │   ├── StoreUnavailable     a store does not answer now; trying later may help
    │   └── StoreMismatch        a store holds what this version or model cannot use
    ├── ModelError
    │   ├── ModelUnavailable     a model does not answer now
    │   └── ModelAnswerUnusable  a model answered, and the answer cannot be read
    └── EndpointError            a client of the endpoint does not get what it asked for
        └── EndpointUnreachable  nothing answers at the endpoint's address

A node may turn a StoreUnavailable or a ModelError into data (`degraded`); it never turns one into a guess.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from state.records import LedgerEntry  # which imports this module


class LociError(RuntimeError):
    """Anything Loci itself reports; its text is one sentence a user can act on, without secrets.

    A RuntimeError, because LangGraph's server hides the words of exceptions it does not know from its clients.
    """


class SettingsError(LociError):
    """A setting is missing or wrong."""


class InputRejected(LociError):
    """A run was given nothing it can answer."""


class DecisionRefused(LociError):
    """A memory's status does not allow what the user decides about it."""


class TenantMissing(LociError):
    """A port was called with an empty user id; an empty filter is never "all"."""

    def __init__(self) -> None:
        super().__init__("A user id is needed: memories are never read or written for everybody.")


class StoreError(LociError):
    """A store cannot do what was asked."""


class EmbeddedServerError(StoreError):
    """A bundled server cannot start or stop."""


class StoreUnavailable(StoreError):
    """A store does not answer now.

    `part` is the name under which the outage is shown: "redis", "qdrant" or "postgres".
    """

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"{part} does not answer: {reason}")
        self.part = part
        self.reason = reason


class StoreMismatch(StoreError):
    """A store was made by another schema version or another embedding model."""


class ModelError(LociError):
    """A language model cannot do what was asked. `usage` is what was spent on it all the same."""

    def __init__(self, message: str, usage: tuple["LedgerEntry", ...] = ()) -> None:
        super().__init__(message)
        self.usage = usage


class ModelUnavailable(ModelError):
    """A model does not answer now: refused, timed out, rate-limited or failing."""


class ModelAnswerUnusable(ModelError):
    """A model answered, and no answer of the asked shape could be read from it."""


class EndpointError(LociError):
    """A client of the endpoint does not get what it asked for."""


class EndpointUnreachable(EndpointError):
    """Nothing answers at the endpoint's address."""
