schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, code TEXT);
----

# The derived column is called like the reference, and holds something else.
decide
SELECT q.a_id FROM (SELECT b.x AS a_id FROM b ORDER BY b.id LIMIT 3) AS q JOIN a ON a.id = q.a_id
----
SELECT q.a_id FROM (SELECT b.x AS a_id FROM b ORDER BY b.id LIMIT 3) AS q WHERE q.a_id IS NOT NULL
----
not_equivalent

# The derived table holds some rows of the parent only.
decide
SELECT b.x, q.id FROM b LEFT JOIN (SELECT a.id FROM a ORDER BY a.id LIMIT 1) AS q ON q.id = b.a_id
----
SELECT b.x, q.id FROM b JOIN (SELECT a.id FROM a ORDER BY a.id LIMIT 1) AS q ON q.id = b.a_id
----
not_equivalent

# A FULL JOIN keeps the rows of its right side whose key is NULL, and they are many.
decide
SELECT DISTINCT b.id, a.code FROM b FULL JOIN a ON a.code = b.code
----
SELECT b.id, a.code FROM b FULL JOIN a ON a.code = b.code
----
not_equivalent

# A scalar subquery is its first row.
decide
SELECT (SELECT a.x FROM a ORDER BY a.x)
----
SELECT (SELECT a.x FROM a)
----
undecided NONDETERMINISTIC

# A number is less than any text.
decide
SELECT a.x FROM a GROUP BY a.x HAVING COUNT(*) > '0'
----
SELECT a.x FROM a GROUP BY a.x
----
not_equivalent

# Only the first operand has one row.
decide
SELECT a.x FROM a WHERE a.id = 1 INTERSECT SELECT a2.x FROM a AS a2 WHERE a2.y = 2
----
SELECT DISTINCT a.x FROM a WHERE a.id = 1 AND a.y = 2
----
not_equivalent

# Each operand chooses its own row of a group.
decide
SELECT a.y FROM a GROUP BY a.x UNION SELECT a2.y FROM a AS a2 GROUP BY a2.x
----
SELECT DISTINCT a.y FROM a GROUP BY a.x
----
undecided NONDETERMINISTIC

# HAVING counts the distinct rows.
decide
SELECT COUNT(*) FROM (SELECT DISTINCT b.a_id FROM b) AS q HAVING COUNT(*) > 1
----
SELECT COUNT(DISTINCT b.a_id) FROM b HAVING COUNT(*) > 1
----
not_equivalent

# A negative LIMIT is none.
decide
SELECT DISTINCT a.x FROM a LIMIT -1
----
SELECT a.x FROM a LIMIT -1
----
not_equivalent

schema
CREATE TABLE d (id INTEGER PRIMARY KEY, x INTEGER, u, k TEXT COLLATE NOCASE);
----

# A group of 'a' and 'A' shows one of them; 'ax' and 'Ax' are two rows.
decide
SELECT d.k, d.k || 'x' FROM d GROUP BY d.k
----
SELECT DISTINCT d.k, d.k || 'x' FROM d
----
undecided

# A group of 1 and 1.0 shows one of them; 0 and 0.5 are two rows.
decide
SELECT d.u, d.u / 2 FROM d GROUP BY d.u
----
SELECT DISTINCT d.u, d.u / 2 FROM d
----
undecided

decide
SELECT COUNT(DISTINCT q.u / 2) FROM (SELECT DISTINCT d.u FROM d) AS q
----
SELECT COUNT(DISTINCT d.u / 2) FROM d
----
undecided

decide relation=set
SELECT COALESCE(d.x, 1.0) / 2 FROM d GROUP BY COALESCE(d.x, 1.0)
----
SELECT COALESCE(d.x, 1.0) / 2 FROM d
----
undecided

# The EXISTS reads no other source; it stands in one place only.
norm
SELECT d.x FROM d JOIN d AS d2 ON d2.x = d.id WHERE EXISTS (SELECT MIN(d3.x) FROM d AS d3 HAVING MAX(d3.u) = 1)
GROUP BY d.id HAVING COUNT(*) > 1
----
SELECT d.x FROM d WHERE EXISTS (SELECT MIN(d_2.x) FROM d AS d_2 HAVING MAX(d_2.u) = 1) AND d.id IN (SELECT d_3.x FROM d AS d_3 GROUP BY d_3.x HAVING COUNT(*) >= 2)
