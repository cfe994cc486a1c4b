"""A chat-completions server on the loopback interface that does what a test tells it to."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

Step = Callable[[Request], Response]
"""What the server does with one request."""

PASSES = json.dumps(
    {
        "expected_answer": "one column, the names",
        "sql_description": "selects the names",
        "evidence": "name",
        "reason": "the anchors are met",
        "verdict": True,
    }
)
UPHOLDS = json.dumps({"reason": "no flaw", "ambiguity": "none", "gold_correct": True, "overturn": False})
USAGE = {"prompt_tokens": 1200, "completion_tokens": 80, "prompt_tokens_details": {"cached_tokens": 1024}}


class Loopback:
    """The server: steps are taken in turn, then ``otherwise`` for ever."""

    def __init__(self, server: HTTPServer) -> None:
        self.steps: deque[Step] = deque()
        self.otherwise: Step = by_role
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._turn = threading.Lock()
        self.url = server.url_for("/v1")
        server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._handle)

    def script(self, *steps: Step) -> None:
        """Queue steps for the next requests."""
        self.steps.extend(steps)

    def _handle(self, request: Request) -> Response:
        with self._turn:
            self.bodies.append(json.loads(request.get_data()))
            self.headers.append(dict(request.headers))
            step = self.steps.popleft() if self.steps else self.otherwise
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return step(request)
        finally:
            with self._turn:
                self._at_once -= 1


def completes(content: object, *, usage: object = USAGE, finish: str = "stop", **message: object) -> Step:
    """A completion with this content."""
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": content, **message},
    }
    return answers({"object": "chat.completion", "choices": [choice], "usage": usage})


def answers(body: object) -> Step:
    """A response with this JSON body."""
    return sends(json.dumps(body))


def sends(text: str) -> Step:
    """A response with this text, said to be JSON."""
    return lambda _: Response(text, content_type="application/json")


def fails(status: int, message: str = "no", *, after: str | None = "0.02", **error: object) -> Step:
    """An error response; ``after`` is its Retry-After in seconds."""
    headers = {"Retry-After": after} if after is not None else {}
    body = json.dumps({"error": {"message": message, **error}})
    return lambda _: Response(body, status, headers, content_type="application/json")


def waits(seconds: float, then: Step) -> Step:
    """Silence, then another step."""

    def step(request: Request) -> Response:
        time.sleep(seconds)
        return then(request)

    return step


def drops(request: Request) -> Response:
    """The connection breaks before a response."""
    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return Response()


def by_role(request: Request) -> Response:
    """The Prover passes, the Refuter upholds; distinguished by the name of the reply's schema."""
    name = json.loads(request.get_data()).get("response_format", {}).get("json_schema", {}).get("name")
    return completes(UPHOLDS if name == "refuter" else PASSES)(request)
