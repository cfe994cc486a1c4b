# A subquery that picks a row for each row around it picks again where that one is repeated: then repetitions do count.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT, v INTEGER, nn INTEGER NOT NULL);
CREATE TABLE c (id INTEGER PRIMARY KEY, w INTEGER, k TEXT UNIQUE);
----

# Of one g there is one value on the left, as many as there are rows of t, maybe, on the right.
decide
SELECT COUNT(DISTINCT (SELECT c.id FROM c WHERE c.w = x.nn LIMIT 1)) FROM (SELECT DISTINCT nn FROM t) AS x
----
SELECT COUNT(DISTINCT (SELECT c.id FROM c WHERE c.w = t.nn LIMIT 1)) FROM t
----
undecided

decide relation=set
SELECT DISTINCT v, (SELECT k FROM c WHERE c.w = t.v) FROM t
----
SELECT v, (SELECT k FROM c WHERE c.w = x.v) FROM (SELECT DISTINCT v FROM t) AS x
----
undecided

decide relation=set
SELECT v, (SELECT k FROM c WHERE c.w = t.v LIMIT 1) FROM t GROUP BY v
----
SELECT DISTINCT v, (SELECT k FROM c WHERE c.w = t.v LIMIT 1) FROM t
----
undecided

decide
SELECT COUNT(DISTINCT (SELECT c.id FROM c WHERE c.w = t.nn LIMIT 1)) FROM t WHERE id = 1
----
SELECT COUNT(DISTINCT (SELECT c.id FROM c WHERE c.w = t.nn LIMIT 1)) FROM t LEFT JOIN c AS d ON d.w > t.v WHERE t.id = 1
----
undecided

decide
SELECT DISTINCT t.id, (SELECT k FROM c WHERE c.w = t.v LIMIT 1) FROM t JOIN c AS d ON d.w = t.nn
----
SELECT t.id, (SELECT k FROM c WHERE c.w = t.v LIMIT 1) FROM t WHERE EXISTS (SELECT 1 FROM c AS d WHERE d.w = t.nn)
----
undecided

# No choice, or one for all rows: no matter.
decide
SELECT DISTINCT t.id, (SELECT MAX(k) FROM c WHERE c.w = t.v) FROM t JOIN c AS d ON d.w = t.nn
----
SELECT t.id, (SELECT MAX(k) FROM c WHERE c.w = t.v) FROM t WHERE EXISTS (SELECT 1 FROM c AS d WHERE d.w = t.nn)
----
equivalent by=rules

decide
SELECT DISTINCT t.id FROM t JOIN c AS d ON d.w = t.nn WHERE t.v = (SELECT w FROM c ORDER BY id LIMIT 1)
----
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM c AS d WHERE d.w = t.nn) AND t.v = (SELECT w FROM c ORDER BY id LIMIT 1)
----
equivalent by=rules

# What is picked for a row of a derived table is picked once, however many rows it is joined to.
decide
SELECT COUNT(*) FROM (SELECT t.id FROM t WHERE t.v = (SELECT w FROM c WHERE c.k > t.g LIMIT 1)) AS q, c AS d
----
SELECT COUNT(*) FROM t, c AS d WHERE t.v = (SELECT w FROM c WHERE c.k > t.g LIMIT 1)
----
undecided

decide
SELECT q.k, d.id FROM (SELECT (SELECT k FROM c WHERE c.w = t.v LIMIT 1) AS k FROM t) AS q, c AS d
----
SELECT (SELECT k FROM c WHERE c.w = t.v LIMIT 1), d.id FROM t, c AS d
----
undecided

decide
SELECT q.k FROM (SELECT (SELECT k FROM c WHERE c.w = t.v LIMIT 1) AS k FROM t) AS q
----
SELECT (SELECT k FROM c WHERE c.w = t.v LIMIT 1) FROM t
----
equivalent by=rules

decide
SELECT q.k, d.id FROM (SELECT (SELECT MAX(k) FROM c WHERE c.w = t.v) AS k FROM t) AS q, c AS d
----
SELECT (SELECT MAX(k) FROM c WHERE c.w = t.v), d.id FROM t, c AS d
----
equivalent by=rules
