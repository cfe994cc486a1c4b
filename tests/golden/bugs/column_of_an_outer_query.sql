# Rules on the one source of a query took a column of an outer query, named like a key of that source, for the key.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, nn INTEGER NOT NULL);
CREATE TABLE c (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), w INTEGER);
----

# It is t.id that must be the greatest id of c; each row of c will do then, and none else.
decide tiers=rules
SELECT v FROM t WHERE EXISTS (SELECT 1 FROM c WHERE t.id = (SELECT MAX(c2.id) FROM c AS c2))
----
SELECT v FROM t WHERE EXISTS (SELECT 1 FROM c)
----
undecided NO_PROOF

decide
SELECT v FROM t WHERE NOT EXISTS (SELECT 1 FROM c WHERE t.id = (SELECT MAX(c2.id) FROM c AS c2))
----
SELECT v FROM t WHERE NOT EXISTS (SELECT 1 FROM c)
----
not_equivalent

# The first group is looked for among all rows of c, not among those of the outer row.
decide tiers=rules
SELECT v FROM t WHERE NOT EXISTS (SELECT 1 FROM t AS p WHERE t.id = (SELECT c.t_id FROM c GROUP BY c.t_id ORDER BY COUNT(*) DESC, c.t_id LIMIT 1))
----
SELECT v FROM t WHERE NOT EXISTS (SELECT 1 FROM t AS p JOIN c WHERE t.id = c.t_id GROUP BY c.t_id ORDER BY COUNT(*) DESC, c.t_id LIMIT 1)
----
undecided NO_PROOF

# The members are the outer row's id, if it is among the groups, and not the groups.
decide tiers=rules
SELECT v FROM t WHERE v NOT IN (SELECT t.id FROM t AS p WHERE t.id IN (SELECT c.t_id FROM c GROUP BY c.t_id HAVING COUNT(*) > 1))
----
SELECT v FROM t WHERE v NOT IN (SELECT c.t_id FROM c GROUP BY c.t_id HAVING COUNT(*) > 1)
----
undecided NO_PROOF

decide
SELECT (SELECT COUNT(*) FROM (SELECT t.id AS x FROM t AS p WHERE t.id IN (SELECT c.t_id FROM c GROUP BY c.t_id HAVING COUNT(*) > 1)) AS q) FROM t
----
SELECT (SELECT COUNT(*) FROM (SELECT c.t_id AS x FROM c GROUP BY c.t_id HAVING COUNT(*) > 1) AS q) FROM t
----
not_equivalent

# Columns of the source itself are read as before.
decide
SELECT v FROM t WHERE id = (SELECT MAX(x.id) FROM t AS x)
----
SELECT v FROM t ORDER BY id DESC LIMIT 1
----
equivalent by=rules

decide
SELECT t.v FROM t WHERE t.id = (SELECT c.t_id FROM c GROUP BY c.t_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT t.v FROM t JOIN c ON t.id = c.t_id GROUP BY c.t_id ORDER BY COUNT(*) DESC LIMIT 1
----
equivalent by=rules

# A wrapper that shows the outer row's x is no wrapper around the x inside.
decide tiers=rules
SELECT (SELECT COUNT(*) FROM (SELECT t.w FROM (SELECT DISTINCT c.w FROM c) AS q) AS r) FROM c AS t
----
SELECT (SELECT COUNT(*) FROM (SELECT DISTINCT t.w FROM c) AS r) FROM c AS t
----
undecided NO_PROOF

decide tiers=rules
SELECT o.id FROM c AS o WHERE o.w NOT IN (SELECT o.t_id FROM (SELECT c.t_id FROM c UNION SELECT c.w FROM c) AS q)
----
SELECT o.id FROM c AS o WHERE o.w NOT IN (SELECT c.t_id FROM c UNION SELECT c.w FROM c)
----
undecided NO_PROOF

decide
SELECT o.id, (SELECT SUM(w) FROM (SELECT o.w FROM (SELECT c.w FROM c UNION SELECT c.t_id FROM c) AS q) AS r) FROM c AS o
----
SELECT o.id, (SELECT SUM(w) FROM (SELECT c.w FROM c UNION SELECT c.t_id FROM c) AS r) FROM c AS o
----
not_equivalent
