"""What the reader makes of queries, and what it refuses by name."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.engines import empty_database, read_text

from equiv.core.query import Broken, Query
from equiv.dialects.postgres.analysis.nodes import TreeNode, difference, read_nodes, text_of
from equiv.dialects.postgres.analysis.printing import PostgresPrinter
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.registry import dialect_named

POSTGRES = dialect_named("postgres")
DDL = """
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE t (id int PRIMARY KEY, a int, b int, n numeric(6, 2), name text, c char(4), d date, at timestamp,
    flag boolean, m mood, tags text[], note json, wait interval);
CREATE TABLE u (id int PRIMARY KEY, t_id int REFERENCES t, w int);
CREATE VIEW big AS SELECT id, a FROM t WHERE a > 10;
"""


def read(text: str) -> Query:
    found = read_text("postgres", DDL, text)
    assert not isinstance(found, Broken), found
    return found


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("SELECT a FROM t ORDER BY a", "SELECT t.a AS c0 FROM t ORDER BY t.a NULLS LAST"),
        ("SELECT id FROM t WHERE name LIKE 'a%_'", "SELECT t.id AS c0 FROM t WHERE t.name GLOB 'a*?'"),
        ("SELECT n / 2 FROM t", "SELECT CAST(t.n AS REAL) / 2 AS c0 FROM t"),
        (
            "SELECT id FROM big",
            "SELECT big.id AS c0 FROM (SELECT t.id AS id, t.a AS a FROM t WHERE t.a > 10) AS big",
        ),
        (
            "SELECT id FROM t WHERE d < date '2020-01-31' + interval '1 month'",
            "SELECT t.id AS c0 FROM t WHERE t.d < '2020-02-29'",
        ),
        (
            "SELECT t.id FROM t JOIN (u JOIN t x ON u.t_id = x.id) ON t.a = u.w",
            "SELECT t.id AS c0 FROM t JOIN u JOIN t AS x ON u.t_id = x.id AND t.a = u.w",
        ),
    ],
)
def test_core_text(text: str, core: str) -> None:
    found = read(text)
    assert found.tree is not None, found.unsupported
    assert found.core_text == core


def test_choices_by_rank_become_numbers_of_rows() -> None:
    first = read("SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC").core_text or ""
    assert "ROW_NUMBER() OVER (PARTITION BY t.a ORDER BY t.a NULLS LAST, t.b DESC NULLS FIRST)" in first
    assert "number = 1" in first
    ties = read("SELECT a FROM t ORDER BY b FETCH FIRST 2 ROWS WITH TIES").core_text or ""
    assert "RANK() OVER (ORDER BY t.b NULLS LAST)" in ties
    assert "number <= 2" in ties


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SELECT $1 IS NULL FROM t", "could not determine data type of parameter $1"),
        ("SELECT a FROM t WHERE a = ANY ($1)", "not a literal"),
        ("SELECT at + $1::interval FROM t", "not a constant"),
        ("SELECT a FROM t WHERE current_setting('equiv_parameter.int4.$1')::int = a", "current_setting"),
        ("SELECT random() FROM t", "does not determine"),
        ("SELECT id FROM t WHERE at::time < LOCALTIME", "LOCALTIME"),
        ("SELECT 'today'::date", "current time"),
        ("SELECT * FROM generate_series(1, 1000) AS g", "the function generate_series in FROM"),
        ("SELECT * FROM generate_series(1, 1000000000000) AS g", "the function generate_series in FROM"),
        ("SELECT g FROM t, generate_series(1, t.a) AS g", "the function generate_series in FROM"),
        ("SELECT * FROM unnest(ARRAY[1, 2]) WITH ORDINALITY AS g", "the function unnest in FROM"),
        ("SELECT unnest(tags) FROM t", "the function unnest in FROM"),
        (
            "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT x FROM r",
            "RECURSIVE",
        ),
        ("SELECT q.w FROM t, LATERAL (SELECT w FROM u WHERE u.t_id = t.id LIMIT 2) AS q", "LATERAL: a "),
        ("SELECT wait FROM t", "interval"),
        ("SELECT name ~* 'a' FROM t", "~*"),
        ("SELECT name ~ name FROM t", "non-constant"),
        *(
            (f"SELECT name ~ '{pattern}' FROM t", "regular expression")
            for pattern in (
                "a+",
                "(a)(b)",
                "(?i)a",
                "***=a",
                "[[:alpha:]]",
                "a^b",
                "[a-z-9]",
                "a{2}*",
                ".*?",
                "[z-a]",
            )
        ),
        *(
            (rf"SELECT name ~ '{pattern}' FROM t", "regular expression")
            for pattern in (r"\d", r"a\y", r"(a)\1")
        ),
        ("SELECT regexp_replace(name, 'a', 'b') FROM t", "regexp_replace"),
        ("SELECT (n + 1)::text FROM t", "numeric"),
        ("SELECT array_agg(a) FROM t", "_int4 in the result"),
        ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t", "WITHIN GROUP"),
        ('SELECT name FROM t ORDER BY name COLLATE "POSIX"', "ollat"),
        ("SELECT t FROM t", "t in the result"),
        ("SELECT ctid FROM t", "system"),
        ("SELECT a FROM t LIMIT (SELECT 1)", "non-constant"),
        ("SELECT note ->> 'x' FROM t", "->>"),
        ("SELECT 1.2345678901234567890 * n FROM t", "15 digits"),
    ],
)
def test_refused_by_name(text: str, why: str) -> None:
    found = read(text)
    assert found.tree is None
    assert found.core_text == ""
    assert why in str(found.unsupported), found.unsupported


def test_a_query_whose_print_resolves_otherwise_has_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "SELECT id FROM t WHERE a > 1"
    assert read(text).tree is not None
    monkeypatch.setattr(PostgresPrinter, "query", lambda self, query: "SELECT id FROM public.t WHERE a >= 1")
    found = read(text)
    assert found.tree is None
    assert found.unsupported is not None
    assert found.unsupported.node == "resolution"


def test_trees_differ_in_meaning_not_in_spelling() -> None:
    def tree(text: str) -> list[object]:
        _, session = empty_database("postgres", DDL)
        assert isinstance(session, PostgresSession)
        return read_nodes(session.sandbox.viewed(text).tree)

    same = tree("SELECT x.a AS y FROM t AS x WHERE x.a = 1"), tree("SELECT a FROM t WHERE a = 1")
    assert difference(*same) == ""
    for other in (
        "SELECT a FROM t WHERE a = 2",
        "SELECT b FROM t WHERE a = 1",
        "SELECT a FROM t",
        "SELECT w FROM u",
    ):
        assert difference(same[0], tree(other)), other


def test_node_trees_keep_texts_with_signs_of_their_own() -> None:
    (node,) = read_nodes(r'({ALIAS :aliasname a\ b\} :colnames ("x\ "y"" "\(") :list (i 1 2) :none <>})')
    assert isinstance(node, TreeNode)
    assert node.text("aliasname") == "a b}"
    assert node.list("colnames") == ['x "y"', "("]
    assert node.list("list") == ["1", "2"]
    assert node.list("none") == []


@settings(max_examples=40, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9))
def test_decimals_are_what_postgresql_writes(value: Decimal) -> None:
    _, session = empty_database("postgres", DDL)
    assert isinstance(session, PostgresSession)
    (query,) = read_nodes(session.sandbox.viewed(f"SELECT '{value:f}'::numeric").tree)
    assert isinstance(query, TreeNode)
    constant = query.nodes("targetList")[0].node("expr")
    assert Decimal(text_of("numeric", constant.text("constvalue"))) == value


def test_parameters_have_the_types_that_postgresql_takes_them_for() -> None:
    found = read("SELECT a + $2 FROM t WHERE name = :who AND at::date < $10 AND b > $2")
    assert found.core_text == (
        "SELECT t.a + $2 AS c0 FROM t WHERE t.name = :who AND SUBSTR(t.at, 1, 10) < $10 AND t.b > $2"
    )
    assert found.parameters == ("$2", ":who", "$10")
    assert found.parameter_types == ("integer", "text", "date")
    assert not found.may_fail
    assert found.sql.startswith("SELECT a + $2")


def test_functions_of_constants_in_from_are_their_rows() -> None:
    found = read("SELECT g + a FROM t, generate_series(2, 6, 2) AS g").core_text or ""
    assert "(SELECT 2 AS g UNION ALL SELECT 4 AS g UNION ALL SELECT 6 AS g) AS g" in found
    days = read(
        "SELECT d FROM generate_series('2020-02-28'::timestamp, '2020-03-01', '1 day') AS d"
    ).core_text
    assert "'2020-02-29 00:00:00'" in (days or "")
    assert "'b'" in (read("SELECT x FROM unnest(ARRAY['a', 'b']) AS x").core_text or "")


@pytest.mark.long
def test_a_function_of_constants_is_given_little_time() -> None:
    started = time.perf_counter()
    assert read("SELECT id FROM t WHERE name = repeat('x', 200000000)").unsupported is not None
    assert time.perf_counter() - started < 30
