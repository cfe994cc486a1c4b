# -9223372036854775808 can be stored as INTEGER and as REAL in one column of INTEGER or NUMERIC affinity,
# since SQLite keeps that one REAL as it is: equal values of such a column were taken for identical.
schema rounding=strict facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, d DECIMAL(10, 2), r REAL, b INT UNIQUE, f INT REFERENCES t (b));

decide
SELECT a, MIN(typeof(a)) FROM t GROUP BY a
----
SELECT a, MAX(typeof(a)) FROM t GROUP BY a
----
undecided

decide
SELECT d, MIN(typeof(d)) FROM t GROUP BY d
----
SELECT d, MAX(typeof(d)) FROM t GROUP BY d
----
undecided

decide
SELECT typeof(x.a) FROM t AS x JOIN t AS y ON x.a = y.d
----
SELECT typeof(y.d) FROM t AS x JOIN t AS y ON x.a = y.d
----
undecided

decide
SELECT typeof(x.b) FROM t AS x JOIN t AS y ON x.f = y.b
----
SELECT typeof(y.f) FROM t AS y JOIN t AS x ON y.f = x.b
----
not_equivalent

# REAL affinity leaves one class.
decide
SELECT r, MIN(typeof(r)) FROM t GROUP BY r
----
SELECT r, MAX(typeof(r)) FROM t GROUP BY r
----
equivalent

# A column that conforms to its type holds integers alone; a REAL of that value is the outcome of an overflow.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, d DECIMAL(10, 2), r REAL, b INT UNIQUE, f INT REFERENCES t (b));

decide
SELECT a, MIN(typeof(a)) FROM t GROUP BY a
----
SELECT a, MAX(typeof(a)) FROM t GROUP BY a
----
equivalent by=proof

decide
SELECT d, MIN(typeof(d)) FROM t GROUP BY d
----
SELECT d, MAX(typeof(d)) FROM t GROUP BY d
----
equivalent by=proof
