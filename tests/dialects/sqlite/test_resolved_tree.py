"""Each clause of the resolved tree: SQL in, the printed tree out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlglot import exp

from equiv.core.printing import key, to_sql
from equiv.core.query import Query

CASES = {
    # Sources and names.
    "sources are named by their table": (
        "SELECT T1.a FROM T AS T1, t AS T2, u",
        "SELECT t.a AS a FROM t JOIN t AS t_2 JOIN u",
    ),
    "an alias may be another table's name": (
        "SELECT t.y FROM u AS t, t AS q",
        "SELECT u.y AS y FROM u JOIN t",
    ),
    "names ignore case": ("SELECT T.ID, B FROM T", "SELECT t.id AS id, t.b AS b FROM t"),
    "the database is dropped": ("SELECT main.t.a FROM main.t", "SELECT t.a AS a FROM t"),
    "odd names are quoted": (
        'SELECT [group], `two words`, "order"."true" FROM "order"',
        (
            'SELECT "order"."group" AS "group", "order"."two words" AS "two words", '
            '"order"."true" AS "true" FROM "order"'
        ),
    ),
    "a rowid that a column holds": (
        "SELECT rowid, t.oid, _ROWID_ FROM t",
        "SELECT t.id AS id, t.id AS id_2, t.id AS id_3 FROM t",
    ),
    "a correlated reference": (
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t_id = t.id AND x = 1)",
        "SELECT t.a AS a FROM t WHERE EXISTS (SELECT 1 AS expr FROM u WHERE u.t_id = t.id AND t.x = 1)",
    ),
    "a column missing inside is taken from outside": (
        "SELECT a FROM t WHERE a IN (SELECT x FROM u)",
        "SELECT t.a AS a FROM t WHERE t.a IN (SELECT t.x AS x FROM u)",
    ),
    "the inner scope comes first": (
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE b = 'k')",
        "SELECT t.a AS a FROM t WHERE EXISTS (SELECT 1 AS expr FROM u WHERE u.b = 'k')",
    ),
    "parentheses around tables": (
        "SELECT a FROM ((t)) AS q JOIN (u) ON t_id = q.id",
        "SELECT t.a AS a FROM t JOIN u ON u.t_id = t.id",
    ),
    "parentheses around the first join": (
        "SELECT a, y FROM (t LEFT JOIN u ON t_id = t.id) JOIN r",
        "SELECT t.a AS a, u.y AS y FROM t LEFT JOIN u ON u.t_id = t.id JOIN r",
    ),
    # Strings that look like names.
    "double quotes fall back to a string": (
        'SELECT "nope" FROM t WHERE b = "x y"',
        "SELECT 'nope' AS expr FROM t WHERE t.b = 'x y'",
    ),
    "double quotes are a name where one fits": (
        'SELECT "a" FROM t WHERE b = "x"',
        "SELECT t.a AS a FROM t WHERE t.b = t.x",
    ),
    "double quotes reach outer scopes": (
        'SELECT (SELECT "a" FROM u) FROM t',
        "SELECT (SELECT t.a AS a FROM u) AS expr FROM t",
    ),
    "double quotes that name an alias": (
        'SELECT a AS "x y" FROM t WHERE "x y" > 1',
        'SELECT t.a AS "x y" FROM t WHERE t.a > 1',
    ),
    "a quote in a string": ("SELECT 'it''s'", "SELECT 'it''s' AS expr"),
    "TRUE is a constant unless it is a column": (
        'SELECT true, 1 FROM "order" UNION SELECT TRUE, FALSE FROM t',
        (
            'SELECT "order"."true" AS "true", 1 AS expr FROM "order" '
            'UNION SELECT TRUE AS "true", FALSE AS expr FROM t'
        ),
    ),
    # Stars, USING, NATURAL.
    "a star": ("SELECT * FROM one", "SELECT one.v AS v FROM one"),
    "a qualified star": (
        "SELECT q.*, 1 FROM one q, r",
        "SELECT one.v AS v, 1 AS expr FROM one JOIN r",
    ),
    "equal names are distinguished": (
        "SELECT * FROM one, r",
        "SELECT one.v AS v, r.k AS k, r.v AS v_2 FROM one JOIN r",
    ),
    "NATURAL joins on all common names and shows them once": (
        "SELECT * FROM t NATURAL JOIN u",
        (
            "SELECT t.id AS id, t.a AS a, t.b AS b, t.x AS x, u.t_id AS t_id, u.y AS y "
            "FROM t JOIN u ON t.id = u.id AND t.b = u.b"
        ),
    ),
    "NATURAL without a common name": ("SELECT 1 FROM one NATURAL JOIN t", "SELECT 1 AS expr FROM one JOIN t"),
    "a qualified star shows the joined column too": (
        "SELECT u.* FROM t JOIN u USING (id)",
        "SELECT u.id AS id, u.t_id AS t_id, u.b AS b, u.y AS y FROM t JOIN u ON t.id = u.id",
    ),
    "USING takes the left column": (
        "SELECT id FROM t LEFT JOIN u USING (id)",
        "SELECT t.id AS id FROM t LEFT JOIN u ON t.id = u.id",
    ),
    "USING of a RIGHT JOIN takes the right column": (
        "SELECT id FROM t RIGHT JOIN u USING (id)",
        "SELECT u.id AS id FROM t RIGHT JOIN u ON t.id = u.id",
    ),
    "USING of a FULL JOIN takes the first that is not NULL": (
        "SELECT b, id FROM t FULL JOIN u USING (id, b)",
        (
            "SELECT COALESCE(t.b, u.b) AS expr, COALESCE(t.id, u.id) AS expr_2 "
            "FROM t FULL JOIN u ON t.id = u.id AND t.b = u.b"
        ),
    ),
    "a star over a FULL JOIN": (
        "SELECT * FROM one FULL JOIN r USING (v)",
        "SELECT COALESCE(one.v, r.v) AS v, r.k AS k FROM one FULL JOIN r ON one.v = r.v",
    ),
    "a second USING joins the leftmost holder": (
        "SELECT id FROM t JOIN u USING (id) JOIN w USING (a)",
        "SELECT t.id AS id FROM t JOIN u ON t.id = u.id JOIN w ON t.a = w.a",
    ),
    "CROSS JOIN is a join": ("SELECT a FROM t CROSS JOIN r", "SELECT t.a AS a FROM t JOIN r"),
    "OUTER is noise": (
        "SELECT a FROM t LEFT OUTER JOIN r ON k = b",
        "SELECT t.a AS a FROM t LEFT JOIN r ON r.k = t.b",
    ),
    "an ON clause sees later tables of an inner join": (
        "SELECT t.a FROM t JOIN u ON y = v JOIN one ON 1",
        "SELECT t.a AS a FROM t JOIN u ON u.y = one.v JOIN one ON 1",
    ),
    # Aliases and positions.
    "WHERE: a column comes before an alias": (
        "SELECT a AS id FROM t WHERE id > 1",
        "SELECT t.a AS id FROM t WHERE t.id > 1",
    ),
    "WHERE sees an alias": (
        "SELECT a + 1 AS s FROM t WHERE s > 1",
        "SELECT t.a + 1 AS s FROM t WHERE t.a + 1 > 1",
    ),
    "the first of two equal aliases counts": (
        "SELECT a AS s, x AS s FROM t WHERE s > 1",
        "SELECT t.a AS s, t.x AS s_2 FROM t WHERE t.a > 1",
    ),
    "a subquery in WHERE sees an alias, one in the result list does not": (
        "SELECT a AS b FROM r, t WHERE (SELECT b FROM one) = 1",
        "SELECT t.a AS b FROM r JOIN t WHERE (SELECT t.b AS b FROM one) = 1",
    ),
    "GROUP BY: a column comes before an alias": (
        "SELECT a AS b FROM t GROUP BY b",
        "SELECT t.a AS b FROM t GROUP BY t.b",
    ),
    "GROUP BY sees an alias and positions": (
        "SELECT a + 1 AS s, b FROM t GROUP BY s, 2",
        "SELECT t.a + 1 AS s, t.b AS b FROM t GROUP BY t.a + 1, t.b",
    ),
    "HAVING: a column comes before an alias": (
        "SELECT sum(a) AS a, count(*) AS c FROM t GROUP BY b HAVING a > 1 AND c > 2",
        "SELECT SUM(t.a) AS a, COUNT(*) AS c FROM t GROUP BY t.b HAVING t.a > 1 AND COUNT(*) > 2",
    ),
    "ORDER BY: a whole term is an alias first": (
        "SELECT a AS b, b AS a FROM t ORDER BY b, a DESC",
        "SELECT t.a AS b, t.b AS a FROM t ORDER BY t.a, t.b DESC",
    ),
    "ORDER BY: inside a term a column comes before an alias": (
        "SELECT a AS b, b AS c FROM t ORDER BY b || 'x', c || 'y'",
        "SELECT t.a AS b, t.b AS c FROM t ORDER BY t.b || 'x', t.b || 'y'",
    ),
    "ORDER BY under COLLATE is an alias too": (
        "SELECT x AS b, b AS c FROM t ORDER BY b COLLATE NOCASE",
        "SELECT t.x AS b, t.b AS c FROM t ORDER BY t.x COLLATE NOCASE",
    ),
    "ORDER BY a position with equal names": (
        "SELECT a AS v, b AS v FROM t ORDER BY 2, v",
        "SELECT t.a AS v, t.b AS v_2 FROM t ORDER BY t.b, t.a",
    ),
    "ORDER BY a star's column, which would be ambiguous": (
        "SELECT * FROM one, r ORDER BY v",
        "SELECT one.v AS v, r.k AS k, r.v AS v_2 FROM one JOIN r ORDER BY one.v",
    ),
    "ORDER BY a string is a constant": (
        "SELECT a AS b FROM t ORDER BY 'b'",
        "SELECT t.a AS b FROM t ORDER BY 'b'",
    ),
    "ORDER BY what is not shown": (
        "SELECT DISTINCT a FROM t ORDER BY x",
        "SELECT DISTINCT t.a AS a FROM t ORDER BY t.x",
    ),
    "an integer is no position but orders nothing": (
        "SELECT 7 AS k, a FROM t ORDER BY k, 1, a",
        "SELECT 7 AS k, t.a AS a FROM t ORDER BY NULL, NULL, t.a",
    ),
    "GROUP BY an integer is one group": (
        "SELECT -1 AS k, count(*) FROM t GROUP BY k",
        "SELECT -1 AS k, COUNT(*) AS expr FROM t GROUP BY NULL",
    ),
    "a copied subquery has sources of its own": (
        "SELECT (SELECT max(y) FROM u) AS m FROM t ORDER BY m",
        (
            "SELECT (SELECT MAX(u.y) AS expr FROM u) AS m FROM t ORDER BY (SELECT MAX(u_2.y) AS expr "
            "FROM u AS u_2)"
        ),
    ),
    "default NULL order is not written": (
        "SELECT a FROM t ORDER BY a ASC NULLS FIRST, b DESC NULLS LAST, x NULLS LAST, id DESC NULLS FIRST",
        "SELECT t.a AS a FROM t ORDER BY t.a, t.b DESC, t.x NULLS LAST, t.id DESC NULLS FIRST",
    ),
    # Compounds, VALUES, limits.
    "compound operators are of one level": (
        "SELECT 1 UNION SELECT 2 INTERSECT SELECT 2 UNION ALL SELECT 1 EXCEPT SELECT 3",
        (
            "SELECT 1 AS expr UNION SELECT 2 AS expr INTERSECT SELECT 2 AS expr "
            "UNION ALL SELECT 1 AS expr EXCEPT SELECT 3 AS expr"
        ),
    ),
    "a compound is ordered by positions": (
        "SELECT a, b FROM t UNION SELECT t_id, b FROM u ORDER BY b COLLATE NOCASE, 1 DESC, t_id",
        (
            "SELECT t.a AS a, t.b AS b FROM t UNION SELECT u.t_id AS a, u.b AS b FROM u "
            "ORDER BY 2 COLLATE NOCASE, 1 DESC, 1"
        ),
    ),
    "a compound is ordered by an alias of any operand": (
        "SELECT a FROM t UNION ALL SELECT y AS z FROM u ORDER BY z LIMIT 2",
        "SELECT t.a AS a FROM t UNION ALL SELECT u.y AS a FROM u ORDER BY 1 LIMIT 2",
    ),
    "VALUES is a UNION ALL": (
        "SELECT column2 FROM (VALUES (1, 2), (3, 4))",
        (
            "SELECT q.column2 AS column2 FROM (SELECT 1 AS column1, 2 AS column2 "
            "UNION ALL SELECT 3 AS column1, 4 AS column2) AS q"
        ),
    ),
    "LIMIT with a comma gives the offset first": (
        "SELECT a FROM t LIMIT 2, 3",
        "SELECT t.a AS a FROM t LIMIT 3 OFFSET 2",
    ),
    # Nested queries, views, common table expressions.
    "columns of nested queries have unique names": (
        'SELECT "a:1", "a+1", "count(*)" FROM (SELECT a, a, a+1, count(*) FROM t)',
        (
            "SELECT q.a_2 AS a_2, q.expr AS expr, q.expr_2 AS expr_2 "
            "FROM (SELECT t.a AS a, t.a AS a_2, t.a + 1 AS expr, COUNT(*) AS expr_2 FROM t) AS q"
        ),
    ),
    "a view is written out": (
        "SELECT v.n FROM counts AS v",
        "SELECT counts.n AS n FROM (SELECT t.a AS a, COUNT(*) AS n FROM t GROUP BY t.a) AS counts",
    ),
    "a view with column names": (
        "SELECT q FROM merged JOIN t ON p = a",
        (
            "SELECT merged.q AS q FROM (SELECT t.a AS p, t.b AS q FROM t "
            "UNION SELECT u.t_id AS p, u.b AS q FROM u) AS merged JOIN t AS t_2 ON merged.p = t_2.a"
        ),
    ),
    "a common table expression with column names, read twice": (
        "WITH c(m, n) AS (SELECT a, b FROM t) SELECT c.m FROM c, c AS d WHERE c.m = d.m",
        "WITH c AS (SELECT t.a AS m, t.b AS n FROM t) SELECT c.m AS m FROM c JOIN c AS c_2 WHERE c.m = c_2.m",
    ),
    "a common table expression hides a table and is renamed": (
        "WITH t AS (SELECT 1 AS k) SELECT k FROM t",
        "WITH t_2 AS (SELECT 1 AS k) SELECT t_2.k AS k FROM t_2",
    ),
    "but not a table of a named database": (
        "WITH t AS (SELECT a FROM main.t) SELECT a FROM t",
        "WITH t_2 AS (SELECT t.a AS a FROM t) SELECT t_2.a AS a FROM t_2",
    ),
    "common table expressions may refer forward": (
        "WITH c AS (SELECT k FROM d), d AS (SELECT 1 AS k) SELECT k FROM c",
        "WITH d AS (SELECT 1 AS k), c AS (SELECT d.k AS k FROM d) SELECT c.k AS k FROM c",
    ),
    "an unused common table expression is gone, wrong or not": (
        "WITH c AS (SELECT nope FROM nowhere) SELECT 1",
        "SELECT 1 AS expr",
    ),
    "an inner WITH hides an outer one": (
        "WITH c AS (SELECT 1 AS k) SELECT (WITH c AS (SELECT 2 AS k) SELECT k FROM c) FROM c",
        (
            "WITH c AS (SELECT 1 AS k) SELECT (WITH c_2 AS (SELECT 2 AS k) SELECT c_2.k AS k FROM c_2) "
            "AS expr "
            "FROM c"
        ),
    ),
    "x IN table": (
        "SELECT a FROM t WHERE a IN one",
        "SELECT t.a AS a FROM t WHERE t.a IN (SELECT one.v AS v FROM one)",
    ),
    # Windows and aggregates.
    "named windows are written out": (
        "SELECT sum(x) OVER m, rank() OVER (m ORDER BY b) FROM t WINDOW m AS (PARTITION BY a)",
        (
            "SELECT SUM(t.x) OVER (PARTITION BY t.a) AS expr, "
            "RANK() OVER (PARTITION BY t.a ORDER BY t.b) AS expr_2 FROM t"
        ),
    ),
    "frames": (
        "SELECT sum(x) OVER (ORDER BY a ROWS 2 PRECEDING EXCLUDE TIES) FROM t",
        (
            "SELECT SUM(t.x) OVER (ORDER BY t.a ROWS BETWEEN 2 PRECEDING AND CURRENT ROW EXCLUDE TIES) "
            "AS expr FROM t"
        ),
    ),
    "aggregates": (
        (
            "SELECT count(), count(DISTINCT a), group_concat(b, '-'), sum(x) FILTER (WHERE a > 1), "
            "total(x) FROM t"
        ),
        (
            "SELECT COUNT(*) AS expr, COUNT(DISTINCT t.a) AS expr_2, GROUP_CONCAT(t.b, '-') AS expr_3, "
            "SUM(t.x) FILTER (WHERE t.a > 1) AS expr_4, TOTAL(t.x) AS expr_5 FROM t"
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_resolves(name: str, read: Callable[[str], Query]) -> None:
    given, wanted = CASES[name]
    found = read(given)
    assert found.unsupported is None
    assert found.tree is not None
    assert to_sql(found.tree) == wanted


@pytest.mark.parametrize("name", CASES)
def test_reading_the_printed_tree_gives_it_again(name: str, read: Callable[[str], Query]) -> None:
    once = read(CASES[name][0]).tree
    assert once is not None
    twice = read(to_sql(once)).tree
    assert twice is not None
    assert key(twice) == key(once)


@pytest.mark.parametrize("name", CASES)
def test_every_node_stands_once(name: str, read: Callable[[str], Query]) -> None:
    tree = read(CASES[name][0]).tree
    assert tree is not None
    nodes = list(tree.walk())
    assert len({id(node) for node in nodes}) == len(nodes)
    for node in nodes:
        for child in node.iter_expressions():
            assert child.parent is node


@pytest.mark.parametrize("name", CASES)
def test_sources_have_aliases_of_their_own(name: str, read: Callable[[str], Query]) -> None:
    tree = read(CASES[name][0]).tree
    assert tree is not None
    sources = [clause.this for clause in tree.find_all(exp.From, exp.Join)]
    aliases = [source.alias.lower() for source in sources]
    assert all(aliases)
    assert len(set(aliases)) == len(aliases)
    assert {column.text("table").lower() for column in tree.find_all(exp.Column)} <= set(aliases)
    for select in tree.find_all(exp.Select):
        names = [each.alias.lower() for each in select.expressions]
        assert all(isinstance(each, exp.Alias) for each in select.expressions)
        assert len(set(names)) == len(names)


UNSUPPORTED = {
    "SELECT +a FROM t": "UnaryPlus",
    "SELECT random() FROM t": "Func",
    "SELECT t.a FROM t RIGHT JOIN json_each(t.a)": "Join",
    "SELECT j.key FROM json_each(t.a) AS j, t": "Column",
    "SELECT rowid FROM json_each('[1]')": "Column",
    "SELECT name FROM sqlite_master": "Table",
    "SELECT rowid FROM r": "Column",
    "SELECT a FROM t WHERE a IN (SELECT 1 FROM counts, counts AS c)": "resolution",
    "SELECT a FROM t INTERSECT SELECT COUNT(*) FROM t GROUP BY 1 ORDER BY 1 COLLATE NOCASE": "resolution",
    "SELECT 0xFFFFFFFFFFFFFFFF": "Literal",
    "WITH c AS (SELECT x) SELECT (SELECT x FROM c) FROM t": "Column",
}


@pytest.mark.parametrize("sql", UNSUPPORTED)
def test_refuses_what_has_no_tree(sql: str, read: Callable[[str], Query]) -> None:
    found = read(sql)
    assert found.tree is None
    assert found.unsupported is not None
    assert found.unsupported.node == UNSUPPORTED[sql]
    assert "\n" not in found.unsupported.why
