"""This module runs the service: :func:`serve` listens, and on a signal finishes the requests it has accepted.

:class:`Service` has the routes and their handlers.  The middleware checks the token and the body's length of
every request, and adds headers and metrics; a refused request gets a status and one line that says why.
"""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from hmac import compare_digest
from ipaddress import ip_address, ip_network
from time import perf_counter
from types import FrameType
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Address, Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equiv.errors import InputError
from equiv.records.record import versions
from equiv.replies.extract import Prediction
from equiv.server import requests
from equiv.server.dispatcher import CONTENT_TYPE, Dispatcher, FullError, Metrics, StoppingError
from equiv.server.dispatcher import TaskOutcome as Found
from equiv.server.openapi import ROUTES, document, page, policy, reference
from equiv.server.pair_task import PairAnswer, Task
from equiv.server.requests import (
    BatchRequest,
    CheckRequest,
    Comparison,
    MalformedError,
    NoDatabaseError,
    PairTexts,
    Places,
    SessionRequest,
    read,
    read_row,
)
from equiv.server.settings import ServiceSettings

_CONNECTIONS = 1_000
"""How many connections are kept; a further one is told that there are too many."""
_KEPT_SECONDS = 75
"""How long an idle connection is kept: a client that uses it again just then would lose a request."""
_BEYOND_GRACE = 10
"""Seconds in which answers are sent after the grace, before connections are cut."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Server(uvicorn.Server):
    """A server that ends by itself after a signal, instead of by the signal."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._service.desk.refuse()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        draining = asyncio.create_task(self._service.desk.drain())
        await super().shutdown(sockets)
        await draining


def serve(settings: ServiceSettings, say: Callable[[str], None]) -> None:
    """Listen until a signal comes, then finish what was taken in.

    Args:
        settings: what the operator allows.
        say: is told one line, where the service can be reached, once it can.

    Raises:
        InputError: the address cannot be listened on.
    """
    listener = _listener(settings)
    service = Service(settings)
    config = uvicorn.Config(
        service.application(),
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_KEPT_SECONDS,
        timeout_graceful_shutdown=int(settings.grace) + _BEYOND_GRACE,
    )
    host, port = listener.getsockname()[:2]
    address = f"[{host}]" if ":" in host else host
    say(f"listening on http://{address}:{port}/")
    try:
        _Server(config, service).run(sockets=[listener])
    finally:
        listener.close()


def _listener(settings: ServiceSettings) -> socket.socket:
    """The socket that is listened on; connections queue there from now on."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(2_048)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise InputError(f"{settings.host}:{settings.port}: {error.strerror or error}") from None
    return listener


_Value = TypeVar("_Value")


class Service:
    """One service: its desk, and what is said at its routes.

    Args:
        settings: what the operator allows.
    """

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.desk = Dispatcher(settings, self.metrics)
        self.metrics.watch(lambda: self.desk.held)
        self._places = Places(settings.db_roots, settings.options)
        self._page = page(settings)
        self._document = document(settings)
        self._reference = reference(self._document)

    def application(self) -> Starlette:
        """The ASGI application."""
        routes = [
            Route(each.path, getattr(self, each.act), methods=["POST" if each.asked else "GET"])
            for each in ROUTES
        ]
        middleware = [Middleware(_Guard, self.metrics, self.settings.token)]
        if self.settings.known_hosts is not None:
            hosts = sorted(self.settings.known_hosts)
            middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False))
        return Starlette(
            routes=routes, middleware=middleware, exception_handlers=_HANDLERS, lifespan=self._lifespan
        )

    async def check(self, request: Request) -> Response:
        """Decide one pair."""
        asked = read(CheckRequest, await _body_of(request, self.settings))
        tasks = self._places.tasks(_pairs([asked], asked), asked.db, asked.ddl, asked.given)
        seconds = min(asked.seconds or self.settings.seconds, self.settings.seconds)
        (found,) = await self._answers(request, tasks, seconds)
        return Response(self._record(found), media_type="application/json")

    async def check_batch(self, request: Request) -> Response:
        """Decide several pairs."""
        asked = read(BatchRequest, await _body_of(request, self.settings))
        if len(asked.pairs) > self.settings.batch:
            raise HTTPException(413, f"a batch may have at most {self.settings.batch} pairs")
        tasks = self._places.tasks(_pairs(asked.pairs, asked), asked.db, asked.ddl, asked.given)
        seconds = min(asked.seconds or self.settings.batch_seconds, self.settings.batch_seconds)
        found = await self._answers(request, tasks, self.settings.seconds, seconds)
        return Response(
            f'{{"records": [{", ".join(map(self._record, found))}]}}', media_type="application/json"
        )

    async def verify(self, request: Request) -> Response:
        """Reward a model's response."""
        row = read_row(await _body_of(request, self.settings))
        query, pair = requests.asked(row, self._places)
        if isinstance(pair, Task):
            (found,) = await self._answers(request, [pair], self.settings.seconds)
            pair = found.finding if isinstance(found, PairAnswer) else requests.trouble(self._words(found))
        return Response(_text(requests.rewarded(row, query, pair)), media_type="application/json")

    async def seed_session(self, request: Request) -> Response:
        """Begin an episode, for which nothing is kept."""
        read(SessionRequest, await _body_of(request, self.settings))
        return JSONResponse({})

    async def databases(self, _: Request) -> Response:
        """List the databases that requests may name."""
        return JSONResponse({"databases": await asyncio.to_thread(self._places.names)})

    async def healthz(self, _: Request) -> Response:
        """Report the state of the service."""
        status = "stopping" if self.desk.stopping else "ok"
        held = self.desk.held
        told = {"status": status, "version": versions()["equiv"], "pairs": held}
        told["room"] = max(0, self.settings.queue - held)
        return JSONResponse(told, 503 if self.desk.stopping else 200)

    async def show_metrics(self, _: Request) -> Response:
        """Show what was counted."""
        return Response(self.metrics.shown(), headers={"Content-Type": CONTENT_TYPE})

    async def openapi(self, _: Request) -> Response:
        """Show what can be asked, and how."""
        return JSONResponse(self._document)

    async def show_reference(self, _: Request) -> Response:
        """Show every request for people."""
        return HTMLResponse(self._reference, headers={"Content-Security-Policy": policy(self._reference)})

    async def show_page(self, _: Request) -> Response:
        """Show the page."""
        return HTMLResponse(self._page, headers={"Content-Security-Policy": policy(self._page)})

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.desk.start()
        try:
            yield
        finally:
            await self.desk.close()

    async def _answers(
        self, request: Request, tasks: Sequence[Task], seconds: float, all_seconds: float | None = None
    ) -> list[Found]:
        """What comes of pairs, unless the client goes away, which takes them out of the line."""
        return await _unless_gone(
            request, self.desk.answers(tasks, seconds, all_seconds, client_of(request.client))
        )

    def _record(self, found: Found) -> str:
        """The record of a pair as JSON.

        Raises:
            InputError: the schema or an option cannot be used.
        """
        if isinstance(found, InputError):
            raise InputError(self._words(found))
        return found.record

    def _words(self, error: InputError) -> str:
        return self._places.without_paths(str(error))


def _pairs(pairs: Iterable[PairTexts], asked: Comparison) -> list[tuple[Prediction, str]]:
    return [(Prediction.of(pair.pred, extract=asked.extract), pair.gold) for pair in pairs]


def _text(row: dict[str, Any]) -> str:
    """A row as JSON, in ASCII.

    Raises:
        MalformedError: it is nested too deeply to be written, though it could be read.
    """
    try:
        return json.dumps(row)
    except RecursionError as error:
        raise MalformedError(f"not JSON: {error}") from None


async def _unless_gone(request: Request, work: Awaitable[_Value]) -> _Value:
    """What comes of some work, which is given up when the client goes away.

    Raises:
        HTTPException: it has gone.
    """
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise HTTPException(400, "the client disconnected")
    finally:
        for each in (working, gone):
            each.cancel()


async def _gone(request: Request) -> None:
    """Wait until the client has gone; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class _Guard:
    """The outermost of the application; paths that are not route's are counted as one.

    Args:
        app: what it guards.
        metrics: what is counted.
        token: what requests must bear; '' asks for none.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, token: str) -> None:
        self._app = app
        self._metrics = metrics
        self._token = token.encode()

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

        route = next((each for each in ROUTES if each.path == scope["path"]), None)
        is_open = route is not None and route.is_open
        try:
            if self._token and not is_open and not self._bears_token(scope):
                refusal = JSONResponse(
                    {"detail": "a bearer token is needed"}, 401, {"WWW-Authenticate": "Bearer"}
                )
                await refusal(scope, receive, sending)
            else:
                await self._app(scope, receive, sending)
        finally:
            self._metrics.answered(route.path if route else "other", status, perf_counter() - start)

    def _bears_token(self, scope: Scope) -> bool:
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        # In constant time, and of bytes: texts that are not ASCII cannot be compared so.
        is_same = compare_digest(given.strip().encode("latin-1"), self._token)
        return is_same and scheme.lower() == "bearer"


def client_of(address: Address | None) -> str:
    """The client behind an address: for IPv6 the whole network, because one client may own all of it."""
    host = address.host.partition("%")[0] if address is not None else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else host


async def _body_of(request: Request, settings: ServiceSettings) -> bytes:
    """The body of a request, within its limits.

    Raises:
        HTTPException: it is too long, takes too long, is not said to be JSON, or the client has gone.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "the body must be application/json")
    too_long = HTTPException(413, f"the body exceeds {settings.body_bytes:,} bytes", {"Connection": "close"})
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
        raise HTTPException(408, "the request body took too long", {"Connection": "close"}) from None
    except ClientDisconnect:
        raise HTTPException(400, "the client disconnected") from None
    return bytes(body)


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
    return _problem(429, "too many pairs are waiting", {"Retry-After": str(error.seconds)})


async def _stopping(_: Request, __: Exception) -> Response:
    return _problem(503, "the service is shutting down", {"Retry-After": "5", "Connection": "close"})


def _problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    # Written in ASCII: what is quoted of a request may be no text that can be sent as it is.
    return Response(json.dumps({"detail": detail}), status, headers, "application/json")


_HANDLERS = {HTTPException: _refused, InputError: _unusable, FullError: _full, StoppingError: _stopping}
"""What is made of each error, by its class."""
