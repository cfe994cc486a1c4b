# Values on which a function is not like its kin: halves, the ends of months, texts beyond ASCII.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, r DOUBLE PRECISION, d DATE, ts TIMESTAMP, s TEXT, n TEXT NOT NULL);

# A cast rounds, to the even one of two that are as near.
decide
SELECT CAST(r AS INTEGER) FROM t
----
SELECT trunc(r)::INTEGER FROM t
----
not_equivalent

decide
SELECT sum(CAST(r AS INTEGER)) FROM t
----
SELECT sum(trunc(r)::INTEGER) FROM t
----
not_equivalent

# From 31 January a month leads to the end of February, and one back to its day.
decide
SELECT d + interval '1 month' - interval '1 month' FROM t
----
SELECT d + interval '0 month' FROM t
----
not_equivalent

decide
SELECT id FROM t WHERE d + interval '1 month' - interval '1 month' = d
----
SELECT id FROM t WHERE d IS NOT NULL
----
not_equivalent

# From 29 February a year leads to 28 February.
decide
SELECT ts - interval '1 year' + interval '1 year' FROM t
----
SELECT ts FROM t
----
not_equivalent

decide
SELECT octet_length(s) FROM t
----
SELECT length(s) FROM t
----
not_equivalent

decide
SELECT id FROM t WHERE octet_length(n) > 3
----
SELECT id FROM t WHERE length(n) > 3
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, r DOUBLE, d DATE, ts TIMESTAMP, s VARCHAR, n VARCHAR NOT NULL);

decide
SELECT CAST(r AS INTEGER) FROM t
----
SELECT trunc(r)::INTEGER FROM t
----
not_equivalent

# DuckDB's round goes from zero where its cast goes to the even one.
decide
SELECT CAST(r AS INTEGER) FROM t
----
SELECT CAST(round(r) AS INTEGER) FROM t
----
not_equivalent

decide
SELECT d + INTERVAL 1 MONTH - INTERVAL 1 MONTH FROM t
----
SELECT d + INTERVAL 0 MONTH FROM t
----
not_equivalent

decide
SELECT strlen(s) FROM t
----
SELECT length(s) FROM t
----
not_equivalent

decide
SELECT octet_length(encode(s)) FROM t
----
SELECT length(s) FROM t
----
not_equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, d DATE, s TEXT);

# SQLite's months do not end early: 31 January and a month is 2 or 3 March.
decide
SELECT date(d, '+1 month', '-1 month') FROM t
----
SELECT date(d) FROM t
----
not_equivalent

decide
SELECT length(CAST(s AS BLOB)) FROM t
----
SELECT length(s) FROM t
----
not_equivalent
