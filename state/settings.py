"""Per-deployment configuration and secrets. Read once, by the composition root; every variable starts with LOCI_.

The prefix is no decoration: `langgraph dev` overwrites REDIS_URI and DATABASE_URI. OPENAI_API_KEY and OPENAI_BASE_URL
are the one exception: they stand in for chat, summary and OpenAI embeddings where Loci's own variables are empty.
"""

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    Field,
    SecretStr,
    UrlConstraints,
    ValidationError,
    field_validator,
)
from pydantic_core import Url
from pydantic_settings import BaseSettings, SettingsConfigDict

from state.errors import SettingsError
from state.zones import is_zone

OFFLINE = "offline"
OPENAI_URL = "https://api.openai.com/v1"
_PREFIX = "LOCI_"

HttpUrl = Annotated[Url, UrlConstraints(allowed_schemes=["http", "https"])]
RedisUrl = Annotated[Url, UrlConstraints(allowed_schemes=["redis", "rediss", "unix"])]


def _postgres_url(url: str) -> str:
    # pydantic's own URL type refuses an empty host, which is how libpq names a unix socket.
    if not re.match(r"postgres(ql)?://[^\s]*$", url):
        raise ValueError("URL should read postgresql://user:password@host:5432/database")
    return url


VerifierProfile = Literal["auto", "vllm", "sglang", "ollama", "llamacpp", "dashscope"]

PostgresUrl = Annotated[str, AfterValidator(_postgres_url)]


class ModelEndpoint(BaseModel):
    """One OpenAI-compatible endpoint and the model asked of it."""

    model: str
    base_url: str
    api_key: SecretStr


def _default_data_dir() -> Path:
    # PostgreSQL refuses to run as root and another account seldom reaches root's own folders.
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return Path("/var/lib/loci") if as_root else Path(".loci")


class Settings(BaseSettings):
    """All of a deployment's settings. `read()` is the way in: its errors are one sentence each."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    data_dir: Path = Field(default_factory=_default_data_dir)
    redis_url: RedisUrl | None = Field(default=None, repr=False)
    postgres_url: PostgresUrl | None = Field(default=None, repr=False)
    qdrant_url: HttpUrl | None = None
    qdrant_api_key: SecretStr | None = None

    chat_model: str | None = None
    chat_base_url: HttpUrl | None = None
    chat_api_key: SecretStr | None = None
    summary_model: str | None = None

    embedder: Literal["e5", "openai"] = "e5"
    embedding_model: str = "text-embedding-3-small"
    embedding_base_url: HttpUrl | None = None
    embedding_api_key: SecretStr | None = None

    verifier_model: str = "Qwen/Qwen3-8B"
    verifier_base_url: HttpUrl | None = None
    verifier_api_key: SecretStr | None = None
    verifier_profile: VerifierProfile = "auto"

    url: HttpUrl | None = None
    time_zone: str | None = None
    prompt_tokens: int = Field(default=3_000, ge=500, le=128_000)
    reply_tokens: int = Field(default=1_024, ge=16)
    model_seconds: float = Field(default=60, gt=0)
    fact_check_seconds: float = Field(default=8, gt=0)
    session_seconds: int = Field(default=1_800, ge=1)
    archive_above: int = Field(default=50, ge=2)
    archive_turns: int = Field(default=20, ge=2)

    openai_api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("OPENAI_API_KEY"))
    openai_base_url: HttpUrl | None = Field(default=None, validation_alias=AliasChoices("OPENAI_BASE_URL"))

    @field_validator("time_zone")
    @classmethod
    def _is_known_zone(cls, name: str | None) -> str | None:
        if name is not None and not is_zone(name):
            raise ValueError("not an IANA time zone such as Asia/Shanghai")
        return name

    @classmethod
    def read(cls, **overrides: Any) -> "Settings":
        """Read environment and `.env`; raise SettingsError with one sentence that names the variable."""
        try:
            settings = cls(**overrides)
        except ValidationError as error:
            raise SettingsError(_sentence(error)) from None
        if settings.archive_turns >= settings.archive_above:
            raise SettingsError("LOCI_ARCHIVE_TURNS must be smaller than LOCI_ARCHIVE_ABOVE.")
        settings._check_models()
        return settings

    def _check_models(self) -> None:
        """Ask for each endpoint, so that a missing key is found at start and not at the first message."""
        for name in ("chat", "summary", "embeddings", "verifier"):
            getattr(self, name)

    @property
    def chat(self) -> ModelEndpoint | None:
        """The chat model's endpoint, or None: answer offline."""
        if self.chat_model == OFFLINE:
            return None
        if self.chat_model is None:
            if self.chat_base_url is not None:
                raise SettingsError("LOCI_CHAT_MODEL is needed with LOCI_CHAT_BASE_URL: name the model it serves.")
            if self.openai_api_key is None:
                return None
        return self._endpoint("LOCI_CHAT", self.chat_model or "gpt-4o-mini", self.chat_base_url, self.chat_api_key)

    @property
    def summary(self) -> ModelEndpoint | None:
        """The endpoint of the small model that distils and summarises: the chat model's own, with its own model."""
        if (chat := self.chat) is None or self.summary_model == OFFLINE:
            return None
        small = "gpt-4o-mini" if chat.base_url == OPENAI_URL else chat.model
        return chat.model_copy(update={"model": self.summary_model or small})

    @property
    def embeddings(self) -> ModelEndpoint | None:
        """The embedding model's endpoint, or None: the bundled one."""
        if self.embedder == "e5":
            return None
        return self._endpoint("LOCI_EMBEDDING", self.embedding_model, self.embedding_base_url, self.embedding_api_key)

    @property
    def verifier(self) -> ModelEndpoint | None:
        """The verifier's endpoint, or None: judge offline. It never borrows OPENAI_*: Qwen is not served there."""
        if self.verifier_base_url is None:
            if "verifier_model" in self.model_fields_set:
                raise SettingsError("LOCI_VERIFIER_BASE_URL is needed with LOCI_VERIFIER_MODEL: where is it served?")
            return None
        key = self.verifier_api_key or SecretStr("none")
        return ModelEndpoint(model=self.verifier_model, base_url=_text(self.verifier_base_url), api_key=key)

    def announcements(self) -> list[str]:
        """Return one sentence for each model that lives on OPENAI_* instead of a variable of Loci's own."""
        if self.openai_api_key is None:
            return []
        borrowed = []
        if self.chat is not None and self.chat_api_key is None:
            borrowed.append(f"Chat uses OPENAI_API_KEY with {self.chat.model} (LOCI_CHAT_MODEL=offline turns it off).")
        if self.embeddings is not None and self.embedding_api_key is None:
            borrowed.append(f"Embeddings use OPENAI_API_KEY with {self.embeddings.model}.")
        return borrowed

    def _endpoint(self, prefix: str, model: str, url: Url | None, key: SecretStr | None) -> ModelEndpoint:
        base_url = _text(url or self.openai_base_url or Url(OPENAI_URL))
        api_key = key or self.openai_api_key
        if api_key is None:
            if base_url == OPENAI_URL:
                raise SettingsError(f"{prefix}_API_KEY is missing: {model} at OpenAI needs a key.")
            api_key = SecretStr("none")  # local servers ask for no key, and the client insists on one
        return ModelEndpoint(model=model, base_url=base_url, api_key=api_key)


def _text(url: Url) -> str:
    return str(url).rstrip("/")


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "settings"
    name = field if field.isupper() else f"{_PREFIX}{field.upper()}"
    return f"{name}: {first['msg'].removeprefix('Value error, ')}."
