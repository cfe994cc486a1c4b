# A constant that DuckDB had computed went into the next computation without its type: a date as a difference
# of numbers (2000-01-01 is 1998), a DOUBLE as a DECIMAL, which rounds otherwise.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE, m TIMESTAMP);

# The text of a date was that of a number.
decide
SELECT DATE '2000-01-01'::VARCHAR FROM t
----
SELECT '1998' FROM t
----
not_equivalent

decide
SELECT DATE '2000-01-01'::VARCHAR FROM t
----
SELECT '2000-01-01' FROM t
----
equivalent

# The days between two dates were a difference of numbers: one day is no condition that never holds.
decide
SELECT id FROM t WHERE DATE '2000-02-01' - DATE '2000-01-31' = 1
----
SELECT id FROM t WHERE DATE '2000-01-02' - DATE '2000-01-01' = 3
----
not_equivalent

decide
SELECT id FROM t WHERE DATE '2000-02-01' - DATE '2000-01-31' = 1
----
SELECT id FROM t
----
equivalent

# A DOUBLE is rounded half to even.
decide
SELECT 2.5::DOUBLE::INTEGER FROM t
----
SELECT 3 FROM t
----
not_equivalent

decide
SELECT 2.5::DOUBLE::INTEGER FROM t
----
SELECT 2 FROM t
----
equivalent

# A date beside a timestamp is its midnight.
decide
SELECT id FROM t WHERE m > DATE '2000-01-01'
----
SELECT id FROM t WHERE m > TIMESTAMP '2000-01-01 00:00:00'
----
equivalent
