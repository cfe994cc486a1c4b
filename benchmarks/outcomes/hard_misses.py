"""How many near misses with hard conditions are refuted, after how many databases, and how fast.

Usage: ``python -m benchmarks.outcomes.hard_misses --seed 1 --pairs 320``; another checkout: ``python -m
benchmarks.against DIR outcomes.hard_misses …``.  Seed 1 was developed with, seed 2 kept aside.  ``--out``
keeps a JSON line a pair; ``--beside FILE`` compares with such lines of another run, pair by pair.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks.journal import read_lines, write_lines
from benchmarks.pairs.planted import WORLDS, Planted, planted
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_engine
from equiv.generate import plan
from equiv.options import Options
from equiv.tiers import generate

Found = dict[str, Any]


class Counts:
    """What generation did with one pair: databases tried, rows of the first that tells it apart, its maker.

    Args:
        without: strategies that are switched off.
    """

    def __init__(self, without: Collection[str]) -> None:
        self.tried = 0
        self.first = 0
        self.made_by = ""
        self._count_tries()
        if hasattr(plan, "canonical"):
            self._name_makers(without)

    def _count_tries(self) -> None:
        try_one, smallest = generate._Search._try, generate.smallest_witness

        def counted(search: Any, database: Any, *rest: Any) -> Any:
            self.tried += 1
            return try_one(search, database, *rest)

        def sized(pair: Any, database: Any, tells: Any) -> Any:
            self.first = self.first or database.size
            return smallest(pair, database, tells)

        generate._Search._try = counted  # type: ignore[method-assign]
        generate.smallest_witness = sized

    def _name_makers(self, without: Collection[str]) -> None:
        """Note which strategy made the last database, as far as the checkout has strategies."""
        canonical, make = plan.canonical, plan.make_database

        def named(made: Any, *rest: Any) -> Any:
            chosen = [each for each in plan.STRATEGIES if each.__name__ not in without]
            for self.made_by, database in canonical(made, *rest or (chosen,)):
                yield self.made_by, database

        def drawn(made: Any, index: int) -> Any:
            self.made_by = "drawn"
            return make(made, index)

        plan.canonical = named
        plan.make_database = drawn


def main() -> None:
    """Check the pairs and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=320)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--without", nargs="*", default=(), help="strategies that are switched off")
    given = parser.parse_args()
    options = Options(relation="bag", timeout=None)
    engines = {world.name: make_engine(load_ddl(world.ddl), None, options) for world in WORLDS}
    counts = Counts(given.without)
    lines = [_check(engines[pair.world.name], pair, counts) for pair in planted(given.seed, given.pairs)]
    if given.out:
        write_lines(given.out, lines)
    print(report(lines))
    if given.beside:
        print(compared(lines, read_lines(given.beside)))


def _check(engine: Any, pair: Planted, counts: Counts) -> Found:
    counts.tried = counts.first = 0
    start = process_time()
    verdict = engine.check(pair.pred, pair.gold)
    spent = (process_time() - start) * 1000
    return {
        "name": pair.name,
        "kind": pair.kind,
        "verdict": verdict.name,
        "tier": str(verdict.tier.value) if verdict.tier else "",
        "reason": str(getattr(verdict, "reason", "") or ""),
        "ms": spent,
        "databases": counts.tried,
        "rows": counts.first,
        "made_by": counts.made_by,
        "pred": pair.pred,
        "gold": pair.gold,
    }


def report(lines: list[Found]) -> str:
    """The share refuted, by kind, and what it cost."""
    refuted = [line for line in lines if line["verdict"] == "not_equivalent"]
    kinds = Counter(line["kind"] for line in lines)
    by_kind = Counter(line["kind"] for line in refuted)
    verdicts = Counter((line["verdict"], line["tier"] or line["reason"]) for line in lines)
    cells = ", ".join(f"{kind} {by_kind[kind]}/{number}" for kind, number in sorted(kinds.items()))
    return "\n".join(
        [
            f"refuted {len(refuted)} of {len(lines)} ({100 * len(refuted) / len(lines):.1f} %)",
            f"  {dict(verdicts)}",
            f"  {cells}",
            f"  told apart by {dict(Counter(line['made_by'] for line in refuted).most_common())}",
            (
                f"  median databases {_median(refuted, 'databases')}, ms {_median(refuted, 'ms'):.1f},"
                f" rows of the first witness {_median(refuted, 'rows')}; ms a pair {_mean(lines, 'ms'):.1f}"
            ),
        ]
    )


def compared(lines: list[Found], others: list[Found]) -> str:
    """Ratios to another run, over the pairs that both refute."""
    by_text = {(line["pred"], line["gold"]): line for line in others}
    both = [
        (line, by_text[line["pred"], line["gold"]])
        for line in lines
        if (line["pred"], line["gold"]) in by_text
    ]
    settled = [pair for pair in both if all(line["verdict"] == "not_equivalent" for line in pair)]
    lost = [mine["name"] for mine, other in both if other["verdict"] != mine["verdict"] != "not_equivalent"]
    ratios = {
        name: median(max(mine[name], 1) / max(other[name], 1) for mine, other in settled)
        for name in ("databases", "ms", "rows")
    }
    total = sum(mine["ms"] for mine, _ in both) / max(1.0, sum(other["ms"] for _, other in both))
    told = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
    return (
        f"beside: {len(settled)} refuted by both, median ratio: {told}; time of all {total:.2f}; lost {lost}"
    )


def _median(lines: list[Found], name: str) -> float:
    return median(line[name] for line in lines) if lines else 0.0


def _mean(lines: list[Found], name: str) -> float:
    return sum(line[name] for line in lines) / max(1, len(lines))


if __name__ == "__main__":
    main()
