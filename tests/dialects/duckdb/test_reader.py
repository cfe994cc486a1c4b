"""DuckDB's queries as queries of the core, and what is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from equiv.core.query import Broken, Query
from equiv.core.runner import Failure, Limits, Result
from equiv.dialects.registry import dialect_named

pytest.importorskip("duckdb")

from equiv.dialects.duckdb.database import DuckdbDatabase
from equiv.dialects.duckdb.session import DuckdbSession

DUCKDB = dialect_named("duckdb")
DDL = """
CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR, d DATE, f DOUBLE, q BOOLEAN, s FLOAT, l INTEGER[],
    z VARCHAR COLLATE NOCASE);
CREATE TABLE u (a INTEGER REFERENCES t (a), b VARCHAR, x DECIMAL(8, 2));
CREATE VIEW v (k, n) AS SELECT b, count(*) FROM t GROUP BY b;
CREATE VIEW w AS SELECT a FROM u WHERE x > 1;
"""
Read = Callable[[str], Query | Broken]


@pytest.fixture(scope="module")
def read() -> Iterator[Read]:
    schema = DUCKDB.loader.read_ddl(DDL)
    with DUCKDB.engine.empty(schema) as empty:
        yield lambda text: DUCKDB.reader.read(text, schema, empty)


SAME = """
FROM t SELECT a | SELECT t.a AS a FROM t
SELECT * EXCLUDE (b, d, f, q, s, l, z) FROM t | SELECT t.a AS a FROM t
SELECT u.* RENAME (x AS y) FROM u | SELECT u.a AS a, u.b AS b, u.x AS y FROM u
SELECT T.A FROM T | SELECT T.a AS A FROM t AS T
SELECT b FROM t SEMI JOIN u USING (a) | SELECT t.b AS b FROM t WHERE EXISTS (SELECT 1 AS found FROM u\
 WHERE t.a = u.a)
SELECT a + 1 AS k FROM t WHERE k > 2 | SELECT t.a + 1 AS k FROM t WHERE t.a + 1 > 2
SELECT b AS a FROM t ORDER BY a | SELECT t.b AS a FROM t ORDER BY t.b NULLS LAST
SELECT k FROM v | SELECT v.b AS k FROM (SELECT t.b AS b, COUNT(*) AS "column" FROM t GROUP BY t.b) AS v
SELECT a FROM w | SELECT w.a AS a FROM (SELECT u.a AS a FROM u WHERE u.x > 1.00) AS w
WITH t AS (SELECT 1 AS a) SELECT a FROM t | WITH t_2 AS (SELECT 1 AS a) SELECT t.a AS a FROM t_2 AS t
SELECT b::DOUBLE FROM t | SELECT CORE_PARSE_REAL(t.b) AS "column" FROM t
SELECT TRY_CAST(b AS SMALLINT) FROM t | SELECT CORE_PARSE_WHOLE(t.b, 16) AS "column" FROM t
SELECT a FROM t WHERE (a, b) = (1, NULL) | SELECT t.a AS a FROM t WHERE NOT (t.a IS NOT 1) AND NOT (t.b\
 IS NOT NULL)
SELECT a FROM t WHERE list_contains([1, NULL], a) | SELECT t.a AS a FROM t WHERE t.a IN (1)
PIVOT u ON a IN (1) USING sum(x) GROUP BY b | SELECT unnamed_pivot.b AS b, unnamed_pivot."1" AS "1" FROM\
 (SELECT u.b AS b, SUM(u.x) FILTER (WHERE NOT (u.a IS NOT 1)) AS "1" FROM u GROUP BY u.b) AS unnamed_pivot
PIVOT u ON a IN ('01') USING sum(x) GROUP BY b | SELECT unnamed_pivot.b AS b, unnamed_pivot."01" AS "01"\
 FROM (SELECT u.b AS b, SUM(u.x) FILTER (WHERE NOT (CAST(u.a AS TEXT) IS NOT '01')) AS "01" FROM u\
 GROUP BY u.b) AS unnamed_pivot
SELECT u.a, t.a FROM u ASOF JOIN t ON t.a <= u.a | SELECT u.a AS a, t.a AS a_2 FROM u JOIN t ON t.a =\
 (SELECT MAX(t_2.a) AS nearest FROM t AS t_2 WHERE u.a >= t_2.a)
SELECT MAX(COLUMNS('^[ax]$')) FROM u | SELECT MAX(u.a) AS "column", MAX(u.x) AS column_2 FROM u
SELECT a FROM t WHERE b ~ 'a.c' AND b ~ '.*d' | SELECT t.a AS a FROM t WHERE t.b GLOB '*a[^⏎]c*' AND t.b\
 GLOB '*d*'
SELECT a FROM t WHERE d = '2020-1-5' | SELECT t.a AS a FROM t WHERE t.d = '2020-01-05'
""".strip().splitlines()


def test_texts_of_the_core(read: Read, subtests: pytest.Subtests) -> None:
    for line in SAME:
        text, _, core = line.partition(" | ")
        with subtests.test(text):
            found = read(text)
            assert isinstance(found, Query)
            assert found.unsupported is None
            assert found.core_sql.replace("\n", "⏎") == core


REFUSED = """
Cast | SELECT s::DECIMAL(8, 2) FROM t
Cast | SELECT s::VARCHAR FROM t
Func | SELECT round(s, 1) FROM t
SetOperation | SELECT s FROM t UNION SELECT f FROM t
Cast | SELECT b::FLOAT FROM t
Cast | SELECT b::BOOLEAN FROM t
Cast | SELECT b::HUGEINT FROM t
Cast | SELECT b::TIME FROM t
Cast | SELECT TRY_CAST(f AS BIGINT) FROM t
Cast | SELECT TRY_CAST(b AS UINTEGER) FROM t
Cast | SELECT f::VARCHAR FROM t
Type | SELECT l FROM t
Type | SELECT DISTINCT z FROM t
Type | SELECT a FROM t ORDER BY z
Type | SELECT a FROM t WHERE z = 'x'
Type | SELECT [a] FROM t
AggFunc | SELECT last(b) FROM t
AggFunc | SELECT any_value(b ORDER BY a) FROM t
Window | SELECT any_value(b) OVER (ORDER BY a) FROM t
AggFunc | SELECT arg_min(a, b) FROM t
AggFunc | SELECT string_agg(b, ',' ORDER BY a) FROM t
Group | SELECT count(*) FROM t GROUP BY ()
Join | SELECT t.a FROM t ASOF JOIN u ON t.a >= u.a
Join | SELECT t.a FROM u ASOF JOIN t ON t.a <= u.a AND t.b LIKE u.b
Join | SELECT t.a FROM u ASOF RIGHT JOIN t ON t.a <= u.a
Join | SELECT t.a FROM u ASOF JOIN t USING (a)
Join | SELECT t.a FROM t POSITIONAL JOIN u
Join | SELECT t.a FROM u LEFT JOIN (t SEMI JOIN v ON t.b = v.k) ON u.a = t.a
Lateral | SELECT t.a FROM t, LATERAL (SELECT x FROM u WHERE u.a = t.a ORDER BY x LIMIT 2) m
Glob | SELECT a FROM t WHERE b GLOB '?'
Func | SELECT list_contains([a], 1) FROM t
Star | SELECT COLUMNS(lambda c: len(c) = 1) FROM u
Pivot | PIVOT u ON b IN ('x') USING sum(x) + 1
AggFunc | PIVOT u ON b IN ('x') USING first(x)
Unpivot | FROM u UNPIVOT (v FOR n IN (a, x))
Subquery | FROM (SELECT a, a AS c FROM u LIMIT 2) UNPIVOT (v FOR n IN (a, c))
Regexp | SELECT a FROM t WHERE b ~ '^a.*b$'
Regexp | SELECT a FROM t WHERE regexp_matches(b, 'a', 'i')
Regexp | SELECT a FROM t WHERE b SIMILAR TO 'a^'
Glob | SELECT a FROM t WHERE b GLOB '[!a]*'
With | WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT x FROM r
Func | SELECT a FROM t USING SAMPLE 10%
Func | SELECT random()
Func | SELECT regexp_replace(b, 'a', 'b') FROM t
Limit | SELECT a FROM t LIMIT 50%
Limit | SELECT a FROM t LIMIT (SELECT 1)
Constant | SELECT 12345678901234567890 FROM t
resolution | SELECT a FROM t UNION SELECT b FROM t
SetOperation | SELECT d FROM t UNION ALL BY NAME (SELECT d FROM t UNION SELECT d FROM t)
Collate | SELECT b COLLATE NOCASE FROM t
""".strip().splitlines()


def test_what_is_not_known_is_refused_by_name(read: Read, subtests: pytest.Subtests) -> None:
    for line in REFUSED:
        node, _, text = line.partition(" | ")
        with subtests.test(text):
            found = read(text)
            assert isinstance(found, Query), found
            assert found.tree is None
            assert found.unsupported is not None
            assert found.unsupported.node == node, found.unsupported


BROKEN = """
EMPTY |
EMPTY | -- nothing
SYNTAX | SELEC a FROM t
SYNTAX | SELECT a, count(*) FROM t
NO_TABLE_OR_COLUMN | SELECT a FROM nowhere
NO_TABLE_OR_COLUMN | SELECT nothing FROM t
NO_TABLE_OR_COLUMN | SELECT t.nothing FROM t
NO_FUNCTION | SELECT nofunction(a) FROM t
NO_FUNCTION | SELECT b + a FROM t
NOT_A_QUERY | INSERT INTO t VALUES (1)
NOT_A_QUERY | SELECT 1; SELECT 2
WITHHELD | SELECT * FROM duckdb_settings()
WITHHELD | SELECT * FROM information_schema.tables
""".strip().splitlines()


def test_what_is_wrong_with_a_text(read: Read, subtests: pytest.Subtests) -> None:
    for line in BROKEN:
        cause, _, text = line.partition(" |")
        with subtests.test(text):
            found = read(text)
            assert isinstance(found, Broken), found
            assert found.cause == cause, found


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("SELECT a / 2 FROM t", False),
        ("SELECT a / 0 FROM t", True),
        ("SELECT f / a FROM t", True),
        ("SELECT a // a FROM t", True),
        ("SELECT f::INTEGER FROM t", True),
        ("SELECT a::BIGINT FROM t", False),
        ("SELECT a FROM t WHERE d > '2020-01-01'", False),
        ("SELECT (SELECT max(x) FROM u) FROM t", True),
        ("SELECT a::DECIMAL(4, 1) FROM t", True),
    ],
)
def test_what_may_raise_an_error(read: Read, text: str, fails: bool) -> None:
    found = read(text)
    assert isinstance(found, Query)
    assert found.may_fail is fails


def test_where_the_optimiser_answers_differently_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    run = DuckdbDatabase.run

    def odd(self: DuckdbDatabase, text: str, limits: Limits, *, optimised: bool = True) -> Result | Failure:
        return run(self, text if optimised else f"SELECT * FROM ({text}) LIMIT 0", limits)

    with DUCKDB.engine.replay("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)") as session:
        assert isinstance(session, DuckdbSession)
        assert session.run("SELECT a FROM t") == Result(((1,),), 1)
        monkeypatch.setattr(DuckdbDatabase, "run", odd)
        assert session.run("SELECT a FROM t") == Failure(
            "resource", "DuckDB gives another answer with its optimiser switched off"
        )


def test_a_query_whose_plan_duckdb_does_not_write_down_is_valid(read: Read) -> None:
    text = (
        "WITH RECURSIVE r (k, n) USING KEY (k) AS (SELECT 1, 1 UNION SELECT k, n + 1 FROM r WHERE n < 3)"
        " SELECT k, n FROM r"
    )
    with DuckdbDatabase() as database:
        assert database.planned(text)["error"]
    found = read(text)
    assert isinstance(found, Query)
    assert found.unsupported is not None
    assert not found.is_plain
    assert (found.columns, found.tree) == (2, None)
    for condition in (
        "EXISTS (SELECT 1 FROM v WHERE k = t.b)",
        "t.a IN (SELECT a FROM w)",
        "t.a >= ALL (SELECT a FROM w)",
    ):
        assert isinstance(read(f"SELECT t.b FROM t FULL JOIN u ON {condition}"), Query)
    assert isinstance(read(text.replace("SELECT k, n FROM r", "SELECT k, zz FROM r")), Broken)


def test_objects_that_cannot_be_had_leave_the_rest() -> None:
    schema = DUCKDB.loader.read_ddl(
        """CREATE TABLE base (id INTEGER PRIMARY KEY, x INT); CREATE TEMP TABLE brief (a INT);
        CREATE TABLE states AS SELECT id, sum(x) EXPORT_STATE AS s FROM base GROUP BY id;
        CREATE OR REPLACE VIEW loop AS SELECT 1 AS a; CREATE OR REPLACE VIEW loop AS SELECT * FROM loop;
        CREATE MACRO upper(a) AS TABLE FROM range(a); CREATE VIEW doubled AS FROM upper(2);
        CREATE SCHEMA s1; CREATE TABLE s1.t1 (a INT); CREATE VIEW inside AS SELECT a FROM s1.t1;
        ATTACH 'o.db' AS other (TYPE sqlite); CREATE TABLE other.far (a INT);
        CREATE VIEW whole AS SELECT x FROM base"""
    )
    assert {table.name for table in schema.tables} == {"base", "brief", "s1.t1"}
    assert [view.name for view in schema.native_views] == ["inside", "whole"]
    lost = ("states", "loop", "upper", "doubled", "far")
    assert set(lost) <= set(schema.withheld)
    assert [name for name in lost if name not in "\n".join(map(str, schema.passed))] == []
    with DUCKDB.engine.empty(schema) as empty:
        assert isinstance(DUCKDB.reader.read("SELECT x, a FROM whole, brief", schema, empty), Query)
        for name in ("states", "loop", "doubled"):
            found = DUCKDB.reader.read(f"SELECT * FROM {name}", schema, empty)
            assert isinstance(found, Broken)
            assert found.cause == "WITHHELD"
