# x IS TRUE COLLATE c is a test of truth: SQLite looks for the word behind every COLLATE. It was read as a comparison with 1.
schema
CREATE TABLE t (i INTEGER);
CREATE TABLE k (true INTEGER, i INTEGER);
----

decide
SELECT i FROM t WHERE i IS TRUE COLLATE BINARY AND HEX(i) = '34373131'
----
SELECT i FROM t WHERE i = 1 AND HEX(i) = '34373131'
----
not_equivalent

decide
SELECT i FROM t WHERE i IS TRUE COLLATE NOCASE
----
SELECT i FROM t WHERE i <> 0
----
equivalent

decide
SELECT i FROM t WHERE i IS (TRUE COLLATE NOCASE COLLATE RTRIM)
----
SELECT i FROM t WHERE i IS TRUE
----
equivalent

decide
SELECT i FROM t WHERE i IS (TRUE COLLATE NOCASE) AND HEX(i) = '34373131'
----
SELECT i FROM t WHERE i IS 1 AND HEX(i) = '34373131'
----
not_equivalent

decide
SELECT i FROM t WHERE i IS NOT TRUE COLLATE NOCASE
----
SELECT i FROM t WHERE i = 0 OR i IS NULL
----
equivalent

decide
SELECT i FROM t WHERE i IS NOT (FALSE) COLLATE RTRIM
----
SELECT i FROM t WHERE i <> 0 OR i IS NULL
----
equivalent

decide
SELECT i FROM t WHERE i IS NOT DISTINCT FROM TRUE COLLATE NOCASE AND HEX(i) = '34373131'
----
SELECT i FROM t WHERE i = 1 AND HEX(i) = '34373131'
----
not_equivalent

# The alias of a bare TRUE is that word, too.
decide
SELECT TRUE AS b, i FROM t WHERE i IS b COLLATE NOCASE
----
SELECT 1, i FROM t WHERE i IS TRUE
----
equivalent

# Of TRUE COLLATE c it is not: a comparison.
decide
SELECT TRUE COLLATE NOCASE AS b, i FROM t WHERE i IS b
----
SELECT 1, i FROM t WHERE i IS TRUE
----
not_equivalent

# Nor is it a column of that value.
decide
SELECT i FROM t, (SELECT TRUE AS b) AS s WHERE i IS s.b COLLATE NOCASE
----
SELECT i FROM t WHERE i IS TRUE
----
not_equivalent

# A part of a row value is none either; IS of row values is not modelled.
decide
SELECT i FROM t WHERE (i, 1) IS (TRUE COLLATE NOCASE, TRUE)
----
SELECT i FROM t WHERE i IS 1
----
undecided

decide
SELECT i FROM t, (SELECT TRUE AS b) AS s WHERE i IS s.b COLLATE NOCASE
----
SELECT i FROM t WHERE i = 1
----
equivalent

# A column of that name comes before the word.
decide
SELECT i FROM k WHERE i IS true COLLATE NOCASE
----
SELECT i FROM k WHERE i IS TRUE
----
equivalent

decide
SELECT i FROM k WHERE i IS true COLLATE NOCASE
----
SELECT i FROM k WHERE i <> 0
----
not_equivalent

decide
SELECT i FROM t WHERE i = TRUE COLLATE NOCASE
----
SELECT i FROM t WHERE i = 1
----
equivalent
