# Arithmetic by type: numeric never cuts off, casts to integer round, a float to even.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

# A numeric 3 by 2 is 1.5; SQLite keeps 3 as an integer.
decide
SELECT n / 2 FROM t WHERE n = 3
----
SELECT 1.5 FROM t WHERE n = 3
----
equivalent

# A cast to numeric makes the division exact.
decide
SELECT CAST(a AS NUMERIC) / 2 FROM t
----
SELECT a / 2.0 FROM t
----
equivalent

# The sum of bigints is numeric, so that the quotient is the mean.
decide
SELECT SUM(big) / COUNT(big) FROM t
----
SELECT AVG(big) FROM t
----
equivalent

# A numeric is rounded to an integer, half away from zero.
decide
SELECT CAST(CAST(2.75 AS NUMERIC) AS INTEGER) FROM t
----
SELECT 3 FROM t
----
equivalent

# A float is rounded to an integer, half to even.
decide
SELECT CAST(CAST(2.5 AS REAL) AS INTEGER) FROM t
----
SELECT 2 FROM t
----
equivalent

# So is the next half, which SQLite cuts off.
decide
SELECT CAST(CAST(3.5 AS REAL) AS INTEGER) FROM t
----
SELECT 4 FROM t
----
equivalent

# ROUND of a float goes to even; SQLite's goes away from zero.
decide
SELECT ROUND(CAST(2.5 AS DOUBLE PRECISION)) FROM t
----
SELECT 3.0 FROM t
----
not_equivalent

# As a REAL 0.1 is another number than as a double precision.
decide
SELECT id FROM t WHERE single = CAST(0.1 AS DOUBLE PRECISION)
----
SELECT id FROM t WHERE single = CAST(0.1 AS REAL)
----
not_equivalent

# The remainder of numerics keeps decimals.
decide
SELECT 5.5 % 2 FROM t
----
SELECT 1.5 FROM t
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, big BIGINT, r DOUBLE PRECISION, single REAL, n NUMERIC, name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

decide
SELECT n / 2 FROM t WHERE n = 3
----
SELECT 1.5 FROM t WHERE n = 3
----
not_equivalent

decide
SELECT CAST(a AS NUMERIC) / 2 FROM t
----
SELECT a / 2.0 FROM t
----
not_equivalent

decide
SELECT SUM(big) / COUNT(big) FROM t
----
SELECT AVG(big) FROM t
----
not_equivalent

decide
SELECT CAST(CAST(2.75 AS NUMERIC) AS INTEGER) FROM t
----
SELECT 3 FROM t
----
not_equivalent

decide
SELECT CAST(CAST(2.5 AS REAL) AS INTEGER) FROM t
----
SELECT 2 FROM t
----
equivalent

decide
SELECT CAST(CAST(3.5 AS REAL) AS INTEGER) FROM t
----
SELECT 4 FROM t
----
not_equivalent

decide
SELECT ROUND(CAST(2.5 AS DOUBLE PRECISION)) FROM t
----
SELECT 3.0 FROM t
----
equivalent

decide
SELECT id FROM t WHERE single = CAST(0.1 AS DOUBLE PRECISION)
----
SELECT id FROM t WHERE single = CAST(0.1 AS REAL)
----
equivalent

decide
SELECT 5.5 % 2 FROM t
----
SELECT 1.5 FROM t
----
not_equivalent

# A numeric(p, s) shows s decimals.
schema dialect=postgres
CREATE TABLE price (id INTEGER PRIMARY KEY, n NUMERIC, m NUMERIC(8, 2));

decide
SELECT CAST(CAST(1.5 AS NUMERIC(8, 2)) AS TEXT) FROM price
----
SELECT '1.50' FROM price
----
equivalent

decide
SELECT id FROM price WHERE CAST(m AS TEXT) LIKE '2%'
----
SELECT id FROM price WHERE CAST(m AS TEXT) LIKE '2%' AND m IS NOT NULL
----
equivalent

# So that no value shows as '2'.
decide
SELECT id FROM price WHERE CAST(m AS TEXT) = '2.00'
----
SELECT id FROM price WHERE CAST(m AS TEXT) = '2'
----
not_equivalent

# A numeric alone shows the decimals that it came with, 1.5 and 1.50 as they are.
decide
SELECT CAST(n AS TEXT) FROM price
----
SELECT CAST(n AS TEXT) FROM price WHERE id = id
----
undecided UNSUPPORTED

schema
CREATE TABLE price (id INTEGER PRIMARY KEY, n NUMERIC, m NUMERIC(8, 2));

decide
SELECT CAST(CAST(1.5 AS NUMERIC(8, 2)) AS TEXT) FROM price
----
SELECT '1.50' FROM price
----
not_equivalent

# A quotient of constants that every engine computes exactly is a number.
schema dialect=duckdb dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, d DECIMAL(7, 2), f DOUBLE PRECISION)
----

decide tiers=rules
SELECT id FROM t WHERE d > (50 / 100.0) * f
----
SELECT id FROM t WHERE d > 0.5 * f
----
equivalent

decide tiers=rules
SELECT id FROM t WHERE d > (1 / 3.0) * f
----
SELECT id FROM t WHERE d > 0.333333333333333 * f
----
undecided

decide
SELECT id FROM t WHERE d > (50 / 100.0) * f
----
SELECT id FROM t WHERE d > 0.25 * f
----
not_equivalent

# 0.3 / 0.1 is 2.9999999999999996 as a float.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, f DOUBLE)
----

decide tiers=rules names=exact_arithmetic
SELECT id FROM t WHERE f >= 0.3 / 0.1
----
SELECT id FROM t WHERE f >= 3.0
----
equivalent
