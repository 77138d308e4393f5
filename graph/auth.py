"""Who is asking. Without configured authentication Loci is for one machine: only loopback is answered."""

import ipaddress
from typing import Any

from langgraph_sdk import Auth

from nodes.run import DEVELOPMENT_USER

USER_HEADER = b"x-loci-user"

auth = Auth()


@auth.authenticate
async def authenticate(scope: dict[str, Any], headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return the development user: the one the X-Loci-User header names, else `local`.

    A caller from another machine is refused: there is nothing yet that could tell who it is.
    """
    if not is_local(scope.get("client")):
        raise Auth.exceptions.HTTPException(
            status_code=401,
            detail="Loci runs without authentication and answers this machine only: call it on 127.0.0.1.",
        )
    named = headers.get(USER_HEADER, b"").decode("utf-8", "replace").strip()
    return {"identity": named or DEVELOPMENT_USER}


def is_local(client: tuple[str, int] | list[Any] | None) -> bool:
    """Say whether a peer address is this machine; no address at all is a call inside the process."""
    if client is None:
        return True
    try:
        address = ipaddress.ip_address(str(client[0]))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
