"""`loci probe-verifier`: what the verifier's server can do, asked from here, without a Loci endpoint."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from graph.cli.devserver import project
from graph.cli.options import AsJson, http_url
from graph.cli.terminal import Screen
from state.errors import SettingsError
from state.settings import Settings, VerifierProfile

if TYPE_CHECKING:
    from graph.models.probe_report import Findings, Report

_YES, _NO = "yes", "no"


def probe_verifier(
    base_url: Annotated[
        str | None,
        typer.Option(
            callback=http_url("http://localhost:8000/v1"),
            help="Where the model is served; LOCI_VERIFIER_BASE_URL if not given.",
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="The model; LOCI_VERIFIER_MODEL if not given.")] = None,
    profile: Annotated[VerifierProfile, typer.Option(help="The one to try; auto tries all.")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Say of each profile what the verifier's server can do, and which LOCI_VERIFIER_PROFILE to set.

    It asks the server from here, a handful of short questions for each way of asking; no Loci needs to run.

    The exit code is 1 if no profile can be used.
    """
    # They load much that no other command needs.
    from graph.models.failures import VERIFIER  # noqa: PLC0415
    from graph.models.probe import probe  # noqa: PLC0415
    from graph.services import SystemClock  # noqa: PLC0415

    screen = Screen()
    given = {"verifier_base_url": base_url, "verifier_model": model}
    settings = Settings.read(_env_file=project() / ".env", **{name: value for name, value in given.items() if value})
    if settings.verifier is None:
        raise SettingsError(
            "LOCI_VERIFIER_BASE_URL is not set: say where Qwen3 is served, such as http://localhost:8000/v1, "
            "there or with --base-url."
        )
    # A failure names what was typed rather than a variable that is not set.
    variables = replace(
        VERIFIER, url="--base-url" if base_url else VERIFIER.url, model="--model" if model else VERIFIER.model
    )
    with _progress(screen, settings.verifier.model) as tell:
        findings = asyncio.run(
            probe(
                settings.verifier,
                profile=profile,
                clock=SystemClock(),
                seconds=settings.model_seconds,
                tell=tell,
                variables=variables,
            )
        )
    if as_json:
        screen.data(findings.model_dump(mode="json"))
    else:
        _show(screen, findings)
    if findings.recommended is None:
        raise typer.Exit(1)


@contextmanager
def _progress(screen: Screen, model: str) -> Iterator[Callable[[str], None]]:
    """Give what says what is tried: a line that changes on a terminal, a line each in a pipe."""
    if not screen.err.is_terminal:
        yield screen.note
        return
    with screen.err.status(Text(f"asking {model}…", style="dim")) as status:
        yield lambda what: status.update(Text(f"{what}…", style="dim"))


def _show(screen: Screen, findings: "Findings") -> None:
    screen.note(f"{findings.model} at {findings.base_url}")
    headings = ("profile", "usable", "thinking off", "shape", "answer in", "right", "thinking", "tokens", "latency")
    tried = [report for report in findings.profiles if report.asked_as is None]
    names = {report.profile: _names(report, findings.profiles) for report in tried}
    screen.table(headings, [_row(report, names[report.profile]) for report in tried])
    for report in tried:
        if report.trouble and findings.recommended is None:
            screen.note(f"{names[report.profile]}: {report.trouble}")
    good = any(report.profile == findings.recommended and report.right == report.cases for report in findings.profiles)
    for sentence in findings.advice:
        screen.note(sentence, "green" if good else "yellow")


def _names(report: "Report", reports: "list[Report]") -> str:
    """Return the names of all profiles that ask as this one does: they were tried once."""
    return ", ".join([report.profile, *(each.profile for each in reports if each.asked_as == report.profile)])


def _row(report: "Report", names: str) -> list[Text | str]:
    usable = Text(_YES, style="green") if report.usable else Text(_NO, style="red")
    if not report.taken:
        return [names, usable, "refused", *["-"] * 6]
    shape = {True: "enforced", False: "not enforced", None: "-"}[report.structure]
    return [
        names,
        usable,
        _YES if report.thinking_off else _NO,
        shape,
        report.answer_in or "-",
        f"{report.right} of {report.cases}",
        report.thinking or "-",
        f"{report.prompt_tokens} + {report.completion_tokens}",
        f"{report.latency_ms} ms",
    ]
