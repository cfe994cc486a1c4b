"""How requests are refused: a status, and one line that says why."""

from __future__ import annotations

import json

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from equiv.errors import InputError
from equiv.server.databases import NoDatabaseError
from equiv.server.dispatcher import FullError, StoppingError
from equiv.server.reading import MalformedError


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _problem(error.status_code, error.detail, dict(error.headers or {}))


async def _unusable(_: Request, error: Exception) -> Response:
    match error:
        case MalformedError():
            return _problem(400, str(error))
        case NoDatabaseError():
            return _problem(404, str(error))
        case _:
            return _problem(422, str(error))


async def _full(_: Request, error: Exception) -> Response:
    assert isinstance(error, FullError)
    return _problem(429, "too many pairs wait already", {"Retry-After": str(error.seconds)})


async def _stopping(_: Request, __: Exception) -> Response:
    return _problem(503, "the service is stopping", {"Retry-After": "5", "Connection": "close"})


def _problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    # Written in ASCII: what is quoted of a request may be no text that can be sent as it is.
    return Response(json.dumps({"detail": detail}), status, headers, "application/json")


HANDLERS = {HTTPException: _refused, InputError: _unusable, FullError: _full, StoppingError: _stopping}
"""What is made of each error, by its class."""
