# What HAVING without a group, names in FROM, LATERAL and RANGE frames are to DuckDB.
schema dialect=duckdb
CREATE TABLE a (id int PRIMARY KEY, x int, y int, n text);
CREATE TABLE b (id int PRIMARY KEY, x int, z int, m text);
CREATE TABLE c (id int PRIMARY KEY, x int, w int);

# HAVING without aggregates: one group, of no rows too.
decide
SELECT 1 FROM a HAVING false
----
SELECT 1 FROM a WHERE false
----
equivalent

decide
SELECT 1 FROM a HAVING true
----
SELECT 1
----
equivalent

decide
SELECT 1 FROM a HAVING true
----
SELECT 1 FROM a
----
not_equivalent

decide
SELECT 1 FROM a WHERE x > 1 HAVING 1 = 1
----
SELECT 1
----
equivalent

decide
SELECT 1 FROM a HAVING EXISTS (SELECT 1 FROM b)
----
SELECT 1 WHERE EXISTS (SELECT 1 FROM b)
----
equivalent

decide
SELECT 1 FROM a HAVING COUNT(*) > 0
----
SELECT 1 WHERE EXISTS (SELECT 1 FROM a)
----
equivalent

decide
SELECT 1 FROM a HAVING COUNT(*) = 0
----
SELECT 1 WHERE EXISTS (SELECT 1 FROM a)
----
not_equivalent

decide
SELECT 1 FROM a HAVING MAX(x) IS NULL
----
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM a WHERE x IS NOT NULL)
----
equivalent

# An output called as a word.
decide
SELECT "false" FROM (SELECT x AS "false" FROM a) s
----
SELECT x FROM a
----
equivalent

decide
SELECT "false", COUNT(*) FROM (SELECT x > 1 AS "false" FROM a) s GROUP BY "false"
----
SELECT x > 1, COUNT(*) FROM a GROUP BY x > 1
----
equivalent

decide
SELECT "true" FROM (SELECT x AS "true" FROM a) s
----
SELECT true FROM a
----
not_equivalent

# Names of joins, and of columns under USING.
decide
SELECT k FROM a AS s (k, p) JOIN b AS t (k, r) USING (k)
----
SELECT a.id FROM a JOIN b ON a.id = b.id
----
equivalent

decide
SELECT p, r FROM a AS s (k, p) JOIN b AS t (k, r) USING (k)
----
SELECT b.x, a.x FROM a JOIN b ON a.id = b.id
----
not_equivalent

decide
SELECT a.x FROM a LEFT JOIN b LEFT JOIN c ON b.x = c.x ON a.x = b.x
----
SELECT a.x FROM a LEFT JOIN (b LEFT JOIN c ON b.x = c.x) ON a.x = b.x
----
equivalent

decide
SELECT a.x, c.w FROM a LEFT JOIN b JOIN c ON b.x = c.x ON a.id = b.id
----
SELECT a.x, c.w FROM a LEFT JOIN b ON a.id = b.id JOIN c ON b.x = c.x
----
not_equivalent

decide
SELECT * FROM a NATURAL JOIN c
----
SELECT a.id, a.x, y, n, w FROM a JOIN c USING (id, x)
----
undecided UNSUPPORTED

# LATERAL with columns from beside in the condition of a join.
decide
SELECT a.x, l.s FROM a JOIN LATERAL (SELECT b.z + a.x AS s FROM b) l ON l.s > a.y
----
SELECT a.x, b.z + a.x FROM a JOIN b ON b.z + a.x > a.y
----
equivalent

decide
SELECT a.id, l.n FROM a JOIN LATERAL (SELECT COUNT(*) AS n FROM b WHERE b.x = a.x) l ON l.n > a.y
----
SELECT id, n FROM (SELECT id, y, (SELECT COUNT(*) FROM b WHERE b.x = a.x) AS n FROM a) s WHERE n > y
----
equivalent

decide
SELECT a.id, l.n FROM a LEFT JOIN LATERAL (SELECT MAX(z) AS n FROM b WHERE b.x = a.x) l ON a.y > 1
----
SELECT id, CASE WHEN y > 1 THEN (SELECT MAX(z) FROM b WHERE b.x = a.x) END FROM a
----
equivalent

decide
SELECT a.id, l.n FROM a LEFT JOIN LATERAL (SELECT MAX(z) AS n FROM b WHERE b.x = a.x) l ON a.y > 1
----
SELECT id, (SELECT MAX(z) FROM b WHERE b.x = a.x) FROM a WHERE y > 1
----
not_equivalent

# Ranges of integers.
decide
SELECT id, SUM(x) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM a
----
SELECT id, SUM(x) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM a
----
not_equivalent

decide
SELECT id, SUM(x) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM a
----
SELECT id, SUM(x) OVER (ORDER BY id RANGE 1 PRECEDING) FROM a
----
equivalent

decide
SELECT id, COUNT(*) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM a
----
SELECT o.id, (SELECT COUNT(*) FROM a i WHERE i.x BETWEEN o.x - 1 AND o.x + 1) FROM a o
----
not_equivalent

decide
SELECT id, COUNT(*) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM a
----
SELECT o.id, (SELECT COUNT(*) FROM a i WHERE i.id BETWEEN o.id - 1 AND o.id + 1) FROM a o
----
equivalent

# A row is a value, which is not NULL.
decide
SELECT id FROM a WHERE (x, y) IS NULL
----
SELECT id FROM a WHERE x IS NULL AND y IS NULL
----
not_equivalent
