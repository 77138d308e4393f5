"""Say what a verifier's server can do: each profile is tried on small questions whose answers are known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from pydantic import BaseModel

from graph.models.completion import Answer, CompletionModel, Manner
from graph.models.failures import VERIFIER, host, is_refusal
from graph.models.parsing import objects, without_thoughts
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


class Report(BaseModel):
    """What came of one profile.

    `right` counts the cases judged as they should be, `answered` those with a verdict that could be read.
    `thinking` is None where it was not tried.
    """

    profile: str
    taken: bool = False
    thinking_off: bool = False
    structure: bool | None = None
    answer_in: Literal["content", "reasoning"] | None = None
    answered: int = 0
    right: int = 0
    cases: int = 0
    thinking: Literal["thinks", "does not think", "gives no verdict"] | None = None
    thoughts_in_content: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_ms: int = 0
    trouble: str = ""

    @property
    def usable(self) -> bool:
        """Say whether the verifier can work with this profile."""
        return self.thinking_off and self.answered == self.cases > 0

    @property
    def rank(self) -> tuple[bool, int, bool, bool]:
        """Return what makes one profile better than another: the more the better."""
        return (self.usable, self.right, self.structure is True, self.thinking == "thinks")


class Findings(BaseModel):
    """What came of all profiles, the best usable one, and what to do, in plain words."""

    base_url: str
    model: str
    serves: list[str]
    recommended: str | None
    profiles: list[Report]
    advice: list[str]


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
    endpoint: ModelEndpoint, *, profile: VerifierProfile, clock: Clock, seconds: float, tell: Callable[[str], None]
) -> Findings:
    """Try one profile, or with "auto" all of them, the most plausible first; `tell` hears what is tried.

    Raises:
        ModelUnavailable: the server does not answer at all, or not for this model.
    """
    model = CompletionModel(endpoint, VERIFIER, clock=clock, seconds=seconds)
    try:
        served = await model.served(seconds)
        if served and endpoint.model not in served:
            tell(f"{host(endpoint.base_url)} does not list {endpoint.model}, but {', '.join(sorted(served))}")
        order = in_order(endpoint.base_url, list(served.values()))
        reports = await _reports(model, order if profile == "auto" else [PROFILES[profile]], tell)
    finally:
        await model.close()
    best = max(reports, key=lambda report: report.rank)
    return Findings(
        base_url=endpoint.base_url,
        model=endpoint.model,
        serves=sorted(served),
        recommended=best.profile if best.usable else None,
        profiles=reports,
        advice=_advice(best, reports, host(endpoint.base_url)),
    )


async def _reports(model: CompletionModel, profiles: Sequence[Profile], tell: Callable[[str], None]) -> list[Report]:
    made: list[tuple[Profile, Report]] = []
    for profile in profiles:
        same = next((report for other, report in made if _same_requests(other, profile)), None)
        if same is not None:
            made.append((profile, same.model_copy(update={"profile": profile.name})))
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


def _advice(best: Report, reports: Sequence[Report], where: str) -> list[str]:
    if not best.usable:
        return _remedies(reports, where)
    name = best.profile
    advice = [
        f"Set LOCI_VERIFIER_PROFILE={name} (auto finds what fits by itself, with one more question at first use)."
    ]
    if best.right < best.cases:
        advice.append(
            f"It judged {best.right} of {best.cases} plain cases right: is it Qwen3-8B, or a model as able as that?"
        )
    if best.answer_in == "reasoning":
        advice.append(f"Its answers land in the reasoning field. They are read there; better, {_PARSER[name]}.")
    if best.structure is False:
        advice.append(
            "It does not enforce the shape of answers: each is checked, and asked for once more where it does not fit. "
            "A newer version of the server may."
        )
    if best.thinking != "thinks":
        advice.append(f"Asked to think it {best.thinking}: the quick verdict then stands for conflicts too.")
    elif best.thoughts_in_content and name in ("vllm", "sglang"):
        advice.append(f"Its thoughts come inside the answer. They are taken off; better, {_PARSER[name]}.")
    if name == "ollama":
        advice.append("Give Ollama room for a prompt and its thoughts: OLLAMA_CONTEXT_LENGTH=8192.")
    return advice


_PARSER = {
    "vllm": "start vLLM with --reasoning-parser qwen3",
    "sglang": "start SGLang with --reasoning-parser qwen3",
    "ollama": "update Ollama",
    "llamacpp": "start llama-server with --jinja --reasoning-format deepseek",
    "dashscope": "take a model of the Qwen3 series",
}


def _remedies(reports: Sequence[Report], where: str) -> list[str]:
    """Return what to do about a server that no profile fits."""
    advice = [f"No profile fits {where}: what the verifier is asked stays undecided, and memories wait."]
    if all(not report.taken for report in reports):
        advice.append(f"It refuses every way of asking. Its words: {reports[0].trouble}")
    elif any(report.answered and not report.thinking_off for report in reports) or not any(
        report.thinking_off for report in reports if report.taken
    ):
        advice.append(
            "Nothing turns its thinking off. vLLM, SGLang: start it with --reasoning-parser qwen3 and the model's own "
            "chat template. Ollama: update it, and take a hybrid model such as qwen3:8b. llama.cpp: start llama-server "
            "with --jinja. Models named Thinking always think: take another."
        )
    else:
        advice.append(
            "It answers, and not with the JSON that was asked for: is the model a Qwen3, with its own chat template? "
            f"{next((report.trouble for report in reports if report.trouble), '')}".strip()
        )
    return advice
