"""Find out, by asking, which profile fits a server."""

import time

from graph.models.completion import Answer, CompletionModel
from graph.models.failures import host, is_refusal
from graph.models.profiles import VERDICT_TOKENS, Profile, in_order
from nodes.prompts.verify import VerdictAnswer, verify_messages
from state.errors import ModelAnswerUnusable, ModelUnavailable
from state.records import Candidate, Evidence, LedgerEntry, Turn

SAID = "I drink my coffee black."


async def find_profile(model: CompletionModel, *, seconds: float) -> tuple[Profile, tuple[LedgerEntry, ...]]:
    """Return the first profile whose answer is a verdict made without thinking, and what the asking cost.

    Raises:
        ModelUnavailable: the server does not answer; another time it may.
        ModelAnswerUnusable: it answers, and no profile fits.
    """
    until = time.monotonic() + seconds
    owners = await model.served(seconds)
    prompt = verify_messages(*_question(), []).messages
    usage: list[LedgerEntry] = []
    asked: list[tuple[object, bool]] = []
    for profile in in_order(model.endpoint.base_url, list(owners.values())):
        if (profile.quick, profile.soft_switch) in asked:
            continue  # the same request as another profile's
        asked.append((profile.quick, profile.soft_switch))
        messages = profile.quick_messages(prompt)
        left = until - time.monotonic()
        try:
            answer = await model.complete(
                messages, VerdictAnswer, max_tokens=VERDICT_TOKENS, manner=profile.quick, seconds=left
            )
        except ModelUnavailable as outage:
            if is_refusal(outage):
                continue
            outage.usage = tuple(usage)
            raise
        usage.append(answer.usage)
        if fits(answer):
            return profile, tuple(usage)
    raise ModelAnswerUnusable(
        f"{model.endpoint.model} at {host(model.endpoint.base_url)} gives no verdict without thinking, however "
        "it is asked: see what `loci probe-verifier` says, and set LOCI_VERIFIER_PROFILE.",
        tuple(usage),
    )


def fits(answer: Answer) -> bool:
    """Say whether an answer is a verdict that was made without thinking."""
    try:
        answer.read(VerdictAnswer)
    except ModelAnswerUnusable:
        return False
    return not answer.thought


def _question() -> tuple[Candidate, list[Turn]]:
    turn = Turn(user_id="probe", session_id="probe", turn_id="probe", role="user", text=SAID, time_zone="UTC")
    candidate = Candidate(
        kind="preference",
        text="The user drinks coffee black.",
        evidence=(Evidence(turn_id=turn.turn_id, span=SAID),),
        mentioned_ms=turn.at_ms,
        time_zone=turn.time_zone,
    )
    return candidate, [turn]
