"""Who is answered while nothing else tells callers apart."""

import pytest
from langgraph_sdk import Auth

from graph.auth import authenticate, is_local


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_local(host: str) -> None:
    assert is_local((host, 1))


@pytest.mark.parametrize("host", ["10.0.0.2", "192.168.1.9", "8.8.8.8", "::ffff:10.0.0.2", "testclient", ""])
def test_other_machines_are_not(host: str) -> None:
    assert not is_local((host, 1))


async def test_the_header_names_the_user_and_local_is_the_default() -> None:
    scope = {"client": ("127.0.0.1", 5)}
    assert (await authenticate(scope, {}))["identity"] == "local"
    assert (await authenticate(scope, {b"x-loci-user": "安妮".encode()}))["identity"] == "安妮"


async def test_another_machine_is_refused_in_one_sentence() -> None:
    with pytest.raises(Auth.exceptions.HTTPException, match=r"127\.0\.0\.1"):
        await authenticate({"client": ("10.0.0.2", 5)}, {})
