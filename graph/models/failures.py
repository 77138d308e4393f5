"""Say in one sentence why a model cannot be used, naming the setting to look at."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from state.errors import ModelUnavailable
from state.settings import ModelEndpoint

if TYPE_CHECKING:
    import openai

SHORT_PAUSE = 0.5
LONGEST_PAUSE = 3.0


@dataclass(frozen=True)
class Variables:
    """The environment variables behind one endpoint."""

    key: str
    model: str
    url: str
    seconds: str | None = "LOCI_MODEL_SECONDS"


CHAT = Variables("LOCI_CHAT_API_KEY", "LOCI_CHAT_MODEL", "LOCI_CHAT_BASE_URL")
SUMMARY = Variables("LOCI_CHAT_API_KEY", "LOCI_SUMMARY_MODEL", "LOCI_CHAT_BASE_URL")
VERIFIER = Variables("LOCI_VERIFIER_API_KEY", "LOCI_VERIFIER_MODEL", "LOCI_VERIFIER_BASE_URL")
EMBEDDING = Variables("LOCI_EMBEDDING_API_KEY", "LOCI_EMBEDDING_MODEL", "LOCI_EMBEDDING_BASE_URL", None)


def call_errors() -> tuple[type[Exception], ...]:
    """Return all that a vendor's client raises when a call fails.

    Beside its own errors these are time-outs and broken connections (OSError), and what it trips over where a server
    does not speak the protocol: JSON that is none, fields that are missing or of another type.
    """
    import httpx2  # noqa: PLC0415  costs as openai does
    import openai  # noqa: PLC0415  costs 0.7 s: only who has a model pays

    return (openai.OpenAIError, httpx2.HTTPError, OSError, ValueError, TypeError, LookupError, AttributeError)


def pause_before_retry(error: Exception) -> float | None:
    """Return how many seconds to wait before the one retry of a call that gave nothing yet, or None: do not retry.

    Rate limits, failures of the server and connections that do not come about pass; the rest stays as it is. A server
    that asks for a long pause is not asked again: the user is told.
    """
    import openai  # noqa: PLC0415  see call_errors

    if isinstance(error, openai.APITimeoutError) or getattr(error, "code", None) == "insufficient_quota":
        return None
    if isinstance(error, openai.APIConnectionError):
        return SHORT_PAUSE
    if isinstance(error, (openai.RateLimitError, openai.InternalServerError)):
        asked = _retry_after(error)
        return None if asked > LONGEST_PAUSE else max(asked, SHORT_PAUSE)
    return None


def unavailable(
    error: Exception, endpoint: ModelEndpoint, variables: Variables, seconds: float, *, midway: bool = False
) -> ModelUnavailable:
    """Return the ModelUnavailable that tells what happened; `midway` says that a part of the answer had come."""
    import openai  # noqa: PLC0415  see call_errors

    where, model = host(endpoint.base_url), endpoint.model
    if isinstance(error, openai.APIStatusError):
        return ModelUnavailable(_refused(error, where, model, variables))
    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        setting = f" ({variables.seconds})" if variables.seconds else ""
        sentence = f"{model} at {where} was silent for more than {seconds:g} s{setting}."
    elif isinstance(error, (openai.APIError, OSError)) and midway:
        sentence = f"{where} broke off in the middle of an answer of {model}."
    elif isinstance(error, (openai.APIConnectionError, OSError)):
        sentence = f"{where} cannot be reached: is {variables.url} right, and is a server running there?"
    elif isinstance(error, openai.APIError):
        sentence = f"{where} reports a failure of {model}: {_words(error)}"
    else:
        sentence = f"{where} does not answer in the OpenAI protocol: is {variables.url} right?"
    return ModelUnavailable(sentence)


def is_refusal(outage: ModelUnavailable) -> bool:
    """Say whether the server is there and only will not take how it was asked."""
    import openai  # noqa: PLC0415  see call_errors

    return isinstance(outage.__cause__, (openai.BadRequestError, openai.UnprocessableEntityError))


def is_silence(outage: ModelUnavailable) -> bool:
    """Say whether the server was given up because no answer came in time."""
    import openai  # noqa: PLC0415  see call_errors

    return isinstance(outage.__cause__, (openai.APITimeoutError, TimeoutError))


def host(url: str) -> str:
    """Return host and port of a URL: what may be shown of it."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def _refused(error: "openai.APIStatusError", where: str, model: str, variables: Variables) -> str:
    status = error.status_code
    # The client's text for a refused key quotes a part of the key: it is never shown.
    known = {
        401: f"{variables.key} was refused by {where}.",
        403: f"{variables.key} has no right to use {model} at {where}.",
        404: f"{where} knows no model {model}: check {variables.model} and {variables.url}.",
        429: f"{where} limits how often {model} may be asked: try again in a while.",
    }
    if error.code == "insufficient_quota":
        return f"The account behind {variables.key} has nothing left at {where}."
    if error.code == "context_length_exceeded":
        return f"The prompt is too long for {model} at {where}: lower LOCI_PROMPT_TOKENS."
    if status in known:
        return known[status]
    if status >= 500:
        return f"{where} fails with {model} (status {status}): try again in a while."
    return f"{where} rejects what {model} was asked (status {status}): {_words(error)}"


def _words(error: "openai.APIError") -> str:
    """Return the server's own words, on one line and short."""
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    words = " ".join(str(message or error.message).split())
    return words if len(words) <= 160 else f"{words[:159]}…"


def _retry_after(error: "openai.APIStatusError") -> float:
    try:
        seconds = float(error.response.headers.get("retry-after", "0"))
    except ValueError:
        return math.inf  # a date: far enough
    return seconds if math.isfinite(seconds) else math.inf
