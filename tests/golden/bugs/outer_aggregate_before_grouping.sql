schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL);
CREATE TABLE u (id INTEGER PRIMARY KEY, x INTEGER NOT NULL)
----

# The COUNT in the inner WHERE is over t: the derived table has one row, and a filter on it is none on the rows of t.
decide
SELECT q.s FROM (SELECT t.id, (SELECT COUNT(*) FROM u WHERE u.x = COUNT(t.a)) AS s FROM t) AS q WHERE q.id > 1
----
SELECT (SELECT COUNT(*) FROM u WHERE u.x = COUNT(t.a)) AS s FROM t WHERE t.id > 1
----
undecided UNSUPPORTED

decide
SELECT q.s FROM (SELECT t.id, (SELECT SUM(u.x) FROM u JOIN u AS v ON v.x = COUNT(t.a)) AS s FROM t) AS q WHERE q.id > 1
----
SELECT (SELECT SUM(u.x) FROM u JOIN u AS v ON v.x = COUNT(t.a)) AS s FROM t WHERE t.id > 1
----
undecided UNSUPPORTED
