schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER)
----

# All columns of the MAX are the outer query's, so it aggregates over t: one row in all, not one for each row of t.
decide
SELECT (SELECT MAX(t.a) FROM u) FROM t
----
SELECT MAX(t.a) FROM t
----
undecided UNSUPPORTED
