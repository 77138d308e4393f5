"""The background twin of the conversation: the same gate, over what conversations left behind."""

from functools import partial

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph.fact_check import bound_persist, build_fact_check
from graph.services import Services
from nodes.curate import BATCH, next_step, plan_work, take_job
from state.context import Context
from state.schema import CuratorInput, CuratorOutput, CuratorState

NODES_A_JOB = 3


def build_curator(services: Services) -> CompiledStateGraph[CuratorState, Context, CuratorInput, CuratorOutput]:
    """Return the compiled curator graph: one run is one pass."""
    settings = services.settings
    builder = StateGraph(CuratorState, context_schema=Context, input_schema=CuratorInput, output_schema=CuratorOutput)
    builder.add_node(
        "plan_work",
        partial(
            plan_work,
            journal=services.journal,
            maintenance=services.maintenance,
            long_term_memory=services.long_term_memory,
            clock=services.clock,
            session_seconds=settings.session_seconds,
            # A run that still lives is over by then, one way or the other.
            turn_seconds=settings.model_seconds + settings.fact_check_seconds,
            rejudge=settings.verifier is not None,
        ),
    )
    builder.add_node("take_job", partial(take_job, maintenance=services.maintenance, clock=services.clock))
    builder.add_node("fact_check", build_fact_check(services, seconds=settings.model_seconds))
    builder.add_node(
        "persist",
        bound_persist(services, actor="curator"),
    )
    builder.add_edge(START, "plan_work")
    builder.add_edge("plan_work", "take_job")
    builder.add_conditional_edges("take_job", next_step)
    builder.add_edge("fact_check", "persist")
    builder.add_edge("persist", "take_job")
    # plan_work lists three kinds of jobs, each at most a batch.
    return builder.compile(name="Loci curator").with_config(recursion_limit=3 * BATCH * NODES_A_JOB + 10)
