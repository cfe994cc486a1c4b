# DuckDB and PostgreSQL compare an integer of 64 bits with a float as floats: 9007199254740993 equals
# 9007199254740992.0.  What is proved of such a query was not said to rest on exact arithmetic
# (tests/dialects/test_wide_numbers.py has the facts).
schema dialect=duckdb
CREATE TABLE t (id BIGINT PRIMARY KEY, g BIGINT, f DOUBLE);

decide
SELECT x.id FROM t x, t y, t z WHERE x.g = z.f AND y.g = z.f
----
SELECT x.id FROM t x, t y, t z WHERE x.g = z.f AND y.g = z.f AND x.g = y.g
----
equivalent

schema dialect=postgres
CREATE TABLE t (id BIGINT PRIMARY KEY, g BIGINT, f DOUBLE PRECISION);

decide
SELECT x.id FROM t x, t y, t z WHERE x.g = z.f AND y.g = z.f
----
SELECT x.id FROM t x, t y, t z WHERE x.g = z.f AND y.g = z.f AND x.g = y.g
----
equivalent
