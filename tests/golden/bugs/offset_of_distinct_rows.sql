schema
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER);
CREATE TABLE u (z INTEGER NOT NULL);
----

# As a value, SQLite computes a distinct row before it skips it: over no more rows the last one stays, not NULL.
decide
SELECT z, (SELECT DISTINCT x FROM t LIMIT 1 OFFSET 1) FROM u
----
SELECT z, (SELECT x FROM t GROUP BY x LIMIT 1 OFFSET 1) FROM u
----
undecided UNSUPPORTED

# With an index, descending order shows the same.
decide
SELECT z FROM u WHERE z = (SELECT DISTINCT x FROM t ORDER BY x DESC LIMIT 1 OFFSET 1)
----
SELECT z FROM u WHERE z = (SELECT x FROM t GROUP BY x ORDER BY x DESC LIMIT 1 OFFSET 1)
----
undecided UNSUPPORTED

decide
SELECT z FROM u WHERE z > (SELECT y FROM t UNION ALL SELECT DISTINCT x FROM t LIMIT 1 OFFSET 1)
----
SELECT z FROM u WHERE z > (SELECT y FROM t UNION ALL SELECT x FROM t GROUP BY x LIMIT 1 OFFSET 1)
----
undecided UNSUPPORTED

# In EXISTS it ignores DISTINCT.
decide
SELECT z FROM u WHERE EXISTS (SELECT DISTINCT x FROM t LIMIT 1 OFFSET 1)
----
SELECT z FROM u WHERE EXISTS (SELECT x FROM t GROUP BY x LIMIT 1 OFFSET 1)
----
undecided UNSUPPORTED

# Sorted by just its outputs, DISTINCT becomes GROUP BY; nothing is skipped by 0; IN and tables do as they say.
decide
SELECT z, (SELECT DISTINCT x FROM t ORDER BY x LIMIT 1 OFFSET 1) FROM u
----
SELECT z, (SELECT x FROM t GROUP BY x ORDER BY x LIMIT 1 OFFSET 1) FROM u
----
equivalent

decide
SELECT z FROM u WHERE EXISTS (SELECT DISTINCT x FROM t LIMIT 1 OFFSET 0)
----
SELECT z FROM u WHERE EXISTS (SELECT x FROM t)
----
equivalent

decide
SELECT z FROM u WHERE z IN (SELECT DISTINCT x FROM t LIMIT 1 OFFSET 1)
----
SELECT z FROM u WHERE z IN (SELECT x FROM t GROUP BY x LIMIT 1 OFFSET 1)
----
equivalent
