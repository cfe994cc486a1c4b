# The hours of a date in DuckDB's STRFTIME were the constant 00, of NULL too.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE);

decide
SELECT STRFTIME(d, '%H:%M') FROM t
----
SELECT '00:00' FROM t
----
not_equivalent

decide
SELECT STRFTIME(d, '%H') FROM t
----
SELECT CASE WHEN d IS NOT NULL THEN '00' END FROM t
----
equivalent
