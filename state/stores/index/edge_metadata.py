"""The metadata that a server keeps with a collection, and Edge does not: a file beside the shard."""

import json
import os
from pathlib import Path
from typing import Any

from state.errors import StoreUnavailable
from state.stores.index.outages import PART

_FILE = "loci_metadata.json"


def read(collection: Path) -> dict[str, Any] | None:
    """Return a collection's metadata, None where it has none. Raises StoreUnavailable where they are damaged."""
    path = collection / _FILE
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise StoreUnavailable(PART, f"{path} is damaged ({error}): delete it") from error
    return kept


def add(collection: Path, metadata: dict[str, Any]) -> None:
    """Add to a collection's metadata, all of it or nothing. Raises StoreUnavailable where they cannot be written."""
    path = collection / _FILE
    half_written = path.with_suffix(".new")
    whole = json.dumps({**(read(collection) or {}), **metadata}, ensure_ascii=False)
    try:
        with half_written.open("w", encoding="utf-8") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        half_written.replace(path)
    except OSError as error:
        raise StoreUnavailable(PART, f"{path} cannot be written: {error.strerror}") from error
