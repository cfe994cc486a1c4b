# Values on which a function is not like its kin: halves, the ends of months, texts beyond ASCII.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, r DOUBLE PRECISION, d DATE, ts TIMESTAMP, s TEXT, n TEXT NOT NULL);
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE n (x NUMERIC, m mood);

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

# Halves below zero: round goes from zero, floor down.
decide
SELECT round(x) FROM n
----
SELECT floor(x + 0.5) FROM n
----
not_equivalent

decide
SELECT round(x, 2) FROM n
----
SELECT floor(x * 100 + 0.5) / 100 FROM n
----
not_equivalent

# A value may be the most frequent without being the least.
decide
SELECT mode() WITHIN GROUP (ORDER BY m) FROM n
----
SELECT min(m) FROM n
----
not_equivalent

# Of values that are as frequent PostgreSQL may give any.
decide
SELECT mode() WITHIN GROUP (ORDER BY m) FROM n
----
SELECT mode() WITHIN GROUP (ORDER BY m DESC) FROM n
----
undecided NO_PROOF

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
SELECT round(r) FROM t
----
SELECT floor(r + 0.5) FROM t
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
CREATE TABLE u (b BLOB, x);

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

decide
SELECT ROUND(r) FROM t
----
SELECT FLOOR(r + 0.5) FROM t
----
not_equivalent

# LENGTH counts the characters of a text, and the bytes of a blob.
decide
SELECT LENGTH(UPPER(x)) FROM u
----
SELECT LENGTH(x) FROM u
----
not_equivalent

decide
SELECT COUNT(*) FROM u WHERE LENGTH(b || '') = 1
----
SELECT COUNT(*) FROM u WHERE LENGTH(b) = 1
----
not_equivalent

decide
SELECT INSTR(b, x'a9') FROM u
----
SELECT INSTR(b || '', x'a9') FROM u
----
not_equivalent
