# Literals were read as under the zone that a script states behind them.
schema dialect=postgres
CREATE TABLE t (a INTEGER, at TIMESTAMPTZ CHECK (at > '2020-01-01 00:00'));
CREATE VIEW v AS SELECT a FROM t WHERE at > '2021-01-01 00:00';
SET TimeZone = 'UTC';
CREATE TABLE u (a INTEGER, at TIMESTAMPTZ);

decide
SELECT a FROM t WHERE at > '2020-01-01 00:00+00'
----
SELECT a FROM t WHERE at IS NOT NULL
----
undecided

decide
SELECT a FROM t WHERE at > '2021-01-01 00:00+00'
----
SELECT a FROM v
----
undecided UNSUPPORTED

decide
SELECT a FROM u WHERE at > '2020-01-01 00:00+00'
----
SELECT a FROM u WHERE at > '2020-01-01 00:00'
----
equivalent

schema dialect=postgres
SET TimeZone = 'UTC';
CREATE TABLE t (a INTEGER, at TIMESTAMPTZ CHECK (at > '2020-01-01 00:00'));

decide
SELECT a FROM t WHERE at > '2020-01-01 00:00+00'
----
SELECT a FROM t WHERE at IS NOT NULL
----
equivalent

# Day and month were taken for month and day where nobody states an order of them.
schema dialect=postgres
CREATE TABLE t (a INTEGER, d DATE, s TEXT CHECK (s <> '01/02/2026'));
CREATE TABLE u (a INTEGER, d DATE CHECK (d >= '01/02/2026'));
CREATE VIEW v AS SELECT a FROM t WHERE d >= '01/02/2026';
ALTER TABLE t ADD CONSTRAINT c CHECK (d < '03/04/2030');

decide
SELECT a FROM t WHERE d >= '2026-01-02'
----
SELECT a FROM v
----
undecided UNSUPPORTED

decide
SELECT a FROM t WHERE d < '2030-03-04'
----
SELECT a FROM t WHERE d IS NOT NULL
----
undecided

decide
SELECT a FROM u WHERE d >= '2026-01-02'
----
SELECT a FROM u WHERE d IS NOT NULL
----
undecided UNSUPPORTED

decide
SELECT a FROM t WHERE s <> '01/02/2026'
----
SELECT a FROM t WHERE s IS NOT NULL
----
equivalent

schema dialect=postgres
SET DateStyle = 'ISO, DMY';
CREATE TABLE t (a INTEGER, d DATE CHECK (d >= '01/02/2026'));

decide
SELECT a FROM t WHERE d >= '2026-02-01'
----
SELECT a FROM t WHERE d IS NOT NULL
----
equivalent
