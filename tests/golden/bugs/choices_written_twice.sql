# What leaves a choice was written twice where the core has no other way to say it, so that each copy chose for itself.
schema dialect=postgres
CREATE TABLE t (g INTEGER, h INTEGER, v INTEGER)
----

# Rows that a tie chooses were chosen anew in each grouping set.
decide
SELECT q.g, q.h, count(*) FROM (SELECT g, h, row_number() OVER (ORDER BY g) AS n FROM t) q WHERE q.n = 1 GROUP BY GROUPING SETS ((q.g), (q.h))
----
SELECT g, NULL::integer, count(*) FROM (SELECT g, h, row_number() OVER (ORDER BY g) AS n FROM t) q WHERE n = 1 GROUP BY g
UNION ALL SELECT NULL::integer, h, count(*) FROM (SELECT g, h, row_number() OVER (ORDER BY g) AS n FROM t) q WHERE n = 1 GROUP BY h
----
undecided

decide
SELECT q.h, q.v, count(*) FROM (SELECT DISTINCT ON (g) g, h, v FROM t ORDER BY g) q GROUP BY GROUPING SETS ((q.h), (q.v))
----
SELECT h, NULL::integer, count(*) FROM (SELECT DISTINCT ON (g) g, h, v FROM t ORDER BY g) q GROUP BY h
UNION ALL SELECT NULL::integer, v, count(*) FROM (SELECT DISTINCT ON (g) g, h, v FROM t ORDER BY g) q GROUP BY v
----
undecided

decide
SELECT t.g, t.h, count(*) FROM t WHERE t.v = (SELECT v FROM t LIMIT 1) GROUP BY GROUPING SETS ((t.g), (t.h))
----
SELECT g, NULL::integer, count(*) FROM t WHERE t.v = (SELECT v FROM t LIMIT 1) GROUP BY g
UNION ALL SELECT NULL::integer, h, count(*) FROM t WHERE t.v = (SELECT v FROM t LIMIT 1) GROUP BY h
----
undecided

# PostgreSQL compares one value with each WHEN.
decide
SELECT CASE (SELECT v FROM t LIMIT 1) WHEN 1 THEN 'a' WHEN 2 THEN 'b' END
----
SELECT CASE WHEN (SELECT v FROM t LIMIT 1) = 1 THEN 'a' WHEN (SELECT v FROM t LIMIT 1) = 2 THEN 'b' END
----
undecided

schema dialect=duckdb
CREATE TABLE t (g INTEGER, h INTEGER, v INTEGER)
----

# Rows that a tie chooses were chosen anew in each grouping set.
decide
SELECT q.g, q.h, count(*) FROM (SELECT g, h, row_number() OVER (ORDER BY g) AS n FROM t) q WHERE q.n = 1 GROUP BY GROUPING SETS ((q.g), (q.h))
----
SELECT g, NULL::integer, count(*) FROM (SELECT g, h, row_number() OVER (ORDER BY g) AS n FROM t) q WHERE n = 1 GROUP BY g
UNION ALL SELECT NULL::integer, h, count(*) FROM (SELECT g, h, row_number() OVER (ORDER BY g) AS n FROM t) q WHERE n = 1 GROUP BY h
----
undecided

decide
SELECT q.h, q.v, count(*) FROM (SELECT DISTINCT ON (g) g, h, v FROM t ORDER BY g) q GROUP BY GROUPING SETS ((q.h), (q.v))
----
SELECT h, NULL::integer, count(*) FROM (SELECT DISTINCT ON (g) g, h, v FROM t ORDER BY g) q GROUP BY h
UNION ALL SELECT NULL::integer, v, count(*) FROM (SELECT DISTINCT ON (g) g, h, v FROM t ORDER BY g) q GROUP BY v
----
undecided

decide
SELECT t.g, t.h, count(*) FROM t WHERE t.v = (SELECT v FROM t LIMIT 1) GROUP BY GROUPING SETS ((t.g), (t.h))
----
SELECT g, NULL::integer, count(*) FROM t WHERE t.v = (SELECT v FROM t LIMIT 1) GROUP BY g
UNION ALL SELECT NULL::integer, h, count(*) FROM t WHERE t.v = (SELECT v FROM t LIMIT 1) GROUP BY h
----
undecided

# DuckDB compares one value with both bounds.
decide
SELECT (SELECT v FROM t LIMIT 1) BETWEEN 1 AND 3
----
SELECT (SELECT v FROM t LIMIT 1) >= 1 AND (SELECT v FROM t LIMIT 1) <= 3
----
undecided

# Determined rows are written out as before.
schema dialect=postgres
CREATE TABLE t (g INTEGER, h INTEGER, v INTEGER)
----

decide
SELECT q.g, q.h, sum(q.n) FROM (SELECT g, h, count(*) AS n FROM t GROUP BY g, h) q GROUP BY GROUPING SETS ((q.g), (q.h))
----
SELECT g, NULL::integer, sum(n) FROM (SELECT g, h, count(*) AS n FROM t GROUP BY g, h) q GROUP BY g
UNION ALL SELECT NULL::integer, h, sum(n) FROM (SELECT g, h, count(*) AS n FROM t GROUP BY g, h) q GROUP BY h
----
equivalent

# PostgreSQL itself reads BETWEEN as two comparisons, each with the subquery.
decide
SELECT (SELECT v FROM t LIMIT 1) BETWEEN 1 AND 3
----
SELECT (SELECT v FROM t LIMIT 1) >= 1 AND (SELECT v FROM t LIMIT 1) <= 3
----
equivalent
