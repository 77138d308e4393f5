"""The gate's judge: Qwen3-8B over an OpenAI-compatible server.

A profile (`graph.models.profiles`) says how one kind of server is asked, the answer is found by `graph.models.parsing`,
and what cannot be read is raised, never guessed. Each candidate is judged without thinking first; where that says
conflict or undecided, or where the user marked the thing important, once more with thinking, and then that counts.
"""

import asyncio
import logging
import time
from collections.abc import Sequence

from graph.models.breaker import REST_SECONDS, Breaker
from graph.models.completion import CompletionModel, prompt_hash
from graph.models.detection import find_profile
from graph.models.failures import VERIFIER, is_silence
from graph.models.profiles import PROFILES, THINKING_TOKENS, VERDICT_TOKENS, Profile
from nodes.prompts.verify import VerdictAnswer, VerifyPrompt, read_verdict, verify_messages
from state.errors import ModelAnswerUnusable, ModelError, ModelUnavailable
from state.ports import Clock, Judgement, Neighbour
from state.records import Candidate, LedgerEntry, PromptMessage, Turn, Verdict
from state.settings import ModelEndpoint, VerifierProfile

log = logging.getLogger("loci")

IMPORTANT = 2.0
MARGIN_SECONDS = 0.25
"""This end gives up a little before the caller does: what was found by then must not go lost with a cancelled call."""
FAIR_SECONDS = 2.0
"""A server that is silent for less than this is no outage; and with less than this, thinking is not begun."""


class _Waited(ModelUnavailable):
    """A call that asked nothing: it waited for another one to find the profile, in vain."""


class QwenVerifier:
    """Judges candidates with Qwen3. Implements `state.ports.Verifier`."""

    def __init__(
        self,
        endpoint: ModelEndpoint,
        *,
        profile: VerifierProfile,
        clock: Clock,
        seconds: float,
        rest_seconds: float = REST_SECONDS,
    ) -> None:
        self._model = CompletionModel(endpoint, VERIFIER, clock=clock, seconds=seconds)
        self._profile = PROFILES.get(profile)
        self._finding = asyncio.Lock()
        self._misfit: tuple[float, str] | None = None
        # How many searches for the profile have met an outage, and the words of the last: not the error itself, whose
        # traceback keeps alive whatever the call held.
        self._searches_failed, self._last_outage = 0, ""
        self._rest_seconds = rest_seconds
        self._breaker = Breaker(rest_seconds=rest_seconds)

    @property
    def trouble(self) -> str | None:
        """Return one sentence while the server is left alone after failures, else None."""
        return self._breaker.trouble

    async def verify(
        self,
        candidate: Candidate,
        source: Sequence[Turn],
        company: Sequence[Neighbour],
        *,
        context: Sequence[Turn] = (),
        seconds: float,
    ) -> Judgement:
        """Judge a candidate against the turns it comes from and the memories beside it, within `seconds`.

        Raises:
            ModelUnavailable: the server does not answer, or is left alone after failures.
            ModelAnswerUnusable: no verdict could be read from two answers.
        """
        self._breaker.check()
        until = time.monotonic() + seconds - min(MARGIN_SECONDS, seconds / 10)
        # In a thread, as all rules that read a source: it may be long.
        prompt = await asyncio.to_thread(verify_messages, candidate, source, company, context)
        try:
            judgement = await self._judge(candidate, prompt, until)
        except ModelUnavailable as outage:
            if not isinstance(outage, _Waited) and (seconds >= FAIR_SECONDS or not is_silence(outage)):
                self._breaker.failed(outage)
            raise
        except ModelAnswerUnusable:
            self._breaker.answered()
            raise
        self._breaker.answered()
        return judgement

    async def close(self) -> None:
        """Close the connections."""
        await self._model.close()

    async def _judge(self, candidate: Candidate, prompt: VerifyPrompt, until: float) -> Judgement:
        profile, usage = await self._fitting(until)
        messages = profile.quick_messages(prompt.messages)
        try:
            answer, cost = await self._model.ask(
                messages, VerdictAnswer, max_tokens=VERDICT_TOKENS, manner=profile.quick, seconds=_left(until)
            )
        except ModelError as trouble:
            trouble.usage = (*usage, *trouble.usage)
            raise
        usage = (*usage, *cost)
        verdict = read_verdict(answer, prompt.numbered, prompt.disputed)
        if _wants_thought(verdict, candidate) and _left(until) >= FAIR_SECONDS:
            thought, cost = await self._thought(profile, prompt, until)
            usage = (*usage, *cost)
            if thought is not None:
                verdict, messages = thought, prompt.messages
        return self._judgement(verdict, messages, prompt.numbered, usage)

    async def _thought(
        self, profile: Profile, prompt: VerifyPrompt, until: float
    ) -> tuple[Verdict | None, tuple[LedgerEntry, ...]]:
        """Return the verdict after thinking, or None where none comes: then the first one stands."""
        try:
            answer, usage = await self._model.ask(
                prompt.messages,
                VerdictAnswer,
                max_tokens=THINKING_TOKENS,
                manner=profile.thinking,
                seconds=_left(until),
                repair=False,
            )
        except ModelError as trouble:
            log.info("A verdict stands as it was made without thinking: %s", trouble)
            return None, trouble.usage
        return read_verdict(answer, prompt.numbered, prompt.disputed), usage

    async def _fitting(self, until: float) -> tuple[Profile, tuple[LedgerEntry, ...]]:
        """Return the profile that is set, else the one that fits: found once, by the first call that needs it.

        Calls that wait for it meanwhile share its outage, which counts once: they have asked nothing.
        """
        if self._profile is not None:
            return self._profile, ()
        before = self._searches_failed
        try:
            await asyncio.wait_for(self._finding.acquire(), _left(until))
        except TimeoutError as silence:
            raise _Waited(f"No profile for {self._model.endpoint.model} was found in time.") from silence
        try:
            if self._profile is not None:
                return self._profile, ()
            if self._searches_failed > before:
                raise _Waited(self._last_outage)
            return await self._found(until)
        finally:
            self._finding.release()

    async def _found(self, until: float) -> tuple[Profile, tuple[LedgerEntry, ...]]:
        """Ask for the profile that fits; a server that no profile fits is not asked again for a while."""
        if self._misfit is not None and time.monotonic() < self._misfit[0]:
            raise ModelAnswerUnusable(self._misfit[1])
        try:
            self._profile, usage = await find_profile(self._model, seconds=_left(until))
        except ModelAnswerUnusable as misfit:
            self._misfit = (time.monotonic() + self._rest_seconds, str(misfit))
            raise
        except ModelUnavailable as outage:
            if not is_silence(outage):
                self._searches_failed, self._last_outage = self._searches_failed + 1, str(outage)
            raise
        log.info("The verifier is asked by the profile %s.", self._profile.name)
        return self._profile, usage

    def _judgement(
        self,
        verdict: Verdict,
        messages: Sequence[PromptMessage],
        compared: tuple[str, ...],
        usage: tuple[LedgerEntry, ...],
    ) -> Judgement:
        return Judgement(
            verdict=verdict,
            verifier=self._model.endpoint.model,
            provisional=False,
            prompt_hash=prompt_hash(messages),
            compared=compared,
            usage=usage,
        )


def _wants_thought(verdict: Verdict, candidate: Candidate) -> bool:
    return verdict.relation in ("conflict", "undecided") or candidate.weight >= IMPORTANT


def _left(until: float) -> float:
    return max(until - time.monotonic(), 0.0)
