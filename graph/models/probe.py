"""Say what a verifier's server can do: each profile is tried on small questions whose answers are known."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from urllib.parse import urlsplit

from pydantic import BaseModel

from graph.models.completion import Answer, CompletionModel, Manner
from graph.models.failures import VERIFIER, Variables, host, is_refusal
from graph.models.parsing import objects, without_thoughts
from graph.models.probe_report import Findings, Report, advice_on
from graph.models.profiles import PROFILES, THINKING_TOKENS, VERDICT_TOKENS, Profile, in_order
from nodes.prompts.verify import VerdictAnswer, VerifyPrompt, read_verdict, verify_messages
from state.errors import ModelAnswerUnusable, ModelUnavailable
from state.ports import Clock, Neighbour
from state.records import Candidate, Evidence, LedgerEntry, Memory, PromptMessage, Relation, Turn
from state.settings import ModelEndpoint, VerifierProfile

FREE_WORDS = "Answer in one short English sentence, in plain words. Never write JSON."

_STRUCTURE = [
    PromptMessage(role="system", content=FREE_WORDS),
    PromptMessage(role="user", content="What colour is the sky on a clear day?"),
]
_STRUCTURE_TOKENS = 64


class _Colour(BaseModel):
    colour: str


@dataclass(frozen=True)
class _Case:
    said: str
    note: str
    known: str
    slot: str
    relation: Relation

    def prompt(self) -> VerifyPrompt:
        """Return the question with one memory beside the note."""
        turn = Turn(user_id="probe", session_id="probe", turn_id="said", role="user", text=self.said, time_zone="UTC")
        evidence = (Evidence(turn_id=turn.turn_id, span=self.said),)
        common = {"kind": "fact", "slot": self.slot, "mentioned_ms": turn.at_ms, "time_zone": "UTC"}
        candidate = Candidate.model_validate({**common, "text": self.note, "evidence": evidence})
        memory = Memory.model_validate(
            {
                **common,
                "memory_id": "known",
                "user_id": "probe",
                "session_id": "probe",
                "text": self.known,
                "status": "active",
                "evidence": evidence,
                "single_valued": True,
            }
        )
        return verify_messages(candidate, [turn], [Neighbour(memory=memory, same_slot=True)])


_CASES = (
    _Case("我家在杭州。", "用户家在杭州", "The user lives in Hangzhou", "user.home_city", "duplicate"),
    _Case(
        "I left the bank last month and work at a hospital now.",
        "The user works at a hospital",
        "The user works at a bank",
        "user.employer",
        "update",
    ),
    _Case("我的生日是6月12日。", "用户的生日是6月12日", "用户的生日是10月3日", "user.birthday", "conflict"),
)


async def probe(
    endpoint: ModelEndpoint,
    *,
    profile: VerifierProfile,
    clock: Clock,
    seconds: float,
    tell: Callable[[str], None],
    variables: Variables = VERIFIER,
) -> Findings:
    """Try one profile, or with "auto" all of them, the most plausible first; `tell` hears what is tried.

    `variables` name in failures where the endpoint was set.

    Raises:
        ModelUnavailable: the server does not answer at all, or not for this model.
    """
    model = CompletionModel(endpoint, variables, clock=clock, seconds=seconds)
    served: dict[str, str] = {}
    try:
        served = await model.served(seconds)
        if served and endpoint.model not in served:
            tell(f"{host(endpoint.base_url)} does not list {endpoint.model}, but {', '.join(sorted(served))}")
        order = in_order(endpoint.base_url, list(served.values()))
        reports = await _reports(model, order if profile == "auto" else [PROFILES[profile]], tell)
    except ModelUnavailable as outage:
        if served or not _lacks_version(endpoint.base_url, outage):
            raise
        raise ModelUnavailable(
            f"{host(endpoint.base_url)} has nothing at that path: the OpenAI protocol is mostly served under /v1. "
            f"Try {variables.url}={endpoint.base_url.rstrip('/')}/v1."
        ) from outage
    finally:
        await model.close()
    best = max(reports, key=lambda report: report.rank)
    return Findings(
        base_url=endpoint.base_url,
        model=endpoint.model,
        serves=sorted(served),
        recommended=best.profile if best.usable else None,
        profiles=reports,
        advice=advice_on(best, reports, host(endpoint.base_url), known=_is_known(best.profile, order[0], served)),
    )


def _lacks_version(base_url: str, outage: ModelUnavailable) -> bool:
    """Say whether a server answered that there is nothing at a URL, and the URL has no part such as /v1."""
    status = getattr(outage.__cause__, "status_code", None)
    return status == 404 and re.search(r"/v\d", urlsplit(base_url).path) is None


def _is_known(name: str, likely: Profile, served: Mapping[str, str]) -> bool:
    """Say whether the server itself tells that it is of this kind, by who owns its models or by its host."""
    by_host = likely.host is not None and likely.name == name
    return by_host or PROFILES[name].owner in served.values()


async def _reports(model: CompletionModel, profiles: Sequence[Profile], tell: Callable[[str], None]) -> list[Report]:
    made: list[tuple[Profile, Report]] = []
    for profile in profiles:
        same = next((report for other, report in made if _same_requests(other, profile)), None)
        if same is not None:
            made.append((profile, same.model_copy(update={"profile": profile.name, "asked_as": same.profile})))
            continue
        made.append((profile, await _report(model, profile, tell)))
    return [report for _, report in made]


def _same_requests(one: Profile, other: Profile) -> bool:
    return (one.quick, one.thinking, one.soft_switch) == (other.quick, other.thinking, other.soft_switch)


async def _report(model: CompletionModel, profile: Profile, tell: Callable[[str], None]) -> Report:
    report = Report(profile=profile.name, cases=len(_CASES))
    spent: list[LedgerEntry] = []
    try:
        tell(f"{profile.name}: judging {len(_CASES)} cases")
        quick = [await _ask(model, profile, case.prompt(), spent) for case in _CASES]
        report.taken = True
        _note_quick(report, quick)
        if report.answered:
            tell(f"{profile.name}: enforcing the shape of an answer")
            report.structure = await _enforces(model, profile, spent)
            tell(f"{profile.name}: thinking")
            await _note_thinking(report, model, profile, spent)
    except ModelUnavailable as outage:
        if not is_refusal(outage):
            raise
        report.trouble = str(outage)
    report.prompt_tokens = sum(entry.prompt_tokens for entry in spent)
    report.completion_tokens = sum(entry.completion_tokens for entry in spent)
    return report


async def _ask(model: CompletionModel, profile: Profile, prompt: VerifyPrompt, spent: list[LedgerEntry]) -> Answer:
    messages = profile.quick_messages(prompt.messages)
    answer = await model.complete(messages, VerdictAnswer, max_tokens=VERDICT_TOKENS, manner=profile.quick)
    spent.append(answer.usage)
    return answer


def _note_quick(report: Report, answers: Sequence[Answer]) -> None:
    report.thinking_off = not any(answer.thought for answer in answers)
    report.latency_ms = int(median(answer.usage.latency_ms for answer in answers))
    for case, answer in zip(_CASES, answers, strict=True):
        try:
            found = answer.read(VerdictAnswer)
        except ModelAnswerUnusable as trouble:
            report.trouble = str(trouble)
            continue
        report.answered += 1
        report.answer_in = "content" if without_thoughts(answer.content or "") else "reasoning"
        prompt = case.prompt()
        report.right += read_verdict(found, prompt.numbered, prompt.disputed).relation == case.relation


async def _enforces(model: CompletionModel, profile: Profile, spent: list[LedgerEntry]) -> bool:
    """Say whether an answer comes in the asked shape although the prompt asks for another."""
    messages = profile.quick_messages(_STRUCTURE)
    answer = await model.complete(messages, _Colour, max_tokens=_STRUCTURE_TOKENS, manner=profile.quick)
    spent.append(answer.usage)
    if profile.quick.structure == "json_object":
        return any(True for _ in objects(answer.content or answer.reasoning or ""))
    try:
        answer.read(_Colour)
    except ModelAnswerUnusable:
        return False
    return True


async def _note_thinking(report: Report, model: CompletionModel, profile: Profile, spent: list[LedgerEntry]) -> None:
    prompt = _CASES[-1].prompt()
    manner: Manner = profile.thinking
    try:
        answer = await model.complete(prompt.messages, VerdictAnswer, max_tokens=THINKING_TOKENS, manner=manner)
        spent.append(answer.usage)
        answer.read(VerdictAnswer)
    except (ModelAnswerUnusable, ModelUnavailable):
        report.thinking = "gives no verdict"
        return
    report.thinking = "thinks" if answer.thought else "does not think"
    report.thoughts_in_content = answer.thought and not (answer.reasoning or "").strip()
