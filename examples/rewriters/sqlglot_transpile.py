"""Queries of which sqlglot's transpilation among SQLite, PostgreSQL and DuckDB makes something else.

    python examples/rewriters/sqlglot_transpile.py --findings examples/rewriters/transpiled
    python examples/rewriters/sqlglot_transpile.py sqlite:duckdb --examples 200

Without --examples the probes below are tried, else queries that are drawn.  A finding is a file with the
database and the query of each engine, and what they return; ``replay_transpiled.py`` runs all again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Unpack

import sqlglot

from equiv.core.single_values import sql_literal
from equiv.dialects.crossing.dialect import parted
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import OptionArguments
from equiv.testing import Report, Tried, check_transpiler
from equiv.testing.asserts import SHOP
from equiv.verdict import NotEquivalent, Witness

VERSION = version("sqlglot")

_EVERYWHERE = (
    "SELECT id FROM orders WHERE note LIKE 'a%'",
    "SELECT id FROM orders WHERE CAST(rate AS INTEGER) = 1",
    "SELECT id FROM orders WHERE ROUND(rate) = 1",
    "SELECT UPPER(note) FROM orders WHERE note = 'é'",
    "SELECT TRIM(note) FROM orders",
    "SELECT total / 2 FROM orders",
    "SELECT SUM(total) / COUNT(total) FROM orders",
)
_DATES = (
    "SELECT day + 1 FROM orders",
    "SELECT day - DATE '2020-01-01' FROM orders",
    "SELECT CAST(vip AS VARCHAR) FROM customer",
    "SELECT GREATEST(total, 1) FROM orders",
)
PROBES = {
    "sqlite": (
        *_EVERYWHERE,
        "SELECT MAX(total, 1) FROM orders",
        "SELECT SUBSTR(note, -2, 1) FROM orders",
        "SELECT id FROM orders WHERE note = 1",
        "SELECT note LIKE 'a\\%' FROM orders",
    ),
    "postgres": (*_EVERYWHERE, *_DATES),
    "duckdb": (*_EVERYWHERE, *_DATES, "SELECT STRFTIME('%Y', day) FROM orders"),
}
"""Queries of each dialect where the others have their traps."""

PAIRS = tuple(f"{source}:{target}" for source in PROBES for target in PROBES if source != target)


def transpiler(source: str, target: str) -> Callable[[str], str]:
    """The transpilation of sqlglot's from one dialect to another."""

    def transpile(sql: str) -> str:
        (text,) = sqlglot.transpile(sql, read=source, write=target)
        return text

    transpile.__name__ = f"sqlglot_{source}_to_{target}"
    return transpile


def try_pair(pair: str, examples: int = 0, seed: int = 0, **options: Unpack[OptionArguments]) -> Report:
    """What comes of a pair of dialects, by the probes, or by so many drawn queries."""
    source, _, target = pair.partition(":")
    return check_transpiler(
        transpiler(source, target),
        source=source,
        target=target,
        schema=SHOP,
        queries=None if examples else PROBES[source],
        examples=examples or 1,
        seed=seed,
        shrink=examples or len(PROBES[source]),
        **options,
    )


def script(pair: str, found: Tried) -> str:
    """A finding as a file; '' where no database shows it."""
    if not isinstance(found.verdict, NotEquivalent) or not isinstance(found.verdict.evidence, Witness):
        return ""
    source, _, target = pair.partition(":")
    witness = found.verdict.evidence
    of_target, of_source = parted(witness.sql)
    parts = [f"-- sqlglot {VERSION}, from {source} to {target}\n"]
    for name, database, sql, rows in (
        (source, of_source, found.before, witness.gold_rows),
        (target, of_target, found.after, witness.pred_rows),
    ):
        engine = dialect_named(name)
        shown = "".join(f"--   ({', '.join(map(sql_literal, row))})\n" for row in rows)
        parts.append(f"-- {engine.title} {engine.engine.version}\n{database}")
        parts.append(f"-- returns: {len(rows)} rows\n{shown}{sql};\n")
    return "\n".join(parts)


def save(pair: str, found: Iterable[Tried], folder: Path) -> None:
    """Write the findings of a pair of dialects, a file each, in place of those that were there."""
    folder.mkdir(parents=True, exist_ok=True)
    name = pair.replace(":", "_to_")
    for old in folder.glob(f"{name}_*.sql"):
        old.unlink()
    texts = filter(None, (script(pair, each) for each in found))
    for number, text in enumerate(texts, 1):
        (folder / f"{name}_{number}.sql").write_text(text, encoding="utf-8")


def main() -> None:
    """Try each pair of dialects, and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pairs", nargs="*", default=list(PAIRS), help=f"of {', '.join(PAIRS)}")
    parser.add_argument("--examples", type=int, default=0, help="how many queries are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--findings", type=Path, help="a folder for files that show what was found")
    given = parser.parse_args()
    print(f"sqlglot {VERSION}", flush=True)
    for pair in given.pairs:
        if pair not in PAIRS:
            raise InputError(f"unknown pair {pair!r}; choose among {', '.join(PAIRS)}")
        report = try_pair(pair, given.examples, given.seed, timeout=None)
        print(report.summary, flush=True)
        for each in report.smallest:
            print(f"  {each.outcome}: {each.before}\n    -> {each.after or each.error}", flush=True)
        if given.findings is not None:
            save(pair, report.smallest, given.findings)


if __name__ == "__main__":
    main()
