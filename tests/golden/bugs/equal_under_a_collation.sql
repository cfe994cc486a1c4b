# Cells that are equal under their column's collation are equal cells; which one DISTINCT or MAX keeps is free.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE);

decide
SELECT MAX(k) FROM t
----
SELECT (SELECT k FROM t ORDER BY k DESC, id DESC LIMIT 1)
----
undecided

decide
SELECT DISTINCT k FROM t
----
SELECT MAX(k COLLATE BINARY) FROM t GROUP BY k
----
undecided

decide
SELECT k FROM t GROUP BY k
----
SELECT k FROM t WHERE id IN (SELECT MAX(id) FROM t GROUP BY k)
----
undecided

decide
SELECT COUNT(*) FROM (SELECT DISTINCT k FROM t) WHERE k || '' = 'A'
----
SELECT COUNT(*) FROM (SELECT MAX(k COLLATE BINARY) AS k FROM t GROUP BY k) WHERE k || '' = 'A'
----
undecided UNSUPPORTED

decide
SELECT k FROM t
----
SELECT UPPER(k) FROM t
----
undecided

decide
SELECT k FROM t WHERE id > 1
----
SELECT k FROM t
----
not_equivalent by=generate
