"""What is taken of a server's response: so many bytes, as they are, from the server that was asked.

Imported where a client is made, since it loads the SDK.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import openai

from equiv.judge.replies import NO_SCHEMA

MOST_BYTES = 8_000_000
"""The longest body that is read, of an error too."""

# The SDK took httpx, and takes httpx2 in later versions.
_library: Any = sys.modules[openai.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0]]


class RefusedError(openai.OpenAIError):
    """A response that is not read; the SDK hands errors of its own on, and does not ask again."""


class RedirectedError(RefusedError):
    """The server sends the request, and the prompts in it, elsewhere."""


class _Bounded(_library.SyncByteStream):  # type: ignore[misc]  # whichever library it is
    """The bytes of a body, until there are too many."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        taken = 0
        for part in self._stream:
            taken += len(part)
            if taken > MOST_BYTES:
                raise RefusedError(f"the response is longer than {MOST_BYTES:,} bytes")
            yield part

    def close(self) -> None:
        """Release the connection."""
        self._stream.close()


def client() -> Any:
    """The HTTP client of the SDK, which follows no redirect and reads no body without end."""
    return openai.DefaultHttpxClient(follow_redirects=False, event_hooks={"response": [_bound]})


def _bound(response: Any) -> None:
    """Bound a response whose body has not been read.

    Raises:
        RedirectedError: it is a redirect.
        RefusedError: it is compressed, which was not asked for: a few bytes may stand for any number.
    """
    if 300 <= response.status_code < 400:
        raise RedirectedError("the server redirects")
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise RefusedError("the response is compressed, although the request did not allow it")
    response.stream = _Bounded(response.stream)
    if response.status_code == 500 and NO_SCHEMA.search(response.read().decode("utf-8", "replace")):
        response.headers["x-should-retry"] = "false"  # the SDK's own word: the refusal would be repeated
