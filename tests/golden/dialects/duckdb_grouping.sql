# GROUP BY ALL, ORDER BY ALL, QUALIFY, DISTINCT ON, aggregates and their filters.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER CHECK (x > 0));
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER, kind VARCHAR, v INTEGER, w INTEGER);

# GROUP BY ALL by two columns.
decide
SELECT kind, a, SUM(v) FROM s GROUP BY ALL
----
SELECT kind, a, SUM(v) FROM s GROUP BY kind, a
----
equivalent

decide
SELECT kind, a, SUM(v) FROM s GROUP BY ALL
----
SELECT kind, MIN(a), SUM(v) FROM s GROUP BY kind
----
not_equivalent

# GROUP BY ALL without an aggregate removes duplicates.
decide
SELECT kind FROM s GROUP BY ALL
----
SELECT DISTINCT kind FROM s
----
equivalent

decide
SELECT kind FROM s GROUP BY ALL
----
SELECT kind FROM s
----
not_equivalent

# GROUP BY ALL of aggregates alone is one group, of no rows too.
decide
SELECT COUNT(*), SUM(v) FROM s GROUP BY ALL
----
SELECT COUNT(*), SUM(v) FROM s
----
equivalent

decide
SELECT COUNT(*), SUM(v) FROM s GROUP BY ALL
----
SELECT COUNT(*), COALESCE(SUM(v), 0) FROM s GROUP BY ALL
----
not_equivalent

# GROUP BY ALL by an expression.
decide
SELECT a + v AS k, COUNT(*) FROM s GROUP BY ALL
----
SELECT a + v, COUNT(*) FROM s GROUP BY a + v
----
equivalent

decide
SELECT a + v AS k, COUNT(*) FROM s GROUP BY ALL
----
SELECT a + v, COUNT(*) FROM s GROUP BY a, v
----
not_equivalent

# GROUP BY ALL with HAVING.
decide
SELECT kind, COUNT(*) AS n FROM s GROUP BY ALL HAVING n > 1
----
SELECT kind, COUNT(*) FROM s GROUP BY kind HAVING COUNT(*) >= 2
----
equivalent

decide
SELECT kind, COUNT(*) AS n FROM s GROUP BY ALL HAVING n > 1
----
SELECT kind, COUNT(*) FROM s GROUP BY kind HAVING COUNT(*) > 2
----
not_equivalent

# GROUP BY ALL with a constant column.
decide
SELECT 'all', kind, MAX(v) FROM s GROUP BY ALL
----
SELECT 'all', kind, MAX(v) FROM s GROUP BY kind
----
equivalent

decide
SELECT 'all', kind, MAX(v) FROM s GROUP BY ALL
----
SELECT 'all', kind, MIN(v) FROM s GROUP BY kind
----
not_equivalent

# GROUP BY ALL and ORDER BY ALL.
decide
SELECT kind, COUNT(*) FROM s GROUP BY ALL ORDER BY ALL
----
SELECT kind, COUNT(*) FROM s GROUP BY kind ORDER BY kind
----
equivalent

decide
SELECT kind, COUNT(*) FROM s GROUP BY ALL ORDER BY ALL
----
SELECT kind, COUNT(*) FROM s GROUP BY kind ORDER BY COUNT(*)
----
not_equivalent

# ORDER BY ALL DESC.
decide
SELECT a, v FROM s ORDER BY ALL DESC
----
SELECT a, v FROM s ORDER BY a DESC, v DESC
----
equivalent

decide
SELECT a, v FROM s ORDER BY ALL DESC
----
SELECT a, v FROM s ORDER BY a DESC, v
----
not_equivalent

# ORDER BY ALL with NULL first.
decide
SELECT a, v FROM s ORDER BY ALL NULLS FIRST
----
SELECT a, v FROM s ORDER BY a NULLS FIRST, v NULLS FIRST
----
equivalent

decide
SELECT a, v FROM s ORDER BY ALL NULLS FIRST
----
SELECT a, v FROM s ORDER BY ALL
----
not_equivalent

# ORDER BY ALL of a key needs no more columns.
decide
SELECT id, v FROM s ORDER BY ALL
----
SELECT id, v FROM s ORDER BY id
----
equivalent

decide
SELECT id, v FROM s ORDER BY ALL
----
SELECT id, v FROM s ORDER BY v, id
----
not_equivalent

# ORDER BY COLUMNS(*) is ORDER BY ALL.
decide
SELECT a, v FROM s ORDER BY COLUMNS(*)
----
SELECT a, v FROM s ORDER BY a, v
----
equivalent

decide
SELECT a, v FROM s ORDER BY COLUMNS(*)
----
SELECT a, v FROM s ORDER BY v, a
----
not_equivalent

# ORDER BY ALL of a set operation.
decide
SELECT a FROM s UNION SELECT v FROM s ORDER BY ALL
----
SELECT v FROM s UNION SELECT a FROM s ORDER BY 1
----
equivalent

decide
SELECT a FROM s UNION SELECT v FROM s ORDER BY ALL
----
SELECT v FROM s UNION SELECT a FROM s ORDER BY 1 DESC
----
not_equivalent

# QUALIFY with a rank.
decide
SELECT id FROM s QUALIFY RANK() OVER (ORDER BY v DESC) = 1
----
SELECT id FROM (SELECT id, RANK() OVER (ORDER BY v DESC) AS k FROM s) WHERE k = 1
----
equivalent

decide
SELECT id FROM s QUALIFY RANK() OVER (ORDER BY v DESC) = 1
----
SELECT id FROM (SELECT id, RANK() OVER (ORDER BY v) AS k FROM s) WHERE k = 1
----
not_equivalent

# QUALIFY names a result column.
decide
SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id) AS k FROM s QUALIFY k <= 2
----
SELECT id, k FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id) AS k FROM s) WHERE k <= 2
----
equivalent

decide
SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id) AS k FROM s QUALIFY k <= 2
----
SELECT id, k FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id) AS k FROM s) WHERE k < 2
----
not_equivalent

# QUALIFY comes after WHERE.
decide
SELECT id FROM s WHERE v > 0 QUALIFY COUNT(*) OVER (PARTITION BY kind) > 1
----
SELECT id FROM (SELECT id, COUNT(*) OVER (PARTITION BY kind) AS n FROM s WHERE v > 0) WHERE n > 1
----
equivalent

decide
SELECT id FROM s WHERE v > 0 QUALIFY COUNT(*) OVER (PARTITION BY kind) > 1
----
SELECT id FROM (SELECT id, v, COUNT(*) OVER (PARTITION BY kind) AS n FROM s) WHERE n > 1 AND v > 0
----
not_equivalent

# QUALIFY over groups.
decide
SELECT kind, SUM(v) AS total FROM s GROUP BY kind QUALIFY RANK() OVER (ORDER BY total DESC) = 1
----
SELECT kind, total FROM (SELECT kind, total, RANK() OVER (ORDER BY total DESC) AS k FROM (SELECT kind, SUM(v) AS total FROM s GROUP BY kind)) WHERE k = 1
----
equivalent

decide
SELECT kind, SUM(v) AS total FROM s GROUP BY kind QUALIFY RANK() OVER (ORDER BY total DESC) = 1
----
SELECT kind, SUM(v) AS total FROM s GROUP BY kind QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) = 1
----
not_equivalent

# QUALIFY with a named window.
decide
SELECT id FROM s WINDOW k AS (PARTITION BY kind ORDER BY id) QUALIFY ROW_NUMBER() OVER k = 1
----
SELECT id FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id) = 1
----
equivalent

decide
SELECT id FROM s WINDOW k AS (PARTITION BY kind ORDER BY id) QUALIFY ROW_NUMBER() OVER k = 1
----
SELECT id FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY kind ORDER BY id DESC) = 1
----
not_equivalent

# QUALIFY before ORDER BY and LIMIT.
decide
SELECT id, v FROM s QUALIFY v = MAX(v) OVER () ORDER BY id LIMIT 1
----
SELECT id, v FROM s WHERE v = (SELECT MAX(v) FROM s) ORDER BY id LIMIT 1
----
equivalent

decide
SELECT id, v FROM s QUALIFY v = MAX(v) OVER () ORDER BY id LIMIT 1
----
SELECT id, v FROM s WHERE v = (SELECT MIN(v) FROM s) ORDER BY id LIMIT 1
----
not_equivalent

# The first row of each key by DISTINCT ON.
decide
SELECT DISTINCT ON (kind) kind, id FROM s ORDER BY kind, id DESC
----
SELECT kind, MAX(id) FROM s GROUP BY kind ORDER BY kind
----
equivalent

decide
SELECT DISTINCT ON (kind) kind, id FROM s ORDER BY kind, id DESC
----
SELECT kind, MIN(id) FROM s GROUP BY kind ORDER BY kind
----
not_equivalent

# DISTINCT ON a key of the table removes nothing.
decide
SELECT DISTINCT ON (id) id, v FROM s
----
SELECT id, v FROM s
----
equivalent

decide
SELECT DISTINCT ON (id) id, v FROM s
----
SELECT DISTINCT v, v FROM s
----
not_equivalent

# FILTER counts some of the rows.
decide
SELECT kind, COUNT(*) FILTER (WHERE v > 1) FROM s GROUP BY ALL
----
SELECT kind, COUNT(CASE WHEN v > 1 THEN 1 END) FROM s GROUP BY kind
----
equivalent

decide
SELECT kind, COUNT(*) FILTER (WHERE v > 1) FROM s GROUP BY ALL
----
SELECT kind, COUNT(*) FROM s WHERE v > 1 GROUP BY kind
----
not_equivalent

# FILTER without WHERE.
decide
SELECT SUM(v) FILTER (kind = 'x') FROM s
----
SELECT SUM(CASE WHEN kind = 'x' THEN v END) FROM s
----
equivalent

decide
SELECT SUM(v) FILTER (kind = 'x') FROM s
----
SELECT SUM(CASE WHEN kind = 'x' THEN v ELSE 0 END) FROM s
----
not_equivalent

# COUNT_IF is a sum: of no rows, or of NULL alone, it is NULL.
decide
SELECT COUNT_IF(v > 1) FROM s
----
SELECT SUM(CAST(v > 1 AS INTEGER)) FROM s
----
equivalent

decide
SELECT COUNT_IF(v > 1) FROM s
----
SELECT COUNT(*) FILTER (WHERE v > 1) FROM s
----
not_equivalent

# COUNT_IF of what is never NULL, by group.
decide
SELECT kind, COUNT_IF(id > 3) FROM s GROUP BY kind
----
SELECT kind, COUNT(*) FILTER (WHERE id > 3) FROM s GROUP BY kind
----
equivalent

decide
SELECT kind, COUNT_IF(id > 3) FROM s GROUP BY kind
----
SELECT kind, COUNT(*) FROM s WHERE id > 3 GROUP BY kind
----
not_equivalent

# A sum needs no order.
decide
SELECT SUM(v ORDER BY id) FROM s
----
SELECT SUM(v) FROM s
----
equivalent

decide
SELECT SUM(v ORDER BY id) FROM s
----
SELECT SUM(DISTINCT v) FROM s
----
not_equivalent

# A maximum needs none either.
decide
SELECT kind, MAX(v ORDER BY w DESC) FROM s GROUP BY kind
----
SELECT kind, MAX(v) FROM s GROUP BY kind
----
equivalent

decide
SELECT kind, MAX(v ORDER BY w DESC) FROM s GROUP BY kind
----
SELECT kind, MAX(w) FROM s GROUP BY kind
----
not_equivalent

# BOOL_OR is whether there is one.
decide
SELECT kind, BOOL_OR(v > 1) FROM s WHERE v IS NOT NULL GROUP BY kind
----
SELECT kind, COUNT(*) FILTER (WHERE v > 1) > 0 FROM s WHERE v IS NOT NULL GROUP BY kind
----
undecided NO_PROOF

decide
SELECT kind, BOOL_OR(v > 1) FROM s WHERE v IS NOT NULL GROUP BY kind
----
SELECT kind, BOOL_AND(v > 1) FROM s WHERE v IS NOT NULL GROUP BY kind
----
not_equivalent

# ROLLUP adds a row for all.
decide
SELECT kind, COUNT(*) FROM s GROUP BY ROLLUP (kind)
----
SELECT kind, COUNT(*) FROM s GROUP BY kind UNION ALL SELECT NULL, COUNT(*) FROM s
----
equivalent

decide
SELECT kind, COUNT(*) FROM s GROUP BY ROLLUP (kind)
----
SELECT kind, COUNT(*) FROM s GROUP BY kind
----
not_equivalent

# GROUPING SETS are groupings one after another.
decide
SELECT kind, a, SUM(v) FROM s GROUP BY GROUPING SETS ((kind), (a))
----
SELECT kind, NULL AS a, SUM(v) FROM s GROUP BY kind UNION ALL SELECT NULL, a, SUM(v) FROM s GROUP BY a
----
equivalent

decide
SELECT kind, a, SUM(v) FROM s GROUP BY GROUPING SETS ((kind), (a))
----
SELECT kind, a, SUM(v) FROM s GROUP BY kind, a
----
not_equivalent

# CUBE of one key is ROLLUP.
decide
SELECT a, MAX(v) FROM s GROUP BY CUBE (a)
----
SELECT a, MAX(v) FROM s GROUP BY ROLLUP (a)
----
equivalent

decide
SELECT a, MAX(v) FROM s GROUP BY CUBE (a)
----
SELECT a, MIN(v) FROM s GROUP BY ROLLUP (a)
----
not_equivalent

# A condition on the count of distinct values.
decide
SELECT a FROM s GROUP BY a HAVING COUNT(DISTINCT kind) = 1
----
SELECT a FROM s GROUP BY a HAVING MIN(kind) = MAX(kind)
----
equivalent

decide
SELECT a FROM s GROUP BY a HAVING COUNT(DISTINCT kind) = 1
----
SELECT a FROM s GROUP BY a HAVING COUNT(kind) = 1
----
not_equivalent

# A share of the whole.
decide
SELECT kind, SUM(v) * 1.0 / SUM(SUM(v)) OVER () FROM s GROUP BY ALL
----
SELECT kind, SUM(v) / SUM(SUM(v)) OVER () FROM s GROUP BY kind
----
equivalent

decide
SELECT kind, SUM(v) * 1.0 / SUM(SUM(v)) OVER () FROM s GROUP BY ALL
----
SELECT kind, SUM(v) // SUM(SUM(v)) OVER () FROM s GROUP BY kind
----
not_equivalent

# GROUP BY ALL groups by what is no aggregate, wherever that stands.
decide
SELECT list(a), id FROM t GROUP BY ALL
----
SELECT list(a), id FROM t GROUP BY id
----
equivalent

# The rows that grouping sets read are one subquery's, chosen once.
decide tiers=proof
SELECT kind, SUM(v) FROM (SELECT kind, v FROM s ORDER BY v, id LIMIT 3) AS f GROUP BY ROLLUP (kind)
----
WITH f AS (SELECT kind, v FROM s ORDER BY v, id LIMIT 3) SELECT kind, SUM(v) FROM f GROUP BY kind UNION ALL SELECT NULL, SUM(v) FROM f
----
equivalent

decide
SELECT kind, SUM(v) FROM (SELECT kind, v FROM s WHERE a > 1 UNION ALL SELECT kind, w FROM s) AS f GROUP BY ROLLUP (kind)
----
SELECT kind, SUM(v) FROM (SELECT kind, v FROM s WHERE a > 1 UNION SELECT kind, w FROM s) AS f GROUP BY ROLLUP (kind)
----
not_equivalent
