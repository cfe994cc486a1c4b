"""Idioms: one question asked in several ways, on any schema, as people and rewriters phrase them.

The ways of one idiom need not be equivalent: some are on a key or on columns without NULL alone, some are near
misses.  What is proved of two of them is for others to attack.  ``$T`` is a table with columns ``$x``, ``$y``
and a key ``$k`` if it has one; ``$C`` refers to ``$P`` by ``$f`` to ``$g`` where the schema has a reference, and
``$v``, ``$w`` are other columns of theirs.  ``$one`` and ``$two`` are literals for ``$y``, ``$n`` is a number.
"""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from string import Template

from equiv.schema.model import Column, Schema, Table
from equiv.sqlite.identifiers import quoted
from equiv.testing.making.columns import kind_of
from equiv.testing.making.texts import HARD_COLUMNS, LITERALS

Ways = tuple[str, ...]

SETS: tuple[Ways, ...] = (
    (
        "SELECT $x FROM $T WHERE $y = $one INTERSECT SELECT $x FROM $T WHERE $y = $two",
        "SELECT $x FROM $T WHERE $y IN ($one, $two) GROUP BY $x HAVING COUNT(DISTINCT $y) = 2",
        "SELECT $x FROM $T WHERE $y IN ($one, $two) GROUP BY $x HAVING COUNT(*) = 2",
        "SELECT $x FROM $T GROUP BY $x HAVING SUM($y = $one) > 0 AND SUM($y = $two) > 0",
        "SELECT $x FROM $T GROUP BY $x HAVING MAX($y = $one) AND MAX($y = $two)",
        "SELECT DISTINCT t.$x FROM $T AS t JOIN $T AS s ON s.$x = t.$x WHERE t.$y = $one AND s.$y = $two",
        "SELECT DISTINCT $x FROM $T WHERE $y = $one AND $x IN (SELECT $x FROM $T WHERE $y = $two)",
    ),
    (
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g WHERE p.$w = $three INTERSECT SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g WHERE p.$w = $four",
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g WHERE p.$w IN ($three, $four) GROUP BY c.$f HAVING COUNT(DISTINCT p.$w) = 2",
        "SELECT c.$f FROM $C AS c JOIN $P AS p ON c.$f = p.$g GROUP BY c.$f HAVING SUM(p.$w = $three) >= 1 AND SUM(p.$w = $four) >= 1",
    ),
    (
        "SELECT $x FROM $T WHERE $y = $one OR $y = $two",
        "SELECT $x FROM $T WHERE $y = $one UNION SELECT $x FROM $T WHERE $y = $two",
        "SELECT $x FROM $T WHERE $y = $one UNION ALL SELECT $x FROM $T WHERE $y = $two",
        "SELECT DISTINCT $x FROM $T WHERE $y IN ($one, $two)",
    ),
    (
        "SELECT DISTINCT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g OR c.$v = p.$g",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g UNION SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$v = p.$g",
        "SELECT DISTINCT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c) OR p.$g IN (SELECT c.$v FROM $C AS c)",
        "SELECT DISTINCT p.$w FROM $P AS p WHERE EXISTS (SELECT 1 FROM $C AS c WHERE p.$g IN (c.$f, c.$v))",
    ),
    (
        "SELECT DISTINCT p.$w FROM $P AS p LEFT JOIN $C AS c ON c.$f = p.$g LEFT JOIN $C AS d ON d.$v = p.$g WHERE c.$f IS NOT NULL OR d.$v IS NOT NULL",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g UNION SELECT p.$w FROM $P AS p JOIN $C AS d ON d.$v = p.$g",
        "SELECT DISTINCT p.$w FROM $P AS p WHERE p.$g IN (SELECT $f FROM $C) OR p.$g IN (SELECT $v FROM $C)",
    ),
    (
        "SELECT p.$w FROM $P AS p LEFT JOIN $C AS c ON c.$f = p.$g WHERE c.$f IS NULL",
        "SELECT p.$w FROM $P AS p WHERE p.$g NOT IN (SELECT c.$f FROM $C AS c)",
        "SELECT p.$w FROM $P AS p WHERE p.$g NOT IN (SELECT c.$f FROM $C AS c WHERE c.$f IS NOT NULL)",
        "SELECT p.$w FROM $P AS p WHERE NOT EXISTS (SELECT 1 FROM $C AS c WHERE c.$f = p.$g)",
        "SELECT p.$w FROM $P AS p WHERE (SELECT COUNT(*) FROM $C AS c WHERE c.$f = p.$g) = 0",
    ),
)
GROUPS: tuple[Ways, ...] = (
    (
        "SELECT $k FROM $T GROUP BY $k HAVING COUNT(*) $op $n",
        "SELECT $k FROM $T WHERE 1 $op $n",
        "SELECT $k FROM $T GROUP BY $k HAVING COUNT($x) $op $n",
        "SELECT $k FROM $T WHERE ($x IS NOT NULL) $op $n",
        "SELECT $k FROM $T GROUP BY $k HAVING COUNT(DISTINCT $x) $op $n",
    ),
    (
        "SELECT $x, MAX($x) FROM $T GROUP BY $x",
        "SELECT $x, MIN($x) FROM $T GROUP BY $x",
        "SELECT DISTINCT $x, $x FROM $T",
        "SELECT $x, SUM($x) FROM $T GROUP BY $x",
    ),
    (
        "SELECT $k, SUM($x), COUNT($x), AVG($x) FROM $T GROUP BY $k",
        "SELECT $k, $x, $x IS NOT NULL, $x FROM $T",
        "SELECT $k, MAX($x), COUNT(*), MIN($x) FROM $T GROUP BY $k",
        "SELECT $k, TOTAL($x), COUNT(DISTINCT $x), AVG($x) FROM $T GROUP BY $k, $x",
    ),
    (
        "SELECT $x FROM $T GROUP BY $x HAVING COUNT(*) >= 2",
        "SELECT $x FROM $T GROUP BY $x HAVING COUNT(DISTINCT $k) > 1",
        "SELECT DISTINCT t.$x FROM $T AS t JOIN $T AS s ON t.$x = s.$x AND t.$k <> s.$k",
        "SELECT DISTINCT $x FROM $T AS t WHERE EXISTS (SELECT 1 FROM $T AS s WHERE s.$x = t.$x AND s.$k <> t.$k)",
        "SELECT $x FROM $T GROUP BY $x HAVING MIN($k) < MAX($k)",
        "SELECT DISTINCT $x FROM $T AS t WHERE (SELECT COUNT(*) FROM $T AS s WHERE s.$x = t.$x) > 1",
    ),
    (
        "SELECT $x FROM $T GROUP BY $x HAVING COUNT(DISTINCT $y) >= 2",
        "SELECT $x FROM $T GROUP BY $x HAVING MIN($y) <> MAX($y)",
        "SELECT DISTINCT t.$x FROM $T AS t JOIN $T AS s ON t.$x = s.$x WHERE t.$y <> s.$y",
    ),
    (
        "SELECT $x, $k FROM $T GROUP BY $x HAVING COUNT(*) = 1",
        "SELECT $x, MAX($k) FROM $T GROUP BY $x HAVING COUNT(*) = 1",
        "SELECT $x, MIN($k) FROM $T GROUP BY $x HAVING COUNT(*) < 2",
        "SELECT $x, $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE s.$x IS t.$x AND s.$k <> t.$k)",
    ),
    (
        "SELECT COUNT(*) FILTER (WHERE $y = $one) FROM (SELECT $y FROM $T WHERE $x IS NULL UNION ALL SELECT $y FROM $T WHERE $x IS NOT NULL) AS u",
        "SELECT COUNT(*) FROM $T WHERE $y = $one",
        "SELECT SUM($y = $one) FROM $T",
        "SELECT (SELECT COUNT(*) FILTER (WHERE $y = $one) FROM $T WHERE $x IS NULL) + (SELECT COUNT(*) FILTER (WHERE $y = $one) FROM $T WHERE $x IS NOT NULL)",
        "SELECT COUNT(CASE WHEN $y = $one THEN 1 END) FROM $T",
    ),
)
EXTREMES: tuple[Ways, ...] = (
    (
        "SELECT $k FROM $T WHERE $x < (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T WHERE $x <> (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T WHERE NOT $x >= (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T WHERE $x NOT IN (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T AS t WHERE EXISTS (SELECT 1 FROM $T AS s WHERE s.$x > t.$x)",
        "SELECT $k FROM $T WHERE $x <= (SELECT MAX($x) FROM $T)",
    ),
    (
        "SELECT MAX($x) FROM $T WHERE $x < (SELECT MAX($x) FROM $T)",
        "SELECT DISTINCT $x FROM $T ORDER BY $x DESC LIMIT 1 OFFSET 1",
        "SELECT $x FROM $T GROUP BY $x ORDER BY $x DESC LIMIT 1 OFFSET 1",
        "SELECT $x FROM $T ORDER BY $x DESC LIMIT 1 OFFSET 1",
        "SELECT MAX($x) FROM $T WHERE $x <> (SELECT MAX($x) FROM $T)",
        "SELECT (SELECT DISTINCT $x FROM $T ORDER BY $x DESC LIMIT 1 OFFSET 1)",
    ),
    (
        "SELECT $k FROM $T WHERE $x = (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM (SELECT $k, RANK() OVER (ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT $k FROM (SELECT $k, DENSE_RANK() OVER (ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT $k FROM (SELECT $k, ROW_NUMBER() OVER (ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT $k FROM $T WHERE $x IS (SELECT MAX($x) FROM $T)",
        "SELECT $k FROM $T ORDER BY $x DESC LIMIT 1",
        "SELECT $k FROM $T AS t WHERE NOT EXISTS (SELECT 1 FROM $T AS s WHERE s.$x > t.$x)",
    ),
    (
        "SELECT $k FROM $T AS t WHERE $x = (SELECT MAX(s.$x) FROM $T AS s WHERE s.$y = t.$y)",
        "SELECT $k FROM (SELECT $k, RANK() OVER (PARTITION BY $y ORDER BY $x DESC) AS r FROM $T) AS q WHERE r = 1",
        "SELECT t.$k FROM $T AS t JOIN (SELECT $y, MAX($x) AS m FROM $T GROUP BY $y) AS q ON q.$y = t.$y AND q.m = t.$x",
        "SELECT $k FROM $T WHERE ($y, $x) IN (SELECT $y, MAX($x) FROM $T GROUP BY $y)",
        "SELECT $k FROM (SELECT $k, $x, MAX($x) OVER (PARTITION BY $y) AS m FROM $T) AS q WHERE $x = m",
    ),
)
LIMITS: tuple[Ways, ...] = (
    (
        "SELECT p.$w FROM $P AS p WHERE p.$g = (SELECT c.$f FROM $C AS c GROUP BY c.$f ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c GROUP BY c.$f ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY c.$f ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY p.$g ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT p.$w FROM $P AS p JOIN $C AS c ON c.$f = p.$g GROUP BY p.$w ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    (
        "SELECT $x FROM $T ORDER BY $x LIMIT $n",
        "SELECT $x FROM $T ORDER BY $x, $k LIMIT $n",
        "SELECT $x FROM $T ORDER BY $x, $y LIMIT $n",
        "SELECT $x FROM (SELECT * FROM $T ORDER BY $x, $k LIMIT $n) AS q ORDER BY $x",
        "SELECT MIN($x) FROM $T",
    ),
    (
        "SELECT $y FROM $T WHERE $x = (SELECT $x FROM $T ORDER BY $k LIMIT 1)",
        "SELECT $y FROM $T WHERE $x IN (SELECT $x FROM $T ORDER BY $k LIMIT 1)",
        "SELECT $y FROM $T WHERE $x IN (SELECT $x FROM $T ORDER BY $k LIMIT $n)",
    ),
    (
        "SELECT p.$w FROM $P AS p WHERE EXISTS (SELECT 1 FROM $C AS c WHERE c.$f = p.$g LIMIT 1 OFFSET 1)",
        "SELECT p.$w FROM $P AS p WHERE (SELECT COUNT(*) FROM $C AS c WHERE c.$f = p.$g) > 1",
        "SELECT p.$w FROM $P AS p WHERE p.$g IN (SELECT c.$f FROM $C AS c GROUP BY c.$f HAVING COUNT(*) >= 2)",
        "SELECT p.$w FROM $P AS p WHERE EXISTS (SELECT DISTINCT c.$v FROM $C AS c WHERE c.$f = p.$g LIMIT 1 OFFSET 1)",
    ),
    (
        "SELECT $x FROM $T WHERE $y = $one UNION ALL SELECT $x FROM $T WHERE $y = $two LIMIT $n",
        "SELECT * FROM (SELECT $x FROM $T WHERE $y = $one LIMIT $n) AS q UNION ALL SELECT $x FROM $T WHERE $y = $two LIMIT $n",
        "SELECT * FROM (SELECT $x FROM $T WHERE $y = $one LIMIT $n) AS q UNION ALL SELECT * FROM (SELECT $x FROM $T WHERE $y = $two LIMIT $n) AS r LIMIT $n",
    ),
    (
        "SELECT c.$v, p.$w FROM $C AS c LEFT JOIN $P AS p ON p.$g = c.$f ORDER BY c.$v LIMIT $n",
        "SELECT c.$v, p.$w FROM (SELECT * FROM $C ORDER BY $v LIMIT $n) AS c LEFT JOIN $P AS p ON p.$g = c.$f ORDER BY c.$v LIMIT $n",
        "SELECT c.$v, p.$w FROM (SELECT * FROM $C ORDER BY $v LIMIT $n) AS c LEFT JOIN $P AS p ON p.$g = c.$f ORDER BY c.$v",
    ),
    (
        "SELECT DISTINCT $x FROM $T GROUP BY $x ORDER BY COUNT(*) DESC LIMIT $n",
        "SELECT $x FROM $T GROUP BY $x ORDER BY COUNT(*) DESC LIMIT $n",
        "SELECT DISTINCT $x FROM $T GROUP BY $x, $y ORDER BY COUNT(*) DESC LIMIT $n",
    ),
)
WINDOWS: tuple[Ways, ...] = (
    (
        "SELECT $k, SUM($x) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $k ROWS UNBOUNDED PRECEDING) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $k RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $k GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM $T",
        "SELECT $k, (SELECT SUM(s.$x) FROM $T AS s WHERE s.$k <= t.$k) FROM $T AS t",
    ),
    (
        "SELECT $k, SUM($x) OVER (ORDER BY $y) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $y ROWS UNBOUNDED PRECEDING) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $y RANGE UNBOUNDED PRECEDING) FROM $T",
    ),
    (
        "SELECT $k, LAG($x) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, LAG($x, 1) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, LEAD($x) OVER (ORDER BY $k DESC) FROM $T",
        "SELECT $k, LAG($x, 1, NULL) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, LEAD($x) OVER (ORDER BY $k) FROM $T",
    ),
    (
        "SELECT $k, FIRST_VALUE($x) OVER (PARTITION BY $y ORDER BY $x) FROM $T",
        "SELECT $k, MIN($x) OVER (PARTITION BY $y) FROM $T",
        "SELECT $k, MIN($x) OVER (PARTITION BY $y ORDER BY $x) FROM $T",
        "SELECT $k, FIRST_VALUE($x) OVER (PARTITION BY $y ORDER BY $x, $k) FROM $T",
    ),
    (
        "SELECT $x FROM (SELECT $x, ROW_NUMBER() OVER (ORDER BY $k) AS r FROM $T) AS q WHERE r <= $n",
        "SELECT $x FROM $T ORDER BY $k LIMIT $n",
        "SELECT $x FROM (SELECT $x, RANK() OVER (ORDER BY $k) AS r FROM $T) AS q WHERE r <= $n",
        "SELECT $x FROM (SELECT $x, NTILE(1) OVER (ORDER BY $k) AS r FROM $T) AS q WHERE r <= $n",
    ),
)
IDIOMS = (*SETS, *GROUPS, *EXTREMES, *LIMITS, *WINDOWS)
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


def idioms(random: Random, schema: Schema) -> Iterator[tuple[str, str]]:
    """Endless pairs of ways of one idiom, filled alike; a way may stand beside itself.

    Args:
        random: what the pairs depend on.
        schema: the tables that they are on.
    """
    while True:
        ways, filling = random.choice(IDIOMS), _filling(random, schema)
        one, other = (Template(random.choice(ways)).substitute(filling) for _ in range(2))
        yield one, other


def _filling(random: Random, schema: Schema) -> dict[str, str]:
    table = random.choice(schema.tables)
    x, y = (random.choice(_usual(table)) for _ in range(2))
    key = table.primary_key[0] if len(table.primary_key) == 1 else random.choice(_usual(table)).name
    child, own, parent, target = random.choice(_references(schema) or [_apart(random, schema)])
    other = random.choice(_usual(parent))
    literals = [random.choice(LITERALS[kind_of(each)]) for each in (y, y, other, other)]
    return {
        **dict(zip(("one", "two", "three", "four"), literals, strict=True)),
        "n": str(random.choice((1, 1, 1, 2, 3, 0))),
        "op": random.choice(COMPARISONS),
        **{
            place: quoted(name)
            for place, name in (
                *(("T", table.name), ("x", x.name), ("y", y.name), ("k", key)),
                *(("C", child.name), ("f", own), ("v", random.choice(_usual(child)).name)),
                *(("P", parent.name), ("g", target), ("w", other.name)),
            )
        },
    }


def _references(schema: Schema) -> list[tuple[Table, str, Table, str]]:
    """Children and parents, with the one column of each that a reference is by."""
    return [
        (table, key.columns[0], parent, key.parent_columns[0])
        for table in schema.tables
        for key in table.foreign_keys
        if len(key.columns) == 1 and (parent := schema.table(key.parent)) is not None
    ]


def _apart(random: Random, schema: Schema) -> tuple[Table, str, Table, str]:
    child, parent = (random.choice(schema.tables) for _ in range(2))
    target = parent.primary_key or (random.choice(_usual(parent)).name,)
    return child, random.choice(_usual(child)).name, parent, target[0]


def _usual(table: Table) -> Sequence[Column]:
    """The columns that any idiom may mention; all of them if there are only others."""
    return [column for column in table.columns if column.name not in HARD_COLUMNS] or table.columns
