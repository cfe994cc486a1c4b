"""What a pair costs: against the number of its joins, and over a growing number of pairs, as Markdown tables.

Reads the ``ms`` of ``results/<corpus>.<relation>.jsonl`` (:mod:`benchmarks.outcomes.verdicts` writes it): the
time in the tiers, without the start of a process.  The joins of a pair are those of the query that has more.

Usage: ``python -m benchmarks.times.cost_curve [rose-bench bag]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from statistics import mean, median

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchmarks.outcomes.verdicts import RESULTS, Record, read

MOST_JOINS = 5
"""Pairs with so many joins or more stand in one row."""

SLICES = 8
TIERS = ("parse", "rules", "data", "generate", "proof", "search")


def joins(record: Record) -> int | None:
    """The joins of a pair's larger query, each comma being one; None if neither can be read."""
    counts = [_joins(record[side]) for side in ("predicted_sql", "gold_sql")]
    return max((count for count in counts if count is not None), default=None)


def _joins(sql: str) -> int | None:
    try:
        return sum(1 for _ in sqlglot.parse_one(sql, read="sqlite").find_all(exp.Join))
    except SqlglotError:
        return None


def cost(record: Record) -> float:
    """Milliseconds in all tiers."""
    return float(sum(record["ms"].values()))


def by_joins(records: Iterable[Record]) -> str:
    """Time a pair, in all and by tier, against the number of joins."""
    groups: dict[int, list[Record]] = {}
    for record in records:
        count = joins(record)
        if count is not None:
            groups.setdefault(min(count, MOST_JOINS), []).append(record)
    used = [tier for tier in TIERS if any(tier in r["ms"] for found in groups.values() for r in found)]
    head = (
        f"| joins | pairs | median ms | 95th percentile | mean | {' | '.join(f'{t}, mean' for t in used)} |"
    )
    lines = [head, "|---" * (5 + len(used)) + "|"]
    for count, found in sorted(groups.items()):
        label = f"{count} or more" if count == MOST_JOINS else str(count)
        each = " | ".join(f"{mean(r['ms'].get(tier, 0.0) for r in found):.1f}" for tier in used)
        lines.append(f"| {label} | {len(found)} | {_spread(list(map(cost, found)))} | {each} |")
    return "\n".join(lines)


def by_pairs(records: list[Record]) -> str:
    """Time a pair in slices of the corpus, in the order in which they were settled, and their sum."""
    lines = ["| pairs | median ms | 95th percentile | mean | seconds so far |", "|---|---|---|---|---|"]
    size = -(-len(records) // SLICES)
    total = 0.0
    for start in range(0, len(records), size):
        times = list(map(cost, records[start : start + size]))
        total += sum(times) / 1000
        lines.append(f"| {start + len(times)} | {_spread(times)} | {total:.1f} |")
    return "\n".join(lines)


def _spread(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{median(ordered):.1f} | {ordered[int(len(ordered) * 0.95)]:.0f} | {mean(ordered):.1f}"


def main() -> int:
    """Print both tables."""
    name, relation = sys.argv[1:3] if len(sys.argv) > 2 else ("rose-bench", "bag")
    records = read(RESULTS / f"{name}.{relation}.jsonl")
    print(f"### {name}, relation `{relation}`: against the number of joins\n\n{by_joins(records)}\n")
    print(f"### {name}, relation `{relation}`: against the number of pairs\n\n{by_pairs(records)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
