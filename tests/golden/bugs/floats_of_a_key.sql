# A key of integers of 64 bits is none as floats, since two may become one: that DISTINCT takes nothing away was said
# without the fact that no step rounds.
schema dialect=duckdb
CREATE TABLE t (id BIGINT PRIMARY KEY, w DECIMAL(20, 0), f DOUBLE);

decide names=exact_arithmetic
SELECT DISTINCT CAST(id AS DOUBLE) FROM t
----
SELECT CAST(id AS DOUBLE) FROM t
----
equivalent

decide names=exact_arithmetic
SELECT x.id FROM t x, t y, t z WHERE x.w = z.f AND y.w = z.f
----
SELECT x.id FROM t x, t y, t z WHERE x.w = z.f AND y.w = z.f AND x.w = y.w
----
equivalent

schema dialect=postgres
CREATE TABLE t (id BIGINT PRIMARY KEY);

decide names=exact_arithmetic
SELECT DISTINCT CAST(id AS DOUBLE PRECISION) FROM t
----
SELECT CAST(id AS DOUBLE PRECISION) FROM t
----
equivalent
