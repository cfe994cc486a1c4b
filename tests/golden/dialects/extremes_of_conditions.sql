# bool_and and bool_or beside MIN and MAX, and the same number of values said by them.
schema dialect=duckdb dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, v INTEGER, w INTEGER, nn INTEGER NOT NULL, r DOUBLE PRECISION);
CREATE TABLE u (id INTEGER PRIMARY KEY, k INTEGER, v INTEGER);
----

decide tiers=proof
SELECT k, bool_and(v > 0), bool_or(r <= 2) FROM t GROUP BY k
----
SELECT k, MIN(v) > 0, MIN(r) <= 2 FROM t GROUP BY k
----
equivalent

# Of no rows both are NULL.
decide tiers=proof
SELECT t.id, (SELECT bool_and(u.v > t.v) FROM u WHERE u.k = t.k) FROM t
----
SELECT t.id, (SELECT MIN(u.v) FROM u WHERE u.k = t.k) > t.v FROM t
----
equivalent

decide tiers=proof
SELECT k FROM t GROUP BY k HAVING bool_and(v >= 0)
----
SELECT k FROM t GROUP BY k HAVING MIN(v) >= 0
----
equivalent

decide tiers=proof
SELECT k FROM t GROUP BY k HAVING bool_or(v = 1)
----
SELECT DISTINCT k FROM t WHERE v = 1
----
equivalent

decide tiers=proof
SELECT k FROM t GROUP BY k HAVING bool_and(nn = 1)
----
SELECT k FROM t GROUP BY k HAVING COUNT(*) = COUNT(*) FILTER (WHERE nn = 1)
----
equivalent

# v is NULL in all rows of a group: bool_and is NULL, and no v is another than 1.
decide
SELECT k FROM t GROUP BY k HAVING bool_and(v = 1)
----
SELECT k FROM t GROUP BY k HAVING COUNT(*) FILTER (WHERE v <> 1) = 0
----
not_equivalent

decide
SELECT k FROM t GROUP BY k HAVING bool_and(v < 5)
----
SELECT k FROM t GROUP BY k HAVING MIN(v) < 5
----
not_equivalent

decide
SELECT k, bool_and(v > 0) FROM t GROUP BY k
----
SELECT k, COALESCE(MIN(v) > 0, true) FROM t GROUP BY k
----
not_equivalent

decide
SELECT k, bool_and(v > w) FROM t GROUP BY k
----
SELECT k, MIN(v) > MIN(w) FROM t GROUP BY k
----
not_equivalent

decide tiers=proof
SELECT k FROM t GROUP BY k HAVING COUNT(DISTINCT r) = 1
----
SELECT k FROM t GROUP BY k HAVING MIN(r) = MAX(r)
----
equivalent

decide tiers=proof
SELECT k FROM t GROUP BY k HAVING COUNT(DISTINCT v) > 1
----
SELECT k FROM t GROUP BY k HAVING MIN(v) <> MAX(v)
----
equivalent

# No value at all is counted as 0, and NULL is no different from NULL.
decide
SELECT k FROM t GROUP BY k HAVING COUNT(DISTINCT v) = 1
----
SELECT k FROM t GROUP BY k HAVING MIN(v) IS NOT DISTINCT FROM MAX(v)
----
not_equivalent

decide
SELECT k FROM t GROUP BY k HAVING COUNT(DISTINCT v) = 1
----
SELECT k FROM t GROUP BY k HAVING COUNT(v) = 1
----
not_equivalent

decide
SELECT k FROM t GROUP BY k HAVING COUNT(DISTINCT v) <> 1
----
SELECT k FROM t GROUP BY k HAVING MIN(v) <> MAX(v)
----
not_equivalent
