"""Who is asking. Without configured authentication Loci is for one machine: only loopback is answered."""

import ipaddress
from typing import Any

from langgraph_sdk import Auth

from state.context import DEVELOPMENT_USER

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


@auth.on
async def nothing_else(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:  # noqa: ARG001
    """Refuse what no handler below allows: the server lets everything pass that has no handler."""
    return False


@auth.on.assistants
async def assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Let every caller see and configure assistants: they hold knobs, no memories."""


@auth.on.threads
async def threads(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Auth.types.FilterType:
    """Let every caller have threads, and see those alone."""
    return _owned(ctx, value)


@auth.on.crons
async def scheduled_runs(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Auth.types.FilterType:
    """Let every caller schedule runs, and see those alone."""
    return _owned(ctx, value)


def _owned(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Auth.types.FilterType:
    """Stamp what is made with its owner, and return the filter that finds it again."""
    owner = {"owner": ctx.user.identity}
    metadata = value.setdefault("metadata", {})
    if isinstance(metadata, dict):
        metadata.update(owner)
    return owner


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
