"""The middleware of every request: token, limits of the body, headers of the response, metrics."""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from ipaddress import ip_address, ip_network
from time import perf_counter

from starlette.datastructures import Address, Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equiv.server.metrics import Metrics
from equiv.server.settings import Settings

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """The outermost of the application.

    Args:
        app: what it guards.
        metrics: what is counted.
        paths: the paths that are counted by name; others are one.
        token: what requests must bear; '' asks for none.
        open_paths: the paths that need no token.
    """

    def __init__(
        self, app: ASGIApp, metrics: Metrics, paths: frozenset[str], token: str, open_paths: frozenset[str]
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._paths = paths
        self._token = token.encode()
        self._open = open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        path = scope["path"]
        try:
            if self._token and path not in self._open and not self._bears_token(scope):
                refusal = JSONResponse(
                    {"detail": "a bearer token is needed"}, 401, {"WWW-Authenticate": "Bearer"}
                )
                await refusal(scope, receive, sending)
            else:
                await self._app(scope, receive, sending)
        finally:
            self._metrics.answered(path if path in self._paths else "other", status, perf_counter() - start)

    def _bears_token(self, scope: Scope) -> bool:
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        # In constant time, and of bytes: texts that are not ASCII cannot be compared so.
        is_same = compare_digest(given.strip().encode("latin-1"), self._token)
        return is_same and scheme.lower() == "bearer"


def client_of(address: Address | None) -> str:
    """Who asks, as far as an address tells: of IPv6 the network, all of which one client may have."""
    host = address.host.partition("%")[0] if address is not None else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else host


async def body_of(request: Request, settings: Settings) -> bytes:
    """The body of a request, within its limits.

    Raises:
        HTTPException: it is too long, takes too long, is not said to be JSON, or the client has gone.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "the body must be application/json")
    too_long = HTTPException(413, f"the body may have {settings.body_bytes:,} bytes", {"Connection": "close"})
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length[:20]) > settings.body_bytes:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > settings.body_bytes:
                    raise too_long
    except TimeoutError:
        raise HTTPException(408, "the body took too long", {"Connection": "close"}) from None
    except ClientDisconnect:
        raise HTTPException(400, "the client has gone") from None
    return bytes(body)
