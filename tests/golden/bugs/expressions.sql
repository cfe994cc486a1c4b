schema
CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, n TEXT NOT NULL, s TEXT, r REAL, u);
CREATE TABLE p (id INTEGER PRIMARY KEY, m TEXT NOT NULL, x INTEGER)
----

# The COUNT is of p, the column beside it of t: NULL where t has no rows.
decide
SELECT COUNT(*), (SELECT COUNT(t.n || p.m) FROM p) FROM t
----
SELECT COUNT(*), (SELECT COUNT(*) FROM p) FROM t
----
undecided

# Absorption in a chain of three gave the bare value of i.
decide
SELECT i AND (i OR r) AND (i OR id) FROM t
----
SELECT i FROM t
----
not_equivalent

# An IN list of NULL was dropped with the only aggregate in front of it.
decide
SELECT CASE WHEN COUNT(*) IN (NULL) THEN 1 ELSE 2 END FROM t
----
SELECT 2 FROM t
----
not_equivalent

# MAX makes SQLite read s from its row, also where nothing else shows of it.
decide
SELECT s, MAX(i) + NULL FROM t GROUP BY r
----
SELECT s, NULL FROM t GROUP BY r
----
undecided

# A plain MIN chooses the row of t.i, MIN(DISTINCT ...) none; the SUM is of p, so t.i stands bare.
decide
SELECT MIN(DISTINCT r), (SELECT SUM(p.x + t.i) FROM p) FROM t
----
SELECT MIN(r), (SELECT SUM(p.x + t.i) FROM p) FROM t
----
undecided

# The COLLATE of a branch that is never taken is that of the whole CASE.
decide
SELECT id FROM t WHERE CASE WHEN 0 THEN 'a' COLLATE NOCASE WHEN i THEN s ELSE 'b' END = 'A'
----
SELECT id FROM t WHERE CASE WHEN i THEN s ELSE 'b' END = 'A'
----
undecided UNSUPPORTED

decide
SELECT id FROM t WHERE COALESCE(s, n, 'x' COLLATE NOCASE) = 'A'
----
SELECT id FROM t WHERE COALESCE(s, n) = 'A'
----
undecided UNSUPPORTED

# REPLACE of '' gives a number back as a text (before SQLite 3.46 as a number).
decide
SELECT REPLACE(i, '', 'x') FROM t
----
SELECT i FROM t
----
not_equivalent

# An integer division inside a CAST inside a CAST truncates.
decide
SELECT 1.0 * CAST(CAST(id / 2 * (i COLLATE NOCASE) AS REAL) AS REAL) / 7 FROM t
----
SELECT 1.0 * id * (i COLLATE NOCASE) / 2 / 7 FROM t
----
not_equivalent

# Where BLOBs match nothing, LIKE gives 0 for a BLOB before it looks at NULL.
decide
SELECT id FROM t WHERE NOT (u LIKE NULL)
----
SELECT id FROM t WHERE 0
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE NOT (s LIKE u) AND s IS NOT NULL
----
SELECT id FROM t WHERE NOT (s LIKE u)
----
not_equivalent by=generate

# Read twice, the subquery of an AVG had its sources named twice.
decide
SELECT AVG((SELECT MAX(p.x) FROM p WHERE p.id = t.i)) FROM t
----
SELECT AVG((SELECT MAX(q.x) FROM p AS q WHERE q.id = t.i)) FROM t
----
equivalent by=rules

# SQLite compares q.y as a number or as each operand of the UNION ALL, as the join makes it flatten the subquery.
decide
SELECT t.id FROM t LEFT JOIN (SELECT n AS x, i AS y FROM t UNION ALL SELECT n, '4' FROM t) AS q ON t.i = q.y WHERE q.x = q.y
----
SELECT t.id FROM t JOIN (SELECT n AS x, i AS y FROM t UNION ALL SELECT n, '4' FROM t) AS q ON t.i = q.y WHERE q.x = q.y
----
undecided UNSUPPORTED

schema assume=iso_date(t.d)
CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE)
----

# With ESCAPE the one pattern is 1990%, verbatim, the other any date of 1990.
decide
SELECT id FROM t WHERE d LIKE '1990-%' ESCAPE '-'
----
SELECT id FROM t WHERE d LIKE '1990%' ESCAPE '-'
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b INTEGER);
CREATE TABLE t_2 (a INTEGER, b INTEGER);
CREATE TABLE cte_1 (c1 INTEGER)
----

# The second t got the name that the table t_2 had.
decide
SELECT x.a, y.a, t_2.a FROM t AS x JOIN t AS y JOIN t_2 WHERE x.a = y.b AND t_2.a > 3
----
SELECT x.a, y.a, t_2.a FROM t AS x JOIN t AS y JOIN t_2 WHERE x.a = t_2.b AND y.a > 3
----
not_equivalent

# The common table expression got the name of a table.
decide
WITH q AS (SELECT c1 + 1 AS c1 FROM cte_1 LIMIT 3) SELECT q.c1 FROM q JOIN q AS r JOIN cte_1
----
WITH q AS (SELECT c1 + 1 AS c1 FROM cte_1 LIMIT 3) SELECT q.c1 FROM q JOIN q AS r JOIN q AS s
----
not_equivalent
