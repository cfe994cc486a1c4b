# Rows that were there were checked, and columns of theirs computed, by what a function was before it was replaced; its
# new body was read as a fact of them.  Later rows are checked by that, so that the old one is none either.
schema dialect=postgres
CREATE FUNCTION inner_of(x INTEGER) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS $$ SELECT x - 5 $$;
CREATE FUNCTION f(x INTEGER) RETURNS BOOLEAN IMMUTABLE LANGUAGE sql AS $$ SELECT inner_of(x) > 0 $$;
CREATE FUNCTION g(x INTEGER) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS $$ SELECT x + 1 $$;
CREATE FUNCTION k(x INTEGER) RETURNS BOOLEAN IMMUTABLE LANGUAGE sql AS $$ SELECT x > 3 $$;
CREATE DOMAIN d AS INTEGER CHECK (f(VALUE));
CREATE TABLE t (a INTEGER CHECK (f(a)), b INTEGER GENERATED ALWAYS AS (g(a)) STORED, c d, e INTEGER CHECK (k(e)));
CREATE OR REPLACE FUNCTION inner_of(x INTEGER) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS $$ SELECT x - 10 $$;
CREATE OR REPLACE FUNCTION g(x INTEGER) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS $$ SELECT x + 2 $$;

decide
SELECT e FROM t WHERE a > 10
----
SELECT e FROM t WHERE a IS NOT NULL
----
undecided

decide
SELECT e FROM t WHERE f(a)
----
SELECT e FROM t WHERE a IS NOT NULL
----
undecided

decide
SELECT b FROM t
----
SELECT a + 2 FROM t
----
undecided

decide
SELECT a FROM t WHERE c > 10
----
SELECT a FROM t WHERE c IS NOT NULL
----
undecided

# What was not replaced holds, and a call in a query is of what there is now.
decide
SELECT a FROM t WHERE e > 3
----
SELECT a FROM t WHERE e IS NOT NULL
----
equivalent

decide
SELECT g(a) FROM t
----
SELECT a + 2 FROM t
----
equivalent

# Before any table calls it, it is as if it had been so from the first.
schema dialect=postgres
CREATE FUNCTION f(x INTEGER) RETURNS BOOLEAN IMMUTABLE LANGUAGE sql AS $$ SELECT x > 5 $$;
CREATE OR REPLACE FUNCTION f(x INTEGER) RETURNS BOOLEAN IMMUTABLE LANGUAGE sql AS $$ SELECT x > 10 $$;
CREATE TABLE t (a INTEGER CHECK (f(a)), b INTEGER);

decide
SELECT b FROM t WHERE a > 10
----
SELECT b FROM t WHERE a IS NOT NULL
----
equivalent

# A materialised view may hold the rows of what its views and functions were.
schema dialect=postgres
CREATE TABLE t (a INTEGER, b INTEGER);
CREATE VIEW v AS SELECT a FROM t WHERE a > 0;
CREATE MATERIALIZED VIEW m AS SELECT a FROM v;
CREATE OR REPLACE VIEW v AS SELECT a FROM t WHERE a > 10;

decide
SELECT a FROM m WHERE a > 10
----
SELECT a FROM m
----
undecided UNSUPPORTED

decide
SELECT a FROM v
----
SELECT a FROM t WHERE a > 10
----
equivalent

# What ALTER FUNCTION says of a function was read over.
schema dialect=postgres
CREATE SCHEMA o;
CREATE TABLE t (a INTEGER);
CREATE TABLE o.t (a INTEGER);
CREATE FUNCTION f(x INTEGER) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS $$ SELECT coalesce(x, 0) $$;
CREATE FUNCTION g(x INTEGER) RETURNS INTEGER IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN x; END $$;
CREATE FUNCTION h() RETURNS BIGINT LANGUAGE sql AS $$ SELECT count(*) FROM t $$;
CREATE FUNCTION i() RETURNS BIGINT LANGUAGE sql AS $$ SELECT count(*) FROM t WHERE a = NULL $$;
ALTER FUNCTION f(INTEGER) STRICT;
ALTER FUNCTION g VOLATILE COST 10;
ALTER FUNCTION h() SET search_path = o;
ALTER FUNCTION i() SET transform_null_equals = on;

decide
SELECT f(a) FROM t
----
SELECT coalesce(a, 0) FROM t
----
not_equivalent

decide
SELECT g(a) FROM t WHERE g(a) = g(a)
----
SELECT g(a) FROM t WHERE g(a) IS NOT NULL
----
undecided UNSUPPORTED

decide
SELECT h()
----
SELECT count(*) FROM t
----
undecided UNSUPPORTED

decide
SELECT i()
----
SELECT count(*) FROM t WHERE a = NULL
----
undecided UNSUPPORTED

# A macro of DuckDB's is written out where it is called, whatever it becomes.
schema dialect=duckdb
CREATE MACRO f(x) AS x > 0;
CREATE TABLE t (a INTEGER CHECK (f(a)), b INTEGER);
CREATE OR REPLACE MACRO f(x) AS x > 10;

decide
SELECT b FROM t WHERE a > 10
----
SELECT b FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
equivalent
