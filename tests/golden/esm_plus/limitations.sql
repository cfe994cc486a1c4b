# Written by `python -m equiv.rules.audit` from rules/esm_plus.toml.

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 7-1, columns of a subquery.
decide relation=bag
SELECT c1 FROM (SELECT * FROM t1)
----
SELECT c1 FROM t1
----
equivalent by=rules

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 7-2, precedence of AND over OR.
decide relation=bag
SELECT c1 FROM t1 WHERE c1 = 1 AND (c2 = 2 OR c1 = 3)
----
SELECT c1 FROM t1 WHERE c1 = 1 AND c2 = 2 OR c1 = 3
----
not_equivalent by=generate

schema
CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)
----

# ESM+ 7-3, aliases of columns and expressions.
decide relation=list
SELECT c3 AS k, COUNT(*) AS n FROM t1 GROUP BY k HAVING n > 1 ORDER BY n DESC
----
SELECT c3, COUNT(*) FROM t1 GROUP BY c3 HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC
----
equivalent by=rules
