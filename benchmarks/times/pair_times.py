"""CPU time of a pair, by step, and side by side with another checkout.

Each checkout has one process of its own; both get the pairs in turn, so that what else the machine does
touches both alike.  Engines are made once for each database; their making is not counted.

Usage: ``python -m benchmarks.times.pair_times [rose-vec:bird calcite:bag] [--other CHECKOUT] [--limit N]``.
The other checkout needs a ``.venv`` of its own.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import IO, Any, Self

RUNS = ("rose-vec:bird", "calcite:bag")

STEPS = (
    ("reading", "equiv.engine.pipeline", "Engine.read"),
    ("fidelity", "equiv.dialects.sqlite.read", "program"),
    ("rules", "equiv.tiers.rules", "RulesTier.settle"),
    ("pools", "equiv.generate.plan", "make_plan"),
    ("rows", "equiv.generate.plan", "make_database"),
    ("facts", "equiv.schema.violations", "FactChecker.holds"),
    ("shrinking", "equiv.tiers.generate", "_Search._confirmed"),
    ("trials", "equiv.tiers.generate", "GenerateTier.settle"),
    ("trials", "equiv.tiers.generate", "GenerateTier.first_look"),
    ("trials", "equiv.tiers.generate", "GenerateTier.attack"),
    ("proof", "equiv.tiers.proof", "ProofTier.settle"),
    ("search", "equiv.tiers.search", "SearchTier.settle"),
)
"""What is timed: a step's name, and the function whose own time it is, without that of other steps inside."""

Record = dict[str, Any]


class Clock:
    """CPU milliseconds of each step, each moment counted for the innermost one."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._stack: list[str] = []
        self._since = process_time()

    def wrap(self, module: str, path: str, step: str) -> None:
        """Replace a function by one that is timed, if there is one of that name."""
        owner = importlib.import_module(module)
        *classes, name = path.split(".")
        for each in classes:
            owner = getattr(owner, each, None)  # type: ignore[assignment]
        function: Callable[..., Any] | None = getattr(owner, name, None)
        if function is None:
            return

        def timed(*args: Any, **kwargs: Any) -> Any:
            self._note()
            self._stack.append(step)
            try:
                return function(*args, **kwargs)
            finally:
                self._note()
                self._stack.pop()

        setattr(owner, name, timed)

    def _note(self) -> None:
        now = process_time()
        if self._stack:
            self.spent[self._stack[-1]] += (now - self._since) * 1000  # type: ignore[assignment]
        self._since = now


def serve() -> None:
    """Answer a pair a line: the milliseconds in all and by step."""
    from equiv.engine.make import make_engine
    from equiv.options import Options
    from equiv.records.record import Item
    from equiv.schema.locate import places_for_eval

    clock = Clock()
    for step, module, path in STEPS:
        clock.wrap(module, path, step)
    start = json.loads(sys.stdin.readline())
    db_root, schema = (Path(folder) if folder else None for folder in (start["db_root"], start["schema"]))
    places = places_for_eval(start["databases"], db_root, schema)
    engine, served = None, None
    for line in sys.stdin:
        item = Item(**json.loads(line))
        if engine is None or served != item.db_id:
            place, served = places[item.db_id], item.db_id
            engine = make_engine(
                place.schema, place.database, Options(relation=start["relation"], timeout=None)
            )
        clock.spent.clear()
        begin = process_time()
        engine.check(item.predicted_sql, item.gold_sql)
        spent = (process_time() - begin) * 1000
        print(json.dumps({"ms": spent, "steps": clock.spent}), flush=True)


class Checkout:
    """A process that runs the engine of one checkout."""

    def __init__(self, root: Path, start: Record) -> None:
        python = root / ".venv" / "bin" / "python"
        self._process = subprocess.Popen(
            [str(python if python.exists() else sys.executable), __file__, "--serve"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._say(start)

    def check(self, pair: Record) -> Record:
        """What the process answers for a pair."""
        self._say(pair)
        assert self._process.stdout is not None
        found: Record = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        _input(self._process).close()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def _say(self, message: Record) -> None:
        print(json.dumps(message), file=_input(self._process), flush=True)


def _input(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdin is not None
    return process.stdin


def measure(name: str, relation: str, roots: Iterable[Path], limit: int | None) -> Iterator[list[Record]]:
    """The answers of each checkout for one pair after the other, in the order of ``equiv eval``."""
    from dataclasses import asdict

    from benchmarks.pairs.corpora import corpus
    from equiv.eval.plan import PairStore, settings_of
    from equiv.options import Options

    chosen = corpus(name)
    items, places = chosen.read()
    groups = PairStore.of(items, settings_of(places, Options(relation=relation))).groups()
    folders = {name: str(getattr(chosen.given, name) or "") for name in ("db_root", "schema")}
    start = {"relation": relation, "databases": list(places), **folders}
    ready = [Checkout(root, start) for root in roots]
    try:
        for job in [job for group in groups for job in group][:limit]:
            yield [checkout.check(asdict(job.item)) for checkout in ready]
    finally:
        for checkout in ready:
            checkout.close()


def report(title: str, names: list[str], answers: list[list[Record]]) -> str:
    """Times and their ratio, and the mean by step, as Markdown."""
    from benchmarks.journal import markdown

    columns = [[found[at] for found in answers] for at in range(len(names))]
    times = [sorted(found["ms"] for found in column) for column in columns]
    figures = {
        "median": list(map(median, times)),
        "95th percentile": [found[int(len(found) * 0.95)] for found in times],
        "mean": list(map(mean, times)),
    }
    for step in dict.fromkeys(step for step, _, _ in STEPS):
        figures[f"mean in {step}"] = [mean(each["steps"].get(step, 0) for each in own) for own in columns]
    rows = [
        (
            name,
            *(f"{each:.2f}" for each in found),
            *(f"{found[0] / other:.2f}" if other else "" for other in found[1:]),
        )
        for name, found in figures.items()
    ]
    table = markdown(("", *names, *["ratio"] * (len(names) > 1)), rows)
    return "\n".join((f"### {title}: {len(answers)} pairs, CPU milliseconds a pair", "", *table, ""))


def main() -> None:
    """Measure the runs asked for and print a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", default=RUNS, metavar="CORPUS:RELATION")
    parser.add_argument("--other", type=Path, help="another checkout to measure beside this one")
    parser.add_argument("--limit", type=int, help="so many pairs at most")
    given = parser.parse_args()
    here = Path(__file__).resolve().parents[2]
    roots = [here, *([given.other.resolve()] if given.other else [])]
    for run in given.runs:
        name, relation = run.split(":")
        with closing(measure(name, relation, roots, given.limit)) as found:  # type: ignore[type-var]
            answers = list(found)
        print(report(run, ["here", "there"][: len(roots)], answers), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main()
