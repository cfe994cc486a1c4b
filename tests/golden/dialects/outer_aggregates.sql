# Aggregates in a subquery over the rows of the query around it, which is a query of one row, or of groups.
schema dialect=duckdb dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER NOT NULL);
CREATE TABLE u (id INTEGER PRIMARY KEY, a INTEGER, c INTEGER);
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER);

decide
SELECT (SELECT count(t.a) FROM s WHERE s.id = 1) FROM t
----
SELECT (SELECT g.n FROM s WHERE s.id = 1) FROM (SELECT count(a) AS n FROM t) g
----
equivalent

decide
SELECT (SELECT count(t.a) FROM s WHERE s.id = 1) FROM t
----
SELECT (SELECT (SELECT count(a) FROM t) FROM s WHERE s.id = 1)
----
equivalent

decide
SELECT (SELECT count(t.a) FROM s WHERE s.id = 1) FROM t
----
SELECT count(t.a) FROM t
----
not_equivalent

decide
SELECT (SELECT count(t.a)) FROM t
----
SELECT count(t.a) FROM t
----
equivalent

decide
SELECT (SELECT count(t.b)) FROM t
----
SELECT count(*) FROM t
----
equivalent

decide
SELECT (SELECT count(t.a)) FROM t
----
SELECT count(*) FROM t
----
not_equivalent

decide
SELECT (SELECT count(*)) FROM t
----
SELECT count(*) FROM t
----
not_equivalent

decide
SELECT (SELECT count(*)) FROM t
----
SELECT 1 FROM t
----
equivalent

decide
SELECT (SELECT count(s.a) FROM s) FROM t
----
SELECT (SELECT count(t.a) FROM s) FROM t
----
not_equivalent

decide
SELECT (SELECT count(t.a + s.a) FROM s) FROM t
----
SELECT (SELECT count(t.a) FROM s) FROM t
----
not_equivalent

decide
SELECT b, (SELECT count(t.a)) FROM t GROUP BY b
----
SELECT b, count(a) FROM t GROUP BY b
----
equivalent

decide
SELECT b, (SELECT sum(t.a)) FROM t GROUP BY b
----
SELECT b, coalesce(sum(a), 0) FROM t GROUP BY b
----
not_equivalent

decide
SELECT b FROM t GROUP BY b HAVING EXISTS (SELECT 1 FROM u WHERE u.a = count(t.a))
----
SELECT b FROM t GROUP BY b HAVING count(a) IN (SELECT u.a FROM u)
----
equivalent

decide
SELECT b FROM t GROUP BY b HAVING EXISTS (SELECT 1 FROM u WHERE u.a = count(t.a))
----
SELECT b FROM t GROUP BY b HAVING count(*) IN (SELECT u.a FROM u)
----
not_equivalent

decide
SELECT b FROM t GROUP BY b HAVING EXISTS (SELECT 1 FROM u WHERE u.a = count(t.b))
----
SELECT b FROM t GROUP BY b HAVING count(*) IN (SELECT u.a FROM u)
----
equivalent

decide
SELECT b FROM t GROUP BY b HAVING NOT EXISTS (SELECT 1 FROM u WHERE u.a = sum(t.a))
----
SELECT b FROM t GROUP BY b HAVING sum(a) NOT IN (SELECT u.a FROM u)
----
not_equivalent

decide
SELECT (SELECT 7 HAVING count(t.a) > 1) FROM t
----
SELECT CASE WHEN count(a) > 1 THEN 7 END FROM t
----
equivalent

decide
SELECT (SELECT 7 HAVING count(t.a) > 1) FROM t
----
SELECT 7 FROM t HAVING count(a) > 1
----
not_equivalent

decide
SELECT (SELECT 7 FROM s HAVING count(t.a) > 1) FROM t
----
SELECT (SELECT 7 FROM s WHERE s.id = 1 HAVING count(t.a) > 1) FROM t
----
equivalent

decide
SELECT (SELECT max(u.a) FROM u HAVING count(t.a) > 1) FROM t
----
SELECT CASE WHEN count(a) > 1 THEN (SELECT max(u.a) FROM u) END FROM t
----
equivalent

decide
SELECT b, (SELECT max(t.a)) FROM t GROUP BY b ORDER BY (SELECT count(t.a)), b LIMIT 1
----
SELECT b, max(a) FROM t GROUP BY b ORDER BY count(a), b LIMIT 1
----
equivalent

decide
SELECT b, (SELECT max(t.a)) FROM t GROUP BY b ORDER BY (SELECT count(t.a)), b LIMIT 1
----
SELECT b, max(a) FROM t GROUP BY b ORDER BY count(*), b LIMIT 1
----
not_equivalent

decide
SELECT DISTINCT (SELECT count(t.a)) FROM t GROUP BY b
----
SELECT DISTINCT count(a) FROM t GROUP BY b
----
equivalent

decide
SELECT DISTINCT (SELECT count(t.a)) FROM t GROUP BY b
----
SELECT count(a) FROM t GROUP BY b
----
not_equivalent

decide
SELECT (SELECT count(t.a) FILTER (WHERE t.b > 0)) FROM t
----
SELECT count(a) FROM t WHERE b > 0
----
equivalent

decide
SELECT (SELECT count(t.a) FILTER (WHERE t.b > 0)) FROM t
----
SELECT count(a) FROM t
----
not_equivalent

decide
SELECT (SELECT count(DISTINCT t.a)) FROM t
----
SELECT count(DISTINCT a) FROM t
----
equivalent

decide
SELECT (SELECT count(DISTINCT t.a)) FROM t
----
SELECT count(a) FROM t
----
not_equivalent

decide
SELECT (SELECT sum(u.a) FROM u WHERE u.c = count(t.a)) FROM t
----
SELECT (SELECT sum(u.a) FROM u WHERE u.c = (SELECT count(a) FROM t))
----
equivalent

decide
SELECT (SELECT sum(u.a) FROM u WHERE u.c = count(t.a)) FROM t
----
SELECT (SELECT sum(u.a) FROM u WHERE u.c = (SELECT count(*) FROM t))
----
not_equivalent

decide
SELECT (SELECT sum(u.a) FROM u WHERE u.c = count(t.a)) FROM t
----
SELECT sum(u.a) FROM u WHERE u.c = (SELECT count(a) FROM t)
----
equivalent

decide
SELECT b, (SELECT min(u.a) FROM u WHERE u.c = t.b AND u.id = count(t.a)) FROM t GROUP BY b
----
SELECT b, (SELECT min(u.a) FROM u WHERE u.c = t.b) FROM t GROUP BY b
----
not_equivalent

decide
SELECT a, (SELECT count(t.b)) FROM t GROUP BY a HAVING a > 0
----
SELECT a, count(*) FROM t WHERE a > 0 GROUP BY a
----
equivalent

decide
SELECT a, (SELECT count(t.b)) FROM t GROUP BY a HAVING count(*) > 1
----
SELECT a, count(*) FROM t GROUP BY a
----
not_equivalent

decide
SELECT u.id FROM u WHERE EXISTS (SELECT 1 FROM t GROUP BY t.b HAVING t.b = u.a AND EXISTS (SELECT 1 FROM s WHERE s.id = count(t.a)))
----
SELECT u.id FROM u WHERE EXISTS (SELECT 1 FROM t GROUP BY t.b HAVING t.b = u.a AND count(t.a) IN (SELECT s.id FROM s))
----
equivalent

decide
SELECT u.id FROM u WHERE EXISTS (SELECT 1 FROM t GROUP BY t.b HAVING t.b = u.a AND EXISTS (SELECT 1 FROM s WHERE s.id = count(t.a)))
----
SELECT u.id FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.b = u.a)
----
not_equivalent

decide
SELECT b, a, (SELECT count(t.id)) FROM t GROUP BY ROLLUP (b, a)
----
SELECT b, a, count(id) FROM t GROUP BY ROLLUP (b, a)
----
undecided UNSUPPORTED

# What the two read otherwise.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER NOT NULL);
CREATE TABLE u (id INTEGER PRIMARY KEY, a INTEGER, c INTEGER);
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER);

decide
SELECT b, (SELECT min(u.a) FROM u WHERE u.c = t.b AND u.id = count(t.a)) FROM t GROUP BY b
----
SELECT g.b, (SELECT min(u.a) FROM u WHERE u.c = g.b AND u.id = g.n) FROM (SELECT b, count(a) AS n FROM t GROUP BY b) g
----
undecided UNSUPPORTED

# A column that the key determines.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER NOT NULL);
CREATE TABLE u (id INTEGER PRIMARY KEY, a INTEGER, c INTEGER);
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER);

decide
SELECT b, (SELECT min(u.a) FROM u WHERE u.c = t.b AND u.id = count(t.a)) FROM t GROUP BY b
----
SELECT g.b, (SELECT min(u.a) FROM u WHERE u.c = g.b AND u.id = g.n) FROM (SELECT b, count(a) AS n FROM t GROUP BY b) g
----
equivalent

decide
SELECT t.id, (SELECT count(t.a)), t.a FROM t GROUP BY t.id
----
SELECT id, count(a), a FROM t GROUP BY id, a
----
undecided UNSUPPORTED
