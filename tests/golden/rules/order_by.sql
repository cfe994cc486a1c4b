schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=eliminate_order_in_subquery
SELECT q.x, b.y FROM (SELECT DISTINCT a.x FROM a ORDER BY a.x) AS q, b
----
SELECT q.c1, b.y FROM (SELECT DISTINCT a.x AS c1 FROM a) AS q JOIN b

norm refuse=eliminate_order_in_subquery needs=is_unlimited
SELECT q.x, b.y FROM (SELECT a.x FROM a ORDER BY a.x LIMIT 2) AS q, b
----
SELECT q.c1, b.y FROM (SELECT a.x AS c1 FROM a ORDER BY a.x LIMIT 2) AS q JOIN b

norm expect=eliminate_order_under_bag rows=bag
SELECT a.x FROM a ORDER BY a.x
----
SELECT a.x FROM a

norm refuse=eliminate_order_under_bag rows=list
SELECT a.x FROM a ORDER BY a.x
----
SELECT a.x FROM a ORDER BY a.x

norm refuse=eliminate_order_under_bag needs=is_unlimited rows=bag
SELECT a.x FROM a ORDER BY a.x LIMIT 2
----
SELECT a.x FROM a ORDER BY a.x LIMIT 2

# MIN decides which row the bare column is of.
norm refuse=eliminate_order_under_bag needs=decides_order_alone rows=bag
SELECT a.y FROM a GROUP BY a.x ORDER BY MIN(a.id)
----
SELECT a.y FROM a GROUP BY a.x ORDER BY MIN(a.id)

norm expect=eliminate_order_under_bag rows=bag
SELECT a.x FROM a GROUP BY a.x ORDER BY MIN(a.id)
----
SELECT DISTINCT a.x FROM a

norm refuse=eliminate_order_in_subquery needs=decides_order_alone
SELECT q.y FROM (SELECT a.y, COUNT(*) AS n FROM a ORDER BY MAX(a.x)) AS q
----
SELECT q.c2 FROM (SELECT COUNT(*) AS c1, a.y AS c2 FROM a ORDER BY MAX(a.x)) AS q

decide relation=list
SELECT MAX(a.x) FROM a ORDER BY MAX(a.x)
----
SELECT MAX(a.x) FROM a
----
equivalent by=proof

# MIN decides which row the bare column is of.
decide relation=list
SELECT a.y AS y, COUNT(*) AS expr FROM a ORDER BY MIN(a.x)
----
SELECT a.y AS y, COUNT(*) AS expr FROM a
----
undecided NONDETERMINISTIC

decide relation=list
SELECT a.x, a.y FROM a WHERE a.code = 'k' ORDER BY a.code, a.x, a.id, a.y
----
SELECT a.x, a.y FROM a WHERE a.code = 'k'
----
equivalent by=proof

# A code may be missing, and then x decides.
decide relation=list
SELECT a.x AS x FROM a ORDER BY a.code, a.x
----
SELECT a.x AS x FROM a ORDER BY a.x
----
not_equivalent by=generate

# SQLite takes the first row in the inner order; the letter of SQL would not.
norm refuse=eliminate_order_in_subquery
SELECT q.x FROM (SELECT a.x FROM a ORDER BY a.x DESC) AS q LIMIT 1
----
SELECT q.c1 FROM (SELECT a.x AS c1 FROM a ORDER BY a.x DESC) AS q LIMIT 1

norm refuse=eliminate_order_in_subquery
SELECT GROUP_CONCAT(q.x) FROM (SELECT a.x FROM a ORDER BY a.x DESC) AS q
----
SELECT GROUP_CONCAT(q.c1) FROM (SELECT a.x AS c1 FROM a ORDER BY a.x DESC) AS q

decide
SELECT q.x FROM (SELECT a.x FROM a ORDER BY a.x DESC) AS q LIMIT 1
----
SELECT a.x FROM a LIMIT 1
----
undecided
