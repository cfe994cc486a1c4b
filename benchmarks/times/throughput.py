"""Pairs a second, and the memory of parent and workers over a run of many pairs.

Usage: ``python -m benchmarks.times.throughput rose-bench --pairs 100000 --workers 1 2 [--engine ray]``

The pairs of a corpus are repeated under new question ids until there are enough; each copy is a question of
its own, because its queries end in a comment that no other has.  With ``--same-text`` they do not: then what
was said of a copy is said again, so that such a run costs little and shows the memory of the parent alone.

Memory is read from /proc every second: the parent's, and the largest of its descendants' (workers are renewed
now and then).
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from statistics import median

from benchmarks import ROOT
from benchmarks.command import eval_command, parser
from benchmarks.journal import write_lines
from benchmarks.pairs.corpora import Corpus, corpus

RUNS = ROOT / "results" / "throughput"
SAMPLES = 10
"""How many readings of memory are shown."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The memory of a run at one time."""

    seconds: float
    parent: float
    """Resident, in MiB."""
    largest: float
    """That of the largest descendant."""
    parent_most: float
    """The most that has been resident so far."""
    largest_most: float
    """The most that has been so of any descendant that is alive."""


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


def run(command: Sequence[str]) -> list[Reading]:
    """Run it, and read its memory every second; what it says goes where ours goes."""
    readings: list[Reading] = []
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            readings.append(_reading(process.pid, time.perf_counter() - start))
            time.sleep(1)
        if process.returncode:
            raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    return readings


def _reading(process: int, seconds: float) -> Reading:
    below = descendants(process)
    return Reading(
        seconds,
        memory(process, "VmRSS"),
        max((memory(child, "VmRSS") for child in below), default=0.0),
        memory(process, "VmHWM"),
        max((memory(child, "VmHWM") for child in below), default=0.0),
    )


def report(name: str, pairs: int, readings: Sequence[Reading], seconds: float) -> str:
    """One run in a few lines."""
    parent = _over_time([one.parent for one in readings], max(one.parent_most for one in readings))
    worker = _over_time([one.largest for one in readings], max(one.largest_most for one in readings))
    return (
        f"{name}: {pairs} pairs in {seconds:.1f} s, {pairs / seconds:.2f} pairs/s\n"
        f"  parent: {parent}\n  largest worker: {worker}\n"
    )


def _over_time(values: Sequence[float], most: float) -> str:
    """The most, readings over time, and whether they grow: the medians of the second and the last quarter."""
    quarter = max(1, len(values) // 4)
    early, late = median(values[quarter : 2 * quarter] or values), median(values[-quarter:])
    shown = ", ".join(f"{value:.0f}" for value in values[:: max(1, len(values) // SAMPLES)])
    return f"most {most:.0f} MiB; over time {shown}; second quarter {early:.0f}, last quarter {late:.0f}"


def descendants(process: int) -> list[int]:
    """The processes that a process has begun, and those that these have."""
    try:
        threads = Path(f"/proc/{process}/task").glob("*/children")
        children = [int(child) for thread in threads for child in thread.read_text(encoding="ascii").split()]
    except OSError:
        return []
    return [each for child in children for each in (child, *descendants(child))]


def memory(process: int, name: str) -> float:
    """VmRSS, the resident memory, or VmHWM, the most that it was, in MiB; 0 if the process is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = next((line for line in status.splitlines() if line.startswith(f"{name}:")), ": 0")
    return int(found.split()[1]) / 1024


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__, pairs=2000, engine="local", same_text=False)
    arguments.add_argument("corpus")
    arguments.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = arguments.parse_args()
    chosen = corpus(given.corpus)
    path = RUNS / "pairs.jsonl"
    RUNS.mkdir(parents=True, exist_ok=True)
    write_lines(path, islice(copies(chosen, same_text=given.same_text), given.pairs))
    for workers in given.workers:
        out = RUNS / f"{given.engine}-{workers}.jsonl"
        out.unlink(missing_ok=True)
        places = {"db_root": chosen.db_root, "schema": chosen.schema}
        command = eval_command([path], **places, out=out, workers=workers, engine=given.engine)
        start = time.perf_counter()
        readings = run(command)
        seconds = time.perf_counter() - start
        name = f"{given.corpus}, {given.engine}, {workers} workers"
        print(report(name, given.pairs, readings, seconds), flush=True)


if __name__ == "__main__":
    main()
