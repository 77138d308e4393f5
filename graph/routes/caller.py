"""The caller of a route, as the authentication of `graph.auth` named it."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request


def caller(request: Request) -> str:
    """Return the id of the authenticated user; answer 401 where nobody is."""
    user = request.scope.get("user")
    identity = getattr(user, "identity", None)
    if not identity:
        raise HTTPException(status_code=401, detail="Nobody is signed in.")
    return str(identity)


UserId = Annotated[str, Depends(caller)]
