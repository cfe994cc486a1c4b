"""Groups of many rows, each of which meets conditions that few rows meet, under ``HAVING COUNT(*) > n``.

A query beside one with another bound, or with one of its conditions nearly the same, or left out; the keys
of the rows must differ.  The databases that tell them apart are made, hardly ever drawn.

Usage: ``python -m benchmarks.attacks.rare_groups [--pairs 400]``.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.command import parser
from benchmarks.outcomes.shop import table
from equiv import check

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The schema, the numbers of rows, the conditions and where a difference shows."""
FAULTS = ("bound", "operator", "near", "dropped", "distinct")


def pairs(count: int) -> Iterator[tuple[str, str, int, str, str]]:
    """So many pairs: where the difference shows, the fault, the number of rows, and both queries."""
    rng = Random("rare groups")
    for _ in range(count):
        shape, fault, rows = rng.choice([*TEXTS["shapes"]]), rng.choice(FAULTS), rng.choice(TEXTS["counts"])
        first, *others = TEXTS["conditions"]
        chosen = [first, *rng.sample(others, rng.randint(1, 3))]
        numbers = {"m": rng.choice((7, 31, 97)), "n": rng.randint(0, 5), "d": rng.randint(10, 20)}
        met = [each["met"].format(**numbers) for each in chosen]
        other, changed = list(met), rng.randrange(1, len(met))
        having = {"bound": f"COUNT(*) > {rows + 1}", "operator": f"COUNT(*) >= {rows}"}
        having["distinct"] = f"COUNT(DISTINCT o.day) > {rows}"
        if fault in ("near", "dropped"):
            other[changed : changed + 1] = [chosen[changed]["near"].format(**numbers)] * (fault == "near")
        asked = having.get(fault, f"COUNT(*) > {rows}")
        text = TEXTS["shapes"][shape]
        gold = text.format(w=" AND ".join(met), h=f"COUNT(*) > {rows}")
        yield shape, fault, rows, text.format(w=" AND ".join(other), h=asked), gold


def main(argv: list[str]) -> None:
    """Print the share of pairs that are refuted, by each trait, and the seconds that a pair takes."""
    args = parser(__doc__, pairs=400, seconds=(8.0, "for a pair")).parse_args(argv)
    ends, times = Counter[tuple[str, ...]](), list[float]()
    for shape, fault, rows, pred, gold in pairs(args.pairs):
        begun = perf_counter()
        verdict = check(pred, gold, schema=TEXTS["schema"], timeout=args.seconds)
        times.append(perf_counter() - begun)
        end = {"not_equivalent": "right", "equivalent": "wrong"}.get(verdict.name, "open")
        size = "to 8 rows" if rows <= 8 else "to 34" if rows <= 34 else "to 100"
        ends.update((trait, end) for trait in ("all", shape, fault, size))
    print("\n".join(table(("trait",), ends)))
    print(f"median {median(times):.2f} s, longest {max(times):.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
