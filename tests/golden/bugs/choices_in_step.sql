schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), v INTEGER);
----

# Two GROUP_CONCATs of one query go through the rows once, in one order.
decide
SELECT GROUP_CONCAT(s), GROUP_CONCAT(a) FROM t
----
SELECT q.g, p.g FROM (SELECT GROUP_CONCAT(s) AS g FROM t) AS q, (SELECT GROUP_CONCAT(a) AS g FROM t) AS p
----
undecided NONDETERMINISTIC

# A subquery that mentions the outer row is run for each, one that does not once, whatever the mention is worth.
decide
SELECT (SELECT t.s FROM t WHERE t.a = u.v LIMIT 1) FROM u WHERE u.v = 3
----
SELECT (SELECT t.s FROM t WHERE t.a = 3 LIMIT 1) FROM u WHERE u.v = 3
----
undecided NONDETERMINISTIC

# One outer row: no matter.
decide
SELECT (SELECT t.s FROM t WHERE t.a = u.v LIMIT 1) FROM u WHERE u.id = 3
----
SELECT (SELECT t.s FROM t WHERE t.a = u.v LIMIT 1 OFFSET 0) FROM u WHERE 3 = u.id
----
equivalent
