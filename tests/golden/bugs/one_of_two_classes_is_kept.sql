# DISTINCT, GROUP BY and MAX keep one of several equal numbers, and -9223372036854775808 may stand in one
# column as INTEGER and as REAL: data with both showed a difference where SQLite was free to choose.
schema rounding=strict facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, r NUMERIC NOT NULL CHECK (r = -9223372036854775808));

decide
SELECT typeof(r) FROM (SELECT DISTINCT r FROM t)
----
SELECT 'integer' FROM (SELECT DISTINCT r FROM t)
----
undecided UNSUPPORTED
