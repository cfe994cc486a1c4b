# Pairs that the proof tier must tell from their neighbours.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, r REAL, s TEXT, n NUMERIC);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), v INTEGER NOT NULL, s TEXT);
CREATE TABLE h (x INTEGER, y INTEGER, z INTEGER);
CREATE TABLE k (id INTEGER PRIMARY KEY, c TEXT UNIQUE, kc TEXT REFERENCES k (c), par INTEGER REFERENCES k (id));
----

# Sets of rows: a longer chain is not a shorter one, a fork is.
decide relation=set
SELECT p.x FROM h AS p JOIN h AS q ON p.y = q.x JOIN h AS r ON q.y = r.x
----
SELECT p.x FROM h AS p JOIN h AS q ON p.y = q.x
----
not_equivalent

decide relation=set
SELECT p.x FROM h AS p JOIN h AS q ON p.y = q.x JOIN h AS r ON p.y = r.x
----
SELECT p.x FROM h AS p JOIN h AS q ON p.y = q.x
----
equivalent by=proof

decide relation=bag
SELECT p.x FROM h AS p JOIN h AS q ON p.y = q.x JOIN h AS r ON p.y = r.x
----
SELECT p.x FROM h AS p JOIN h AS q ON p.y = q.x
----
not_equivalent

# NOT IN over NULLs is not NOT EXISTS.
decide relation=set
SELECT p.x, q.x FROM h AS p LEFT JOIN h AS q ON p.y = q.x
----
SELECT p.x, q.x FROM h AS p JOIN h AS q ON p.y = q.x UNION SELECT p.x, NULL FROM h AS p WHERE p.y NOT IN (SELECT x FROM h)
----
not_equivalent

decide relation=set
SELECT p.x, q.x FROM h AS p LEFT JOIN h AS q ON p.y = q.x
----
SELECT p.x, q.x FROM h AS p JOIN h AS q ON p.y = q.x UNION SELECT p.x, NULL FROM h AS p WHERE NOT EXISTS (SELECT 1 FROM h AS q WHERE q.x = p.y)
----
equivalent by=proof

# Sums of terms: which half has the NULLs, and what each puts out.
decide relation=bag
SELECT x FROM h WHERE x > 3 UNION ALL SELECT x FROM h WHERE x < 5
----
SELECT x FROM h WHERE x IS NOT NULL UNION ALL SELECT 4 FROM h WHERE x = 4
----
equivalent by=proof

decide relation=bag
SELECT x FROM h WHERE x > 3 UNION ALL SELECT x FROM h WHERE x < 5
----
SELECT x FROM h UNION ALL SELECT 4 FROM h WHERE x = 4
----
not_equivalent

decide relation=bag
SELECT x, y FROM h WHERE x > y UNION ALL SELECT y, x FROM h WHERE x <= y
----
SELECT MAX(x, y), MIN(x, y) FROM h WHERE x IS NOT NULL AND y IS NOT NULL
----
equivalent by=proof

decide relation=bag
SELECT x, y FROM h WHERE x > y UNION ALL SELECT y, x FROM h WHERE x <= y
----
SELECT MAX(x, y), MIN(x, y) FROM h
----
not_equivalent

decide relation=bag
SELECT p.x FROM h AS p, h AS q WHERE p.x = q.y UNION ALL SELECT p.z FROM h AS p, h AS q WHERE p.y = q.x
----
SELECT p.x FROM h AS p, h AS q WHERE p.x = q.y UNION ALL SELECT q.z FROM h AS p, h AS q WHERE p.y = q.x
----
not_equivalent

decide relation=bag
SELECT x FROM h WHERE y NOT IN (SELECT x FROM h UNION SELECT z FROM h)
----
SELECT x FROM h WHERE y NOT IN (SELECT x FROM h) AND y NOT IN (SELECT z FROM h)
----
equivalent by=rules

# One EXISTS with two conditions is not two with one each.
decide relation=bag
SELECT x FROM h AS p WHERE EXISTS (SELECT 1 FROM h AS q WHERE q.x = p.y AND q.z = p.z)
----
SELECT x FROM h AS p WHERE EXISTS (SELECT 1 FROM h AS q WHERE q.x = p.y) AND EXISTS (SELECT 1 FROM h AS q WHERE q.z = p.z)
----
not_equivalent

# An extreme value over no rows is NULL, below and above nothing.
decide relation=bag
SELECT x FROM h WHERE x < (SELECT MAX(x) FROM h)
----
SELECT x FROM h AS p WHERE EXISTS (SELECT 1 FROM h AS q WHERE p.x < q.x)
----
equivalent by=proof

decide relation=bag
SELECT x FROM h WHERE NOT (x < (SELECT MAX(x) FROM h WHERE y = 1))
----
SELECT x FROM h AS p WHERE NOT EXISTS (SELECT 1 FROM h AS q WHERE p.x < q.x AND q.y = 1)
----
not_equivalent

decide relation=bag
SELECT x < (SELECT MAX(x) FROM h WHERE y = 1) FROM h
----
SELECT EXISTS (SELECT 1 FROM h AS q WHERE p.x < q.x AND q.y = 1) FROM h AS p
----
not_equivalent

decide relation=bag
SELECT t.id FROM t WHERE (SELECT MIN(v) FROM u WHERE u.t_id = t.id) >= 0
----
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id AND v < 0)
----
not_equivalent

# A UNIQUE column may have many NULLs; a reference may be one.
decide relation=bag
SELECT a.id FROM k AS a JOIN k AS b ON a.c IS b.c
----
SELECT id FROM k
----
not_equivalent

decide relation=bag
SELECT a.id FROM k AS a JOIN k AS b ON a.c = b.c
----
SELECT id FROM k WHERE c IS NOT NULL
----
equivalent by=rules

decide relation=bag
SELECT c, COUNT(*) FROM k GROUP BY c
----
SELECT c, 1 FROM k
----
not_equivalent

decide relation=bag
SELECT x.id FROM k AS x JOIN k AS y ON x.par = y.id JOIN k AS z ON y.par = z.id
----
SELECT x.id FROM k AS x JOIN k AS y ON x.par = y.id WHERE y.par IS NOT NULL
----
equivalent by=rules

decide relation=bag
SELECT x.id FROM k AS x JOIN k AS y ON x.par = y.id JOIN k AS z ON y.par = z.id
----
SELECT x.id FROM k AS x JOIN k AS y ON x.par = y.id WHERE x.par IS NOT NULL
----
not_equivalent

decide relation=bag
SELECT x.id FROM k AS x JOIN k AS y ON x.kc = y.c
----
SELECT id FROM k WHERE kc IS NOT NULL
----
equivalent by=rules

decide relation=bag
SELECT y.id FROM k AS x JOIN k AS y ON x.kc = y.c
----
SELECT id FROM k WHERE kc IS NOT NULL
----
not_equivalent

# Orders: two rows decide, and NULLs have their place.
decide relation=list
SELECT a FROM t ORDER BY -a, id
----
SELECT a FROM t ORDER BY a DESC, id
----
not_equivalent

decide relation=list
SELECT a FROM t WHERE a > 0 ORDER BY a * a, id
----
SELECT a FROM t WHERE a > 0 ORDER BY a, id
----
equivalent by=proof

decide relation=list
SELECT a FROM t ORDER BY a * a, id
----
SELECT a FROM t ORDER BY a, id
----
not_equivalent

decide relation=list
SELECT a FROM t ORDER BY a / 2, id
----
SELECT a FROM t ORDER BY a, id
----
not_equivalent

decide relation=list
SELECT a FROM t ORDER BY a IS NULL, a
----
SELECT a FROM t ORDER BY a NULLS LAST
----
equivalent by=proof

# The first group by its least value, and the row that has it.
decide relation=bag tiers=data,generate,proof
SELECT s, MIN(v) FROM u GROUP BY s ORDER BY MIN(v) LIMIT 1
----
SELECT s, v FROM u ORDER BY v LIMIT 1
----
equivalent by=proof

decide relation=bag
SELECT s, MAX(v) FROM u GROUP BY s ORDER BY MIN(v) LIMIT 1
----
SELECT s, v FROM u ORDER BY v LIMIT 1
----
not_equivalent

decide relation=bag
SELECT a FROM t GROUP BY a ORDER BY MIN(b) LIMIT 1
----
SELECT a FROM t ORDER BY b LIMIT 1
----
not_equivalent

decide relation=bag tiers=data,generate,proof
SELECT a FROM t GROUP BY a ORDER BY MAX(b) DESC LIMIT 1
----
SELECT a FROM t ORDER BY b DESC LIMIT 1
----
equivalent by=proof

decide relation=bag
SELECT t.s FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id) ORDER BY (SELECT MAX(v) FROM u WHERE u.t_id = t.id) DESC LIMIT 1
----
SELECT t.s FROM t JOIN u ON t.id = u.t_id ORDER BY u.v DESC LIMIT 1
----
equivalent by=proof

decide relation=bag
SELECT t.s FROM t ORDER BY (SELECT MAX(v) FROM u WHERE u.t_id = t.id) DESC LIMIT 1
----
SELECT t.s FROM t JOIN u ON t.id = u.t_id ORDER BY u.v DESC LIMIT 1
----
not_equivalent

# A cut before a condition is not a cut after it.
decide relation=bag
SELECT t.a FROM t JOIN (SELECT t_id FROM u ORDER BY v LIMIT 2) AS q ON q.t_id = t.id
----
SELECT t.a FROM u JOIN t ON t.id = u.t_id ORDER BY u.v LIMIT 2
----
equivalent by=proof

decide relation=bag
SELECT t.a FROM t JOIN (SELECT t_id FROM u ORDER BY v LIMIT 2) AS q ON q.t_id = t.id WHERE t.a > 3
----
SELECT t.a FROM u JOIN t ON t.id = u.t_id WHERE t.a > 3 ORDER BY u.v LIMIT 2
----
not_equivalent

decide relation=bag
SELECT t.a FROM t JOIN (SELECT t_id FROM u ORDER BY v LIMIT 2) AS q ON q.t_id = t.id
----
SELECT a FROM t WHERE id IN (SELECT t_id FROM u ORDER BY v LIMIT 2)
----
not_equivalent

# A subquery in the list is NULL where a source of no rows leaves nothing.
decide relation=bag
SELECT t.a, q.s FROM t, (SELECT s FROM u ORDER BY id LIMIT 1) AS q
----
SELECT t.a, (SELECT s FROM u ORDER BY id LIMIT 1) FROM t
----
not_equivalent

# Values that are equal but not one.
decide relation=bag
SELECT t.n || '' FROM t JOIN u ON t.n = u.v
----
SELECT u.v || '' FROM t JOIN u ON t.n = u.v
----
equivalent by=rules

decide relation=bag
SELECT t.r || '' FROM t JOIN u ON t.r = u.v
----
SELECT u.v || '' FROM t JOIN u ON t.r = u.v
----
not_equivalent

decide relation=bag
SELECT SUM(n) / 2 FROM t
----
SELECT SUM(n * 1.0) / 2 FROM t
----
not_equivalent

decide relation=bag
SELECT typeof(MIN(a, r)) FROM t WHERE a = r
----
SELECT 'integer' FROM t WHERE a = r
----
not_equivalent

# One permutation of columns for all rows.
decide relation=rose
SELECT p.x, q.x FROM h AS p, h AS q WHERE p.y = q.y
----
SELECT q.x, p.x FROM h AS p, h AS q WHERE p.y = q.y
----
equivalent by=rules

decide relation=rose
SELECT x, y FROM h WHERE x > 3 UNION ALL SELECT y, x FROM h WHERE x <= 3
----
SELECT y, x FROM h WHERE x IS NOT NULL
----
not_equivalent

decide relation=rose
SELECT x, x, y FROM h
----
SELECT x, y, y FROM h
----
not_equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s TEXT);
CREATE TABLE c (id INTEGER PRIMARY KEY, tr REAL REFERENCES t (id), ta INTEGER REFERENCES t (a));
CREATE TABLE lk (a INTEGER REFERENCES t (id), b INTEGER REFERENCES c (id), w INTEGER, PRIMARY KEY (a, b));
----

# A reference that holds REALs finds its integer, and is not it.
decide relation=bag
SELECT c.id FROM c JOIN t ON t.id = c.tr
----
SELECT id FROM c WHERE tr IS NOT NULL
----
equivalent by=proof

decide relation=bag
SELECT t.id / 2 FROM c JOIN t ON t.id = c.tr
----
SELECT tr / 2 FROM c WHERE tr IS NOT NULL
----
not_equivalent

decide relation=bag
SELECT q.tr / 2 FROM (SELECT DISTINCT tr FROM c WHERE tr IS NOT NULL) AS q
----
SELECT id / 2 FROM t WHERE id IN (SELECT tr FROM c)
----
not_equivalent

decide relation=bag
SELECT SUM(c.tr) / 2 FROM c JOIN t ON t.id = c.tr
----
SELECT SUM(t.id) / 2 FROM c JOIN t ON t.id = c.tr
----
not_equivalent

decide relation=bag
SELECT q.k / 2 FROM (SELECT c.tr AS k FROM c JOIN t ON t.id = c.tr ORDER BY t.s, c.id LIMIT 1) AS q
----
SELECT q.k / 2 FROM (SELECT t.id AS k FROM c JOIN t ON t.id = c.tr ORDER BY t.s, c.id LIMIT 1) AS q
----
not_equivalent

# A reference to a column that is no key may find many rows.
decide relation=bag
SELECT c.id FROM c WHERE ta IN (SELECT a FROM t)
----
SELECT id FROM c WHERE ta IS NOT NULL
----
equivalent by=rules

decide relation=bag
SELECT c.id FROM c JOIN t ON t.a = c.ta
----
SELECT id FROM c WHERE ta IS NOT NULL
----
not_equivalent

# Half of a key fixed: the other half is one.
decide relation=bag
SELECT COUNT(DISTINCT a) FROM lk WHERE b = 3
----
SELECT COUNT(*) FROM lk WHERE b = 3
----
equivalent by=rules

decide relation=bag
SELECT COUNT(DISTINCT a) FROM lk WHERE b >= 3
----
SELECT COUNT(*) FROM lk WHERE b >= 3
----
not_equivalent

decide relation=bag
SELECT a, MAX(w) FROM lk WHERE b = 3 GROUP BY a
----
SELECT a, w FROM lk WHERE b = 3
----
equivalent by=proof

decide relation=bag
SELECT a, TOTAL(w) FROM lk WHERE b = 3 GROUP BY a
----
SELECT a, w FROM lk WHERE b = 3
----
not_equivalent

# Conditions on all rows of a group, NULLs among them.
decide relation=bag
SELECT a FROM lk GROUP BY a HAVING SUM(CASE WHEN w > 3 THEN 0 ELSE 1 END) = 0
----
SELECT DISTINCT a FROM lk AS p WHERE NOT EXISTS (SELECT 1 FROM lk AS q WHERE q.a = p.a AND (q.w > 3) IS NOT TRUE)
----
equivalent by=proof

decide relation=bag
SELECT a FROM lk GROUP BY a HAVING SUM(CASE WHEN w > 3 THEN 0 ELSE 1 END) = 0
----
SELECT DISTINCT a FROM lk AS p WHERE NOT EXISTS (SELECT 1 FROM lk AS q WHERE q.a = p.a AND NOT (q.w > 3))
----
not_equivalent

decide relation=bag
SELECT a FROM lk GROUP BY a HAVING MAX(b) > 3 AND MIN(b) < 5
----
SELECT DISTINCT x.a FROM lk AS x JOIN lk AS y ON x.a = y.a WHERE x.b > 3 AND y.b < 5
----
equivalent by=proof

decide relation=bag
SELECT a FROM lk GROUP BY a HAVING MAX(w) > 3 AND MIN(w) < 5
----
SELECT DISTINCT a FROM lk WHERE w > 3 AND w < 5
----
not_equivalent

decide relation=bag
SELECT q.a, q.n FROM (SELECT a, COUNT(w) AS n FROM lk GROUP BY a) AS q WHERE q.n > 0
----
SELECT a, COUNT(w) FROM lk WHERE w IS NOT NULL GROUP BY a
----
equivalent by=proof

decide relation=bag
SELECT a, COUNT(w) FROM lk GROUP BY a
----
SELECT a, COUNT(w) FROM lk WHERE w IS NOT NULL GROUP BY a
----
not_equivalent
