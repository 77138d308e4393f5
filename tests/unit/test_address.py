"""Where the command line finds an endpoint, and where it starts one."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.cli import address


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Let another program hold the default port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(address, "DEFAULT", f"http://127.0.0.1:{taken.getsockname()[1]}")
        yield taken


def test_a_free_port_is_taken_where_another_program_holds_the_default_one(held: socket.socket) -> None:
    url = address.startable()
    assert url != address.DEFAULT
    assert url.startswith("http://127.0.0.1:")


def test_the_default_port_is_used_while_it_is_free(held: socket.socket) -> None:
    held.close()
    assert address.startable() == address.DEFAULT


def test_a_record_is_kept_until_its_own_endpoint_ends(tmp_path: Path) -> None:
    address.record(tmp_path, "http://127.0.0.1:5")
    assert address.recorded(tmp_path) == "http://127.0.0.1:5"
    address.forget(tmp_path, "http://127.0.0.1:6")
    assert address.recorded(tmp_path) == "http://127.0.0.1:5"
    address.forget(tmp_path, "http://127.0.0.1:5")
    assert address.recorded(tmp_path) is None


def test_a_record_of_an_endpoint_that_is_gone_names_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "DEFAULT", "http://127.0.0.1:9")
    address.record(tmp_path, "http://127.0.0.1:9")
    assert address.running(tmp_path) is None


def test_a_folder_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    address.record(tmp_path / "none", "http://127.0.0.1:5")
    assert address.recorded(tmp_path / "none") is None
