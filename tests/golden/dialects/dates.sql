# A literal beside a date is read as one.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

# However it is spelt.
decide
SELECT id FROM t WHERE d = '2020-1-5'
----
SELECT id FROM t WHERE d = '2020-01-05'
----
equivalent

# Its time of day is left out.
decide
SELECT id FROM t WHERE d = '2020-01-05 10:00:00'
----
SELECT id FROM t WHERE d = '2020-01-05'
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

decide
SELECT id FROM t WHERE d = '2020-1-5'
----
SELECT id FROM t WHERE d = '2020-01-05'
----
not_equivalent

decide
SELECT id FROM t WHERE d = '2020-01-05 10:00:00'
----
SELECT id FROM t WHERE d = '2020-01-05'
----
not_equivalent
