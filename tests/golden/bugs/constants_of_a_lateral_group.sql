# A LATERAL subquery of one aggregated row became a subquery for each of its columns; one without an aggregate was
# then of the rows, not of their group: of no row its value was NULL.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, b INTEGER);
CREATE TABLE k (id INTEGER PRIMARY KEY, x INTEGER);

decide
SELECT t.id, l.n FROM t, (SELECT SUM(x) AS mx, 1 AS n FROM k WHERE k.x > t.b) l
----
SELECT id, 1 FROM t
----
equivalent

decide
SELECT t.id, l.n FROM t, (SELECT SUM(x) AS mx, t.b + 1 AS n FROM k WHERE k.x > t.b) l
----
SELECT id, (SELECT t.b + 1 FROM k WHERE k.x > t.b LIMIT 1) FROM t
----
not_equivalent

decide
SELECT t.id, l.n FROM t LEFT JOIN LATERAL (SELECT 1 AS n, COUNT(*) AS c FROM k WHERE k.x > t.b LIMIT 1) l ON TRUE
----
SELECT id, (SELECT 1 FROM k WHERE k.x > t.b LIMIT 1) FROM t
----
not_equivalent by=generate

schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, b INTEGER);
CREATE TABLE k (id INTEGER PRIMARY KEY, x INTEGER);

decide
SELECT t.id, l.n, l.mx FROM t, LATERAL (SELECT MAX(x) AS mx, 1 AS n FROM k WHERE k.x > t.b) l
----
SELECT id, 1, (SELECT MAX(x) FROM k WHERE k.x > t.b) FROM t
----
equivalent
