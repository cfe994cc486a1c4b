# Schemas and views of attached databases: names of three parts, and what a view there means by a name.
schema dialect=duckdb
CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER);
ATTACH 'sales.duckdb' AS d;
CREATE SCHEMA d.s;
CREATE TABLE d.t (a INTEGER NOT NULL, b INTEGER);
CREATE TABLE d.s.t (a INTEGER PRIMARY KEY, b INTEGER NOT NULL);
CREATE TABLE d.s.u (a INTEGER REFERENCES d.s.t (a), c INTEGER);
USE d;
CREATE VIEW high AS SELECT a, b FROM t WHERE b > 5;
CREATE VIEW s.low (x) AS SELECT a FROM s.t WHERE b < 5;
USE memory
----

decide
SELECT d.s.t.a FROM d.s.t WHERE b > 1
----
SELECT t.a FROM d.s.t AS t WHERE 1 < b
----
equivalent

decide
SELECT DISTINCT a FROM d.s.t
----
SELECT a FROM d.s.t
----
equivalent

decide
SELECT DISTINCT a FROM d.main.t
----
SELECT a FROM d.t
----
not_equivalent

decide
SELECT a FROM d.t
----
SELECT a FROM d.s.t
----
not_equivalent

# A view of an attached database reads the tables that are there.
decide
SELECT a FROM d.high
----
SELECT a FROM d.t WHERE NOT (b <= 5)
----
equivalent

decide
SELECT a FROM d.high
----
SELECT a FROM t WHERE b > 5
----
not_equivalent

decide
SELECT x FROM d.s.low
----
SELECT a AS x FROM d.s.t WHERE b < 5
----
equivalent

decide
SELECT u.c FROM d.s.u JOIN d.s.t ON t.a = u.a
----
SELECT c FROM d.s.u WHERE a IS NOT NULL
----
equivalent
