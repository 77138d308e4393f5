"""The gate's judge: Qwen3-8B over an OpenAI-compatible server.

A profile says how one kind of server is asked: how thinking is turned off, and with which sampling. Structure is
enforced by a strict JSON schema (`graph.models.completion`), the answer is found by `graph.models.parsing`, and what
cannot be read is raised, never guessed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from graph.models.completion import CompletionModel, prompt_hash
from graph.models.failures import VERIFIER
from nodes.prompts.verify import VerdictAnswer, read_verdict, verify_messages
from state.ports import Clock, Judgement, Neighbour
from state.records import Candidate, PromptMessage, Turn
from state.settings import ModelEndpoint

VERDICT_TOKENS = 256
NO_THINK = "\n/no_think"

# Sampling is what Qwen advises without thinking: it warns against greedy decoding. The seed makes a verdict repeatable.
PROFILES: Mapping[Literal["vllm"], Mapping[str, Any]] = {
    "vllm": {
        "temperature": 0.7,
        "top_p": 0.8,
        "seed": 7,
        "extra_body": {"top_k": 20, "min_p": 0, "chat_template_kwargs": {"enable_thinking": False}},
    },
}


class QwenVerifier:
    """Judges candidates with Qwen3. Implements `state.ports.Verifier`."""

    def __init__(self, endpoint: ModelEndpoint, *, profile: Literal["vllm"], clock: Clock, seconds: float) -> None:
        self._model = CompletionModel(endpoint, VERIFIER, clock=clock, seconds=seconds, request=PROFILES[profile])

    async def verify(self, candidate: Candidate, source: Sequence[Turn], company: Sequence[Neighbour]) -> Judgement:
        """Judge a candidate against the turns it comes from and the memories beside it.

        Raises:
            ModelUnavailable: the server does not answer.
            ModelAnswerUnusable: no verdict could be read from two answers.
        """
        prompt = verify_messages(candidate, source, company)
        messages = _without_thinking(prompt.messages)
        answer, usage = await self._model.ask(messages, VerdictAnswer, max_tokens=VERDICT_TOKENS)
        return Judgement(
            verdict=read_verdict(answer, prompt.numbered),
            verifier=self._model.endpoint.model,
            provisional=False,
            prompt_hash=prompt_hash(messages),
            usage=usage,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._model.close()


def _without_thinking(messages: Sequence[PromptMessage]) -> list[PromptMessage]:
    """Add Qwen3's soft switch at the end of the system message: in a user message it can be read as content."""
    system, *rest = messages
    return [system.model_copy(update={"content": system.content + NO_THINK}), *rest]
