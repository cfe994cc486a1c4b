# DuckDB's integers of 8 bits and those without a sign were taken for the next wider type: TRY_CAST to one gave
# back what does not fit, where DuckDB has NULL, and a CAST to one was said never to fail.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, g BIGINT, si SMALLINT, n DECIMAL(5, 0), m DECIMAL(4, 2));

decide
SELECT TRY_CAST(g AS UINTEGER) FROM t
----
SELECT g FROM t
----
not_equivalent

decide
SELECT TRY_CAST(si AS TINYINT) FROM t
----
SELECT si FROM t
----
not_equivalent

# A decimal of five digits is no SMALLINT if it is 99999.
decide
SELECT TRY_CAST(n AS SMALLINT) FROM t
----
SELECT n FROM t
----
not_equivalent

# Rounded up, 99.99 has a digit more: it is not read, and nothing is proved of it.
decide
SELECT TRY_CAST(m AS DECIMAL(2, 0)) FROM t
----
SELECT ROUND(m, 0) FROM t
----
undecided NO_PROOF

decide
SELECT TRY_CAST(si AS TINYINT) FROM t
----
SELECT CASE WHEN si BETWEEN -128 AND 127 THEN si END FROM t
----
equivalent
