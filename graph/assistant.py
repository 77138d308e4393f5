"""The conversation: six nodes in the order of one turn."""

from functools import partial

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graph.fact_check import bound_persist, build_fact_check
from graph.policies import RECURSION_LIMIT, RETRY
from graph.services import Services
from nodes.load_context import load_context
from nodes.recall import recall
from nodes.rerank import rerank
from nodes.respond import respond
from state.context import Context
from state.schema import InputState, OutputState, State


def build_assistant(services: Services) -> CompiledStateGraph[State, Context, InputState, OutputState]:
    """Return the compiled conversation graph over these services, without a checkpointer: the host brings its own."""
    settings = services.settings
    builder = StateGraph(State, context_schema=Context, input_schema=InputState, output_schema=OutputState)
    builder.add_node(
        "load_context",
        partial(
            load_context,
            journal=services.journal,
            working_memory=services.working_memory,
            home_zone=services.home_zone,
            archive_above=settings.archive_above,
            archive_turns=settings.archive_turns,
        ),
        retry_policy=RETRY["load_context"],
    )
    builder.add_node(
        "recall",
        partial(recall, journal=services.journal, long_term_memory=services.long_term_memory),
        retry_policy=RETRY["recall"],
    )
    builder.add_node("rerank", partial(rerank, journal=services.journal), retry_policy=RETRY["rerank"])
    builder.add_node(
        "respond",
        partial(
            respond,
            responder=services.responder,
            journal=services.journal,
            clock=services.clock,
            prompt_tokens=settings.prompt_tokens,
        ),
        retry_policy=RETRY["respond"],
    )
    builder.add_node(
        "fact_check",
        build_fact_check(services, seconds=settings.fact_check_seconds),
        retry_policy=RETRY["fact_check"],
    )
    builder.add_node(
        "persist",
        bound_persist(services, actor="gate"),
        retry_policy=RETRY["persist"],
    )
    builder.add_edge(START, "load_context")
    builder.add_edge("load_context", "recall")
    builder.add_edge("recall", "rerank")
    builder.add_edge("rerank", "respond")
    builder.add_edge("respond", "fact_check")
    builder.add_edge("fact_check", "persist")
    builder.add_edge("persist", END)
    return builder.compile(name="Loci").with_config(recursion_limit=RECURSION_LIMIT)
