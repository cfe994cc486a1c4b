# NULL comes last where it ascends, and first where it descends; INTERSECT binds tighter.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

# Last by default.
decide
SELECT a FROM t ORDER BY a
----
SELECT a FROM t ORDER BY a NULLS LAST
----
equivalent

# First by default where it descends.
decide
SELECT a FROM t ORDER BY a DESC
----
SELECT a FROM t ORDER BY a DESC NULLS FIRST
----
equivalent

# INTERSECT before UNION; SQLite takes them as they come.
decide
SELECT a FROM t UNION SELECT b FROM t INTERSECT SELECT id FROM t
----
SELECT a FROM t UNION SELECT * FROM (SELECT b FROM t INTERSECT SELECT id FROM t) AS q
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

decide
SELECT a FROM t ORDER BY a
----
SELECT a FROM t ORDER BY a NULLS LAST
----
not_equivalent

decide
SELECT a FROM t ORDER BY a DESC
----
SELECT a FROM t ORDER BY a DESC NULLS FIRST
----
not_equivalent

decide
SELECT a FROM t UNION SELECT b FROM t INTERSECT SELECT id FROM t
----
SELECT a FROM t UNION SELECT * FROM (SELECT b FROM t INTERSECT SELECT id FROM t) AS q
----
not_equivalent

# A column that stands twice is sorted by either.
decide
SELECT a, a FROM t ORDER BY 2
----
SELECT a, a FROM t ORDER BY a
----
equivalent

decide
SELECT a, a, b FROM t ORDER BY 2, 3
----
SELECT a, a, b FROM t ORDER BY 3, 2
----
not_equivalent
