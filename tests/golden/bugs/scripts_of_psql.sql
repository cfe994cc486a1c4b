# Statements in a branch that is not taken were taken.
schema dialect=postgres
CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER);
\if false
CREATE UNIQUE INDEX u ON t (a);
\if 1
CREATE UNIQUE INDEX v ON t (a);
\endif
\elif on
CREATE UNIQUE INDEX w ON t (b);
\else
CREATE UNIQUE INDEX x ON t (c);
\endif

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT DISTINCT b FROM t WHERE b IS NOT NULL
----
SELECT b FROM t WHERE b IS NOT NULL
----
equivalent

decide
SELECT DISTINCT c FROM t WHERE c IS NOT NULL
----
SELECT c FROM t WHERE c IS NOT NULL
----
not_equivalent

# Who connects anew has the settings with which sessions begin.
schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
SET TimeZone = 'UTC';
\c -

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

# An index stayed that is dropped CONCURRENTLY, which no transaction does.
schema dialect=postgres
CREATE TABLE t (a INTEGER);
CREATE UNIQUE INDEX u ON t (a);
DROP INDEX CONCURRENTLY IF EXISTS public.u;

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

# A comment between the first words hid what a statement is.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
CREATE TABLE s (a INTEGER PRIMARY KEY);
CREATE UNIQUE INDEX u ON t (b);
ALTER /* not */ TABLE -- so
  t DROP CONSTRAINT c;
DROP -- this
  INDEX u;
CREATE /* scratch */ TEMP TABLE s (a INTEGER);

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT DISTINCT b FROM t WHERE b IS NOT NULL
----
SELECT b FROM t WHERE b IS NOT NULL
----
not_equivalent

decide
SELECT DISTINCT a FROM s
----
SELECT a FROM s
----
undecided UNSUPPORTED

# What SELECT … INTO makes was no table, and a query of it invalid.
schema dialect=postgres
CREATE TABLE t (a INTEGER PRIMARY KEY);
SELECT a INTO made FROM t;

decide
SELECT DISTINCT a FROM made
----
SELECT a FROM made
----
not_equivalent

# What goes with an extension or a role was believed to stay.
schema dialect=postgres
CREATE EXTENSION citext;
CREATE TABLE t (a CITEXT, b INTEGER UNIQUE);
DROP EXTENSION citext CASCADE;

decide
SELECT * FROM t
----
SELECT b FROM t
----
undecided

schema dialect=postgres
CREATE TABLE t (a INTEGER PRIMARY KEY);
DROP OWNED BY clerk;

decide
SELECT DISTINCT a FROM t
----
SELECT a FROM t
----
undecided

# Of several actions of which one misses something the others were not done.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
CREATE TABLE s (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
ALTER TABLE t DROP CONSTRAINT c, DROP CONSTRAINT missing;
ALTER TABLE s DROP CONSTRAINT c, ALTER COLUMN b TYPE missing;

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
undecided UNREPLAYED

decide
SELECT b FROM s WHERE a > 0
----
SELECT b FROM s WHERE a IS NOT NULL
----
undecided UNSUPPORTED

# Nor was a temporary table of DuckDB's one behind a comment: the script is refused now, as without it.
schema dialect=duckdb
CREATE TABLE t (a INTEGER, b INTEGER);
CREATE /* new */ UNIQUE INDEX u ON t (a);
DROP /* again */ INDEX u;

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent
