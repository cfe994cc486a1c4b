# What FROM, HAVING, rows and frames are to PostgreSQL: names behind joins with an alias, groups of no rows, rows that are NULL or have no columns.
schema dialect=postgres
CREATE TABLE a (id int PRIMARY KEY, x int, y int, n text);
CREATE TABLE b (id int PRIMARY KEY, x int, z int, m text);
CREATE TABLE c (id int PRIMARY KEY, x int, w int);

# The columns of a join with an alias.
decide
SELECT ab.y, ab.z FROM (a JOIN b USING (id)) ab
----
SELECT a.y, b.z FROM a JOIN b ON a.id = b.id
----
equivalent

decide
SELECT ab.y, ab.z FROM (a LEFT JOIN b USING (id)) ab
----
SELECT a.y, b.z FROM a JOIN b ON a.id = b.id
----
not_equivalent

decide
SELECT ab.id FROM (a FULL JOIN b USING (id)) ab
----
SELECT COALESCE(a.id, b.id) FROM a FULL JOIN b ON a.id = b.id
----
equivalent

decide
SELECT ab.id FROM (a FULL JOIN b USING (id)) ab
----
SELECT a.id FROM a FULL JOIN b ON a.id = b.id
----
not_equivalent

decide
SELECT q.p, q.s FROM (a JOIN b USING (id)) q (k, p, r, t, s)
----
SELECT a.x, b.x FROM a JOIN b ON b.id = a.id
----
equivalent

decide
SELECT q.p, q.s FROM (a JOIN b USING (id)) q (k, p, r, t, s)
----
SELECT a.x, b.z FROM a JOIN b ON b.id = a.id
----
not_equivalent

decide
SELECT * FROM (a JOIN b USING (id)) q (k, p, r, t, s)
----
SELECT * FROM a JOIN b USING (id)
----
equivalent

decide
SELECT q.x FROM (a JOIN b ON a.x = b.z) q (k, x, r, t, s, v) JOIN c USING (x)
----
SELECT a.x FROM a JOIN b ON a.x = b.z JOIN c ON c.x = a.x
----
equivalent

decide
SELECT q.x FROM (a JOIN b ON a.x = b.z) q (k, p, r, t, s, x) JOIN c USING (x)
----
SELECT a.x FROM a JOIN b ON a.x = b.z JOIN c ON c.x = a.x
----
not_equivalent

decide
SELECT q.x FROM (a JOIN b ON a.x = b.z) q (k, p, r, t, s, x) JOIN c USING (x)
----
SELECT b.x FROM a JOIN b ON a.x = b.z JOIN c ON c.x = b.x
----
equivalent

decide
SELECT q.x FROM (a JOIN b ON a.x = b.z) q (k, p, r, t, s, x) JOIN c USING (x)
----
SELECT b.z FROM a JOIN b ON a.x = b.z JOIN c ON c.x = b.z
----
not_equivalent

decide
SELECT abc.y, abc.w FROM ((a JOIN b USING (id)) ab JOIN c USING (id)) abc
----
SELECT a.y, c.w FROM a JOIN b USING (id) JOIN c USING (id)
----
equivalent

decide
SELECT abc.y, abc.w FROM ((a JOIN b USING (id)) ab LEFT JOIN c ON ab.z = c.x) abc WHERE abc.w > 1
----
SELECT a.y, c.w FROM a JOIN b USING (id) JOIN c ON b.z = c.x WHERE c.w > 1
----
equivalent

decide
SELECT abc.y, abc.w FROM ((a JOIN b USING (id)) ab LEFT JOIN c ON ab.z = c.x) abc WHERE abc.w IS NULL
----
SELECT a.y, c.w FROM a JOIN b USING (id) JOIN c ON b.z = c.x WHERE c.w IS NULL
----
not_equivalent

decide
SELECT ab.y FROM (a JOIN b USING (id)) ab WHERE EXISTS (SELECT 1 FROM c WHERE c.x = ab.z)
----
SELECT a.y FROM a JOIN b USING (id) WHERE b.z IN (SELECT x FROM c)
----
equivalent

decide
SELECT ab.y, l.w FROM (a JOIN b USING (id)) ab, LATERAL (SELECT w FROM c WHERE c.x = ab.z) l
----
SELECT a.y, c.w FROM a JOIN b USING (id) JOIN c ON c.x = b.z
----
equivalent

decide
SELECT j.id FROM a JOIN b USING (id) AS j
----
SELECT a.id FROM a, b WHERE a.id = b.id
----
equivalent

decide
SELECT ab.y, COUNT(*) FROM (a JOIN b USING (id)) ab GROUP BY ab.y
----
SELECT a.y, COUNT(b.id) FROM a JOIN b USING (id) GROUP BY a.y
----
equivalent

decide
SELECT SUM(ab.z) OVER (PARTITION BY ab.y) FROM (a JOIN b USING (id)) ab
----
SELECT SUM(b.z) OVER (PARTITION BY a.y) FROM a JOIN b USING (id)
----
equivalent

# USING over columns that the query has renamed.
decide
SELECT k FROM a AS s (k, p) JOIN b AS t (k, r) USING (k)
----
SELECT a.id FROM a JOIN b ON a.id = b.id
----
equivalent

decide
SELECT p, r FROM a AS s (k, p) JOIN b AS t (k, r) USING (k)
----
SELECT a.x, b.x FROM a JOIN b ON a.id = b.id
----
equivalent

decide
SELECT p, r FROM a AS s (k, p) JOIN b AS t (k, r) USING (k)
----
SELECT b.x, a.x FROM a JOIN b ON a.id = b.id
----
not_equivalent

decide
SELECT s.k FROM a AS s (k, p) JOIN b AS t (r, k) USING (k)
----
SELECT a.id FROM a JOIN b ON a.id = b.x
----
equivalent

decide
SELECT s.k FROM a AS s (k, p) JOIN b AS t (r, k) USING (k)
----
SELECT a.id FROM a JOIN b ON a.id = b.id
----
not_equivalent

decide
SELECT k FROM a AS s (k, p) RIGHT JOIN b AS t (r, k) USING (k)
----
SELECT b.x FROM a RIGHT JOIN b ON a.id = b.x
----
equivalent

decide
SELECT k, p FROM a AS s (k, p) FULL JOIN b AS t (k, p) USING (k, p)
----
SELECT COALESCE(a.id, b.id), COALESCE(a.x, b.x) FROM a FULL JOIN b ON a.id = b.id AND a.x = b.x
----
equivalent

decide
SELECT * FROM a AS s (k) NATURAL JOIN c AS t (k)
----
SELECT a.id, a.x, a.y, a.n, c.w FROM a JOIN c ON a.id = c.id AND a.x = c.x
----
equivalent

decide
SELECT s.x FROM a AS s (x, y, id) JOIN c USING (id)
----
SELECT a.id FROM a JOIN c ON c.id = a.y
----
equivalent

decide
SELECT s.x FROM a AS s (x, y, id) JOIN c USING (id)
----
SELECT a.x FROM a JOIN c ON c.id = a.y
----
not_equivalent

decide
WITH q AS (SELECT id AS k, x FROM a) SELECT k FROM q JOIN (SELECT id AS k FROM b) r USING (k)
----
SELECT a.id FROM a JOIN b USING (id)
----
equivalent

decide
SELECT t.k FROM a AS s (k), b AS t (k) WHERE s.k = t.k
----
SELECT b.id FROM a JOIN b USING (id)
----
equivalent

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
SELECT 1 FROM a HAVING true
----
SELECT 1 FROM a LIMIT 1
----
not_equivalent

decide
SELECT 1 FROM a WHERE x > 1 HAVING 1 = 1
----
SELECT 1
----
equivalent

decide
SELECT 2 FROM a HAVING NULL
----
SELECT 2 WHERE false
----
equivalent

decide
SELECT 1 FROM a HAVING EXISTS (SELECT 1 FROM b)
----
SELECT 1 WHERE EXISTS (SELECT 1 FROM b)
----
equivalent

decide
SELECT 1 FROM a HAVING EXISTS (SELECT 1 FROM b)
----
SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b)
----
not_equivalent

decide
SELECT COUNT(*) FROM a HAVING false
----
SELECT COUNT(*) FROM a WHERE false
----
not_equivalent

decide
SELECT COUNT(*) FROM a HAVING COUNT(*) > 0
----
SELECT COUNT(*) FROM a
----
not_equivalent

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
SELECT id FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.id HAVING true)
----
SELECT id FROM b
----
equivalent

decide
SELECT id FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.id HAVING true)
----
SELECT id FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.id)
----
not_equivalent

decide
SELECT id FROM b WHERE (SELECT 1 FROM a HAVING b.x > 1) = 1
----
SELECT id FROM b WHERE x > 1
----
equivalent

decide
SELECT x FROM a GROUP BY x HAVING false
----
SELECT x FROM a WHERE false
----
equivalent

# A row is NULL if all its values are, and is not NULL if none is.
decide
SELECT id FROM a WHERE (x, y) IS NULL
----
SELECT id FROM a WHERE x IS NULL AND y IS NULL
----
equivalent

decide
SELECT id FROM a WHERE (x, y) IS NULL
----
SELECT id FROM a WHERE x IS NULL OR y IS NULL
----
not_equivalent

decide
SELECT id FROM a WHERE (x, y) IS NOT NULL
----
SELECT id FROM a WHERE x IS NOT NULL AND y IS NOT NULL
----
equivalent

decide
SELECT id FROM a WHERE (x, y) IS NOT NULL
----
SELECT id FROM a WHERE NOT ((x, y) IS NULL)
----
not_equivalent

decide
SELECT id FROM a WHERE NOT ((x, y) IS NULL)
----
SELECT id FROM a WHERE x IS NOT NULL OR y IS NOT NULL
----
equivalent

decide
SELECT id FROM a WHERE ROW(x, y, n) IS NULL
----
SELECT id FROM a WHERE COALESCE(x, y) IS NULL AND n IS NULL
----
equivalent

decide
SELECT id FROM a WHERE ROW(x) IS NULL
----
SELECT id FROM a WHERE x IS NULL
----
equivalent

decide
SELECT id FROM a WHERE ROW(x) IS NOT NULL
----
SELECT id FROM a WHERE x IS NULL
----
not_equivalent

decide
SELECT id FROM a WHERE (id, x) IS NULL
----
SELECT id FROM a WHERE false
----
equivalent

decide
SELECT id FROM a WHERE (id, x) IS NOT NULL
----
SELECT id FROM a WHERE x IS NOT NULL
----
equivalent

decide
SELECT id FROM a WHERE (x + y, y) IS NOT NULL
----
SELECT id FROM a WHERE x + y IS NOT NULL
----
equivalent

decide
SELECT id FROM a WHERE ((x, y), n) IS NULL
----
SELECT id FROM a WHERE x IS NULL AND y IS NULL AND n IS NULL
----
not_equivalent

decide
SELECT (x, y) IS NULL FROM a
----
SELECT x IS NULL AND y IS NULL FROM a
----
equivalent

decide
SELECT COUNT(*) FILTER (WHERE (x, y) IS NULL) FROM a
----
SELECT COUNT(*) FROM a WHERE x IS NULL AND y IS NULL
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
SELECT "false" FROM (SELECT x AS "false", y AS "null" FROM a) s WHERE "null" > 1
----
SELECT x FROM a WHERE y > 1
----
equivalent

decide
SELECT "true" FROM (SELECT x AS "true" FROM a) s
----
SELECT true FROM a
----
not_equivalent

decide
SELECT s."null" FROM (SELECT x AS "null" FROM a) s WHERE s."null" IS NOT NULL
----
SELECT x FROM a WHERE x IS NOT NULL
----
equivalent

decide
SELECT x AS "false" FROM a ORDER BY "false"
----
SELECT x FROM a ORDER BY x
----
equivalent

decide
SELECT x AS "select", y AS "from" FROM a UNION SELECT x, z FROM b ORDER BY "from"
----
SELECT x, y FROM a UNION SELECT x, z FROM b ORDER BY 2
----
equivalent

decide
SELECT x AS "false" FROM a UNION SELECT x FROM b ORDER BY "false"
----
SELECT x FROM a UNION SELECT x FROM b ORDER BY 1 DESC
----
not_equivalent

decide
SELECT "false", COUNT(*) FROM (SELECT x > 1 AS "false" FROM a) s GROUP BY "false"
----
SELECT x > 1, COUNT(*) FROM a GROUP BY x > 1
----
equivalent

# Outer joins within one another, without brackets.
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
SELECT a.x, c.w FROM a LEFT JOIN b JOIN c ON b.x = c.id ON a.id = b.id
----
SELECT a.x, c.w FROM a LEFT JOIN b ON a.id = b.id LEFT JOIN c ON b.x = c.id
----
equivalent

decide
SELECT a.x, c.w FROM a RIGHT JOIN b FULL JOIN c ON b.x = c.x ON a.x = b.x
----
SELECT a.x, c.w FROM (b FULL JOIN c ON b.x = c.x) LEFT JOIN a ON a.x = b.x
----
equivalent

decide
SELECT a.x, c.w FROM a RIGHT JOIN b FULL JOIN c ON b.x = c.x ON a.x = b.x
----
SELECT a.x, c.w FROM a RIGHT JOIN b ON a.x = b.x FULL JOIN c ON b.x = c.x
----
equivalent

decide
SELECT a.id FROM a JOIN b LEFT JOIN c ON c.x = b.x ON a.id = b.id AND c.w IS NULL
----
SELECT a.id FROM a JOIN b ON a.id = b.id LEFT JOIN c ON c.x = b.x WHERE c.w IS NULL
----
equivalent

# LATERAL with columns from beside in the condition of a join.
decide
SELECT a.x, l.s FROM a JOIN LATERAL (SELECT b.z + a.x AS s FROM b) l ON l.s > a.y
----
SELECT a.x, b.z + a.x FROM a JOIN b ON b.z + a.x > a.y
----
equivalent

decide
SELECT a.id, l.w FROM a, LATERAL (SELECT c.w FROM b JOIN c ON c.x = b.x AND b.z = a.y) l
----
SELECT a.id, c.w FROM a JOIN b ON b.z = a.y JOIN c ON c.x = b.x
----
equivalent

decide
SELECT a.id, l.w FROM a, LATERAL (SELECT c.w FROM b LEFT JOIN c ON c.x = b.x AND b.z = a.y) l
----
SELECT a.id, c.w FROM a CROSS JOIN b LEFT JOIN c ON c.x = b.x AND b.z = a.y
----
equivalent

decide
SELECT a.id, l.w FROM a, LATERAL (SELECT c.w FROM b LEFT JOIN c ON c.x = b.x AND b.z = a.y) l
----
SELECT a.id, c.w FROM a JOIN b ON b.z = a.y LEFT JOIN c ON c.x = b.x
----
not_equivalent

decide
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT b.z FROM b WHERE b.x = a.x) l ON l.z > a.y
----
SELECT a.id, b.z FROM a LEFT JOIN b ON b.x = a.x AND b.z > a.y
----
equivalent

decide
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT b.z FROM b WHERE b.x = a.x) l ON l.z > a.y
----
SELECT a.id, b.z FROM a LEFT JOIN b ON b.x = a.x WHERE b.z > a.y
----
not_equivalent

decide
SELECT a.id, l.n FROM a JOIN LATERAL (SELECT COUNT(*) AS n FROM b WHERE b.x = a.x) l ON l.n > a.y
----
SELECT id, n FROM (SELECT id, y, (SELECT COUNT(*) FROM b WHERE b.x = a.x) AS n FROM a) s WHERE n > y
----
equivalent

decide
SELECT a.id, l.n FROM a LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM b WHERE b.x = a.x) l ON l.n > a.y
----
SELECT id, CASE WHEN n > y THEN n END FROM (SELECT id, y, (SELECT COUNT(*) FROM b WHERE b.x = a.x) AS n FROM a) s
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

decide
SELECT a.id, l.z, c.w FROM a JOIN LATERAL (SELECT z FROM b WHERE b.x = a.x) l ON true JOIN c ON c.x = l.z
----
SELECT a.id, b.z, c.w FROM a JOIN b ON b.x = a.x JOIN c ON c.x = b.z
----
equivalent

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
SELECT id, SUM(x) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM a
----
SELECT id, SUM(x) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM a
----
not_equivalent

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

decide
SELECT id, COUNT(*) OVER (ORDER BY x RANGE BETWEEN 0 PRECEDING AND CURRENT ROW) FROM a
----
SELECT id, COUNT(*) OVER (PARTITION BY x) FROM a
----
undecided UNSUPPORTED

decide
SELECT id, COUNT(*) OVER (ORDER BY x RANGE BETWEEN 0 PRECEDING AND CURRENT ROW) FROM a
----
SELECT id, COUNT(*) OVER (ORDER BY x) FROM a
----
not_equivalent

# HAVING asks of the group, NATURAL of names.
decide
SELECT 1 FROM a WHERE x > 1 HAVING COUNT(*) > 1 AND MAX(y) < 3
----
SELECT 1 WHERE (SELECT COUNT(*) > 1 AND MAX(y) < 3 FROM a WHERE x > 1)
----
equivalent

decide
SELECT 1 FROM a HAVING MAX(x) IS NULL
----
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM a WHERE x IS NOT NULL)
----
equivalent

decide
SELECT 1 FROM a HAVING MAX(x) IS NULL
----
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM a)
----
not_equivalent

decide
SELECT * FROM a NATURAL JOIN c
----
SELECT a.id, a.x, y, n, w FROM a JOIN c USING (id, x)
----
equivalent

decide
SELECT * FROM a NATURAL LEFT JOIN c
----
SELECT a.id, a.x, y, n, w FROM a LEFT JOIN c USING (id, x)
----
equivalent

decide
SELECT * FROM a NATURAL LEFT JOIN c
----
SELECT a.id, a.x, y, n, w FROM a LEFT JOIN c USING (id)
----
not_equivalent

# Rows without columns.
decide
SELECT FROM a
----
SELECT FROM a WHERE true
----
equivalent

decide
SELECT FROM a
----
SELECT FROM b
----
not_equivalent

decide
SELECT FROM a
----
SELECT FROM a WHERE x = x
----
not_equivalent

decide
SELECT FROM a
----
SELECT 1 FROM a
----
not_equivalent

decide
SELECT 1 FROM a
----
SELECT FROM a
----
not_equivalent

decide
SELECT FROM a WHERE id = 1
----
SELECT FROM a WHERE id = 1 LIMIT 1
----
equivalent

decide
SELECT FROM a LIMIT 1
----
SELECT FROM a
----
not_equivalent

decide
SELECT
----
SELECT
----
equivalent

decide
SELECT
----
SELECT FROM a
----
not_equivalent

decide
SELECT id FROM b WHERE EXISTS (SELECT FROM a WHERE a.id = b.x)
----
SELECT id FROM b WHERE x IN (SELECT id FROM a)
----
equivalent

decide
SELECT COUNT(*) FROM (SELECT FROM a) s
----
SELECT COUNT(*) FROM a
----
equivalent

decide
SELECT FROM a UNION ALL SELECT FROM b
----
SELECT FROM b UNION ALL SELECT FROM a
----
equivalent

decide
SELECT FROM a UNION SELECT FROM b
----
SELECT FROM a UNION ALL SELECT FROM b
----
not_equivalent

decide
SELECT FROM a CROSS JOIN b
----
SELECT FROM b CROSS JOIN a
----
equivalent

decide
SELECT FROM a GROUP BY x
----
SELECT FROM (SELECT DISTINCT x FROM a) s
----
equivalent

decide
SELECT FROM a HAVING COUNT(*) > 1
----
SELECT WHERE (SELECT COUNT(*) FROM a) > 1
----
equivalent

decide
SELECT FROM a ORDER BY id LIMIT 2
----
SELECT FROM a LIMIT 2
----
equivalent

# A condition that is held against TRUE is a test of its truth, wherever it stands.
schema dialect=postgres
CREATE TABLE r (id int PRIMARY KEY, x int);
CREATE TABLE s (id int PRIMARY KEY, ok boolean, w int);

decide
SELECT r.id, q.w FROM r LEFT JOIN (SELECT * FROM s WHERE ok) q ON r.x > 0
----
SELECT r.id, q.w FROM r LEFT JOIN s q ON (q.ok AND r.x > 0) IS NOT DISTINCT FROM TRUE
----
equivalent

decide
SELECT w FROM s WHERE ok IS DISTINCT FROM TRUE
----
SELECT w FROM s WHERE NOT ok
----
not_equivalent

decide
SELECT w FROM s WHERE FALSE IS DISTINCT FROM ok
----
SELECT w FROM s WHERE ok IS NOT FALSE
----
equivalent
