"""What a run of the gate's bench works with: real stores, a clock for each case, a watched verifier."""

import contextlib
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from enum import StrEnum

from graph.models.offline import OfflineVerifier
from graph.services import Services
from state.errors import ModelAnswerUnusable, ModelError, SettingsError
from state.ports import Judgement, Neighbour, Verifier
from state.records import Candidate, LedgerEntry, Turn
from state.settings import Settings
from tests.bench.place import CaseClock, bench_folder, settings_in


class Judge(StrEnum):
    """Who judges."""

    OFFLINE = "offline"
    QWEN = "qwen"


class WatchedVerifier:
    """A verifier, with how long it took, what it spent, and how often no verdict came."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self.milliseconds: list[float] = []
        self.usage: list[LedgerEntry] = []
        self.unreadable = 0
        self.unavailable = 0

    async def verify(
        self,
        candidate: Candidate,
        source: Sequence[Turn],
        company: Sequence[Neighbour],
        *,
        context: Sequence[Turn] = (),
        seconds: float,
    ) -> Judgement:
        started = time.perf_counter()
        try:
            judgement = await self._verifier.verify(candidate, source, company, context=context, seconds=seconds)
        except ModelError as trouble:
            self.unreadable += isinstance(trouble, ModelAnswerUnusable)
            self.unavailable += not isinstance(trouble, ModelAnswerUnusable)
            self.usage += trouble.usage
            raise
        self.milliseconds.append((time.perf_counter() - started) * 1000)
        self.usage += judgement.usage
        return judgement

    async def close(self) -> None:
        if close := getattr(self._verifier, "close", None):
            await close()

    def figures(self) -> dict[str, float]:
        """Return what was seen since the last call, and forget it."""
        found = {
            "verdicts": len(self.milliseconds),
            "ms_per_verdict": statistics.median(self.milliseconds) if self.milliseconds else 0.0,
            "parse_failures": self.unreadable,
            "unavailable": self.unavailable,
            "prompt_tokens": sum(entry.prompt_tokens for entry in self.usage),
            "completion_tokens": sum(entry.completion_tokens for entry in self.usage),
        }
        self.milliseconds, self.usage, self.unreadable, self.unavailable = [], [], 0, 0
        return found


class Place:
    """Services with a case's clock and a watched verifier."""

    def __init__(self, settings: Settings, judge: Judge) -> None:
        if judge is Judge.QWEN and settings.verifier is None:
            raise SettingsError("LOCI_VERIFIER_BASE_URL is needed with --verifier qwen: where is it served?")
        self.clock = CaseClock()
        self.services = Services(settings, clock=self.clock)
        self.watched = WatchedVerifier(self.services.verifier if judge is Judge.QWEN else OfflineVerifier())
        self.services.verifier = self.watched
        self.seconds = settings.fact_check_seconds


@contextlib.asynccontextmanager
async def open_place(judge: Judge) -> AsyncIterator[Place]:
    """Give a place whose stores are the bundled ones in a temporary folder, whatever is set for other runs.

    Only the settings of the verifier are read from the environment. Raises SettingsError where Qwen is asked for and
    none is set.
    """
    async with bench_folder() as folder:
        place = Place(settings_in(folder / "data"), judge)
        try:
            await place.services.open()
            yield place
        finally:
            await place.services.close()
