"""The passes of sqlglot's optimizer, each put to the test as a rewriter of SQLite's SQL.

    python examples/rewriters/sqlglot_passes.py --examples 300 --findings examples/rewriters/findings

Queries are drawn on a schema.  ``parse_and_print`` gets them as they are, ``qualify`` what that printed, each
other pass what ``qualify`` made of them: so what a pass is blamed for is its own.  A finding is written as a
script for sqlite3, with what both queries return; ``replay.py`` runs all scripts again.
"""

# ruff: noqa: E501 - a query stands on one line

from __future__ import annotations

import argparse
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Unpack

import sqlglot
from sqlglot import exp
from sqlglot.optimizer import (
    annotate_types,
    canonicalize,
    eliminate_ctes,
    eliminate_joins,
    eliminate_subqueries,
    merge_subqueries,
    normalize,
    optimize_joins,
    optimizer,
    pushdown_predicates,
    pushdown_projections,
    qualify,
    simplify,
    unnest_subqueries,
)

from equiv.core.single_values import sql_literal
from equiv.errors import InputError
from equiv.options import TIERS, OptionArguments
from equiv.testing import Report, TrialOutcome, Tried, check_rewrite
from equiv.testing.making.queries import ALL
from equiv.testing.schema_facts import schema_of
from equiv.testing.trials import AimedQueries
from equiv.verdict import NotEquivalent, Witness

SCHEMA = schema_of(None)
TYPES: dict[str, object] = {
    table.name: {column.name: column.declared_type for column in table.columns} for table in SCHEMA.tables
}

VERSION = version("sqlglot")

Pass = Callable[[exp.Expr], exp.Expr]

PROBES = (
    # Where conditions, values and joins of SQLite have their traps: what random queries seldom put together.
    "SELECT id FROM customer WHERE name = city",
    "SELECT id FROM customer WHERE city = name",
    "SELECT id FROM customer WHERE 'A' = city AND name = 'a'",
    "SELECT id FROM customer WHERE city = 'A' AND name = city",
    "SELECT id FROM orders WHERE total / 2 = 1",
    "SELECT total / 2, 7 / 2, 7 / 2.0, -7 % 3 FROM orders",
    "SELECT rate / 2, total * 1.0 / 2 FROM orders",
    "SELECT id FROM orders WHERE total + 1 = 3 AND total * 0 = 0",
    "SELECT id FROM orders WHERE total - total = 0 OR NOT total = total",
    "SELECT id FROM orders WHERE COALESCE(total, 1) = 1",
    "SELECT id FROM orders WHERE note || '' = 'a' AND note || NULL IS NULL",
    "SELECT id FROM orders WHERE total = '1' OR note = 1",
    "SELECT id FROM orders WHERE CAST(note AS INTEGER) = 1 AND CAST(total AS TEXT) = '1'",
    "SELECT id FROM orders WHERE day > '2020-01-01' AND DATE(day) = '2020-01-02'",
    "SELECT id FROM orders WHERE CAST(day AS DATE) = '2020-01-02'",
    "SELECT id FROM orders WHERE total BETWEEN 3 AND 1 OR total NOT BETWEEN 1 AND 3",
    "SELECT id FROM orders WHERE (total = 1 AND rate = 2) OR (total = 1 AND note = 'a')",
    "SELECT id FROM orders WHERE NOT (total = 1 AND (rate = 2 OR note IS NULL))",
    "SELECT id FROM orders WHERE total AND note",
    "SELECT id FROM orders WHERE (total = 1) = (rate = 2)",
    "SELECT id FROM orders WHERE 1 = 1 AND NULL OR total > 1 AND total > 2",
    "SELECT CASE WHEN total > 1 THEN 'x' WHEN 1 = 1 THEN 'y' END, TRUE AND total FROM orders",
    "SELECT id FROM orders WHERE total IN (1, NULL) OR total NOT IN (2, NULL)",
    "SELECT id FROM customer WHERE id NOT IN (SELECT boss FROM customer)",
    "SELECT id FROM customer WHERE city IN (SELECT city FROM shop)",
    "SELECT id FROM shop WHERE city IN (SELECT city FROM customer)",
    "SELECT id FROM customer AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id)",
    "SELECT id FROM customer AS c WHERE NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.boss)",
    "SELECT id, (SELECT COUNT(*) FROM orders AS o WHERE o.customer_id = c.id) FROM customer AS c",
    "SELECT id FROM customer AS c WHERE (SELECT COUNT(*) FROM orders AS o WHERE o.customer_id = c.id) = 0",
    "SELECT id, (SELECT MAX(total) FROM orders AS o WHERE o.customer_id = c.id) FROM customer AS c",
    "SELECT id FROM customer AS c WHERE id = (SELECT SUM(total) FROM orders AS o WHERE o.shop_id = c.boss)",
    "SELECT id FROM customer AS c WHERE c.id IN (SELECT o.total FROM orders AS o WHERE o.customer_id = c.id)",
    "SELECT id FROM customer WHERE id > (SELECT AVG(total) FROM orders)",
    "SELECT id FROM customer WHERE (SELECT MAX(total) FROM orders) > 1",
    "SELECT q.id FROM (SELECT id, total FROM orders ORDER BY total LIMIT 1) AS q WHERE q.total > 1",
    "SELECT q.n FROM (SELECT shop_id, COUNT(*) AS n FROM orders GROUP BY shop_id) AS q WHERE q.n > 1",
    "SELECT q.n FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM orders) AS q WHERE q.id > 1",
    "SELECT q.city FROM (SELECT DISTINCT city, vip FROM customer) AS q",
    "SELECT COUNT(*) FROM (SELECT DISTINCT city, vip FROM customer) AS q",
    "SELECT COUNT(*) FROM (SELECT city FROM customer UNION SELECT city FROM shop) AS q",
    "SELECT q.a FROM (SELECT city AS a, open AS b FROM shop UNION SELECT city, vip FROM customer) AS q",
    "SELECT q.a FROM (SELECT city AS a, id AS b FROM shop EXCEPT SELECT city, id FROM customer) AS q",
    "SELECT c.id, o.id FROM customer AS c LEFT JOIN orders AS o ON o.customer_id = c.id AND c.vip = 1",
    "SELECT c.id, o.id FROM customer AS c LEFT JOIN orders AS o ON o.customer_id = c.id WHERE o.total IS NULL",
    "SELECT c.id FROM customer AS c LEFT JOIN (SELECT * FROM orders WHERE total > 1) AS o ON o.customer_id = c.id",
    "SELECT c.id, o.one FROM customer AS c LEFT JOIN (SELECT customer_id, 1 AS one FROM orders) AS o ON o.customer_id = c.id",
    "SELECT c.id FROM customer AS c LEFT JOIN (SELECT customer_id FROM orders GROUP BY customer_id) AS o ON o.customer_id = c.id",
    "SELECT c.id FROM customer AS c LEFT JOIN (SELECT DISTINCT shop_id, total FROM orders) AS o ON o.shop_id = c.id",
    "SELECT s.id FROM shop AS s RIGHT JOIN orders AS o ON s.id = o.shop_id WHERE s.open > 1 OR o.total = 1",
    "SELECT s.id, o.id FROM shop AS s FULL JOIN orders AS o ON s.id = o.shop_id AND o.total = 1 WHERE s.open = 1",
    "SELECT s.id FROM shop AS s, orders AS o, customer AS c WHERE s.id = o.shop_id AND c.id = o.customer_id",
    "WITH w AS (SELECT city, COUNT(*) AS n FROM shop GROUP BY city) SELECT a.n FROM w AS a JOIN w AS b ON a.n = b.n",
    "SELECT city AS name FROM customer WHERE name = 'a' ORDER BY name",
    "SELECT total AS id, id AS total FROM orders WHERE id > 1 ORDER BY id",
    "SELECT vip AS g, COUNT(*) FROM customer GROUP BY g HAVING g > 0",
    "SELECT city AS name, COUNT(*) FROM customer GROUP BY name",
    "SELECT id FROM orders ORDER BY total DESC, id",
    "SELECT MAX(total), note FROM orders",
    "SELECT COUNT(DISTINCT city), GROUP_CONCAT(city) FROM shop WHERE id = 1",
    'SELECT id FROM shop WHERE "city" = "a"',
    "SELECT id FROM orders WHERE note LIKE 'a%' AND note NOT LIKE 'A_' OR note GLOB 'a*'",
    "SELECT id FROM orders WHERE note IS NOT 'a' AND total IS 1 AND rate IS NOT DISTINCT FROM 1",
    "SELECT SUBSTR(note, 1, 2), INSTR(note, 'a'), LENGTH(note), ROUND(rate), ABS(total) FROM orders",
    "SELECT STRFTIME('%Y', day), JULIANDAY(day), DATE(day, '+1 day') FROM orders",
    "SELECT IIF(total > 1, 'a', 'b'), IFNULL(note, ''), NULLIF(total, 1), MAX(total, 1), MIN(total, rate) FROM orders",
    "SELECT TOTAL(total), SUM(rate), AVG(total) FROM orders WHERE id > 1",
    "SELECT id FROM orders WHERE total & 1 OR total << 1 > 2 OR ~total = -2",
)


def _typed(tree: exp.Expr) -> exp.Expr:
    return annotate_types.annotate_types(tree, schema=TYPES, dialect="sqlite")


def _qualified(tree: exp.Expr) -> exp.Expr:
    return qualify.qualify(tree, schema=TYPES, dialect="sqlite")


PASSES: dict[str, Pass] = {
    "parse_and_print": lambda tree: tree,
    "qualify": _qualified,
    "pushdown_projections": pushdown_projections.pushdown_projections,
    "normalize": normalize.normalize,
    "unnest_subqueries": unnest_subqueries.unnest_subqueries,
    "pushdown_predicates": lambda tree: pushdown_predicates.pushdown_predicates(tree, dialect="sqlite"),
    "optimize_joins": optimize_joins.optimize_joins,
    "eliminate_subqueries": eliminate_subqueries.eliminate_subqueries,
    "merge_subqueries": merge_subqueries.merge_subqueries,
    "eliminate_joins": eliminate_joins.eliminate_joins,
    "eliminate_ctes": eliminate_ctes.eliminate_ctes,
    "canonicalize": lambda tree: canonicalize.canonicalize(_typed(tree), dialect="sqlite"),
    "simplify": lambda tree: simplify.simplify(_typed(tree), dialect="sqlite"),
    "optimize": lambda tree: optimizer.optimize(tree, schema=TYPES, dialect="sqlite"),
}
"""Each pass alone, with the types where it asks for them; ``optimize`` is all of them in sqlglot's order."""


def rewriter(name: str) -> Callable[[str], str | None]:
    """A pass as a function from SQL to SQL; None where it changes no more than printing does."""

    def rewrite(sql: str) -> str | None:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
        printed = tree.sql(dialect="sqlite")
        changed = PASSES[name](tree).sql(dialect="sqlite")
        return changed if name == "parse_and_print" or changed != printed else None

    rewrite.__name__ = name
    return rewrite


def inputs(name: str, examples: int, seed: int) -> Iterator[str]:
    """The queries that a pass is given: all probes, and so many drawn ones."""
    for sql in chain(PROBES, AimedQueries(SCHEMA, ALL, examples, seed)):
        try:
            tree = sqlglot.parse_one(sql, dialect="sqlite")
            if name not in ("parse_and_print", "qualify", "optimize"):
                tree = _qualified(tree)
        except sqlglot.errors.SqlglotError:
            continue
        yield sql if name == "parse_and_print" else tree.sql(dialect="sqlite")


def try_pass(name: str, examples: int, seed: int, **options: Unpack[OptionArguments]) -> Report:
    """What comes of a pass."""
    queries = inputs(name, examples, seed)
    return check_rewrite(rewriter(name), schema=SCHEMA, queries=queries, shrink=examples, **options)


def findings(report: Report) -> list[Tried]:
    """The faults of a report on small queries, one for each shape: names and literals do not count."""
    by_shape: dict[tuple[TrialOutcome, str, str], Tried] = {}
    for each in sorted(report.smallest, key=lambda found: len(found.before)):
        by_shape.setdefault((each.outcome, _shape(each.before), _shape(each.after)), each)
    return list(by_shape.values())


def _shape(sql: str) -> str:
    return re.sub(r'"?\b[a-z_]\w*\b"?|\'[^\']*\'|\d+', "x", sql)


def script(name: str, found: Tried) -> str:
    """A finding as a script for sqlite3; '' where no database shows it."""
    if not isinstance(found.verdict, NotEquivalent) or not isinstance(found.verdict.evidence, Witness):
        return ""
    witness = found.verdict.evidence
    parts = [f"-- {name} of sqlglot {VERSION}, seen on SQLite {sqlite3.sqlite_version}\n{witness.sql}"]
    for title, sql, rows in (
        ("before", found.before, witness.gold_rows),
        ("after", found.after, witness.pred_rows),
    ):
        shown = "".join(f"--   ({', '.join(map(sql_literal, row))})\n" for row in rows)
        parts.append(f"-- {title}: {len(rows)} rows\n{shown}{sql};\n")
    return "\n".join(parts)


def save(name: str, found: Iterable[Tried], folder: Path) -> None:
    """Write the findings of a pass, a file each, in place of those that were there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{name}_*.sql"):
        old.unlink()
    for number, each in enumerate(found, 1):
        text = script(name, each)
        if text:
            (folder / f"{name}_{number}.sql").write_text(text, encoding="utf-8")


def main() -> None:
    """Try each pass, and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("passes", nargs="*", default=list(PASSES), help=f"of {', '.join(PASSES)}")
    parser.add_argument("--examples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--tiers", nargs="+", default=list(TIERS), help="generate alone refutes faster")
    parser.add_argument("--findings", type=Path, help="a folder for scripts that show what was found")
    given = parser.parse_args()
    print(f"sqlglot {VERSION}, SQLite {sqlite3.sqlite_version}", flush=True)
    for name in given.passes:
        if name not in PASSES:
            raise InputError(f"unknown pass {name!r}; choose among {', '.join(PASSES)}")
        report = try_pass(name, given.examples, given.seed, effort=given.effort, tiers=tuple(given.tiers))
        print(report.summary, flush=True)
        small = findings(report)
        for each in small:
            print(f"  {each.outcome}: {each.before}\n    -> {each.after or each.error}", flush=True)
        if given.findings is not None:
            save(name, small, given.findings)


if __name__ == "__main__":
    main()
