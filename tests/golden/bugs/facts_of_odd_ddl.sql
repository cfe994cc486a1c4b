# POINT ends in INT, but a FLOATING POINT is no integer; an INTERVAL is no number at all.
schema
CREATE TABLE t (a FLOATING POINT, b INTERVAL, c INTEGER);

decide
SELECT a FROM t WHERE a > 1
----
SELECT a FROM t WHERE a >= 2
----
not_equivalent

decide
SELECT b FROM t WHERE b > 1
----
SELECT b FROM t WHERE b >= 2
----
not_equivalent

# A generated column holds what its expression gives.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER AS (id / 2.0));

decide
SELECT id FROM t WHERE a > 1
----
SELECT id FROM t WHERE a >= 2
----
not_equivalent

# Sums are unique here, not their first parts.
schema
CREATE TABLE t (a integer, b integer);
CREATE UNIQUE INDEX i ON public.t USING btree ((a + b));

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema
CREATE TABLE t (a INTEGER);
CREATE UNIQUE INDEX i ON t (a);
DROP INDEX i;

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

# SQLite folds the case of ASCII letters only: these are two columns, of which one may be NULL.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, "É" TEXT NOT NULL, "é" TEXT);

decide
SELECT COUNT("é") FROM t
----
SELECT COUNT(*) FROM t
----
not_equivalent
