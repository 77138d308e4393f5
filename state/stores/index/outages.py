"""What can go wrong between Loci and Qdrant, in Loci's own errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError

from state.errors import StoreUnavailable

PART = "qdrant"
_STRANGER = "what answers at LOCI_QDRANT_URL is not a Qdrant server"


class CollectionGone(StoreUnavailable):
    """The collection was there when it was opened and is not there any more; opening again makes it anew."""

    def __init__(self, reason: str) -> None:
        super().__init__(PART, reason)


@contextmanager
def server_outages() -> Iterator[None]:
    """Turn what a Qdrant server's client raises into StoreUnavailable.

    The client wraps whatever happens while it sends, so that a programming error such as blockbuster's BlockingError
    looks like a broken network: only what comes from the network or from an unreadable answer is an outage.
    """
    # A second to import, and needed only once a client exists.
    import httpx  # noqa: PLC0415
    from pydantic import ValidationError  # noqa: PLC0415
    from qdrant_client.common.client_exceptions import ResourceExhaustedResponse  # noqa: PLC0415
    from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse  # noqa: PLC0415

    try:
        yield
    except JSONDecodeError as error:
        raise StoreUnavailable(PART, _STRANGER) from error
    except ResponseHandlingException as error:
        if isinstance(error.source, ValidationError):
            raise StoreUnavailable(PART, _STRANGER) from error
        if isinstance(error.source, (httpx.TransportError, OSError)):
            what = str(error.source) or type(error.source).__name__
            raise StoreUnavailable(PART, what) from error
        raise error.source from error
    except ResourceExhaustedResponse as error:
        raise StoreUnavailable(PART, f"it is overloaded ({error})") from error
    except UnexpectedResponse as error:
        if error.status_code == 404 and b"doesn't exist" in error.content:
            raise CollectionGone("the collection was removed on the server; it is made anew at the next use") from error
        raise StoreUnavailable(PART, _refusal(error.status_code, error.content)) from error


def _refusal(status: int | None, content: bytes) -> str:
    if status in (401, 403):
        return f"the server refuses the key ({status}); correct LOCI_QDRANT_API_KEY"
    return f"the server answered {status}: {content[:200].decode(errors='replace').strip()}"
