# What SET LOCAL says ends with its transaction; t was o.t for good.
schema dialect=postgres
CREATE SCHEMA o;
CREATE TABLE t (a INTEGER);
CREATE TABLE o.t (a INTEGER);
BEGIN;
SET LOCAL search_path = o;
COMMIT;

decide
SELECT a FROM t
----
SELECT a FROM o.t
----
not_equivalent

decide
SELECT a FROM t
----
SELECT a FROM public.t
----
equivalent

# What a SET of the session said before is there again, and what one says beside a SET LOCAL stays; outside of a
# transaction SET LOCAL says nothing.
schema dialect=postgres
CREATE SCHEMA o;
CREATE SCHEMA p;
CREATE TABLE o.t (a INTEGER);
CREATE TABLE p.t (a INTEGER);
CREATE TABLE t (at TIMESTAMPTZ);
SET search_path = o;
BEGIN;
SET LOCAL search_path = p;
CREATE TABLE made (a INTEGER);
SET LOCAL TIME ZONE 'UTC';
SET TIME ZONE 'Europe/Berlin';
END;
SET LOCAL search_path = p;

decide
SELECT a FROM t
----
SELECT a FROM o.t
----
equivalent

decide
SELECT at::date FROM public.t
----
SELECT (at AT TIME ZONE 'Europe/Berlin')::date FROM public.t
----
equivalent

decide
SELECT a FROM made
----
SELECT a FROM p.made
----
equivalent

# set_config and SET SCHEMA were read over.
schema dialect=postgres
CREATE SCHEMA o;
CREATE TABLE t (a INTEGER, at TIMESTAMPTZ);
CREATE TABLE o.t (a INTEGER, at TIMESTAMPTZ);
SET TimeZone = 'UTC';
SELECT pg_catalog.set_config('TimeZone', 'Europe/Berlin', false), set_config('search_path', 'o', false);

decide
SELECT a FROM t
----
SELECT a FROM public.t
----
not_equivalent

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM o.t
----
not_equivalent

schema dialect=postgres
CREATE SCHEMA o;
CREATE TABLE t (a INTEGER);
CREATE TABLE o.t (a INTEGER);
SET SCHEMA 'o';

decide
SELECT a FROM t
----
SELECT a FROM public.t
----
not_equivalent

# A zone stayed that was reset, by whichever word, of the session, a role or a database.
schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
SET TimeZone = 'UTC';
RESET TimeZone;

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
SET TimeZone = 'UTC';
DISCARD ALL;

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
SET TimeZone = 'UTC';
SET SESSION TIME ZONE LOCAL;

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
ALTER USER clerk SET TimeZone = 'UTC';
ALTER ROLE clerk RESET ALL;

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

# What the database says counts again.
schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
ALTER DATABASE shop SET TimeZone TO 'Europe/Berlin';
SET TimeZone = 'UTC';
RESET ALL;

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'Europe/Berlin')::date FROM t
----
equivalent

schema dialect=postgres
CREATE TABLE t (a INTEGER);
SET transform_null_equals = on;
RESET transform_null_equals;

decide
SELECT a FROM t WHERE a = NULL
----
SELECT a FROM t WHERE a IS NULL
----
not_equivalent

# What a block or a function sets that is not run, nobody knows.
schema dialect=postgres
CREATE TABLE t (at TIMESTAMPTZ);
SET TimeZone = 'UTC';
DO $$ BEGIN PERFORM set_config('TimeZone', 'Europe/Berlin', false); END $$;

decide
SELECT at::date FROM t
----
SELECT (at AT TIME ZONE 'UTC')::date FROM t
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t ("at" TIMESTAMPTZ, a INTEGER);
SET TimeZone = 'UTC';
RESET TimeZone;

decide
SELECT "at"::DATE FROM t
----
SELECT ("at" AT TIME ZONE 'UTC')::DATE FROM t
----
undecided

# No ROLLBACK undoes a SET of DuckDB's: the two were said to differ.
schema dialect=duckdb
CREATE TABLE t (a INTEGER);
BEGIN;
SET default_null_order = 'nulls_first';
ROLLBACK;

decide
SELECT a FROM t ORDER BY a
----
SELECT a FROM t ORDER BY a NULLS FIRST
----
undecided UNSUPPORTED
