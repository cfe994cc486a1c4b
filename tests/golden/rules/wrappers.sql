schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=inline_wrapped_query
SELECT q.n, q.n + 1 FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x HAVING COUNT(*) > 1) AS q
----
SELECT COUNT(*), COUNT(*) + 1 FROM a GROUP BY a.x HAVING COUNT(*) >= 2

norm expect=inline_wrapped_query
SELECT q.y FROM (SELECT a.y, a.x FROM a ORDER BY a.x DESC LIMIT 1) AS q
----
SELECT a.y FROM a ORDER BY a.x DESC LIMIT 1

# UPPER(nick) = nick would compare by NOCASE, q.n = q.m compares by BINARY.
norm refuse=inline_wrapped_query needs=wrapper_collations_survive
SELECT q.n = q.m FROM (SELECT UPPER(d.nick) AS n, d.nick AS m FROM d LIMIT 3) AS q
----
SELECT q.c1 = q.c2 FROM (SELECT UPPER(d.nick) AS c1, d.nick AS c2 FROM d LIMIT 3) AS q

# The outer query promises no order.
norm refuse=inline_wrapped_query needs=order_is_not_promised
SELECT q.y FROM (SELECT a.y, a.x FROM a ORDER BY a.x LIMIT 3) AS q
----
SELECT q.c1 FROM (SELECT a.y AS c1 FROM a ORDER BY a.x LIMIT 3) AS q

# Two rows (1, 2) and (1, 3) are distinct; their first columns are not.
norm refuse=inline_wrapped_query
SELECT q.x FROM (SELECT DISTINCT a.x, a.y FROM a LIMIT 3) AS q
----
SELECT q.c1 FROM (SELECT DISTINCT a.x AS c1, a.y AS c2 FROM a LIMIT 3) AS q

# Without COUNT(*) this is no aggregate query any more.
norm refuse=inline_wrapped_query
SELECT 1 FROM (SELECT COUNT(*) AS n FROM a) AS q
----
SELECT 1 FROM (SELECT COUNT(*) AS c1 FROM a) AS q

norm expect=merge_filter_into_groups
SELECT q.x FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q WHERE q.n > 1 AND q.x > 2 ORDER BY q.n LIMIT 3
----
SELECT a.x FROM a WHERE a.x >= 3 GROUP BY a.x HAVING COUNT(*) >= 2 ORDER BY COUNT(*) LIMIT 3

norm refuse=merge_filter_into_groups needs=wrapper_collations_survive
SELECT q.c FROM (SELECT UPPER(d.nick) AS n, d.nick AS m, COUNT(*) AS c FROM d GROUP BY d.nick) AS q WHERE q.n = q.m
----
SELECT q.c1 FROM (SELECT COUNT(*) AS c1, UPPER(d.nick) AS c2, d.nick AS c3 FROM d GROUP BY d.nick) AS q WHERE q.c2 = q.c3

# There is no HAVING without GROUP BY.
norm refuse=merge_filter_into_groups
SELECT q.n FROM (SELECT COUNT(*) AS n FROM a) AS q WHERE q.n > 1
----
SELECT q.c1 FROM (SELECT COUNT(*) AS c1 FROM a) AS q WHERE q.c1 >= 2

# The literal 2 is not the column "2".
norm refuse=inline_wrapped_set_operation
SELECT 2, q."2" FROM (SELECT a.x AS "2" FROM a UNION ALL SELECT b.y FROM b) AS q
----
SELECT 2, q.c1 FROM (SELECT a.x AS c1 FROM a UNION ALL SELECT b.y FROM b) AS q

norm expect=inline_wrapped_set_operation
SELECT q.y, q.x FROM (SELECT a.x, a.y FROM a UNION ALL SELECT b.y, b.x FROM b) AS q
----
SELECT a.y, a.x FROM a UNION ALL SELECT b.x, b.y FROM b

norm refuse=inline_wrapped_set_operation
SELECT q.x FROM (SELECT a.x, a.y FROM a UNION SELECT b.y, b.x FROM b) AS q
----
SELECT q.c1 FROM (SELECT a.x AS c1, a.y AS c2 FROM a UNION SELECT b.y, b.x FROM b) AS q

norm refuse=inline_wrapped_set_operation
SELECT DISTINCT q.x FROM (SELECT a.x FROM a UNION ALL SELECT b.y FROM b) AS q
----
SELECT DISTINCT q.c1 FROM (SELECT a.x AS c1 FROM a UNION ALL SELECT b.y FROM b) AS q

# In a subquery COUNT(*) would be the aggregate of that subquery.
norm refuse=merge_filter_into_groups
SELECT q.x FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q WHERE EXISTS (SELECT 1 FROM b WHERE b.y = q.n)
----
SELECT q.c2 FROM (SELECT COUNT(*) AS c1, a.x AS c2 FROM a GROUP BY a.x) AS q WHERE EXISTS (SELECT 1 FROM b WHERE b.y = q.c1)

# The columns are read from outside by the names that the wrapper gives them.
norm expect=inline_wrapped_set_operation
SELECT r.x, r.y FROM (SELECT q.y AS x, q.x AS y FROM (SELECT a.x, a.y FROM a UNION SELECT b.x, b.y FROM b) AS q) AS r
----
SELECT a.y, a.x FROM a UNION SELECT b.y, b.x FROM b

# With GROUP BY a COUNT that nobody reads makes no difference; a MIN or MAX decides which row y is read from.
norm expect=inline_wrapped_query
SELECT q.x FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x ORDER BY COUNT(*) DESC LIMIT 1) AS q
----
SELECT a.x FROM a GROUP BY a.x ORDER BY COUNT(*) DESC LIMIT 1

norm refuse=inline_wrapped_query
SELECT q.y FROM (SELECT a.y, MAX(a.id) AS n FROM a GROUP BY a.x) AS q
----
SELECT q.c2 FROM (SELECT MAX(a.id) AS c1, a.y AS c2 FROM a GROUP BY a.x) AS q
