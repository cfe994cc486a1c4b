# The bare columns of a group are of one row: each was chosen apart, so that a row of two rows counted as an answer, and what shows one told nothing apart.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, a INTEGER, b INTEGER);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL, w INTEGER);
----

# Rows (1, 2) and (2, 3): neither shows 2 beside 2.
decide
SELECT MAX(a), MIN(b) FROM t GROUP BY g
----
SELECT a, b FROM t GROUP BY g
----
not_equivalent

decide
SELECT g, MAX(a), MAX(b), COUNT(*) FROM t GROUP BY g
----
SELECT g, a, b, COUNT(*) FROM t GROUP BY g
----
not_equivalent

# One column twice shows one value twice.
decide
SELECT MIN(a), MAX(a) FROM t GROUP BY g
----
SELECT a, a FROM t GROUP BY g
----
not_equivalent

# Any row may be the one of the maximum.
decide
SELECT a, b FROM t GROUP BY g
----
SELECT MAX(a), b FROM t GROUP BY g
----
undecided NONDETERMINISTIC

# Every row shows a = b, so the row of both maxima is one.
decide
SELECT a, b FROM t WHERE a = b GROUP BY g
----
SELECT MAX(a), MAX(b) FROM t WHERE a = b GROUP BY g
----
undecided NONDETERMINISTIC

# HAVING reads the row that is shown.
decide
SELECT g FROM t GROUP BY g HAVING a + b > 3
----
SELECT g FROM t GROUP BY g HAVING MAX(a) + MAX(b) > 3
----
not_equivalent

decide
SELECT a, MIN(b) FROM t GROUP BY g
----
SELECT a, b FROM t GROUP BY g HAVING b = MIN(b)
----
not_equivalent

# One row of one extreme, though the query shows both.
decide
SELECT MAX(a), MIN(b), a, b FROM t
----
SELECT MAX(a), MIN(b), MAX(a), MIN(b) FROM t
----
not_equivalent

# Among tied rows one lends both b and id.
decide
SELECT g, MAX(a), b, id FROM t GROUP BY g
----
SELECT t.g, t.a, MIN(t.b), MIN(t.id) FROM t JOIN (SELECT g, MAX(a) AS m FROM t GROUP BY g) s ON s.g = t.g AND s.m = t.a GROUP BY t.g
----
not_equivalent

# A row of a join is one row, too.
decide
SELECT MAX(t.a), MIN(u.w) FROM t JOIN u ON u.t_id = t.id GROUP BY t.g
----
SELECT t.a, u.w FROM t JOIN u ON u.t_id = t.id GROUP BY t.g
----
not_equivalent

decide
SELECT a IS NOT NULL AND b IS NOT NULL FROM t GROUP BY g
----
SELECT MAX(a) IS NOT NULL AND MAX(b) IS NOT NULL FROM t GROUP BY g
----
not_equivalent

decide
SELECT DISTINCT a, b FROM t GROUP BY g ORDER BY a
----
SELECT DISTINCT MAX(a), MIN(b) FROM t GROUP BY g ORDER BY 1
----
not_equivalent

decide
SELECT COUNT(*) FROM (SELECT a, b FROM t GROUP BY g) WHERE a < b
----
SELECT COUNT(*) FROM (SELECT MIN(a) AS a, MAX(b) AS b FROM t GROUP BY g) WHERE a < b
----
not_equivalent

# DISTINCT is sorted by keys of one of the rows that it merges.
decide
SELECT DISTINCT g FROM t ORDER BY a, b LIMIT 1
----
SELECT g FROM t GROUP BY g ORDER BY MIN(a), MIN(b) LIMIT 1
----
not_equivalent

# A group of one row has no choice.
decide
SELECT MAX(a), MIN(b) FROM t GROUP BY id
----
SELECT a, b FROM t GROUP BY id
----
equivalent
