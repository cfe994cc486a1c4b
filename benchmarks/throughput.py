"""Pairs a second, and the memory of parent and workers over a run of many pairs.

Usage: ``python -m benchmarks.throughput rose-bench --pairs 100000 --workers 1 2 [--engine ray]``

The pairs of a corpus are repeated under new question ids until there are enough; each copy is a question of
its own, because its queries end in a comment that no other has.  With ``--same-text`` they do not: then what
was said of a copy is said again, so that such a run costs little and shows the memory of the parent alone.

Memory is read from /proc every second: the parent's, and the largest of its descendants'.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path

from benchmarks.corpora import ROOT, Corpus, corpus

RUNS = ROOT / "results" / "throughput"
SAMPLES = 10
"""How many readings of the parent's memory are shown."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The memory of a run at one time."""

    seconds: float
    parent: float
    """Resident, in MiB."""
    largest: float
    """That of the largest descendant."""


def copies(chosen: Corpus, *, same_text: bool) -> Iterator[dict[str, object]]:
    """The pairs of a corpus, again and again, each time as other questions."""
    items, _ = chosen.read()
    for number in count():
        mark = "" if same_text else f"\n-- {number}"
        for item in items:
            fields = asdict(item)
            yield {
                **{name: fields[name] for name in ("source", "db_id", "question", "hint", "difficulty")},
                "question_id": f"{item.question_id}.{number}",
                "predicted_sql": item.predicted_sql + mark,
                "gold_sql": item.gold_sql + mark,
            }


def write_pairs(path: Path, chosen: Corpus, pairs: int, *, same_text: bool) -> None:
    """So many pairs as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(one)}\n" for one in islice(copies(chosen, same_text=same_text), pairs))


def schema_options(chosen: Corpus) -> list[str]:
    """What of the corpus's arguments says where its schemas are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--db-root")
    parser.add_argument("--schema")
    given, _ = parser.parse_known_args(chosen.arguments)
    found = (("--db-root", given.db_root), ("--schema", given.schema))
    return [text for name, value in found if value for text in (name, value)]


def run(command: Sequence[str]) -> list[Reading]:
    """Run it, and read its memory every second; what it says goes where ours goes."""
    readings = []
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            below = [_resident(child) for child in _descendants(process.pid)]
            found = Reading(time.perf_counter() - start, _resident(process.pid), max(below, default=0.0))
            readings.append(found)
            time.sleep(1)
        if process.returncode:
            raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    return readings


def report(name: str, pairs: int, readings: Sequence[Reading], seconds: float) -> str:
    """One run in a few lines."""
    step = max(1, len(readings) // SAMPLES)
    parent = ", ".join(f"{one.parent:.0f}" for one in readings[::step])
    return (
        f"{name}: {pairs} pairs in {seconds:.1f} s, {pairs / seconds:.2f} pairs/s\n"
        f"  parent: most {max(one.parent for one in readings):.0f} MiB; over time {parent}\n"
        f"  largest worker: {max(one.largest for one in readings):.0f} MiB\n"
    )


def _descendants(process: int) -> list[int]:
    try:
        threads = Path(f"/proc/{process}/task").glob("*/children")
        children = [int(child) for thread in threads for child in thread.read_text(encoding="ascii").split()]
    except OSError:
        return []
    return [each for child in children for each in (child, *_descendants(child))]


def _resident(process: int) -> float:
    """Resident memory in MiB; 0 if the process is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = next((line for line in status.splitlines() if line.startswith("VmRSS:")), "VmRSS: 0")
    return int(found.split()[1]) / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engine", default="local")
    parser.add_argument("--same-text", action="store_true")
    parser.add_argument("--options", default="", help="further options of equiv eval, separated by blanks")
    given = parser.parse_args()
    chosen = corpus(given.corpus)
    path = RUNS / "pairs.jsonl"
    write_pairs(path, chosen, given.pairs, same_text=given.same_text)
    for workers in given.workers:
        out = RUNS / f"{given.engine}-{workers}.jsonl"
        out.unlink(missing_ok=True)
        command = [sys.executable, "-m", "cli", "eval", str(path), *schema_options(chosen), "--out", str(out)]
        command += ["--workers", str(workers), "--engine", given.engine, *given.options.split()]
        start = time.perf_counter()
        readings = run(command)
        seconds = time.perf_counter() - start
        name = f"{given.corpus}, {given.engine}, {workers} workers"
        print(report(name, given.pairs, readings, seconds), flush=True)


if __name__ == "__main__":
    main()
