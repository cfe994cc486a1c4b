# SEMI, ANTI, ASOF and LATERAL joins, row values, subqueries.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER CHECK (x > 0));
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER, kind VARCHAR, v INTEGER, w INTEGER);

# A SEMI join by USING.
decide
SELECT s.id FROM s SEMI JOIN (SELECT x AS v FROM u) k USING (v)
----
SELECT id FROM s WHERE v IN (SELECT x FROM u)
----
equivalent

decide
SELECT s.id FROM s SEMI JOIN (SELECT x AS v FROM u) k USING (v)
----
SELECT s.id FROM s JOIN (SELECT x AS v FROM u) k USING (v)
----
not_equivalent

# A SEMI join with a condition on its own side.
decide
SELECT t.id FROM t SEMI JOIN u ON u.t_id = t.id AND u.x > 3
----
SELECT id FROM t WHERE id IN (SELECT t_id FROM u WHERE x > 3)
----
equivalent

decide
SELECT t.id FROM t SEMI JOIN u ON u.t_id = t.id AND u.x > 3
----
SELECT id FROM t WHERE id IN (SELECT t_id FROM u)
----
not_equivalent

# A SEMI join by an inequality.
decide
SELECT id FROM t SEMI JOIN (SELECT x FROM u) k ON k.x > t.a
----
SELECT id FROM t WHERE a < (SELECT MAX(x) FROM u)
----
equivalent

decide
SELECT id FROM t SEMI JOIN (SELECT x FROM u) k ON k.x > t.a
----
SELECT id FROM t WHERE a < (SELECT MIN(x) FROM u)
----
not_equivalent

# A SEMI join on a foreign key keeps each row.
decide
SELECT u.id FROM u SEMI JOIN t ON t.id = u.t_id
----
SELECT id FROM u
----
equivalent

decide
SELECT u.id FROM u SEMI JOIN t ON t.id = u.t_id
----
SELECT u.id FROM u ANTI JOIN t ON t.id = u.t_id
----
not_equivalent

# An ANTI join on a foreign key keeps none.
decide
SELECT u.id FROM u ANTI JOIN t ON t.id = u.t_id
----
SELECT id FROM u WHERE 1 = 0
----
equivalent

decide
SELECT u.id FROM u ANTI JOIN t ON t.id = u.t_id
----
SELECT u.id FROM u ANTI JOIN t ON t.a = u.t_id
----
not_equivalent

# An ANTI join is NOT EXISTS.
decide
SELECT id FROM s ANTI JOIN u ON u.x = s.v
----
SELECT id FROM s WHERE NOT EXISTS (FROM u WHERE u.x = s.v)
----
equivalent

decide
SELECT id FROM s ANTI JOIN u ON u.x = s.v
----
SELECT id FROM s WHERE v NOT IN (SELECT x FROM u)
----
not_equivalent

# An ANTI join is NOT IN where no NULL can be.
decide
SELECT t.id FROM t ANTI JOIN u ON u.t_id = t.id
----
SELECT id FROM t WHERE id NOT IN (SELECT t_id FROM u)
----
equivalent

decide
SELECT t.id FROM t ANTI JOIN u ON u.t_id = t.id
----
SELECT id FROM t WHERE a NOT IN (SELECT t_id FROM u)
----
not_equivalent

# An ANTI join is what EXCEPT leaves of distinct rows.
decide
SELECT id FROM t ANTI JOIN (SELECT t_id FROM u) k ON k.t_id = t.id
----
SELECT id FROM t EXCEPT SELECT t_id FROM u
----
equivalent

decide
SELECT id FROM t ANTI JOIN (SELECT t_id FROM u) k ON k.t_id = t.id
----
SELECT id FROM t INTERSECT SELECT t_id FROM u
----
not_equivalent

# SEMI and ANTI joins one after another.
decide
SELECT t.id FROM t SEMI JOIN u ON u.t_id = t.id ANTI JOIN s ON s.a = t.id
----
SELECT id FROM t WHERE id IN (SELECT t_id FROM u) AND NOT EXISTS (FROM s WHERE s.a = t.id)
----
equivalent

decide
SELECT t.id FROM t SEMI JOIN u ON u.t_id = t.id ANTI JOIN s ON s.a = t.id
----
SELECT id FROM t WHERE id IN (SELECT t_id FROM u) OR NOT EXISTS (FROM s WHERE s.a = t.id)
----
not_equivalent

# NATURAL JOIN by the one name that both have.
decide
SELECT k.a, k.v FROM (SELECT a, v FROM s) k NATURAL JOIN (SELECT a FROM t) l
----
SELECT s.a, s.v FROM s JOIN t ON s.a = t.a
----
equivalent

decide
SELECT k.a, k.v FROM (SELECT a, v FROM s) k NATURAL JOIN (SELECT a FROM t) l
----
SELECT s.a, s.v FROM s LEFT JOIN t ON s.a = t.a
----
not_equivalent

# LATERAL with a condition is a join.
decide
SELECT t.id, k.x FROM t, LATERAL (SELECT x FROM u WHERE u.t_id = t.id) k
----
SELECT t.id, u.x FROM t JOIN u ON u.t_id = t.id
----
equivalent

decide
SELECT t.id, k.x FROM t, LATERAL (SELECT x FROM u WHERE u.t_id = t.id) k
----
SELECT t.id, u.x FROM t LEFT JOIN u ON u.t_id = t.id
----
not_equivalent

# LATERAL without its word.
decide
SELECT t.id, k.x FROM t, (SELECT x FROM u WHERE u.t_id = t.id AND x > 1) k
----
SELECT t.id, u.x FROM t, u WHERE u.t_id = t.id AND u.x > 1
----
equivalent

decide
SELECT t.id, k.x FROM t, (SELECT x FROM u WHERE u.t_id = t.id AND x > 1) k
----
SELECT t.id, u.x FROM t, u WHERE u.t_id = t.id OR u.x > 1
----
not_equivalent

# LATERAL with an aggregate is a subquery of one value.
decide
SELECT t.id, k.n FROM t, LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id) k
----
SELECT id, (SELECT COUNT(*) FROM u WHERE u.t_id = t.id) FROM t
----
equivalent

decide
SELECT t.id, k.n FROM t, LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id) k
----
SELECT t.id, COUNT(*) FROM t JOIN u ON u.t_id = t.id GROUP BY t.id
----
not_equivalent

# LEFT JOIN LATERAL with an aggregate.
decide
SELECT t.id, k.m FROM t LEFT JOIN LATERAL (SELECT MAX(x) AS m FROM u WHERE u.t_id = t.id) k ON true
----
SELECT t.id, MAX(u.x) FROM t LEFT JOIN u ON u.t_id = t.id GROUP BY t.id
----
equivalent

decide
SELECT t.id, k.m FROM t LEFT JOIN LATERAL (SELECT MAX(x) AS m FROM u WHERE u.t_id = t.id) k ON true
----
SELECT t.id, MAX(u.x) FROM t JOIN u ON u.t_id = t.id GROUP BY t.id
----
not_equivalent

# LATERAL that computes alone.
decide
SELECT id, k.twice FROM s, LATERAL (SELECT s.v * 2 AS twice) k WHERE k.twice > 4
----
SELECT id, v * 2 FROM s WHERE v * 2 > 4
----
equivalent

decide
SELECT id, k.twice FROM s, LATERAL (SELECT s.v * 2 AS twice) k WHERE k.twice > 4
----
SELECT id, v * 2 FROM s WHERE v > 4
----
not_equivalent

# ASOF takes the nearest row at or before.
decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v >= t.id
----
SELECT s.id, t.id FROM s JOIN t ON t.id = (SELECT MAX(k.id) FROM t k WHERE k.id <= s.v)
----
equivalent

decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v >= t.id
----
SELECT s.id, t.id FROM s JOIN t ON s.v >= t.id
----
not_equivalent

# ASOF by a strict inequality.
decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v > t.id
----
SELECT s.id, t.id FROM s JOIN t ON t.id = (SELECT MAX(k.id) FROM t k WHERE k.id < s.v)
----
equivalent

decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v > t.id
----
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v >= t.id
----
not_equivalent

# ASOF LEFT keeps rows without a partner.
decide
SELECT s.id, t.a FROM s ASOF LEFT JOIN t ON s.v >= t.id
----
SELECT s.id, t.a FROM s LEFT JOIN t ON t.id = (SELECT MAX(k.id) FROM t k WHERE k.id <= s.v)
----
equivalent

decide
SELECT s.id, t.a FROM s ASOF LEFT JOIN t ON s.v >= t.id
----
SELECT s.id, t.a FROM s ASOF JOIN t ON s.v >= t.id
----
not_equivalent

# ASOF the other way round takes the nearest row at or behind.
decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v <= t.id
----
SELECT s.id, t.id FROM s JOIN t ON t.id = (SELECT MIN(k.id) FROM t k WHERE k.id >= s.v)
----
equivalent

decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v <= t.id
----
SELECT s.id, t.id FROM s ASOF JOIN t ON s.v >= t.id
----
not_equivalent

# ASOF by an equality as well.
decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.a = t.a AND t.id <= s.v
----
SELECT s.id, t.id FROM s JOIN t ON s.a = t.a AND t.id = (SELECT MAX(k.id) FROM t k WHERE k.a = s.a AND k.id <= s.v)
----
equivalent

decide
SELECT s.id, t.id FROM s ASOF JOIN t ON s.a = t.a AND t.id <= s.v
----
SELECT s.id, t.id FROM s ASOF JOIN t ON t.id <= s.v WHERE s.a = t.a
----
not_equivalent

# A row is a value: NULL equals NULL in it.
decide
SELECT id FROM s WHERE (a, v) = (1, 2)
----
SELECT id FROM s WHERE a = 1 AND v = 2
----
equivalent

decide
SELECT id FROM s WHERE (a, v) = (1, 2)
----
SELECT id FROM s WHERE a = 1 OR v = 2
----
not_equivalent

# Two rows with NULL in the same place are equal.
decide
SELECT s.id, t.id FROM s JOIN t ON (s.a, s.v) = (t.a, t.b)
----
SELECT s.id, t.id FROM s JOIN t ON s.a IS NOT DISTINCT FROM t.a AND s.v IS NOT DISTINCT FROM t.b
----
equivalent

decide
SELECT s.id, t.id FROM s JOIN t ON (s.a, s.v) = (t.a, t.b)
----
SELECT s.id, t.id FROM s JOIN t ON s.a = t.a AND s.v = t.b
----
not_equivalent

# Rows differ where one value differs.
decide
SELECT id FROM s WHERE (a, v) <> (w, v)
----
SELECT id FROM s WHERE a IS DISTINCT FROM w
----
equivalent

decide
SELECT id FROM s WHERE (a, v) <> (w, v)
----
SELECT id FROM s WHERE a <> w
----
not_equivalent

# Rows are ordered by their first values that differ, NULL last.
decide
SELECT id FROM s WHERE (a, id) > (1, 2)
----
SELECT id FROM s WHERE a > 1 OR a IS NULL OR (a = 1 AND id > 2)
----
equivalent

decide
SELECT id FROM s WHERE (a, id) > (1, 2)
----
SELECT id FROM s WHERE a > 1 OR (a = 1 AND id > 2)
----
not_equivalent

# A row before another holds no NULL first.
decide
SELECT id FROM s WHERE (a, id) <= (1, 2)
----
SELECT id FROM s WHERE a < 1 OR (a = 1 AND id <= 2)
----
equivalent

decide
SELECT id FROM s WHERE (a, id) <= (1, 2)
----
SELECT id FROM s WHERE a <= 1 AND id <= 2
----
not_equivalent

# IN of rows.
decide
SELECT id FROM s WHERE (a, kind) IN ((1, 'x'), (2, 'y'))
----
SELECT id FROM s WHERE (a = 1 AND kind = 'x') OR (a = 2 AND kind = 'y')
----
equivalent

decide
SELECT id FROM s WHERE (a, kind) IN ((1, 'x'), (2, 'y'))
----
SELECT id FROM s WHERE a IN (1, 2) AND kind IN ('x', 'y')
----
not_equivalent

# IN of rows with NULL.
decide
SELECT id FROM s WHERE (a, v) IN ((1, NULL))
----
SELECT id FROM s WHERE a = 1 AND v IS NULL
----
equivalent

decide
SELECT id FROM s WHERE (a, v) IN ((1, NULL))
----
SELECT id FROM s WHERE a = 1 AND v = NULL
----
not_equivalent

# Of a subquery a row with NULL is not known to be a member.
decide
SELECT id FROM s WHERE (a, v) IN (SELECT t_id, x FROM u)
----
SELECT id FROM s WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = s.a AND u.x = s.v)
----
equivalent

decide
SELECT id FROM s WHERE (a, v) IN (SELECT t_id, x FROM u)
----
SELECT id FROM s WHERE a IN (SELECT t_id FROM u) AND v IN (SELECT x FROM u)
----
not_equivalent

# NOT IN of a subquery of rows.
decide
SELECT id FROM s WHERE (a, v) NOT IN (SELECT t_id, x FROM u WHERE x IS NOT NULL) AND a IS NOT NULL AND v IS NOT NULL
----
SELECT id FROM s WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = s.a AND u.x = s.v) AND a IS NOT NULL AND v IS NOT NULL
----
equivalent

decide
SELECT id FROM s WHERE (a, v) NOT IN (SELECT t_id, x FROM u WHERE x IS NOT NULL) AND a IS NOT NULL AND v IS NOT NULL
----
SELECT id FROM s WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = s.a AND u.x = s.v)
----
not_equivalent

# EXISTS of FROM alone.
decide
SELECT id FROM t WHERE EXISTS (FROM u WHERE u.t_id = t.id AND u.x > t.a)
----
SELECT id FROM t WHERE a < (SELECT MAX(x) FROM u WHERE u.t_id = t.id)
----
equivalent

decide
SELECT id FROM t WHERE EXISTS (FROM u WHERE u.t_id = t.id AND u.x > t.a)
----
SELECT id FROM t WHERE a < (SELECT MIN(x) FROM u WHERE u.t_id = t.id)
----
not_equivalent

# A table of a WITH before one of the schema.
decide
WITH t AS (SELECT id, x AS a FROM u) SELECT a FROM t WHERE a > 2
----
SELECT x FROM u WHERE x > 2
----
equivalent

decide
WITH t AS (SELECT id, x AS a FROM u) SELECT a FROM t WHERE a > 2
----
SELECT a FROM t WHERE a > 2
----
not_equivalent

# A WITH that is materialised.
decide
WITH k AS MATERIALIZED (FROM s WHERE v > 1) SELECT k.id FROM k JOIN k AS l ON k.id = l.id
----
SELECT id FROM s WHERE v > 1
----
equivalent

decide
WITH k AS MATERIALIZED (FROM s WHERE v > 1) SELECT k.id FROM k JOIN k AS l ON k.id = l.id
----
SELECT id FROM s WHERE v >= 1
----
not_equivalent

# What either side has of an equation, if one of them is there.
decide
SELECT t.a, u.x FROM t FULL JOIN u ON t.a = u.x WHERE COALESCE(u.x, t.a) >= 2
----
SELECT t.a, u.x FROM t FULL JOIN u ON t.a = u.x WHERE COALESCE(t.a, u.x) >= 2
----
equivalent

# The column that USING merges, a number beside a number.
decide
SELECT a FROM (SELECT a FROM t WHERE a > 1) AS x FULL JOIN (SELECT a FROM s WHERE a > 1) AS y USING (a)
----
SELECT a FROM t FULL JOIN s USING (a) WHERE a > 1
----
equivalent

decide
SELECT a FROM (SELECT a FROM t WHERE a > 1) AS x FULL JOIN s AS y USING (a)
----
SELECT a FROM t FULL JOIN s USING (a) WHERE a > 1
----
not_equivalent
