# PIVOT, UNPIVOT, UNION BY NAME, lists and functions of few rows.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER CHECK (x > 0));
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER, kind VARCHAR, v INTEGER, w INTEGER);

# PIVOT is an aggregate for each value.
decide
PIVOT s ON kind IN ('x', 'y') USING SUM(v) GROUP BY a
----
SELECT a, SUM(CASE WHEN kind = 'x' THEN v END), SUM(CASE WHEN kind = 'y' THEN v END) FROM s GROUP BY a
----
equivalent

decide
PIVOT s ON kind IN ('x', 'y') USING SUM(v) GROUP BY a
----
SELECT a, SUM(CASE WHEN kind = 'x' THEN v ELSE 0 END), SUM(CASE WHEN kind = 'y' THEN v ELSE 0 END) FROM s GROUP BY a
----
not_equivalent

# PIVOT groups by what it does not name.
decide
PIVOT (SELECT a, kind, v FROM s) ON kind IN ('x') USING MAX(v)
----
SELECT a, MAX(v) FILTER (WHERE kind = 'x') FROM s GROUP BY a
----
equivalent

decide
PIVOT (SELECT a, kind, v FROM s) ON kind IN ('x') USING MAX(v)
----
SELECT a, MAX(v) FROM s WHERE kind = 'x' GROUP BY a
----
not_equivalent

# PIVOT that counts.
decide
PIVOT s ON kind IN ('x', 'y') USING COUNT(*) GROUP BY a
----
SELECT a, COUNT(*) FILTER (kind = 'x'), COUNT(*) FILTER (kind = 'y') FROM s GROUP BY a
----
equivalent

decide
PIVOT s ON kind IN ('x', 'y') USING COUNT(*) GROUP BY a
----
SELECT a, COUNT(*) FILTER (kind = 'x'), COUNT(*) FROM s GROUP BY a
----
not_equivalent

# PIVOT on integers.
decide
PIVOT s ON a IN (1, 2) USING SUM(v) GROUP BY kind
----
SELECT kind, SUM(v) FILTER (a = 1), SUM(v) FILTER (a = 2) FROM s GROUP BY kind
----
equivalent

decide
PIVOT s ON a IN (1, 2) USING SUM(v) GROUP BY kind
----
SELECT kind, SUM(v) FILTER (a = 2), SUM(v) FILTER (a = 1) FROM s GROUP BY kind
----
not_equivalent

# PIVOT in SQL's own words.
decide
FROM s PIVOT (SUM(v) FOR kind IN ('x', 'y') GROUP BY a)
----
PIVOT s ON kind IN ('x', 'y') USING SUM(v) GROUP BY a
----
equivalent

decide
FROM s PIVOT (SUM(v) FOR kind IN ('x', 'y') GROUP BY a)
----
FROM s PIVOT (SUM(w) FOR kind IN ('x', 'y') GROUP BY a)
----
not_equivalent

# PIVOT with names for its values, read by these.
decide
SELECT a, ex FROM (PIVOT s ON kind IN ('x' AS ex, 'y') USING SUM(v) GROUP BY a)
----
SELECT a, SUM(v) FILTER (kind = 'x') FROM s GROUP BY a
----
equivalent

decide
SELECT a, ex FROM (PIVOT s ON kind IN ('x' AS ex, 'y') USING SUM(v) GROUP BY a)
----
SELECT a, SUM(v) FILTER (kind = 'y') FROM s GROUP BY a
----
not_equivalent

# PIVOT with two aggregates.
decide
PIVOT s ON kind IN ('x') USING MIN(v) AS lo, MAX(v) AS hi GROUP BY a
----
SELECT a, MIN(v) FILTER (kind = 'x'), MAX(v) FILTER (kind = 'x') FROM s GROUP BY a
----
equivalent

decide
PIVOT s ON kind IN ('x') USING MIN(v) AS lo, MAX(v) AS hi GROUP BY a
----
SELECT a, MAX(v) FILTER (kind = 'x'), MIN(v) FILTER (kind = 'x') FROM s GROUP BY a
----
not_equivalent

# PIVOT on two columns.
decide
PIVOT s ON kind IN ('x'), a IN (1, 2) USING COUNT(*) GROUP BY w
----
SELECT w, COUNT(*) FILTER (kind = 'x' AND a = 1), COUNT(*) FILTER (kind = 'x' AND a = 2) FROM s GROUP BY w
----
equivalent

decide
PIVOT s ON kind IN ('x'), a IN (1, 2) USING COUNT(*) GROUP BY w
----
SELECT w, COUNT(*) FILTER (kind = 'x' OR a = 1), COUNT(*) FILTER (kind = 'x' OR a = 2) FROM s GROUP BY w
----
not_equivalent

# A condition on what PIVOT makes.
decide
SELECT a FROM (PIVOT s ON kind IN ('x') USING COUNT(*) AS n GROUP BY a) WHERE x_n > 1
----
SELECT a FROM s GROUP BY a HAVING COUNT(CASE WHEN kind = 'x' THEN 1 END) > 1
----
equivalent

decide
SELECT a FROM (PIVOT s ON kind IN ('x') USING COUNT(*) AS n GROUP BY a) WHERE x_n > 1
----
SELECT a FROM s GROUP BY a HAVING COUNT(*) > 1
----
not_equivalent

# UNPIVOT makes rows of columns, without NULL.
decide
UNPIVOT (SELECT id, v, w FROM s) ON v, w INTO NAME n VALUE k
----
SELECT id, 'v', v FROM s WHERE v IS NOT NULL UNION ALL SELECT id, 'w', w FROM s WHERE w IS NOT NULL
----
equivalent

decide
UNPIVOT (SELECT id, v, w FROM s) ON v, w INTO NAME n VALUE k
----
SELECT id, 'v', v FROM s UNION ALL SELECT id, 'w', w FROM s
----
not_equivalent

# UNPIVOT with NULL.
decide
FROM (SELECT id, v, w FROM s) UNPIVOT INCLUDE NULLS (k FOR n IN (v, w))
----
SELECT id, 'v', v FROM s UNION ALL SELECT id, 'w', w FROM s
----
equivalent

decide
FROM (SELECT id, v, w FROM s) UNPIVOT INCLUDE NULLS (k FOR n IN (v, w))
----
FROM (SELECT id, v, w FROM s) UNPIVOT (k FOR n IN (v, w))
----
not_equivalent

# UNPIVOT of a table.
decide
SELECT id, k FROM s UNPIVOT (k FOR n IN (v, w)) WHERE n = 'v'
----
SELECT id, v FROM s WHERE v IS NOT NULL
----
equivalent

decide
SELECT id, k FROM s UNPIVOT (k FOR n IN (v, w)) WHERE n = 'v'
----
SELECT id, w FROM s WHERE w IS NOT NULL
----
not_equivalent

# A sum over what UNPIVOT makes.
decide
SELECT SUM(k) FROM s UNPIVOT (k FOR n IN (v))
----
SELECT SUM(v) FROM s
----
equivalent

decide
SELECT SUM(k) FROM s UNPIVOT (k FOR n IN (v))
----
SELECT SUM(v + w) FROM s
----
not_equivalent

# UNION BY NAME finds columns by their names.
decide
SELECT a, v FROM s UNION ALL BY NAME SELECT v, a FROM s
----
SELECT a, v FROM s UNION ALL SELECT a, v FROM s
----
equivalent

decide
SELECT a, v FROM s UNION ALL BY NAME SELECT v, a FROM s
----
SELECT a, v FROM s UNION ALL SELECT v, a FROM s
----
not_equivalent

# UNION BY NAME has NULL for a column that one side lacks.
decide
SELECT id, v FROM s UNION ALL BY NAME SELECT id FROM u
----
SELECT id, v FROM s UNION ALL SELECT id, NULL FROM u
----
equivalent

decide
SELECT id, v FROM s UNION ALL BY NAME SELECT id FROM u
----
SELECT id, v FROM s UNION ALL SELECT id, 0 FROM u
----
not_equivalent

# UNION BY NAME removes duplicates.
decide
SELECT a AS k FROM s UNION BY NAME SELECT v AS k FROM s
----
SELECT a FROM s UNION SELECT v FROM s
----
equivalent

decide
SELECT a AS k FROM s UNION BY NAME SELECT v AS k FROM s
----
SELECT a AS k FROM s UNION ALL BY NAME SELECT v AS k FROM s
----
not_equivalent

# UNION BY NAME of three.
decide
SELECT a FROM s UNION ALL BY NAME SELECT v FROM s UNION ALL BY NAME SELECT a, v FROM s
----
SELECT a, NULL AS v FROM s UNION ALL SELECT NULL, v FROM s UNION ALL SELECT a, v FROM s
----
equivalent

decide
SELECT a FROM s UNION ALL BY NAME SELECT v FROM s UNION ALL BY NAME SELECT a, v FROM s
----
SELECT a, NULL AS v FROM s UNION ALL SELECT NULL, w FROM s UNION ALL SELECT a, v FROM s
----
not_equivalent

# EXCEPT ALL counts.
decide
SELECT a FROM s EXCEPT ALL SELECT a FROM s
----
SELECT a FROM s WHERE 1 = 0
----
undecided NO_PROOF

decide
SELECT a FROM s EXCEPT ALL SELECT a FROM s
----
SELECT a FROM s EXCEPT ALL SELECT DISTINCT a FROM s
----
not_equivalent

# A list of constants contains what IN finds.
decide
SELECT id FROM s WHERE list_contains([1, 2], v)
----
SELECT id FROM s WHERE v IN (1, 2)
----
equivalent

decide
SELECT id FROM s WHERE list_contains([1, 2], v)
----
SELECT id FROM s WHERE v BETWEEN 1 AND 3
----
not_equivalent

# A list contains no NULL, and what it lacks is known to be lacking.
decide
SELECT id FROM s WHERE NOT list_contains([1, NULL], v)
----
SELECT id FROM s WHERE v <> 1
----
equivalent

decide
SELECT id FROM s WHERE NOT list_contains([1, NULL], v)
----
SELECT id FROM s WHERE v NOT IN (1, NULL)
----
not_equivalent

# IN of a list.
decide
SELECT id FROM s WHERE kind IN ['x', 'y']
----
SELECT id FROM s WHERE kind = 'x' OR kind = 'y'
----
equivalent

decide
SELECT id FROM s WHERE kind IN ['x', 'y']
----
SELECT id FROM s WHERE kind = 'x'
----
not_equivalent

# NOT IN of a list.
decide
SELECT id FROM s WHERE v NOT IN [1, 2]
----
SELECT id FROM s WHERE v <> 1 AND v <> 2
----
equivalent

decide
SELECT id FROM s WHERE v NOT IN [1, 2]
----
SELECT id FROM s WHERE v <> 1 OR v <> 2
----
not_equivalent

# UNNEST of a list of constants is VALUES.
decide
SELECT s.id, k FROM s JOIN unnest([1, 2]) AS l (k) ON s.v = k
----
SELECT id, v FROM s WHERE v IN (1, 2)
----
equivalent

decide
SELECT s.id, k FROM s JOIN unnest([1, 2]) AS l (k) ON s.v = k
----
SELECT id, v FROM s WHERE v = 1
----
not_equivalent

# RANGE leaves its end out.
decide
SELECT id FROM s WHERE v IN (SELECT * FROM range(1, 4))
----
SELECT id FROM s WHERE v IN (1, 2, 3)
----
equivalent

decide
SELECT id FROM s WHERE v IN (SELECT * FROM range(1, 4))
----
SELECT id FROM s WHERE v BETWEEN 1 AND 4
----
not_equivalent

# GENERATE_SERIES does not.
decide
SELECT id FROM s WHERE v IN (SELECT * FROM generate_series(1, 2))
----
SELECT id FROM s WHERE v BETWEEN 1 AND 2
----
equivalent

decide
SELECT id FROM s WHERE v IN (SELECT * FROM generate_series(1, 2))
----
SELECT id FROM s WHERE v IN (SELECT * FROM range(1, 2))
----
not_equivalent

# RANGE with a step.
decide
SELECT * FROM range(0, 10, 5)
----
SELECT * FROM (VALUES (5), (0))
----
equivalent

decide
SELECT * FROM range(0, 10, 5)
----
SELECT * FROM range(0, 11, 5)
----
not_equivalent

# A calendar of few rows, outer joined.
decide
SELECT k.n, COUNT(s.id) FROM range(1, 3) AS k (n) LEFT JOIN s ON s.v = k.n GROUP BY ALL
----
SELECT k.n, COUNT(s.id) FROM (VALUES (1), (2)) AS k (n) LEFT JOIN s ON s.v = k.n GROUP BY k.n
----
equivalent

decide
SELECT k.n, COUNT(s.id) FROM range(1, 3) AS k (n) LEFT JOIN s ON s.v = k.n GROUP BY ALL
----
SELECT k.n, COUNT(*) FROM (VALUES (1), (2)) AS k (n) LEFT JOIN s ON s.v = k.n GROUP BY k.n
----
not_equivalent
