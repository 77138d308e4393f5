"""What the bundled servers refuse, in one sentence each, and leave as it was."""

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from state.errors import EmbeddedServerError
from state.stores.embedded.servers import EmbeddedServers
from tests.integration.embedded_processes import (
    NOBODY,
    ROOT,
    Child,
    as_root,
    mode,
    urls_of,
    works_below,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the bundled servers run on Linux and macOS")


@pytest.fixture
def empty(data: Path) -> Path:
    (data / "lost+found").mkdir(parents=True)  # as a new file system has it
    return data


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    parts = [folder, *folder.rglob("*")]
    return {
        str(part): (part.stat().st_mode, part.stat().st_mtime_ns, part.read_bytes() if part.is_file() else b"")
        for part in parts
    }


async def refusal(servers: EmbeddedServers) -> str:
    """Ask for everything; each must be refused with the same one sentence."""
    said = set()
    for ask in (servers.redis_url, servers.postgres_url, servers.qdrant_folder):
        with pytest.raises(EmbeddedServerError) as caught:
            await ask()
        said.add(str(caught.value))
    await servers.close()
    (sentence,) = said
    assert "\n" not in sentence and sentence.endswith(".")
    return sentence


async def test_a_foreign_folder_is_refused_and_left_as_it_is(data: Path) -> None:
    (data / "sub").mkdir(parents=True)
    (data / "sub" / "thesis.txt").write_text("mine")
    before = snapshot(data)
    sentence = await refusal(EmbeddedServers(data))
    assert sentence.startswith(f"{data} holds other files") and "LOCI_DATA_DIR" in sentence
    assert snapshot(data) == before


async def test_a_file_in_the_folders_place_is_refused(place: Path) -> None:
    (place / "file").write_text("mine")
    for path in (place / "file", place / "file" / "below"):
        sentence = await refusal(EmbeddedServers(path))
        assert "is no folder" in sentence and "LOCI_DATA_DIR" in sentence
    assert (place / "file").read_text() == "mine"


async def test_an_empty_folder_is_ours_and_a_newer_format_is_refused(empty: Path) -> None:
    servers = EmbeddedServers(empty)
    await servers.qdrant_folder()
    await servers.close()
    assert (empty / ".loci-data").read_text() == "1\n"
    (empty / ".loci-data").write_text("7\n")
    assert "format 7" in await refusal(EmbeddedServers(empty))


def test_a_read_only_folder_is_refused(place: Path) -> None:
    data = place / "d"
    data.mkdir(mode=0o555)
    child = Child(data, uid=NOBODY if ROOT else None)
    sentence = child.answer()
    child.leave()
    assert "may not write" in sentence and str(data) in sentence and "LOCI_DATA_DIR" in sentence
    assert list(data.iterdir()) == []


@as_root
async def test_a_folder_of_another_account_is_refused(empty: Path) -> None:
    (empty / ".loci-data").write_text("1\n")
    os.chown(empty / ".loci-data", NOBODY, NOBODY)
    assert f"another account (user id {NOBODY})" in await refusal(EmbeddedServers(empty))


@pytest.fixture
def small_disk(place: Path) -> Iterator[Path]:
    """A disk of 8 MB: room for Redis, not for a new PostgreSQL."""
    disk = place / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if not ROOT or mount is None or sys.platform != "linux":
        pytest.skip("mounting a small disk needs root on Linux")
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(disk: Path) -> None:
    with pytest.raises(OSError) as caught, (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)
    assert caught.value.errno == errno.ENOSPC


async def test_a_full_disk_is_named(small_disk: Path) -> None:
    data = small_disk / "d"
    servers = EmbeddedServers(data)
    await servers.redis_url()
    with pytest.raises(EmbeddedServerError, match=r"^The disk is full, .*LOCI_DATA_DIR"):
        await servers.postgres_url()
    assert not (data / "postgres").exists() and not list(data.glob("postgres-new-*"))
    await servers.close()

    fill(small_disk)
    servers = EmbeddedServers(data)
    for ask in (servers.postgres_url, servers.qdrant_folder):
        with pytest.raises(EmbeddedServerError, match=r"^The disk is full, .*LOCI_DATA_DIR"):
            await ask()
    await servers.close()
    with pytest.raises(EmbeddedServerError, match=r"^The disk is full, .*LOCI_DATA_DIR"):
        await EmbeddedServers(small_disk / "new").qdrant_folder()
    assert works_below(small_disk) == []


@as_root
async def test_root_cannot_hide_the_data_from_the_account_of_postgres(place: Path) -> None:
    hidden = place / "hidden"
    hidden.mkdir(mode=0o700)
    servers = EmbeddedServers(hidden / "d")
    with pytest.raises(EmbeddedServerError, match=r"account nobody .* cannot reach .*LOCI_DATA_DIR.*/var/lib/loci"):
        await servers.postgres_url()
    await servers.close()
    assert mode(hidden) == 0o700
    assert {path.name for path in (hidden / "d").iterdir()} == {".loci-data", "users.lock", "sockets", "postgres.lock"}


@as_root
async def test_a_socket_folder_of_somebody_else_is_not_used(data: Path) -> None:
    name = f"loci-0-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"
    taken = Path(tempfile.gettempdir()) / name
    taken.mkdir()
    os.chown(taken, NOBODY, NOBODY)
    try:
        servers = EmbeddedServers(data)
        with pytest.raises(EmbeddedServerError, match=rf"{taken}.* belongs to somebody else: remove it or set TMPDIR"):
            await servers.redis_url()
        await servers.close()
        assert taken.stat().st_uid == NOBODY
    finally:
        taken.rmdir()


async def test_a_start_that_fails_says_the_servers_last_words(data: Path) -> None:
    servers = EmbeddedServers(data)
    urls = await urls_of(servers)
    with redis.Redis.from_url(urls[0], decode_responses=True) as client:
        settings = client.config_get("append*")
    await servers.close()
    append_only = data / "redis" / settings.get("appenddirname", "") / settings["appendfilename"]
    for file in append_only.parent.glob(f"{append_only.name}*"):
        file.write_bytes(b"rubbish " * 9)
    (data / "postgres" / "global" / "pg_control").unlink()

    with pytest.raises(EmbeddedServerError, match=r"^Redis does not start \(.*\): .* set LOCI_REDIS_URL to"):
        await servers.redis_url()
    with pytest.raises(
        EmbeddedServerError, match=r"^PostgreSQL does not start \(.*pg_control.*\): .*LOCI_POSTGRES_URL"
    ):
        await servers.postgres_url()
    (data / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedServerError, match=r"made by PostgreSQL 9 and the installed one is"):
        await servers.postgres_url()
    await servers.close()
    assert works_below(data) == []
