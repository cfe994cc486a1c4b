"""Every construct: what its translation evaluates to is what SQLite answers."""

from __future__ import annotations

import pytest
from algebra.differential import is_possible, plain_databases
from kit.harness import World as Schematic

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.terms import (
    Aggregate,
    Answer,
    Binding,
    Exists,
    First,
    Limited,
    Numbered,
    Squash,
    sites,
    walk,
)
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.query import UnsupportedError

WORLD, DATABASES = plain_databases(16)

JOINS = """
SELECT t.id, p.m FROM t JOIN p ON p.tid = t.id WHERE t.i > 1
SELECT t.id, p.m FROM t LEFT JOIN p ON p.tid = t.id
SELECT t.id, p.m FROM t RIGHT JOIN p ON p.tid = t.id AND t.n > 1
SELECT t.id, p.m FROM t FULL JOIN p ON p.tid = t.id AND p.w > 1
SELECT t.id, p.m, q.m FROM t FULL JOIN p ON p.tid = t.id LEFT JOIN p AS q ON q.tid = p.tid AND q.id <> p.id
SELECT t.id FROM t, p WHERE t.id = p.tid AND p.w = (SELECT MIN(q.w) FROM p AS q WHERE q.tid = t.id)
SELECT a.id, b.id FROM t AS a JOIN t AS b ON c.id > 0 JOIN p AS c ON c.tid = a.id
SELECT a.id, c.id FROM t AS a JOIN p AS b ON b.tid = a.id LEFT JOIN p AS c ON c.id = b.id AND c.w > 1
SELECT t.id, q.c, q.k FROM t LEFT JOIN (SELECT tid, COUNT(*) AS c, 1 AS k FROM p GROUP BY 1) AS q ON tid = n
SELECT t.id, q.x FROM t LEFT JOIN (SELECT 1 AS x UNION ALL SELECT 2) AS q ON q.x = t.n
SELECT COUNT(*) FROM t LEFT JOIN p
SELECT a.id, b.id, c.id FROM t AS a JOIN t AS b ON c.w > 0 LEFT JOIN p AS c ON c.tid = b.id
SELECT t.id, p.m FROM t NATURAL JOIN p
"""
SUBQUERIES = """
SELECT i FROM t WHERE i IN (SELECT n FROM t)
SELECT i FROM t WHERE i NOT IN (SELECT i FROM t WHERE n > 2)
SELECT i IN (SELECT tid FROM p), i NOT IN (SELECT tid FROM p), NULL IN (SELECT 1 FROM p) FROM t
SELECT id FROM t WHERE NOT (i IN (SELECT tid FROM p) OR n IN (SELECT tid FROM p WHERE w > 1))
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM p WHERE p.tid = t.id)
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM p WHERE p.tid = t.id AND p.w > 1)
SELECT id FROM t WHERE EXISTS (SELECT COUNT(*) FROM p WHERE p.tid = t.id HAVING COUNT(*) > 1)
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM p WHERE p.tid = t.id LIMIT 1 OFFSET 1)
SELECT 1 WHERE EXISTS (SELECT 1 FROM t LIMIT 0)
SELECT id, (SELECT COUNT(*) FROM p WHERE p.tid = t.id) FROM t
SELECT id, (SELECT m FROM p WHERE p.tid = t.id ORDER BY p.id LIMIT 1) FROM t
SELECT id, (SELECT m FROM p WHERE p.tid = t.id) FROM t
SELECT id, (SELECT m FROM p WHERE p.tid = t.id ORDER BY p.id LIMIT 1 OFFSET 1) FROM t
SELECT COALESCE((SELECT i FROM t WHERE id = 77), 0), (SELECT 5), (SELECT 1 WHERE 0), (SELECT 1 LIMIT 0)
SELECT id FROM t WHERE r = (SELECT MAX(r) FROM t)
SELECT id FROM t WHERE '5' = (SELECT MAX(i) FROM t) OR '5' IN (SELECT i FROM t)
SELECT id FROM t WHERE u = (SELECT i FROM t LIMIT 1)
SELECT CASE WHEN i IN (SELECT tid FROM p) THEN 'in' ELSE 'out' END FROM t
SELECT t.id FROM t WHERE t.i IN (SELECT p.tid FROM p UNION SELECT p.id FROM p ORDER BY 1 LIMIT 3)
SELECT (i, n) IN (SELECT tid, id FROM p WHERE id > 0), (i, s) NOT IN (SELECT tid, m FROM p WHERE 1) FROM t
SELECT id FROM t WHERE (i, n) NOT IN (SELECT tid, id FROM p) AND (NULL, 1) NOT IN (SELECT id, w FROM p)
SELECT i FROM t WHERE i IN (VALUES (1), (2), (NULL))
"""
EXPRESSIONS = """
SELECT s FROM t WHERE s
SELECT s FROM t WHERE NOT u
SELECT u AND s, u OR s, NOT z, IIF(u, 1, 2), CASE WHEN s THEN 1 END FROM t
SELECT '0.5' AND 1, 'abc' OR 0, x'31' AND 1, NOT '1e-400', NULL AND 0, NULL OR '1'
SELECT TRUE, FALSE, 2 IS TRUE, s IS TRUE, s IS NOT FALSE, u IS FALSE, NULL IS NOT TRUE, 2 = TRUE FROM t
SELECT CASE i WHEN '5' THEN 'a' WHEN 1 THEN 2 END, NULLIF(i, '5'), IFNULL(i, s), COALESCE(i, r, u) FROM t
SELECT i = s, i < s, s = u, u = i, r >= s, u < 5, s < 5, d = '2020-01-01', i IS s, i IS NOT '5' FROM t
SELECT '5' = i, 5 = s, '5' = 5, s = i + 0, u = CAST(i AS TEXT), b = '1', d > 5 FROM t
SELECT s IN (1, 5, '5'), i IN ('5', 1), u IN (1, '5'), '5' IN (i, 7), i IN (NULL, 1), i IN () FROM t
SELECT u IN (r, n), u = CAST(i AS BLOB) FROM t
SELECT s BETWEEN 1 AND 5, i BETWEEN '1' AND '5', u BETWEEN n AND z, i NOT BETWEEN 1 AND u FROM t
SELECT '5' BETWEEN i AND i FROM t
SELECT CAST(s AS INTEGER), CAST(u AS TEXT), CAST(r AS INTEGER), CAST(i AS TEXT) || s FROM t
SELECT CAST(u AS NUMERIC), CAST(s AS REAL) FROM t
SELECT id FROM t WHERE (i, n) = (1, 2) OR (i, s) IS (NULL, NULL)
SELECT (i, n) < (2, 3), (i, s) <> (1, NULL), (i, n) >= (1, id), (i, n, id) > (i, 2, 3) FROM t
SELECT (NULL, 1) < (1, 2), (1, NULL) < (0, 2), (1, NULL) <= (1, 2)
SELECT -5, -9223372036854775808, 9223372036854775808, x'AB', -0, -1.5
SELECT -i, ~n, i % 2, n / 2, n << 1, n & 3, n | 4 FROM t
SELECT MAX(i, n), MIN(s, z), MAX(u, '5') FROM t
SELECT LENGTH(s), UPPER(z), SUBSTR(z, 1, 2), ROUND(r, 1), TRIM(z), REPLACE(z, 'a', 'b'), INSTR(z, 'a') FROM t
SELECT LIKE('a%', s), GLOB('a*', s), LIKE('a!%', s, '!'), 0.1000000000000000055 = 0.1, 1.50 FROM t
SELECT s LIKE 'A%', s NOT LIKE '!%' ESCAPE '!', s GLOB 'a*', i LIKE '1%', TYPEOF(u), PRINTF('%d', i) FROM t
SELECT DATE('now') = CURRENT_DATE, STRFTIME('%Y', 'now'), DATE('now', '-1 day'), STRFTIME('%Y', d) FROM t
SELECT DATE('now', 'start of month', '+1 month'), DATE(CURRENT_TIMESTAMP), DATE() = DATE('NOW')
SELECT STRFTIME('%Y-%m', CURRENT_TIMESTAMP), DATE('now', '-1 month', 'weekday 3'), STRFTIME('%H', 'now')
SELECT CAST(JULIANDAY('now') AS INTEGER), STRFTIME('%j %W', 'now'), DATE('now', '+0.5 days') IS NULL
"""
GROUPS = """
SELECT i, COUNT(*), SUM(n), AVG(r), MIN(s), MAX(s), TOTAL(n) FROM t GROUP BY i HAVING COUNT(*) > 1 ORDER BY i
SELECT i, COUNT(DISTINCT s), COUNT(*) FILTER (WHERE n > 1), SUM(DISTINCT n) FROM t GROUP BY i
SELECT COUNT(*), SUM(i), MIN(i), COUNT(i), AVG(u), TOTAL(s), COUNT(DISTINCT u) FROM t WHERE n > 5
SELECT i + 1, COUNT(*), (i + 1) * 2 FROM t GROUP BY i + 1
SELECT i, s FROM t GROUP BY i
SELECT i, MAX(n), s FROM t GROUP BY i
SELECT MIN(n), z FROM t
SELECT MAX(i), z, COUNT(*) FROM t
SELECT MAX(i), z, MIN(n) FROM t WHERE n > 100
SELECT z, COUNT(*) FROM t
SELECT MIN(r), s FROM t WHERE r IS NULL
SELECT i FROM t GROUP BY i ORDER BY COUNT(*) DESC, i LIMIT 1
SELECT x.i, (SELECT COUNT(*) FROM t AS y WHERE y.i = x.i) FROM t AS x GROUP BY x.i
SELECT i, SUM(n) FROM t GROUP BY i HAVING SUM(n) IN (SELECT n FROM t)
SELECT i, n FROM t GROUP BY i, n HAVING MAX(r) > 1
SELECT 1 FROM t GROUP BY NULL
SELECT COUNT(*) FROM t HAVING SUM(n) > 5
SELECT AVG(q.c) FROM (SELECT COUNT(*) AS c FROM t LEFT JOIN p ON p.tid = t.id GROUP BY t.id) AS q
SELECT GROUP_CONCAT(s) FROM t WHERE id < 3
SELECT GROUP_CONCAT(z, '-') FROM t WHERE id < 3
SELECT GROUP_CONCAT(DISTINCT n) FROM t WHERE id < 3
SELECT s, SUM(CASE WHEN i > 1 THEN 1 ELSE 0 END), COUNT(CASE WHEN i > 1 THEN 1 END) FROM t GROUP BY s
SELECT p.m, COUNT(t.id) FROM p LEFT JOIN t ON t.id = p.tid AND t.n > 1 GROUP BY p.m
"""
WHOLES = """
SELECT DISTINCT i, n FROM t
SELECT DISTINCT i FROM t ORDER BY i + 1
SELECT DISTINCT i FROM t ORDER BY n LIMIT 2
SELECT DISTINCT u FROM t ORDER BY u
SELECT i FROM t UNION SELECT tid FROM p
SELECT u FROM t UNION SELECT r FROM t
SELECT i FROM t UNION ALL SELECT tid FROM p ORDER BY 1 LIMIT 3
SELECT i FROM t INTERSECT SELECT tid FROM p
SELECT i, n FROM t EXCEPT SELECT id, tid FROM p
SELECT i FROM t UNION ALL SELECT n FROM t EXCEPT SELECT id FROM p UNION SELECT 5
WITH a AS (SELECT i, COUNT(*) AS c FROM t GROUP BY i) SELECT x.i, y.c FROM a AS x JOIN a AS y ON x.c = y.c
WITH a AS (SELECT i FROM t LIMIT 2), b AS (SELECT i FROM a) SELECT * FROM a JOIN b ON a.i IS b.i
SELECT q.c FROM (SELECT i, COUNT(*) AS c FROM t GROUP BY i) AS q WHERE q.c > 1
SELECT q.x FROM (SELECT i AS x FROM t ORDER BY id LIMIT 2) AS q JOIN p ON p.id = q.x
SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS v JOIN t ON t.i = v.column1
SELECT id FROM t ORDER BY i DESC, id LIMIT 2
SELECT id FROM t ORDER BY i NULLS LAST, id LIMIT 2 OFFSET 1
SELECT id FROM t ORDER BY i DESC NULLS FIRST, id LIMIT 2
SELECT id FROM t LIMIT -1 OFFSET -1
SELECT id FROM t ORDER BY (SELECT COUNT(*) FROM p WHERE p.tid = t.id) DESC, id LIMIT 2
SELECT id, ROW_NUMBER() OVER (PARTITION BY n ORDER BY id) FROM t
SELECT ROW_NUMBER() OVER (ORDER BY id), ROW_NUMBER() OVER (ORDER BY id DESC), RANK() OVER (ORDER BY n) FROM t
SELECT id, RANK() OVER (PARTITION BY n ORDER BY i DESC), DENSE_RANK() OVER (ORDER BY i), RANK() OVER () FROM t
SELECT id, SUM(n) OVER (ORDER BY i), COUNT(*) OVER (), AVG(n) OVER (PARTITION BY i) FROM t
SELECT id, MAX(s) OVER (ORDER BY i DESC, n) FROM t
SELECT COUNT(*) FILTER (WHERE i = 1) OVER (PARTITION BY n), SUM(n) OVER (ORDER BY i NULLS LAST) FROM t
SELECT i, COUNT(*), RANK() OVER (ORDER BY COUNT(*) DESC), SUM(COUNT(*)) OVER () FROM t GROUP BY i
SELECT q.id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY n ORDER BY i, id) AS k FROM t) AS q WHERE q.k = 1
SELECT t.id, p.id, RANK() OVER (PARTITION BY t.id ORDER BY p.w) FROM t LEFT JOIN p ON p.tid = t.id
SELECT SUM(n) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM t
SELECT id, SUM(n) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM t
SELECT id, MIN(n) OVER (PARTITION BY i ORDER BY id ROWS UNBOUNDED PRECEDING) FROM t
SELECT id, COUNT(*) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t
SELECT id, SUM(n) OVER (ORDER BY i DESC RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t
SELECT SUM(n) OVER (ORDER BY id ROWS 1 PRECEDING), COUNT(n) OVER (ORDER BY id DESC ROWS 0 PRECEDING) FROM t
SELECT id, SUM(n) OVER (PARTITION BY i ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM t
SELECT id, MIN(n) OVER (PARTITION BY i ORDER BY id DESC GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t
SELECT id, COUNT(*) OVER (ORDER BY id DESC ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) FROM t
SELECT id, COUNT(*) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 2 FOLLOWING) FROM t
SELECT id, SUM(n) FILTER (WHERE i = 1) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM t
SELECT id, SUM(n) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t
SELECT id, SUM(i) OVER (PARTITION BY n ORDER BY id DESC RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM t
SELECT id, COUNT(*) OVER (ORDER BY id DESC RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) FROM t
SELECT p.id, SUM(p.w) OVER (PARTITION BY t.i ORDER BY p.id ROWS 1 PRECEDING) FROM p JOIN t ON p.tid = t.id
SELECT id, LAG(i) OVER (ORDER BY id), LEAD(n, 2) OVER (PARTITION BY i ORDER BY id DESC) FROM t
SELECT id, LAG(s, 1, n) OVER (ORDER BY s, id) FROM t
SELECT id, FIRST_VALUE(s) OVER (PARTITION BY i ORDER BY id) FROM t
SELECT id, LAST_VALUE(s) OVER (PARTITION BY n ORDER BY id DESC) FROM t
SELECT id, NTH_VALUE(n, 2) OVER (ORDER BY i NULLS LAST, id) FROM t
SELECT id, FIRST_VALUE(n) OVER (ORDER BY n DESC), LAST_VALUE(i) OVER (ORDER BY i) FROM t
SELECT LAST_VALUE(n) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t
SELECT NTILE(1) OVER (ORDER BY id), NTILE(2) OVER (PARTITION BY n ORDER BY id) FROM t
SELECT id, NTILE(3) OVER (ORDER BY id DESC) FROM t
SELECT t.id, p.id, LAG(p.w) OVER (PARTITION BY t.i ORDER BY p.id) FROM p JOIN t ON p.tid = t.id
SELECT q.g, LAG(q.c) OVER (ORDER BY q.g) FROM (SELECT i AS g, COUNT(*) AS c FROM t GROUP BY i) AS q
"""
QUERIES = [
    line for text in (JOINS, SUBQUERIES, EXPRESSIONS, GROUPS, WHOLES) for line in text.split("\n") if line
]

REFUSED = {
    "SELECT DISTINCT k FROM t": "Collate",
    "SELECT MAX(k) || '' FROM t": "Collate",
    "SELECT SUM(i) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t": "WindowSpec",
    "SELECT SUM(i) OVER (ORDER BY n GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t": "WindowSpec",
    "SELECT SUM(i) OVER (ORDER BY i, id ROWS 1 PRECEDING) FROM t": "WindowSpec",
    "SELECT SUM(i) OVER (ORDER BY u RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t": "WindowSpec",
    "SELECT SUM(i) OVER (ORDER BY id ROWS 1 PRECEDING EXCLUDE TIES) FROM t": "WindowSpec",
    "SELECT LAG(i) OVER (ORDER BY n) FROM t": "Window",
    "SELECT SUM(n) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING) FROM t": "WindowSpec",
    "SELECT FIRST_VALUE(id) OVER (ORDER BY i) FROM t": "Window",
    "SELECT NTILE(n) OVER (ORDER BY id) FROM t": "Window",
    "SELECT 1e999": "Literal",
    "SELECT id FROM t LIMIT 4 / 2": "Limit",
    "SELECT q.x / 2 FROM (SELECT DISTINCT u AS x FROM t) AS q": "Distinct",
    "SELECT MAX(u) || '' FROM t": "Distinct",
    "SELECT t.id FROM t JOIN (SELECT MAX(u) AS m FROM t) AS q ON q.m = t.s": "Column",
    "SELECT t.id FROM t WHERE t.s = (SELECT MAX(u) FROM t AS q)": "Distinct",
    "SELECT s, MAX(i) FILTER (WHERE n > 1) FROM t": "Column",
    "SELECT GROUP_CONCAT(q.s) FROM (SELECT s FROM t ORDER BY s) AS q": "Order",
    "SELECT q.s FROM (SELECT s FROM t ORDER BY s) AS q LIMIT 1": "Order",
    "SELECT id FROM t WHERE id IN (SELECT 'now') AND d = DATE('now')": "Literal",
    "SELECT 1 FROM t AS a " + "".join(f"FULL JOIN t AS b{n} ON a.i = b{n}.i " for n in range(6)): "Join",
}


def translated(sql: str, world: Schematic = WORLD) -> Answer:
    tree = world.read(sql).tree
    assert tree is not None
    return translate(tree, World(world.schema, world.facts))


@pytest.mark.parametrize("sql", QUERIES)
def test_an_answer_is_what_sqlite_answers(sql: str) -> None:
    answer = translated(sql)
    for database in DATABASES:
        found = database.connection.execute(sql).fetchall()
        assert is_possible(answer, found, database), f"{sql}\n{found}\n{database.contents()}"


@pytest.mark.parametrize("sql", QUERIES)
def test_every_variable_is_bound_once(sql: str) -> None:
    rows = [node.row for node in walk(translated(sql)) if isinstance(node, Binding)]
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize(("sql", "node"), REFUSED.items())
def test_what_has_no_exact_counterpart_is_refused(sql: str, node: str) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        translated(sql)
    assert refusal.value.node == node


def test_rows_come_in_the_order_of_the_keys() -> None:
    sql = "SELECT id, i FROM t ORDER BY i DESC NULLS FIRST, s, id"
    answer = translated(sql)
    for database in DATABASES:
        assert database.evaluator.rows(answer) == database.connection.execute(sql).fetchall()


def test_a_choice_read_twice_has_one_site() -> None:
    answer = translated("WITH a AS (SELECT i FROM t LIMIT 1) SELECT x.i, y.i FROM a AS x JOIN a AS y")
    assert len(sites(answer)) == 2
    assert len(set(sites(answer))) == 1
    for database in DATABASES:
        for database.evaluator.seed in range(4):
            assert all(one == two for one, two in database.evaluator.rows(answer))


def test_two_choices_have_two_sites() -> None:
    answer = translated("SELECT (SELECT i FROM t LIMIT 1), (SELECT i FROM t LIMIT 1)")
    assert len(set(sites(answer))) == 2


def test_each_choice_of_a_block_has_its_own_site() -> None:
    sql = "SELECT q.z FROM (SELECT DISTINCT z, COUNT(*) AS c FROM t GROUP BY i ORDER BY n LIMIT 2) AS q"
    found = sites(translated(sql))
    assert len(set(found)) == 3


def test_determined_queries_have_no_site() -> None:
    for sql in (
        "SELECT (SELECT MAX(i) FROM t), RANK() OVER (ORDER BY i) FROM t GROUP BY i",
        "SELECT i FROM t WHERE i IN (SELECT tid FROM p) UNION SELECT id FROM p",
    ):
        assert sites(translated(sql)) == []


def test_an_in_that_is_only_a_condition_is_one_exists() -> None:
    answer = translated("SELECT id FROM t WHERE i IN (SELECT tid FROM p)")
    assert [type(node) for node in walk(answer) if isinstance(node, Exists)] == [Exists]


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT DISTINCT i FROM t", Squash),
        ("SELECT q.i FROM (SELECT i FROM t LIMIT 1) AS q", Limited),
        ("SELECT ROW_NUMBER() OVER (ORDER BY id) FROM t", Numbered),
        ("SELECT (SELECT i FROM t)", First),
        ("SELECT COUNT(*) FROM t", Aggregate),
    ],
)
def test_constructs_have_their_nodes(sql: str, kind: type) -> None:
    assert any(isinstance(node, kind) for node in walk(translated(sql)))


def test_facts_on_which_a_translation_rests_are_recorded() -> None:
    schematic = Schematic("CREATE TABLE t (a INTEGER)")
    sql = "SELECT q.x / 2 FROM (SELECT DISTINCT a % 2 AS x FROM t) AS q"
    tree = schematic.read(sql).tree
    assert tree is not None
    world = World(schematic.schema, schematic.facts)
    translate(tree, world)
    assert [str(fact.kind) for fact in world.used] == ["no_overflow", "type"]


def test_the_evaluator_chooses_by_its_seed() -> None:
    answer = translated("SELECT z FROM t LIMIT 1")
    database = next(d for d in DATABASES if len(d.evaluator.tables["t"]) > 3)
    found = {tuple(Evaluator(database.evaluator.tables, seed).rows(answer)) for seed in range(30)}
    assert len(found) > 1
