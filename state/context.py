"""Per-run knobs: what a client or Studio's form may set for one run. Secrets and deployment choices are in settings."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from state.zones import is_zone


def _known_zone(name: str | None) -> str | None:
    if name is not None and not is_zone(name):
        raise ValueError(f"{name!r} is not an IANA time zone such as Asia/Shanghai")
    return name


DEVELOPMENT_USER = "local"
"""Who a run is for where nobody signs in and nothing else says so."""


class Context(BaseModel):
    """Knobs of one run."""

    model_config = ConfigDict(frozen=True)

    user_id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="Whose memory is used. Development only: with authentication on, the signed-in user counts.",
        ),
    ] = DEVELOPMENT_USER
    time_zone: Annotated[
        str | None,
        AfterValidator(_known_zone),
        Field(description="IANA name of the user's time zone, such as Asia/Shanghai. Empty: the server's own."),
    ] = None
    profile: Annotated[
        Literal["balanced", "classic"],
        Field(
            description="How memories are ranked. balanced: meaning, words and time, with a bounded decay by kind. "
            "classic: cosine x 0.5^(days/30) x weight, halved again from day 30 on."
        ),
    ] = "balanced"
    recall_depth: Annotated[int, Field(ge=1, le=100, description="Memories handed from recall to rerank.")] = 20
    recall_keep: Annotated[int, Field(ge=0, le=20, description="Memories kept for the prompt; 0 recalls nothing.")] = 5
    recall_tokens: Annotated[
        int, Field(ge=50, le=8_000, description="Tokens that memories may take in all; long ones are shortened.")
    ] = 800
    prompt_tokens: Annotated[
        int | None,
        Field(ge=500, le=128_000, description="Token budget of the prompt. Empty: the deployment's own (3,000)."),
    ] = None
