"""The application: its routes and their handlers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from equiv.errors import InputError
from equiv.records.record import versions
from equiv.replies.remark import Prediction
from equiv.server import nemo
from equiv.server.databases import Places
from equiv.server.dispatcher import Dispatcher
from equiv.server.dispatcher import Outcome as Found
from equiv.server.guard import Guard, body_of, client_of
from equiv.server.metrics import CONTENT_TYPE, Metrics
from equiv.server.models import BatchRequest, CheckRequest, Comparison, Pair, Session
from equiv.server.openapi import document
from equiv.server.page import page, policy
from equiv.server.pair_task import Answer, Task
from equiv.server.reading import MalformedError, read, read_row
from equiv.server.reference import reference
from equiv.server.refusals import HANDLERS
from equiv.server.settings import Settings

OPEN_PATHS = frozenset({"/", "/docs", "/healthz", "/openapi.json"})
"""What needs no token: it tells nothing of databases or pairs."""

Value = TypeVar("Value")


class Service:
    """One service: its desk, and what is said at its routes.

    Args:
        settings: what the operator allows.
    """

    def __init__(self, settings: Settings) -> None:
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
            Route("/v1/check", self.check, methods=["POST"]),
            Route("/v1/check_batch", self.check_batch, methods=["POST"]),
            Route("/verify", self.verify, methods=["POST"]),
            Route("/seed_session", self.seed_session, methods=["POST"]),
            Route("/v1/databases", self.databases),
            Route("/healthz", self.healthz),
            Route("/metrics", self.show_metrics),
            Route("/openapi.json", self.openapi),
            Route("/docs", self.show_reference),
            Route("/", self.show_page),
        ]
        paths = frozenset(route.path for route in routes)
        middleware = [Middleware(Guard, self.metrics, paths, self.settings.token, OPEN_PATHS)]
        if self.settings.known_hosts is not None:
            hosts = sorted(self.settings.known_hosts)
            middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False))
        return Starlette(
            routes=routes, middleware=middleware, exception_handlers=HANDLERS, lifespan=self._lifespan
        )

    async def check(self, request: Request) -> Response:
        """Decide one pair."""
        asked = read(CheckRequest, await body_of(request, self.settings))
        tasks = self._places.tasks(_pairs([asked], asked), asked.db, asked.ddl, asked.given)
        seconds = min(asked.seconds or self.settings.seconds, self.settings.seconds)
        (found,) = await self._answers(request, tasks, seconds)
        return Response(self._record(found), media_type="application/json")

    async def check_batch(self, request: Request) -> Response:
        """Decide several pairs."""
        asked = read(BatchRequest, await body_of(request, self.settings))
        if len(asked.pairs) > self.settings.batch:
            raise HTTPException(413, f"a batch may have {self.settings.batch} pairs")
        tasks = self._places.tasks(_pairs(asked.pairs, asked), asked.db, asked.ddl, asked.given)
        seconds = min(asked.seconds or self.settings.batch_seconds, self.settings.batch_seconds)
        found = await self._answers(request, tasks, self.settings.seconds, seconds)
        return Response(
            f'{{"records": [{", ".join(map(self._record, found))}]}}', media_type="application/json"
        )

    async def verify(self, request: Request) -> Response:
        """Reward a model's response."""
        row = read_row(await body_of(request, self.settings))
        query, pair = nemo.asked(row, self._places)
        if isinstance(pair, Task):
            (found,) = await self._answers(request, [pair], self.settings.seconds)
            pair = found.finding if isinstance(found, Answer) else nemo.trouble(self._words(found))
        return Response(_text(nemo.rewarded(row, query, pair)), media_type="application/json")

    async def seed_session(self, request: Request) -> Response:
        """Begin an episode, for which nothing is kept."""
        read(Session, await body_of(request, self.settings))
        return JSONResponse({})

    async def databases(self, _: Request) -> Response:
        """List the databases that requests may name."""
        return JSONResponse({"databases": await asyncio.to_thread(self._places.names)})

    async def healthz(self, _: Request) -> Response:
        """Say how the service is."""
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


def _pairs(pairs: Iterable[Pair], asked: Comparison) -> list[tuple[Prediction, str]]:
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


async def _unless_gone(request: Request, work: Awaitable[Value]) -> Value:
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
        raise HTTPException(400, "the client has gone")
    finally:
        for each in (working, gone):
            each.cancel()


async def _gone(request: Request) -> None:
    """Wait until the client has gone; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
