# PostgreSQL tells outputs of different types apart, where SQLite has one value.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

# A comparison is a boolean, and no 1 or 0.
decide
SELECT a > 1 FROM t
----
SELECT CASE WHEN a > 1 THEN 1 WHEN a <= 1 THEN 0 END FROM t
----
not_equivalent

# So is a column.
decide
SELECT active FROM t
----
SELECT CASE WHEN active THEN 1 ELSE 0 END FROM t
----
not_equivalent

# A date is no text.
decide
SELECT d FROM t
----
SELECT CAST(d AS TEXT) FROM t
----
not_equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

decide
SELECT a > 1 FROM t
----
SELECT CASE WHEN a > 1 THEN 1 WHEN a <= 1 THEN 0 END FROM t
----
equivalent

decide
SELECT active FROM t
----
SELECT CASE WHEN active THEN 1 ELSE 0 END FROM t
----
equivalent

decide
SELECT d FROM t
----
SELECT CAST(d AS TEXT) FROM t
----
equivalent
