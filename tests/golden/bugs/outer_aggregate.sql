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

# The columns of a FILTER count as those of an argument: this COUNT is over t as well.
decide
SELECT t.id, (SELECT COUNT(*) FILTER (WHERE t.a > 1) FROM u) FROM t
----
SELECT t.id, (SELECT CASE WHEN t.a > 1 THEN COUNT(*) ELSE 0 END FROM u) FROM t
----
undecided UNSUPPORTED
