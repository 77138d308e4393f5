"""What every node asks of its run: the context, the caller, and how to note that a part did not work."""

import logging
from collections.abc import Sequence

from langgraph.runtime import Runtime

from state.context import DEVELOPMENT_USER, Context
from state.errors import StoreUnavailable
from state.ports import Clock
from state.records import tenant

log = logging.getLogger("loci")


def context_of(runtime: Runtime[Context]) -> Context:
    """Return the run's context; in-process runs that were given none get the defaults."""
    return runtime.context or Context()


def identity(runtime: Runtime[Context]) -> str:
    """Return the user's id: who is signed in; in development the header or the context says; never the text.

    Raises TenantMissing where it is empty.
    """
    signed_in = runtime.server_info.user.identity if runtime.server_info and runtime.server_info.user else None
    if signed_in and signed_in != DEVELOPMENT_USER:
        return tenant(signed_in)
    return tenant(context_of(runtime).user_id)


def seconds_left(deadline_ms: int, clock: Clock) -> float:
    """Return the seconds until a deadline, 0 once it has passed."""
    return max(deadline_ms - clock.now_ms(), 0) / 1000


def degrade(degraded: Sequence[str], outage: StoreUnavailable | str) -> list[str]:
    """Return the list with the failed part added once; log why."""
    part = outage.part if isinstance(outage, StoreUnavailable) else outage
    log.warning("going on without %s", outage)
    return [*degraded, *([] if part in degraded else [part])]
