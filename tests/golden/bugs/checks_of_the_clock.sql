# A CHECK that compares a column with the clock held as the row was written; it was taken to hold as the query runs.
schema dialect=postgres
CREATE TABLE t (a timestamptz CHECK (a >= now()), b date CHECK (b >= current_date), c int CHECK (c > 0));

decide
SELECT a FROM t WHERE a >= now()
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT b FROM t WHERE b >= current_date
----
SELECT b FROM t WHERE b IS NOT NULL
----
not_equivalent

decide
SELECT c FROM t WHERE c > 0
----
SELECT c FROM t WHERE c IS NOT NULL
----
equivalent

schema dialect=duckdb
CREATE TABLE t (a TIMESTAMPTZ CHECK (a >= now()), c INTEGER CHECK (c > 0));

decide
SELECT a FROM t WHERE a >= now()
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT c FROM t WHERE c > 0
----
SELECT c FROM t WHERE c IS NOT NULL
----
equivalent

schema
CREATE TABLE t (a TEXT CHECK (a >= CURRENT_DATE))
----

decide
SELECT a FROM t WHERE a >= CURRENT_DATE
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent
