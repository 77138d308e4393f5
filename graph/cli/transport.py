"""How requests travel to an endpoint, and how its answers are read."""

import ipaddress
from typing import Any

import httpx

from state.errors import EndpointUnreachable


class NoPatience(httpx.BaseTransport):
    """Says at once that nothing listens, where the SDK would try again for a quarter of a minute."""

    def __init__(self, inner: httpx.BaseTransport, url: str) -> None:
        self._inner = inner
        self._url = url

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; raise EndpointUnreachable where nothing listens."""
        try:
            return self._inner.handle_request(request)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise EndpointUnreachable(f"Nothing answers at {self._url}: {str(error).rstrip('.')}.") from error

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


def is_loopback(url: str) -> bool:
    """Say whether a URL names this machine."""
    host = httpx.URL(url).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def json_of(answer: httpx.Response) -> Any:
    """Return what an answer holds, None where that is no JSON."""
    try:
        return answer.json()
    except ValueError:
        return None


def detail_of(found: object) -> str:
    """Return the sentence of an error answer: of RFC 9457, of FastAPI, or of its list of wrong fields."""
    detail = found.get("detail") if isinstance(found, dict) else found
    if isinstance(detail, str):
        return detail
    if isinstance(detail, list):
        return "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in detail if "loc" in each and "msg" in each)
    return ""
