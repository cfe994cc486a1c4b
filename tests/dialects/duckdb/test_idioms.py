"""DuckDB's ways to write a query, on random rows: DuckDB and the core give the same."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from kit.harness import GOLDEN, read_cases
from kit.sizes import TIMES

from equiv.cells import Cell, Row
from equiv.core.model import Column, Schema, Table
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.dialects.duckdb.values import labels_of, string
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named

pytest.importorskip("duckdb")

DUCKDB = dialect_named("duckdb")
DDL = """CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, d DATE, f DOUBLE, q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, x DECIMAL(8, 2), ts TIMESTAMP);
CREATE VIEW v AS SELECT b, count(*) AS n, sum(f) AS total FROM t GROUP BY ALL"""
DATABASES = 16
VALUES: dict[str, tuple[str, ...]] = {
    "a": ("NULL", "0", "1", "2", "-1", "3"),
    "b": ("NULL", "''", "'a'", "'A'", "'ab'", "'b'"),
    "d": ("NULL", "'2020-01-31'", "'2020-02-29'", "'2019-12-31'"),
    "f": ("NULL", "0", "0.5", "2.5", "-1.5"),
    "q": ("NULL", "TRUE", "FALSE"),
    "x": ("NULL", "0", "1.50", "2.00", "-1.25"),
    "ts": ("NULL", "'2020-01-31 00:00:00'", "'2020-01-31 10:30:15.5'", "'2019-12-31 23:59:59'"),
}
IDIOMS = """
FROM t
FROM t SELECT a, b WHERE a > 0
FROM t JOIN u USING (a) SELECT *
SELECT * EXCLUDE (id, f) FROM t
SELECT * REPLACE (a + 1 AS a) FROM t WHERE a > 1
SELECT * RENAME (a AS z) FROM u
SELECT COLUMNS('b') FROM t JOIN u ON t.id = u.id
SELECT t.* EXCLUDE (a), u.x FROM t LEFT JOIN u ON t.a = u.a
SELECT b, count(*), sum(a), avg(f) FROM t GROUP BY ALL
SELECT b, q, max(d) FROM t GROUP BY ALL ORDER BY ALL
SELECT a % 2 AS odd, count(*) FROM t GROUP BY odd
SELECT a % 2 AS odd, count(*) AS k FROM t WHERE odd IS NOT NULL GROUP BY odd HAVING k > 1
SELECT b AS a, count(*) FROM t GROUP BY a, b
SELECT upper(b) AS b, count(*) FROM t GROUP BY upper(t.b)
SELECT a AS k, k + 1 AS l, l * 2 FROM t
SELECT a AS b FROM t WHERE b = 'a'
SELECT a AS id, id AS a FROM t ORDER BY id, a
SELECT DISTINCT b FROM t ORDER BY ALL
SELECT id, a FROM t ORDER BY a DESC, id LIMIT 3
SELECT id, a FROM t ORDER BY a NULLS FIRST, id LIMIT 2 OFFSET 1
SELECT DISTINCT ON (b) b, id FROM t ORDER BY b, id
SELECT DISTINCT ON (b) b, a, id FROM t ORDER BY id DESC
SELECT id, b FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY id) = 1
SELECT b, count(*) AS n FROM t GROUP BY b QUALIFY rank() OVER (ORDER BY n DESC) = 1
SELECT id, sum(a) OVER (ORDER BY id) AS s FROM t QUALIFY s > 1 ORDER BY id DESC LIMIT 2
SELECT DISTINCT q FROM t QUALIFY count(*) OVER (PARTITION BY q) > 1
SELECT t.id FROM t SEMI JOIN u ON t.a = u.a
SELECT t.id FROM t ANTI JOIN u ON t.a = u.a
SELECT t.id, w.id FROM t SEMI JOIN u USING (a) JOIN u AS w ON w.id = t.id
SELECT t.id, w.id FROM t ANTI JOIN u USING (b) LEFT JOIN u AS w ON w.a = t.a
SELECT u.id FROM u JOIN (t ANTI JOIN v ON t.b = v.b AND v.n > 1) ON u.a = t.a
SELECT a, t.b, u.b FROM t FULL JOIN u USING (a)
SELECT a, b, x FROM t RIGHT JOIN u USING (a, b)
SELECT * FROM v
SELECT t.id, v.total FROM t JOIN v USING (b) WHERE v.n > 1
WITH c AS (SELECT b, count(*) AS n FROM t GROUP BY b), d AS MATERIALIZED (FROM c WHERE n > 1) SELECT * FROM d
WITH t AS (SELECT id, x FROM u) SELECT * FROM t WHERE x > 1
SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS w (a, b) JOIN t USING (a)
SELECT a FROM t UNION SELECT a FROM u
SELECT a, b FROM t UNION ALL SELECT a, b FROM u ORDER BY ALL
SELECT a FROM t INTERSECT ALL SELECT a FROM u
SELECT b FROM t EXCEPT ALL SELECT b FROM u
SELECT a FROM t UNION ALL SELECT x FROM u
SELECT a FROM t EXCEPT SELECT a FROM u UNION SELECT 7
SELECT NULL AS a, b FROM t UNION ALL SELECT a, b FROM u
SELECT id FROM t WHERE a IN (SELECT a FROM u)
SELECT id FROM t WHERE a NOT IN (SELECT a FROM u)
SELECT id FROM t WHERE a NOT IN (SELECT a FROM u WHERE u.b = t.b)
SELECT id FROM t WHERE NOT EXISTS (FROM u WHERE u.a = t.a AND u.x > t.f)
SELECT id FROM t WHERE a > ALL (SELECT a FROM u WHERE u.b = t.b)
SELECT id FROM t WHERE f < ANY (SELECT x FROM u)
SELECT id, (SELECT max(x) FROM u WHERE u.a = t.a) AS m FROM t WHERE m IS NOT NULL
SELECT id, (SELECT count(*) FROM u WHERE u.b = t.b) AS n FROM t ORDER BY n DESC, id
SELECT id FROM t WHERE a = (SELECT max(a) FROM t)
SELECT sum(q), count(q), bool_and(q), bool_or(q) FROM t
SELECT b, sum(a) FILTER (WHERE q), count(*) FILTER (WHERE a > 0) FROM t GROUP BY b
SELECT count(DISTINCT a), sum(DISTINCT a), count(DISTINCT lower(b)) FROM t
SELECT stddev(t.a), var_pop(f), stddev_samp(x) FROM t JOIN u ON true
SELECT a / 2, a // 2, a % 2, -a // 2 FROM t
SELECT sum(a) / count(*) FROM t
SELECT sum(CASE WHEN q THEN 1 ELSE 0 END) * 100.0 / count(*) FROM t HAVING count(*) > 0
SELECT x * 1.5, x + u.a, x / 2, round(x), round(x, 1) FROM u JOIN t USING (id)
SELECT id FROM t WHERE d BETWEEN '2020-01-01' AND '2020-2-29'
SELECT year(d), month(d), d + 1, d + INTERVAL 1 MONTH, strftime(d, '%Y-%m') FROM t
SELECT date_trunc('month', ts), ts::DATE, extract(hour FROM ts), date_diff('day', ts, d) FROM u, t
SELECT id FROM u WHERE ts > '2020-01-01' AND ts::DATE = '2020-01-31'
SELECT t.id FROM t JOIN u ON t.d = u.ts
SELECT b LIKE 'a%', b ILIKE 'A_', b || a, concat(b, a), coalesce(b, 'none') FROM t
SELECT greatest(a, f), least(a, 1), nullif(a, '1'), ifnull(b, '-') FROM t
SELECT CASE WHEN a THEN 'yes' ELSE 'no' END, NOT a, q AND a FROM t
SELECT id, lag(a) OVER w, first_value(b) OVER w FROM t WINDOW w AS (ORDER BY id)
SELECT id, sum(a) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t
SELECT b, rank() OVER (ORDER BY sum(a) DESC), sum(count(*)) OVER () FROM t GROUP BY b
SELECT max(n) FROM (SELECT count(*) AS n FROM t GROUP BY b)
SELECT t.b, count(u.id) FROM t LEFT JOIN u ON t.a = u.a AND u.x > 1 GROUP BY t.b HAVING count(u.id) = 0
SELECT 1 WHERE 2 > 1
SELECT b, sum(a) FROM t GROUP BY ROLLUP (b)
SELECT a, b, count(*), grouping(a, b), grouping(b) FROM t GROUP BY CUBE (a, b) ORDER BY ALL
SELECT a % 2 AS odd, b, count(*) FROM t GROUP BY ROLLUP (odd, b) HAVING count(*) > 1
SELECT a, count(d) FROM t GROUP BY GROUPING SETS ((a), (b), ())
SELECT a + 1, b, max(f) FROM t GROUP BY a, ROLLUP (b)
SELECT b, rank() OVER (ORDER BY count(*) DESC) FROM t GROUP BY ROLLUP (b)
SELECT coalesce(b, 'total') AS b, sum(f) FROM t GROUP BY ROLLUP (t.b) QUALIFY count(*) OVER () > 1
SELECT count(*) FROM t, u WHERE t.a = u.a OR t.b = u.b
SELECT (SELECT count(t.a)), (SELECT count(*) FILTER (WHERE t.f > 1)) FROM t
SELECT b, (SELECT max(u.a) FROM u WHERE u.id = count(t.a)), count(*) FROM t WHERE q GROUP BY b
SELECT b FROM t GROUP BY b HAVING EXISTS (FROM u WHERE u.a < sum(t.a)) ORDER BY (SELECT max(t.f)), b LIMIT 2
SELECT (SELECT sum(u.a) FROM u HAVING count(t.a) > 1) FROM t
SELECT (SELECT count(*) FROM u HAVING count(*) > count(t.a)) FROM t
SELECT DISTINCT (SELECT count(DISTINCT t.a)) FROM t GROUP BY b
SELECT (SELECT sum(u.a + (SELECT count(t.a))) FROM u) FROM t
SELECT b, sum((SELECT count(t.a))) OVER () FROM t GROUP BY b
SELECT max(a) FROM t HAVING EXISTS (SELECT 1 FROM u WHERE u.a = count(t.a))
""".strip().splitlines()


@pytest.fixture(scope="module")
def sessions() -> Iterator[list[Session]]:
    opened = [DUCKDB.engine.replay(_script(Random(seed))) for seed in range(DATABASES)]
    yield opened
    for each in opened:
        each.close()


def _script(random: Random) -> str:
    statements = [DDL]
    few = {name: random.sample(values, random.randint(2, len(values))) for name, values in VALUES.items()}
    for table, columns in (("t", "abdfq"), ("u", ("a", "b", "x", "ts"))):
        for at in range(random.choice((0, 1, 3, 6))):
            row = ", ".join([str(at), *(random.choice(few[name]) for name in columns)])
            statements.append(f"INSERT INTO {table} VALUES ({row})")
    return ";\n".join(statements)


@pytest.mark.long
def test_duckdb_and_the_core_agree(sessions: list[Session], subtests: pytest.Subtests) -> None:
    schema = DUCKDB.loader.read_ddl(DDL)
    with DUCKDB.engine.empty(schema) as empty:
        for text in IDIOMS:
            with subtests.test(text):
                query = DUCKDB.reader.read(text, schema, empty)
                assert isinstance(query, Query), query
                assert query.unsupported is None, query.unsupported
                _compare(query, sessions)


NASTY: dict[str, tuple[str, ...]] = {
    "INTEGER": ("NULL", "0", "1", "2", "3", "-1", "-7", "5", "200"),
    "BIGINT": ("0", "3594120000172545465", "3594120000172545466", "9223372036854775807"),
    "VARCHAR": (
        *("NULL", "''", "'x'", "'X'", "'y'", "'a'", "'ab'", "'xaby'", "'1.5'", "'0.25'", "' 12 '", "'12'"),
        *("'50%'", "'a\n'", "'a_'", "'2020-01-05'", "'1e2'", "'b'", "'1_0'", "'2020-13-01'", "'[^a]'"),
    ),
    "DATE": ("NULL", "'2020-01-05'", "'2020-02-01'", "'2019-12-31'", "'2020-05-31'", "'0099-03-01'"),
    "TIMESTAMP WITH TIME ZONE": (
        *("NULL", "'2026-03-01 00:00:00+00'", "'2026-03-08 12:00:00+00'", "'2026-02-28 20:00:00.5+00'"),
        "'2026-03-07 12:00:00+00'",
    ),
    "TIMESTAMP": ("NULL", "'2020-01-05 00:00:00'", "'2020-01-05 10:30:07.75'", "'2019-12-31 23:59:59'"),
    "DOUBLE": ("NULL", "0", "0.5", "2.5", "-1.5", "0.1"),
    "FLOAT": ("NULL", "0", "0.5", "0.1", "-0.1", "0.3"),
    "DECIMAL(8,2)": ("NULL", "0", "1.50", "2.00", "-1.25", "-0.01"),
    "BOOLEAN": ("NULL", "TRUE", "FALSE"),
    "INTEGER[]": ("NULL", "[]", "[1]", "[1, 2]", "[NULL]", "[2, 1, NULL]"),
    "DOUBLE[]": ("NULL", "[]", "[0.5]", "[1, -1.5]", "[NULL]"),
    "INTERVAL": ("NULL", "'1 month'", "'30 days'", "'24 hours'"),
    "INTERVAL[]": ("NULL", "[]", "['1 month']", "['30 days']", "['1 day', NULL]"),
    "STRUCT(a INTEGER, b INTEGER)": ("NULL", "{'a': 1, 'b': 2}", "{'a': NULL, 'b': 1}"),
    "MAP(VARCHAR, INTEGER)": ("NULL", "MAP {}", "MAP {'a': 1}", "MAP {'a': NULL, 'b': 2}"),
    "STRUCT(city VARCHAR, zip INTEGER)": ("NULL", "{'city': 'x', 'zip': 1}", "{'city': NULL, 'zip': 2}"),
    "UNION(num INTEGER, word VARCHAR)": ("NULL", "union_value(num := 1)", "union_value(word := 'a')"),
    "VARCHAR[]": ("NULL", "[]", "['a']", "['a', 'b']", "[NULL]", "['b', NULL]"),
}
"""Values of columns, by their types; what a CHECK forbids is left out where it is inserted."""


@cache
def _databases(ddl: str, count: int) -> tuple[Session, ...]:
    schema = DUCKDB.loader.read_ddl(ddl)
    return tuple(DUCKDB.engine.replay(_filled(ddl, schema, Random(seed))) for seed in range(count))


def _filled(ddl: str, schema: Schema, random: Random) -> str:
    """A script that fills the tables, parents first, with rows of few different values."""
    statements, sizes = [ddl.rstrip().rstrip(";")], dict[str, int]()
    few = {name: random.sample(values, random.randint(2, len(values))) for name, values in NASTY.items()}
    for table in schema.tables:
        parents = {key.columns[0]: sizes[key.parent] for key in table.foreign_keys}
        size = random.choice((0, 1, 3, 7)) if all(parents.values()) else 0
        sizes[table.name] = size
        for at in range(size):
            values = (_value(table, column, parents, few, random) for column in table.columns[1:])
            statements.append(f"INSERT INTO {table.name} VALUES ({', '.join([str(at), *values])})")
    return ";\n".join(statements)


def _value(
    table: Table, column: Column, parents: dict[str, int], few: dict[str, list[str]], random: Random
) -> str:
    if column.name in parents:
        return str(random.randrange(parents[column.name]))
    labels = labels_of(column.native_type)
    values = [string(each) for each in labels] + ["NULL"] if labels else few[column.native_type]
    if table.checks and not labels:
        values = ["1", "2", "3", "5"]
    return random.choice([each for each in values if each != "NULL" or not column.not_null])


@pytest.mark.long
@pytest.mark.parametrize(
    "path", sorted((GOLDEN / "dialects").glob("duckdb*.sql")), ids=lambda path: path.stem
)
def test_duckdb_and_the_core_agree_on_golden_queries(path: Path, subtests: pytest.Subtests) -> None:
    cases = [case for case in read_cases(path) if case.command == "decide"]
    translated = 0
    for ddl in dict.fromkeys(case.world.ddl for case in cases if case.world):
        own = [case for case in cases if case.world and case.world.ddl == ddl]
        texts = list(dict.fromkeys(sql for case in own for sql in case.parts[:2]))
        schema = DUCKDB.loader.read_ddl(ddl)
        if "ATTACH" in ddl or "OR REPLACE MACRO" in ddl or path.stem == "duckdb_parameters":
            continue
        with DUCKDB.engine.empty(schema) as empty:
            queries = (DUCKDB.reader.read(text, schema, empty) for text in texts)
            modelled = [each for each in queries if isinstance(each, Query) and each.tree is not None]
            translated += len(modelled)
            for query in modelled[::3]:
                with subtests.test(query.sql):
                    _require_alike(query, _databases(ddl, 6 * TIMES))
    assert translated or path.stem in WITHOUT_ROWS


WITHOUT_ROWS = (
    "duckdb_attached_schemas",
    "duckdb_databases",
    "duckdb_native",
    "duckdb_parameters",
    "duckdb_recursion",
    "duckdb_choices",
    "duckdb_table_macros",
    "duckdb_aliases",
)
"""Files whose texts have parameters or are not run by the core, whose tables are those of other databases,
whose macros no replay takes, or whose functions are symbols."""


def _require_alike(query: Query, sessions: Iterable[Session]) -> None:
    """Hold that DuckDB, with its optimiser and without, and the core give the same rows."""
    for session in sessions:
        # Where witnesses replay each text runs in both ways.
        theirs, ours = session.run(query.sql), session.core.run(query.core_sql)
        if query.may_fail and not isinstance(theirs, Result):
            continue
        assert isinstance(theirs, Result), theirs
        assert isinstance(ours, Result), ours
        both = [list(map(_shown, found.rows)) for found in (theirs, ours)]
        one, other = both if "ORDER BY ALL" in query.sql else map(sorted, both)
        assert one == other, query.core_sql


def _compare(query: Query, sessions: list[Session]) -> None:
    compared = 0
    for session in sessions:
        theirs, ours = session.run(query.sql), session.core.run(query.core_sql)
        if query.may_fail and not isinstance(theirs, Result):
            continue
        assert isinstance(theirs, Result), theirs
        assert isinstance(ours, Result), ours
        one, other = (list(map(_shown, found.rows)) for found in (theirs, ours))
        assert (one if query.orders else sorted(one)) == (other if query.orders else sorted(other)), (
            query.core_sql
        )
        compared += len(one)
    assert compared


def _shown(row: Row) -> tuple[str, ...]:
    return tuple(map(_cell, row))


def _cell(cell: Cell) -> str:
    if isinstance(cell, int | float):
        return f"number {round(float(cell), 9) + 0.0}" if math.isfinite(cell) else str(cell)
    return repr(cell)
