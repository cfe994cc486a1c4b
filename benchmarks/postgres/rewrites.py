"""Rewrites put to the engine, each for some seconds of the processor, and a table of how they end.

``python -m benchmarks.postgres.rewrites $EQUIV_DATA/rewrites RESULTS [SECONDS [SEED]]`` takes the pairs in
an order drawn from the seed, goes on where RESULTS ends, and prints the table of RESULTS, also when
it is interrupted.  Time is that of the process, so that a busy machine measures the same; the time of
PostgreSQL's server is not in it.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from types import FrameType

from benchmarks.journal import Journal, Record
from equiv.dialects.registry import dialect_named
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.options import Options

SECONDS = 20.0


class OutOfTimeError(BaseException):
    """A pair has used up its seconds; nothing on the way may take it for an error of its own."""


def pairs_of(folder: Path, seed: int) -> list[Record]:
    """The pairs that were executed by those who published them, in a random order."""
    with (folder / "pairs.jsonl").open(encoding="utf-8") as lines:
        pairs = [json.loads(line) | {"key": number} for number, line in enumerate(lines)]
    executed = [pair for pair in pairs if pair["executed_equal"] is not None]
    Random(seed).shuffle(executed)
    return executed


def judged(engine: Engine, pair: Record, seconds: float) -> Record:
    """How a pair ends within some seconds of the processor."""
    start = time.process_time()
    found: Record = {}
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        verdict = engine.check(pair["predicted_sql"], pair["gold_sql"])
        signal.setitimer(signal.ITIMER_PROF, 0)
        tier, reason = getattr(verdict, "tier", None), getattr(verdict, "reason", None)
        found = {"verdict": verdict.name, "tier": tier and str(tier), "reason": reason and str(reason)}
        found |= {"detail": getattr(verdict, "detail", ""), "relation": str(verdict.relation)}
    except OutOfTimeError:
        found = {"verdict": "undecided", "tier": None, "reason": "TIMEOUT", "detail": ""}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return pair | found | {"seconds": round(time.process_time() - start, 2)}


def run(folder: Path, journal: Journal, seconds: float, seed: int) -> None:
    """Put to the engine what a journal lacks."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGPROF, stop)
    engines: dict[str, Engine] = {}
    for pair in pairs_of(folder, seed):
        if str(pair["key"]) in journal.done:
            continue
        name = pair["db_id"]
        if name not in engines:
            ddl = (folder / "ddl" / f"{name}.sql").read_text(encoding="utf-8")
            schema = dialect_named("postgres").loader.read_ddl(ddl, name)
            engines[name] = make_engine(schema, None, Options(dialect="postgres"))
        record = judged(engines[name], pair, seconds)
        if record["reason"] == "TIMEOUT":
            engines.pop(name).close()
        journal.add(pair["key"], record)


def table(records: Sequence[Record]) -> Iterator[str]:
    """How the pairs end, by what their authors saw on one database, in Markdown."""
    yield "| executed | pairs | equivalent | not equivalent | undecided |"
    yield "|---|---|---|---|---|"
    for equal in (True, False):
        ends = Counter(r["verdict"] for r in records if r["executed_equal"] is equal)
        shown = (ends["equivalent"], ends["not_equivalent"], ends["undecided"])
        counts = " | ".join(f"{n} ({100 * n / max(1, ends.total()):.0f} %)" for n in shown)
        yield f"| {'equal' if equal else 'unequal'} | {ends.total()} | {counts} |"
    kinds = Counter(
        (r["db_id"], r["reason"], r["detail"][:80]) for r in records if r["verdict"] == "undecided"
    )
    yield from ("", "| undecided | schema | what | pairs |", "|---|---|---|---|")
    for (name, reason, detail), count in kinds.most_common():
        yield f"| {reason} | {name} | {detail} | {count} |"
    times = sorted(r["seconds"] for r in records)
    if len(times) > 1:
        yield ""
        most = quantiles(times, n=20)[-1]
        yield f"Processor seconds: median {median(times):.1f}, 95th percentile {most:.1f}"


def main() -> None:
    """``python -m benchmarks.postgres.rewrites FOLDER RESULTS [SECONDS [SEED]]``."""
    folder, results, *numbers = sys.argv[1:]
    seconds = float(numbers[0]) if numbers else SECONDS
    journal = Journal(Path(results))
    try:
        run(Path(folder), journal, seconds, int(numbers[1]) if len(numbers) > 1 else 1)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    for line in table(journal.records):
        print(line)


if __name__ == "__main__":
    main()
