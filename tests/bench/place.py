"""Where a bench runs: the bundled stores in a folder of its own, a clock that stands where the bench sets it."""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal

from state.records import Receipt
from state.settings import Settings

SETUP = "bench setup"

_NOW_MS: ContextVar[int] = ContextVar("now_ms", default=1_767_225_600_000)


class CaseClock:
    """Stands still at the moment of the case at hand; cases that run side by side have each their own."""

    def now_ms(self) -> int:
        return _NOW_MS.get()

    def set(self, now_ms: int) -> None:
        _NOW_MS.set(now_ms)


@contextlib.asynccontextmanager
async def bench_folder() -> AsyncIterator[Path]:
    """Give a temporary folder that is gone afterwards."""
    folder = await asyncio.to_thread(_folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def settings_in(data_dir: Path) -> Settings:
    """Return settings with the bundled stores in a folder: no bench writes into the stores that are set elsewhere."""
    own: dict[str, Any] = {"postgres_url": None, "redis_url": None, "qdrant_url": None, "qdrant_api_key": None}
    return Settings.read(data_dir=data_dir, chat_model="offline", embedder="e5", **own)


def standing_receipt(relation: Literal["new", "conflict"], said_ms: int) -> Receipt:
    """Return the receipt of a memory that stands when a case begins."""
    return Receipt(
        relation=relation,
        grounded="supported",
        confidence=1.0,
        reason="it stands when the case begins",
        verifier=SETUP,
        provisional=False,
        prompt_hash="",
        judged_ms=said_ms,
    )


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="loci-bench-"))
    folder.chmod(0o755)  # PostgreSQL runs as another account where the bench runs as root
    return folder
