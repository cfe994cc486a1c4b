schema
CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL);
CREATE TABLE p (id INTEGER PRIMARY KEY, h TEXT)
----

# Without p.h all columns of the aggregate are of the outer query, whose rows SQLite would sum up then.
norm
SELECT (SELECT AVG(CASE WHEN p.h <> NULL THEN t.r END) FROM p WHERE p.id = 3) FROM t
----
SELECT (SELECT SUM(t.r) FILTER (WHERE p.h <> NULL) * 1.0 / COUNT(t.r) FILTER (WHERE p.h <> NULL) FROM p WHERE p.id = 3) FROM t

norm
SELECT id, (SELECT SUM(CASE WHEN p.h <> NULL THEN 1 ELSE t.r END) FROM p) FROM t
----
SELECT t.id, (SELECT SUM(CASE WHEN p.h <> NULL THEN 1 ELSE t.r END) FROM p) FROM t
