"""How many rewards a second: groups of predictions for the questions of a database, asked twice; and a soak.

A group is what a trainer samples for one question: the recorded predictions of all methods and mutants of the
gold query, filled up to the group's size by repetition.  Each group is one batch.

Usage: ``python -m benchmarks.times.rewards`` or ``python -m benchmarks.times.rewards --soak 600``; with
``--target duckdb`` predictions are transpiled by sqlglot, and held to the gold queries of SQLite.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import monotonic, perf_counter

import sqlglot

from benchmarks.pairs.corpora import DATA, corpus
from equiv.core.query import Query
from equiv.engine.make import make_engine
from equiv.eval.summary import percentile
from equiv.options import Options
from equiv.rewards import Rewarder, Settings
from equiv.testing.making.mutants import mutants

Group = tuple[str, list[str]]
"""A gold query and predictions."""


def groups(database: str, size: int) -> tuple[Path, list[Group]]:
    """The database file, and a group for each gold query of rose-bench on it."""
    items, _ = corpus("rose-bench").read()
    path = DATA / "bird" / "databases" / database / f"{database}.sqlite"
    recorded: dict[str, list[str]] = {}
    for item in items:
        if item.db_id == database:
            recorded.setdefault(item.gold_sql, []).append(item.predicted_sql)
    engine = make_engine(None, path, Options(timeout=None))
    made: list[Group] = []
    for gold, preds in recorded.items():
        query = engine.read(gold)
        seed = int.from_bytes(hashlib.sha256(gold.encode()).digest()[:4])
        tree = query.tree if isinstance(query, Query) else None
        misses = list(mutants(tree, engine.schema, seed, size // 2)) if tree is not None else []
        group = list(islice(cycle([*preds, *misses]), size))
        Random(seed).shuffle(group)
        made.append((gold, group))
    return path, made


def transpiled(made: list[Group], target: str) -> list[Group]:
    """The groups with their predictions in another dialect; as they are where sqlglot has none."""

    def written(text: str) -> str:
        try:
            return sqlglot.transpile(text, read="sqlite", write=target)[0]
        except (sqlglot.errors.SqlglotError, ValueError):
            return text

    return [(gold, [written(pred) for pred in preds]) for gold, preds in made]


def passed(rewarder: Rewarder, database: Path, made: list[Group]) -> Iterator[float]:
    """Seconds for an item of each group, asked as one batch."""
    for gold, preds in made:
        start = perf_counter()
        found = rewarder.rewards(preds, [gold] * len(preds), [database] * len(preds))
        assert len(found) == len(preds)
        yield (perf_counter() - start) / len(preds)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", default="superhero")
    parser.add_argument("--size", type=int, default=16, help="of a group")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--target", default="", metavar="DIALECT", help="of predictions, if not SQLite")
    parser.add_argument("--questions", type=int, default=1_000_000, metavar="N", help="the first N alone")
    parser.add_argument(
        "--soak", type=float, default=0, metavar="SECONDS", help="go on so long, with new texts"
    )
    given = parser.parse_args()
    database, made = groups(given.database, given.size)
    made = made[: given.questions]
    settings = Settings(workers=given.workers)
    if given.target:
        made = transpiled(made, given.target)
        settings = replace(settings, dialect=given.target, gold_dialect="sqlite", schema_dialect="sqlite")
    total = sum(len(preds) for _, preds in made)
    print(f"{len(made)} questions, {total} predictions, {given.workers} workers")
    with Rewarder(settings) as rewarder:
        for name in ("first", "second"):
            start = monotonic()
            spent = list(passed(rewarder, database, made))
            rate = total / (monotonic() - start)
            middle, late = (1000 * percentile(spent, share) for share in (0.5, 0.99))
            print(f"{name} pass: {rate:.0f} rewards/s")
            print(f"  ms an item: {middle:.2f}, 99th percentile {late:.1f}")
        if given.soak:
            _soak(rewarder, database, made, given.soak)


def _soak(rewarder: Rewarder, database: Path, made: list[Group], seconds: float) -> None:
    """Ask for rewards so long, each time with texts not seen before, and print the memory of this process."""
    end, told, number = monotonic() + seconds, 0.0, 0
    while monotonic() < end:
        anew = [(gold, [f"{pred} -- {number}" for pred in preds]) for gold, preds in made]
        number += sum(1 for _ in passed(rewarder, database, anew))
        if monotonic() > told + 30:
            told = monotonic()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{number} batches; at most {peak:.0f} MiB so far", flush=True)


if __name__ == "__main__":
    main()
