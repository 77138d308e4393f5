"""Wrong settings end in one sentence that names the variable; right ones choose the models."""

from pathlib import Path

import pytest

from graph.models.profiles import PROFILES
from state.errors import SettingsError
from state.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("LOCI_REDIS_URL", "htp:/nowhere", "LOCI_REDIS_URL"),
        ("LOCI_POSTGRES_URL", "not a url", "LOCI_POSTGRES_URL"),
        ("LOCI_QDRANT_URL", "ftp://host", "LOCI_QDRANT_URL"),
        ("LOCI_VERIFIER_PROFILE", "abacus", "LOCI_VERIFIER_PROFILE"),
        ("LOCI_PROMPT_TOKENS", "-3", "LOCI_PROMPT_TOKENS"),
        ("LOCI_FACT_CHECK_SECONDS", "0", "LOCI_FACT_CHECK_SECONDS"),
        ("LOCI_CHAT_MODEL", "gpt-4o", "LOCI_CHAT_API_KEY"),
        ("LOCI_CHAT_BASE_URL", "http://127.0.0.1:9/v1", "LOCI_CHAT_MODEL"),
        ("LOCI_EMBEDDER", "openai", "LOCI_EMBEDDING_API_KEY"),
        ("LOCI_EMBEDDER", "word2vec", "LOCI_EMBEDDER"),
        ("LOCI_VERIFIER_MODEL", "Qwen/Qwen3-8B", "LOCI_VERIFIER_BASE_URL"),
        ("LOCI_TIME_ZONE", "Mars/Olympus", "LOCI_TIME_ZONE"),
        ("LOCI_ARCHIVE_TURNS", "50", "LOCI_ARCHIVE_TURNS"),
        ("OPENAI_BASE_URL", "nowhere", "OPENAI_BASE_URL"),
    ],
)
def test_a_wrong_setting_is_one_sentence_naming_the_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, named: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        Settings.read()
    sentence = str(caught.value)
    assert named in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("name", ["auto", *PROFILES])
def test_each_profile_can_be_set(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert Settings.read().verifier_profile == "auto"
    monkeypatch.setenv("LOCI_VERIFIER_PROFILE", name)
    assert Settings.read().verifier_profile == name


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCI_CHAT_API_KEY", "sk-very-secret")
    monkeypatch.setenv("LOCI_CHAT_MODEL", "gpt-4o")
    settings = Settings.read()
    assert "sk-very-secret" not in repr(settings)
    assert "sk-very-secret" not in repr(settings.chat)


def test_with_nothing_set_everything_is_offline() -> None:
    settings = Settings.read()
    assert (settings.chat, settings.summary, settings.embeddings, settings.verifier) == (None, None, None, None)
    assert settings.announcements() == []


def test_an_openai_key_stands_in_and_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    settings = Settings.read()
    assert settings.chat is not None
    assert settings.chat.base_url == "https://api.openai.com/v1"
    assert settings.embeddings is None, "the mere presence of a key never changes the embedder"
    assert settings.verifier is None, "Qwen is not served by OpenAI"
    assert any("OPENAI_API_KEY" in sentence for sentence in settings.announcements())


def test_offline_is_stronger_than_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("LOCI_CHAT_MODEL", "offline")
    assert Settings.read().chat is None


def test_a_local_endpoint_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCI_CHAT_MODEL", "qwen3:8b")
    monkeypatch.setenv("LOCI_CHAT_BASE_URL", "http://127.0.0.1:11434/v1/")
    settings = Settings.read()
    assert settings.chat is not None
    assert settings.chat.base_url == "http://127.0.0.1:11434/v1"
    assert settings.summary == settings.chat, "the same local model distils unless another is named"


def test_the_example_names_every_variable_and_no_other() -> None:
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    named = {line.split("=")[0] for line in lines if "=" in line and not line.startswith("#")}
    fields = {
        str(field.validation_alias.choices[0]) if field.validation_alias else f"LOCI_{name.upper()}"  # type: ignore[union-attr]
        for name, field in Settings.model_fields.items()
    }
    assert named == fields


def test_the_example_itself_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in (ROOT / ".env.example").read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            variable, value = line.split("=", 1)
            monkeypatch.setenv(variable, value)
    assert Settings.read().prompt_tokens == 3000
