# Ways to say what is selected: FROM first, stars, COLUMNS, names of result columns.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), x INTEGER CHECK (x > 0));
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER, kind VARCHAR, v INTEGER, w INTEGER);

# FROM without SELECT shows every column.
decide
FROM u
----
SELECT id, t_id, x FROM u
----
equivalent

decide
FROM u
----
SELECT id, x, t_id FROM u
----
not_equivalent

# FROM first, with conditions behind SELECT.
decide
FROM t SELECT a WHERE b > 1 ORDER BY id
----
SELECT a FROM t WHERE b > 1 ORDER BY id
----
equivalent

decide
FROM t SELECT a WHERE b > 1 ORDER BY id
----
SELECT a FROM t WHERE b >= 1 ORDER BY id
----
not_equivalent

# FROM first with a join.
decide
FROM t JOIN u ON u.t_id = t.id SELECT t.a, u.x
----
SELECT t.a, u.x FROM u JOIN t ON u.t_id = t.id
----
equivalent

decide
FROM t JOIN u ON u.t_id = t.id SELECT t.a, u.x
----
SELECT t.a, u.x FROM t LEFT JOIN u ON u.t_id = t.id
----
not_equivalent

# FROM first in a subquery.
decide
SELECT id FROM t WHERE id IN (FROM u SELECT t_id)
----
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)
----
equivalent

decide
SELECT id FROM t WHERE id IN (FROM u SELECT t_id)
----
SELECT id FROM t WHERE id NOT IN (FROM u SELECT t_id)
----
not_equivalent

# FROM first as an operand.
decide
FROM u SELECT x UNION FROM t SELECT a
----
SELECT a FROM t UNION SELECT x FROM u
----
equivalent

decide
FROM u SELECT x UNION FROM t SELECT a
----
FROM u SELECT x UNION ALL FROM t SELECT a
----
not_equivalent

# EXCLUDE of one column.
decide
SELECT * EXCLUDE (x) FROM u
----
SELECT id, t_id FROM u
----
equivalent

decide
SELECT * EXCLUDE (x) FROM u
----
SELECT id, x FROM u
----
not_equivalent

# EXCLUDE of one side of a join.
decide
SELECT u.* EXCLUDE (t_id), t.a FROM u JOIN t ON t.id = u.t_id
----
SELECT u.id, u.x, t.a FROM u, t WHERE t.id = u.t_id
----
equivalent

decide
SELECT u.* EXCLUDE (t_id), t.a FROM u JOIN t ON t.id = u.t_id
----
SELECT u.id, u.x, t.b FROM u, t WHERE t.id = u.t_id
----
not_equivalent

# REPLACE may read other columns.
decide
SELECT * REPLACE (x * id AS x) FROM u
----
SELECT id, t_id, id * x FROM u
----
equivalent

decide
SELECT * REPLACE (x * id AS x) FROM u
----
SELECT id, t_id, x + id FROM u
----
not_equivalent

# REPLACE by COALESCE.
decide
SELECT * REPLACE (COALESCE(v, 0) AS v) FROM s
----
SELECT id, a, kind, CASE WHEN v IS NULL THEN 0 ELSE v END, w FROM s
----
equivalent

decide
SELECT * REPLACE (COALESCE(v, 0) AS v) FROM s
----
SELECT * FROM s
----
not_equivalent

# RENAME keeps values and order.
decide
SELECT * RENAME (x AS amount) FROM u
----
SELECT * FROM u
----
equivalent

decide
SELECT * RENAME (x AS amount) FROM u
----
SELECT * EXCLUDE (x) FROM u
----
not_equivalent

# A renamed column is read by its new name around.
decide
SELECT amount FROM (SELECT * RENAME (x AS amount) FROM u) WHERE amount > 3
----
SELECT x FROM u WHERE x > 3
----
equivalent

decide
SELECT amount FROM (SELECT * RENAME (x AS amount) FROM u) WHERE amount > 3
----
SELECT x FROM u WHERE x > 4
----
not_equivalent

# EXCLUDE and REPLACE together.
decide
SELECT * EXCLUDE (id) REPLACE (x + 1 AS x) FROM u
----
SELECT t_id, x + 1 FROM u
----
equivalent

decide
SELECT * EXCLUDE (id) REPLACE (x + 1 AS x) FROM u
----
SELECT t_id, x FROM u
----
not_equivalent

# USING shows its column once.
decide
SELECT * FROM u JOIN (SELECT id AS t_id, a FROM t) k USING (t_id)
----
SELECT u.id, u.t_id, u.x, t.a FROM u JOIN t ON t.id = u.t_id
----
equivalent

decide
SELECT * FROM u JOIN (SELECT id AS t_id, a FROM t) k USING (t_id)
----
SELECT u.id, u.t_id, u.x, t.b FROM u JOIN t ON t.id = u.t_id
----
not_equivalent

# COLUMNS with a regular expression.
decide
SELECT COLUMNS('^(v|w)$') FROM s
----
SELECT v, w FROM s
----
equivalent

decide
SELECT COLUMNS('^(v|w)$') FROM s
----
SELECT w, v FROM s
----
not_equivalent

# COLUMNS finds a part of a name.
decide
SELECT COLUMNS('i') FROM s
----
SELECT id, kind FROM s
----
equivalent

decide
SELECT COLUMNS('i') FROM s
----
SELECT id FROM s
----
not_equivalent

# COLUMNS with a list of names.
decide
SELECT COLUMNS(['v', 'w']) FROM s
----
SELECT v, w FROM s
----
equivalent

decide
SELECT COLUMNS(['v', 'w']) FROM s
----
SELECT v, v FROM s
----
not_equivalent

# COLUMNS with a lambda.
decide
SELECT COLUMNS(lambda c: c LIKE 'k%') FROM s
----
SELECT kind FROM s
----
equivalent

decide
SELECT COLUMNS(lambda c: c LIKE 'k%') FROM s
----
SELECT UPPER(kind) FROM s
----
not_equivalent

# A star that is filtered by names.
decide
SELECT * LIKE '%id' FROM u
----
SELECT id, t_id FROM u
----
equivalent

decide
SELECT * LIKE '%id' FROM u
----
SELECT t_id, id FROM u
----
not_equivalent

# A star without the names that match.
decide
SELECT * NOT LIKE '%id' FROM u
----
SELECT x FROM u
----
equivalent

decide
SELECT * NOT LIKE '%id' FROM u
----
SELECT x + 0.5 FROM u
----
not_equivalent

# An aggregate of each column.
decide
SELECT MIN(COLUMNS(*)) FROM u
----
SELECT MIN(id), MIN(t_id), MIN(x) FROM u
----
equivalent

decide
SELECT MIN(COLUMNS(*)) FROM u
----
SELECT MIN(id), MIN(t_id), MAX(x) FROM u
----
not_equivalent

# An expression of each column.
decide
SELECT COLUMNS(['v', 'w']) + 1 FROM s
----
SELECT v + 1, 1 + w FROM s
----
equivalent

decide
SELECT COLUMNS(['v', 'w']) + 1 FROM s
----
SELECT v + 1, w FROM s
----
not_equivalent

# COLUMNS twice in an expression is the same column twice.
decide
SELECT MAX(COLUMNS(['v', 'w'])) - MIN(COLUMNS(['v', 'w'])) FROM s
----
SELECT MAX(v) - MIN(v), MAX(w) - MIN(w) FROM s
----
equivalent

decide
SELECT MAX(COLUMNS(['v', 'w'])) - MIN(COLUMNS(['v', 'w'])) FROM s
----
SELECT MAX(v) - MIN(w), MAX(w) - MIN(v) FROM s
----
not_equivalent

# COLUMNS of all columns but one.
decide
SELECT SUM(COLUMNS(* EXCLUDE (id, kind))) FROM s
----
SELECT SUM(a), SUM(v), SUM(w) FROM s
----
equivalent

decide
SELECT SUM(COLUMNS(* EXCLUDE (id, kind))) FROM s
----
SELECT SUM(a), SUM(v), COUNT(w) FROM s
----
not_equivalent

# COUNT of each column passes over NULL.
decide
SELECT COUNT(COLUMNS(['v', 'w'])) FROM s
----
SELECT COUNT(v), COUNT(w) FROM s
----
equivalent

decide
SELECT COUNT(COLUMNS(['v', 'w'])) FROM s
----
SELECT COUNT(*), COUNT(*) FROM s
----
not_equivalent

# A result column in WHERE.
decide
SELECT v + w AS total FROM s WHERE total > 5
----
SELECT v + w FROM s WHERE v + w > 5
----
equivalent

decide
SELECT v + w AS total FROM s WHERE total > 5
----
SELECT v + w FROM s WHERE v > 5
----
not_equivalent

# A result column in the next ones.
decide
SELECT v * 2 AS d, d + 1 AS e, e * d FROM s
----
SELECT v * 2, v * 2 + 1, (v * 2 + 1) * (v * 2) FROM s
----
equivalent

decide
SELECT v * 2 AS d, d + 1 AS e, e * d FROM s
----
SELECT v * 2, v * 2 + 1, (v * 2 + 1) * v FROM s
----
not_equivalent

# A result column in GROUP BY.
decide
SELECT v % 2 AS odd, COUNT(*) FROM s GROUP BY odd
----
SELECT v % 2, COUNT(*) FROM s GROUP BY v % 2
----
equivalent

decide
SELECT v % 2 AS odd, COUNT(*) FROM s GROUP BY odd
----
SELECT v % 2, COUNT(v) FROM s GROUP BY v % 2
----
not_equivalent

# A result column in WHERE and in GROUP BY.
decide
SELECT LOWER(kind) AS k, SUM(v) FROM s WHERE k <> 'x' GROUP BY k
----
SELECT LOWER(kind), SUM(v) FROM s WHERE LOWER(kind) <> 'x' GROUP BY LOWER(kind)
----
equivalent

decide
SELECT LOWER(kind) AS k, SUM(v) FROM s WHERE k <> 'x' GROUP BY k
----
SELECT LOWER(kind), SUM(v) FROM s WHERE kind <> 'x' GROUP BY LOWER(kind)
----
not_equivalent

# A result column that is an aggregate in HAVING.
decide
SELECT kind, SUM(v) AS total FROM s GROUP BY kind HAVING total > 3
----
SELECT kind, SUM(v) FROM s GROUP BY kind HAVING SUM(v) > 3
----
equivalent

decide
SELECT kind, SUM(v) AS total FROM s GROUP BY kind HAVING total > 3
----
SELECT kind, SUM(v) FROM s GROUP BY kind HAVING COUNT(v) > 3
----
not_equivalent

# A colon gives a name too.
decide
SELECT double: v * 2 FROM s WHERE double > 4
----
SELECT v * 2 FROM s WHERE v * 2 > 4
----
equivalent

decide
SELECT double: v * 2 FROM s WHERE double > 4
----
SELECT v * 2 FROM s WHERE v > 4
----
not_equivalent

# A position in GROUP BY.
decide
SELECT kind, a, COUNT(*) FROM s GROUP BY 1, 2
----
SELECT kind, a, COUNT(*) FROM s GROUP BY a, kind
----
equivalent

decide
SELECT kind, a, COUNT(*) FROM s GROUP BY 1, 2
----
SELECT kind, MAX(a), COUNT(*) FROM s GROUP BY 1
----
not_equivalent

# A trailing comma, and two equality signs.
decide
SELECT id, v, FROM s WHERE v == 1
----
SELECT id, v FROM s WHERE v = 1
----
equivalent

decide
SELECT id, v, FROM s WHERE v == 1
----
SELECT id, v FROM s WHERE v != 1
----
not_equivalent

# VALUES as a table.
decide
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS k (n, c) WHERE n > 1
----
SELECT 2, 'b'
----
equivalent

decide
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS k (n, c) WHERE n > 1
----
SELECT 1, 'a'
----
not_equivalent

# Of each a one row is left, so that the order by a tells them all apart.
decide
SELECT * FROM (SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v) AS k ORDER BY a
----
SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v
----
equivalent by=proof

decide
SELECT * FROM (SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v) AS k ORDER BY a
----
SELECT a, id FROM (SELECT a, id, ROW_NUMBER() OVER (PARTITION BY a ORDER BY v) AS n FROM s) AS k WHERE n = 1 ORDER BY a
----
equivalent by=proof

decide
SELECT * FROM (SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v) AS k ORDER BY a
----
SELECT a, id FROM (SELECT a, id, ROW_NUMBER() OVER (PARTITION BY a ORDER BY v DESC) AS n FROM s) AS k WHERE n = 1 ORDER BY a
----
not_equivalent

decide
SELECT * FROM (SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v) AS k ORDER BY id
----
SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v
----
not_equivalent

# Rows of one a and several kinds are left, in any order.
decide
SELECT * FROM (SELECT DISTINCT ON (a, kind) a, kind, id FROM s ORDER BY a, kind, v) AS k ORDER BY a
----
SELECT DISTINCT ON (a, kind) a, kind, id FROM s ORDER BY a, kind, v
----
undecided NONDETERMINISTIC

# A choice further out may follow the order within.
decide
SELECT * FROM (SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v) AS k LIMIT 1
----
SELECT DISTINCT ON (a) a, id FROM s ORDER BY a, v LIMIT 1
----
undecided NONDETERMINISTIC
