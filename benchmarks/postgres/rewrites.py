"""Rewrites put to the engine, each for some seconds of the processor, and a table of how they end.

``python -m benchmarks.postgres.rewrites $EQUIV_DATA/rewrites RESULTS [SECONDS [SEED]]`` takes the pairs in
an order drawn from the seed, goes on where RESULTS ends, and prints the table of RESULTS, also when
it is interrupted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles

from benchmarks.budget import TimedEngine
from benchmarks.journal import Journal, Record, markdown, read_lines, until_interrupted
from equiv.dialects.registry import dialect_named
from equiv.options import Options

SECONDS = 20.0


def pairs_of(folder: Path, seed: int) -> list[Record]:
    """The pairs that were executed by those who published them, in a random order."""
    pairs = [pair | {"key": number} for number, pair in enumerate(read_lines(folder / "pairs.jsonl"))]
    executed = [pair for pair in pairs if pair["executed_equal"] is not None]
    Random(seed).shuffle(executed)
    return executed


def run(folder: Path, journal: Journal, seconds: float, seed: int) -> None:
    """Put to the engine what a journal lacks."""
    engines: dict[str, TimedEngine] = {}
    for pair in pairs_of(folder, seed):
        if str(pair["key"]) in journal.done:
            continue
        name = pair["db_id"]
        if name not in engines:
            ddl = (folder / "ddl" / f"{name}.sql").read_text(encoding="utf-8")
            schema = dialect_named("postgres").loader.read_ddl(ddl, name)
            engines[name] = TimedEngine(schema, Options(dialect="postgres"), seconds)
        _, ended = engines[name].checked(pair["predicted_sql"], pair["gold_sql"])
        journal.add(pair["key"], pair | ended)


def table(records: Sequence[Record]) -> Iterator[str]:
    """How the pairs end, by what their authors saw on one database, in Markdown."""
    head = ("executed", "pairs", "equivalent", "not equivalent", "undecided")
    yield from markdown(head, (_ends(records, equal=equal) for equal in (True, False)))
    kinds = Counter(
        (r["reason"], r["db_id"], r["detail"][:80]) for r in records if r["verdict"] == "undecided"
    )
    yield ""
    rows = ((*kind, count) for kind, count in kinds.most_common())
    yield from markdown(("undecided", "schema", "what", "pairs"), rows)
    times = sorted(r["seconds"] for r in records)
    if len(times) > 1:
        yield ""
        most = quantiles(times, n=20)[-1]
        yield f"Processor seconds: median {median(times):.1f}, 95th percentile {most:.1f}"


def _ends(records: Sequence[Record], *, equal: bool) -> Iterator[object]:
    ends = Counter(r["verdict"] for r in records if r["executed_equal"] is equal)
    yield from ("equal" if equal else "unequal", ends.total())
    for verdict in ("equivalent", "not_equivalent", "undecided"):
        yield f"{ends[verdict]} ({100 * ends[verdict] / max(1, ends.total()):.0f} %)"


def main() -> None:
    """``python -m benchmarks.postgres.rewrites FOLDER RESULTS [SECONDS [SEED]]``."""
    folder, results, *numbers = sys.argv[1:]
    seconds = float(numbers[0]) if numbers else SECONDS
    journal = Journal(Path(results))
    with until_interrupted():
        run(Path(folder), journal, seconds, int(numbers[1]) if len(numbers) > 1 else 1)
    print(*table(journal.records), sep="\n")


if __name__ == "__main__":
    main()
