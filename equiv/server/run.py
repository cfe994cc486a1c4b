"""The service as a process: listens, and on a signal finishes what it took in and takes in no more."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from equiv.errors import InputError
from equiv.server.application import Service
from equiv.server.settings import Settings

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


def serve(settings: Settings, say: Callable[[str], None]) -> None:
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


def _listener(settings: Settings) -> socket.socket:
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
