"""What came of trying a verifier's server, and what to do about it."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel


class Report(BaseModel):
    """What came of one profile.

    `right` counts the cases judged as they should be, `answered` those with a verdict that could be read.
    `thinking` is None where it was not tried. `asked_as` names the profile that asks the very same: it was tried once.
    """

    profile: str
    asked_as: str | None = None
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


def advice_on(best: Report, reports: Sequence[Report], where: str, *, known: bool) -> list[str]:
    """Return what to do, in plain words; `known` says that the server itself tells that it is of that kind."""
    if not best.usable:
        return _remedies(reports, where)
    name = best.profile
    advice = [
        f"Set LOCI_VERIFIER_PROFILE={name} (auto finds what fits by itself, with one more question at first use)."
    ]
    alike = [report.profile for report in reports if report.rank == best.rank]
    if len(alike) > 1 and not known:
        advice.append(
            f"The server does not say what it is, and {', '.join(alike)} came out alike: take the one that names it."
        )
    if best.right < best.cases:
        advice.insert(
            0,
            f"It judged {best.right} of {best.cases} plain cases right: is it Qwen3-8B, or a model as able as that? "
            "A profile says how it is asked, and makes its verdicts no better.",
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
