schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, s TEXT, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, s TEXT, u);
----

# The wrapper's names are swapped: q2.x is the second column of the UNION.
decide
SELECT q2.x, q2.y FROM
(SELECT q.y AS x, q.x AS y FROM (SELECT a.x, a.y FROM a UNION SELECT b.x, b.id FROM b) AS q) AS q2 WHERE q2.x = 1
----
SELECT q.y, q.x FROM (SELECT a.x, a.y FROM a UNION SELECT b.x, b.id FROM b) AS q WHERE q.x = 1
----
not_equivalent

# s converts the members to text: 1 and 1.0 are one row of DISTINCT and two members.
decide
SELECT a.id FROM a WHERE a.s IN (SELECT DISTINCT COALESCE(b.u, 0) FROM b)
----
SELECT a.id FROM a WHERE a.s IN (SELECT COALESCE(b.u, 0) FROM b)
----
undecided

decide
SELECT a.id FROM a WHERE a.s IN (SELECT b.u FROM b UNION SELECT COALESCE(b2.x, 1.0) FROM b AS b2)
----
SELECT a.id FROM a WHERE a.s IN (SELECT b.u FROM b UNION ALL SELECT COALESCE(b2.x, 1.0) FROM b AS b2)
----
undecided

decide
SELECT DISTINCT a.s FROM a JOIN (SELECT DISTINCT COALESCE(b.u, 0) AS v FROM b) AS q ON q.v = a.s
----
SELECT DISTINCT a.s FROM a JOIN b ON COALESCE(b.u, 0) = a.s
----
undecided

# COUNT(DISTINCT a.y) is an aggregate of the outer query.
norm
SELECT a.id, (SELECT COUNT(*) FROM (SELECT DISTINCT a.y AS v FROM b) AS q) FROM a
----
SELECT a.id, (SELECT COUNT(*) FROM (SELECT DISTINCT a.y AS c1 FROM b) AS q) FROM a

# The condition of the LEFT JOIN tells 1 from 1.0, which GROUP BY does not.
decide
SELECT COUNT(*) FROM b LEFT JOIN a ON a.id = 1 AND b.u / 2 > 0 GROUP BY b.u, a.id
----
SELECT COUNT(*) FROM b GROUP BY b.u
----
undecided

# The second copy of the CTE must be named apart from b outside, too.
decide
SELECT q.z, b.s FROM (WITH k AS (SELECT b.x AS z, b.s FROM b) SELECT k1.z, k1.s FROM k AS k1
WHERE EXISTS (SELECT 1 FROM k AS k2 WHERE k2.s = k1.s AND k2.z <> k1.z)) AS q JOIN b ON b.s = q.s
----
SELECT b.x, b.s FROM b JOIN b AS b2 ON b.s = b2.s WHERE EXISTS (SELECT 1 FROM b AS b3 WHERE b.x <> b3.x)
----
not_equivalent
