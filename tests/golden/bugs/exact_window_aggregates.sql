# Without rounding, a sum over a frame whose first rows are filtered out, or that is empty, ended the process:
# Python's window aggregates are asked for a value before their first step.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, nn INTEGER NOT NULL, r REAL);

decide
SELECT SUM(nn) FILTER (WHERE a > 1) OVER (ORDER BY id) FROM t
----
SELECT SUM(CASE WHEN a > 1 THEN nn ELSE 0 END) OVER (ORDER BY id) FROM t
----
not_equivalent

decide
SELECT TOTAL(r) FILTER (WHERE a > 1) OVER (ORDER BY id) FROM t
----
SELECT SUM(r) FILTER (WHERE a > 1) OVER (ORDER BY id) FROM t
----
not_equivalent

decide
SELECT id, SUM(nn) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM t
----
SELECT id, SUM(nn) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) FROM t
----
not_equivalent

decide
SELECT id, AVG(nn) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) FROM t
----
SELECT id, AVG(nn) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t
----
not_equivalent

# TOTAL of no rows is 0.0, which was NULL without rounding: no witness was found.
decide
SELECT TOTAL(r) FROM t WHERE a > 5
----
SELECT SUM(r) FROM t WHERE a > 5
----
not_equivalent

decide
SELECT TOTAL(r) FILTER (WHERE a > 5) FROM t
----
SELECT SUM(r) FILTER (WHERE a > 5) FROM t
----
not_equivalent
