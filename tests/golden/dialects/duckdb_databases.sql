# Tables of attached databases are made in memory, under their names; a name may have three parts.
schema dialect=duckdb
CREATE SCHEMA s;
CREATE TABLE s.t (a INTEGER PRIMARY KEY, b INTEGER);
CREATE TABLE t (a INTEGER, b INTEGER);
ATTACH 'sales.duckdb' AS d;
CREATE TABLE d.t (a INTEGER PRIMARY KEY, b INTEGER NOT NULL);
USE d;
CREATE TABLE v (c INTEGER, CHECK (c > 0));
CREATE UNIQUE INDEX vi ON v (c);
USE memory
----

decide
SELECT memory.main.t.a FROM memory.main.t WHERE b > 1
----
SELECT t.a FROM memory.t WHERE 1 < b
----
equivalent

decide
SELECT DISTINCT a FROM d.main.t
----
SELECT d.t.a FROM d.t
----
equivalent

decide
SELECT a FROM d.t
----
SELECT a FROM s.t
----
not_equivalent

decide
SELECT DISTINCT a FROM memory.s.t
----
SELECT a FROM memory.main.t
----
not_equivalent

decide
SELECT c FROM d.v WHERE c > 0
----
SELECT c FROM d.v WHERE c IS NOT NULL
----
equivalent

# A unique index lets NULL in twice.
decide
SELECT DISTINCT c FROM d.v
----
SELECT c FROM d.v
----
not_equivalent

decide
SELECT x.a FROM d.t x JOIN memory.main.t y ON y.a = x.a
----
SELECT a FROM d.t WHERE a IN (SELECT a FROM main.t)
----
not_equivalent
