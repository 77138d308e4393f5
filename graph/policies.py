"""How each node fails: one table.

Only what is safe to repeat is retried. `respond` never is: the user has seen its first words. The other nodes bound
themselves: each client has its own time-out, fact_check its deadline, and an outage there becomes `degraded`.
"""

from langgraph.types import RetryPolicy

from state.errors import StoreUnavailable

RETRY: dict[str, RetryPolicy | None] = {
    # The write-ahead is idempotent by message id.
    "load_context": RetryPolicy(max_attempts=2, initial_interval=0.2, retry_on=StoreUnavailable),
    "recall": None,
    "rerank": None,
    "respond": None,
    "fact_check": None,
    "persist": None,
}

RECURSION_LIMIT = 50
