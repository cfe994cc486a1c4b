# No value strictly between two literals was tried: pairs of conditions that part there alone stayed undecided.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL, n NUMERIC, u, s TEXT, a INTEGER, b INTEGER);

decide
SELECT id FROM t WHERE x >= 2.5
----
SELECT id FROM t WHERE x > 2
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE x <= 99.99
----
SELECT id FROM t WHERE x < 100
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE x >= 0.1
----
SELECT id FROM t WHERE x > 0.05
----
not_equivalent by=generate

# The solver of conditions that compute tried eighths: none rounds to the literal but the literal.
decide
SELECT id FROM t WHERE ROUND(x, 1) = 2.5
----
SELECT id FROM t WHERE x = 2.5
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE ROUND(x, 2) > 2.5
----
SELECT id FROM t WHERE x > 2.5
----
not_equivalent by=generate

# A quotient by 0 is NULL to SQLite, and to the solver of what it chooses.
decide
SELECT id FROM t WHERE CAST(a AS REAL) / b > 0.5
----
SELECT id FROM t WHERE CAST(a AS REAL) / b >= 0.51
----
not_equivalent by=generate

# A minus before a column was no computation.
decide
SELECT id FROM t WHERE -x < -2
----
SELECT id FROM t WHERE x >= 2.5
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE n > 2
----
SELECT id FROM t WHERE n >= 2.5
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE u > 2
----
SELECT id FROM t WHERE u >= 2.5
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE s + 0 > 5
----
SELECT id FROM t WHERE CAST(s AS INTEGER) > 5
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE CAST(s AS REAL) > 2
----
SELECT id FROM t WHERE CAST(s AS REAL) >= 2.5
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE s > 'a'
----
SELECT id FROM t WHERE s >= 'ab'
----
not_equivalent by=generate

decide
SELECT SUM(x > 2) FROM t
----
SELECT SUM(x >= 2.5) FROM t
----
not_equivalent by=generate

# Whole numbers lie in no gap narrower than theirs.
decide
SELECT id FROM t WHERE a > 2
----
SELECT id FROM t WHERE a >= 2.5
----
equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, d DECIMAL(10, 2), big DECIMAL(18, 2), ts TIMESTAMP);

decide
SELECT id FROM t WHERE d > 2
----
SELECT id FROM t WHERE d >= 2.02
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE ts > '2020-01-01 10:00:00'
----
SELECT id FROM t WHERE ts >= '2020-01-01 10:00:01'
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE d > 2
----
SELECT id FROM t WHERE d >= 2.01
----
equivalent by=rules

decide
SELECT id FROM t WHERE d > -2.5 AND d < 2.505
----
SELECT id FROM t WHERE d BETWEEN -2.49 AND 2.5
----
equivalent by=rules

# More digits than REAL distinguishes.
decide
SELECT id FROM t WHERE big > 2
----
SELECT id FROM t WHERE big >= 2.01
----
undecided NO_PROOF

# Sums of decimals are no column's.
decide
SELECT id FROM (SELECT id, AVG(d) AS d FROM t GROUP BY id) AS t WHERE d > 2
----
SELECT id FROM (SELECT id, AVG(d) AS d FROM t GROUP BY id) AS t WHERE d >= 2.01 AND id > 1
----
not_equivalent

schema dialect=postgres
CREATE TABLE t (id integer PRIMARY KEY, d numeric(10, 2), big numeric(18, 2), ts timestamp);

decide
SELECT id FROM t WHERE d > 2
----
SELECT id FROM t WHERE d >= 2.02
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE ts > '2020-01-01 10:00:00'
----
SELECT id FROM t WHERE ts >= '2020-01-01 10:00:01'
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE d > 2
----
SELECT id FROM t WHERE d >= 2.01
----
equivalent by=rules

decide
SELECT id FROM t WHERE d > -2.5 AND d < 2.505
----
SELECT id FROM t WHERE d BETWEEN -2.49 AND 2.5
----
equivalent by=rules

# More digits than REAL distinguishes.
decide
SELECT id FROM t WHERE big > 2
----
SELECT id FROM t WHERE big >= 2.01
----
undecided NO_PROOF

# Sums of decimals are no column's.
decide
SELECT id FROM (SELECT id, AVG(d) AS d FROM t GROUP BY id) AS t WHERE d > 2
----
SELECT id FROM (SELECT id, AVG(d) AS d FROM t GROUP BY id) AS t WHERE d >= 2.01 AND id > 1
----
not_equivalent
