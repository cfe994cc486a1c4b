# CHARINT has INTEGER affinity by SQLite's rules, of which INT is the first, and is no text.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a CHARINT, b BLOBINT, c FLOAT CHARACTER, d BOOLEAN TEXT, e REAL BLOB, f DATEINT, g INT TEXT);

decide
SELECT id FROM t WHERE a > 1
----
SELECT id FROM t WHERE a >= 2
----
equivalent

decide
SELECT id FROM t WHERE b > 1
----
SELECT id FROM t WHERE b >= 2
----
equivalent

# TEXT affinity keeps no number: such a column holds texts, and not NULL alone.
decide
SELECT id FROM t WHERE c IS NOT NULL
----
SELECT id FROM t WHERE 0
----
not_equivalent

decide
SELECT id FROM t WHERE d IS NOT NULL
----
SELECT id FROM t WHERE 0
----
not_equivalent

# BLOB affinity converts nothing, whatever REAL says behind it.
decide
SELECT id FROM t WHERE e > 'a'
----
SELECT id FROM t WHERE e IS NOT NULL
----
not_equivalent

decide
SELECT id FROM t WHERE e >= 'a' AND 0
----
SELECT id FROM t WHERE e >= 'a'
----
not_equivalent

# 20240102 is a whole number here.
decide
SELECT id FROM t WHERE f = 20240102
----
SELECT id FROM t WHERE 0
----
not_equivalent
