"""The bundled servers without servers: locks, sentences, missing programs."""

import errno
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from state.errors import EmbeddedServerError
from state.stores.embedded import postgres_server, redis_server
from state.stores.embedded.data_folder import clear_errors
from state.stores.embedded.servers import EmbeddedServers
from state.stores.embedded.supervisor import failure
from state.stores.file_lock import FileLock

posix = pytest.mark.skipif(sys.platform == "win32", reason="file locks are for POSIX")


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "The disk is full"),
        (errno.EROFS, "Loci may not write to /x"),
        (errno.EACCES, "Loci may not write to /x"),
        (errno.ENOTDIR, "/x is no folder"),
        (errno.EIO, "Loci cannot use /x (Input/output error)"),
    ],
)
def test_each_error_of_the_disk_is_one_sentence_that_names_the_remedy(number: int, says: str) -> None:
    with pytest.raises(EmbeddedServerError) as caught, clear_errors(Path("/data")):
        raise OSError(number, os.strerror(number), "/x")
    sentence = str(caught.value)
    assert sentence.startswith(says) and "LOCI_DATA_DIR" in sentence and "\n" not in sentence


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (
            '2026-01-02 03:04:05.678 UTC [12] FATAL:  data directory "/d" has wrong ownership\n'
            "2026-01-02 03:04:05.679 UTC [12] LOG:  database system is shut down\n",
            'data directory "/d" has wrong ownership',
        ),
        (
            "creating subdirectories ... ok\ninitdb: error: could not look up effective user ID 7: user does not exist",
            "could not look up effective user ID 7: user does not exist",
        ),
        ("12:M 30 Nov 2026 07:11:52.640 # Bad file format reading the append only file\n", "Bad file format reading"),
        ("", "it printed nothing"),
    ],
)
def test_a_failed_start_quotes_the_words_that_matter(printed: str, words: str, tmp_path: Path) -> None:
    sentence = str(failure("Server", printed, tmp_path / "d", "LOCI_X_URL"))
    assert sentence.startswith(f"Server does not start ({words}")
    assert sentence.endswith("or set LOCI_X_URL to a server of your own.")


def test_a_full_disk_in_a_servers_words_is_called_that(tmp_path: Path) -> None:
    printed = "FATAL:  could not extend file: No space left on device\n"
    assert str(failure("Server", printed, tmp_path / "d", "LOCI_X_URL")).startswith("The disk is full")


@posix
def test_a_lock_is_shared_or_exclusive_and_falls_away_with_its_file(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "l"), FileLock(tmp_path / "l")
    assert first.take(shared=True) and second.take(shared=True)
    assert not first.take()
    assert first.take(shared=True)
    second.release()
    assert first.take()
    assert not second.take(shared=True, seconds=0.05)
    first.close()
    assert second.take()
    second.close()


def test_a_missing_redis_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbeddedServerError, match=r"^No Redis was found: install redis-server .*LOCI_REDIS_URL"):
        redis_server._program()


def test_a_redis_on_the_path_comes_before_the_carried_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    carried = redis_server._program()
    mine = tmp_path / "valkey-server"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert redis_server._program() == str(mine) != carried


def test_a_missing_postgres_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EmbeddedServerError, match=r"^The programs of PostgreSQL are missing: .*LOCI_POSTGRES_URL"):
        postgres_server._programs(tmp_path, None)


async def test_on_windows_the_variable_to_set_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    servers = EmbeddedServers(tmp_path / "d")
    with pytest.raises(EmbeddedServerError, match="set LOCI_REDIS_URL to"):
        await servers.redis_url()
    with pytest.raises(EmbeddedServerError, match="set LOCI_POSTGRES_URL to"):
        await servers.postgres_url()
    await servers.close()
    assert not (tmp_path / "d").exists()
