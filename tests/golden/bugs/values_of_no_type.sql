# What the DDL alone enforces lets values in that no declared type means.
schema facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, i INT, r REAL, s TEXT, d DATE, b BOOLEAN, n NUMERIC, k INT UNIQUE)

decide
SELECT id FROM t WHERE i > 1
----
SELECT id FROM t WHERE i >= 2
----
not_equivalent

decide
SELECT id FROM t WHERE k > 41
----
SELECT id FROM t WHERE k >= 42
----
not_equivalent

# 1x is no number, but is cast to one.
decide
SELECT id FROM t WHERE i = 17
----
SELECT id FROM t WHERE CAST(i AS INTEGER) = 17
----
not_equivalent

decide
SELECT id FROM t WHERE r = 23
----
SELECT id FROM t WHERE r + 0 = 23
----
not_equivalent

decide
SELECT id FROM t WHERE n BETWEEN 7 AND 8 OR n > 8
----
SELECT id FROM t WHERE ROUND(n, 3) BETWEEN 7 AND 8 OR ROUND(n, 3) > 8
----
not_equivalent

decide
SELECT id FROM t WHERE b
----
SELECT id FROM t WHERE b = 1
----
not_equivalent

# Texts sort behind all numbers.
decide
SELECT MAX(i) FROM t
----
SELECT MAX(CAST(i AS INTEGER)) FROM t
----
not_equivalent

# A BLOB equals no text.
decide
SELECT id FROM t WHERE s = 'amber'
----
SELECT id FROM t WHERE s || '' = 'amber'
----
not_equivalent

decide
SELECT id FROM t WHERE typeof(s) = 'text'
----
SELECT id FROM t WHERE s IS NOT NULL
----
not_equivalent

# A number in a DATE column is the number of a day to SQLite's date functions.
decide
SELECT id FROM t WHERE strftime('%Y', d) = '2012'
----
SELECT id FROM t WHERE substr(d, 1, 4) = '2012'
----
not_equivalent

# INTEGER PRIMARY KEY is enforced.
decide
SELECT id FROM t WHERE id > 1
----
SELECT id FROM t WHERE id >= 2
----
equivalent

# So is a STRICT table's column, the computed ones only from SQLite 3.51 on: they count as holding any value.
schema facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, a ANY, i INT, x INT AS (a) VIRTUAL, y INT AS (a) STORED) STRICT

decide
SELECT id FROM t WHERE i > 1
----
SELECT id FROM t WHERE i >= 2
----
equivalent

decide
SELECT id FROM t WHERE x > 1
----
SELECT id FROM t WHERE x >= 2
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE y > 1
----
SELECT id FROM t WHERE y >= 2
----
undecided NO_PROOF

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a ANY, x INT AS (a) VIRTUAL) STRICT

decide
SELECT id FROM t WHERE x > 1
----
SELECT id FROM t WHERE x >= 2
----
undecided NO_PROOF
