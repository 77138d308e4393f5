"""The gate as a subgraph and the write behind it, the same for the conversation and for the curator."""

from collections.abc import Coroutine
from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph.services import Services
from nodes.fact_check.distill import distill
from nodes.fact_check.screen import screen
from nodes.fact_check.verify import verify
from nodes.persist import persist
from state.context import Context
from state.schema import State


def build_fact_check(services: Services, *, seconds: float) -> CompiledStateGraph[State, Context, State, State]:
    """Return distill -> screen -> verify, bounded to `seconds` from its start."""
    builder = StateGraph(State, context_schema=Context)
    builder.add_node(
        "distill",
        partial(
            distill,
            distiller=services.distiller,
            summariser=services.summariser,
            plain_summariser=services.plain_summariser,
            journal=services.journal,
            clock=services.clock,
            seconds=seconds,
        ),
    )
    builder.add_node(
        "screen",
        partial(screen, journal=services.journal, long_term_memory=services.long_term_memory, clock=services.clock),
    )
    builder.add_node("verify", partial(verify, verifier=services.verifier, clock=services.clock))
    builder.add_edge(START, "distill")
    builder.add_edge("distill", "screen")
    builder.add_edge("screen", "verify")
    builder.add_edge("verify", END)
    return builder.compile(name="fact_check")


def bound_persist(
    services: Services, *, actor: Literal["gate", "curator"]
) -> partial[Coroutine[Any, Any, dict[str, Any]]]:
    """Return the node that writes what the gate let through, in the name of `actor`."""
    return partial(
        persist,
        journal=services.journal,
        long_term_memory=services.long_term_memory,
        working_memory=services.working_memory,
        clock=services.clock,
        actor=actor,
    )
