# What a block drops by EXECUTE was believed.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
DO $$ BEGIN EXECUTE 'ALTER TABLE t DROP CONSTRAINT c'; END $$;

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
not_equivalent

# Of what puts a statement together, and is not run, neither is believed: what it may drop, nor what it may leave.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER UNIQUE);
CREATE TABLE u (a INTEGER CHECK (a > 0), b INTEGER);
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = 't'::regclass LOOP
    EXECUTE format('ALTER TABLE t DROP CONSTRAINT %I', name);
  END LOOP;
END $$;

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
undecided UNREPLAYED

decide
SELECT DISTINCT b FROM t WHERE b IS NOT NULL
----
SELECT b FROM t WHERE b IS NOT NULL
----
undecided UNREPLAYED

# A catalogue names every table.
decide
SELECT b FROM u WHERE a > 0
----
SELECT b FROM u WHERE a IS NOT NULL
----
undecided UNREPLAYED

decide
SELECT b FROM t WHERE a > 0 AND b > 1
----
SELECT b FROM t WHERE b > 1 AND 0 < a
----
equivalent

schema dialect=postgres
CREATE TABLE p (k INTEGER PRIMARY KEY);
CREATE TABLE t (a INTEGER NOT NULL REFERENCES p, b INTEGER);
CREATE TABLE u (a INTEGER CHECK (a > 0), b INTEGER);
DO $$ BEGIN EXECUTE 'ALTER TABLE p' || ' DROP CONSTRAINT p_pkey CASCADE'; END $$;

decide
SELECT b FROM t WHERE a IN (SELECT k FROM p)
----
SELECT b FROM t
----
undecided

# It names another table.
decide
SELECT b FROM u WHERE a > 0
----
SELECT b FROM u WHERE a IS NOT NULL
----
equivalent

# Nor was anything known of what a function does that the script calls, or a procedure, or what these call.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE t DROP CONSTRAINT c; END $$;
SELECT f();

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
undecided UNREPLAYED

schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
CREATE PROCEDURE f() LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'ALTER TABLE t' || ' DROP CONSTRAINT c'; END $$;
CREATE PROCEDURE g() LANGUAGE plpgsql AS $$ BEGIN CALL f(); END $$;
CALL g();

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
undecided UNREPLAYED

# One that is never called does nothing, and one that only reads changes nothing.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE t DROP CONSTRAINT c; END $$;
CREATE FUNCTION g() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM t $$;
SELECT g();

decide
SELECT b FROM t WHERE a > 0
----
SELECT b FROM t WHERE a IS NOT NULL
----
equivalent

# A temporary table hides one of its name: the constraint is the former's.
schema dialect=postgres
CREATE TABLE u (a INTEGER);
CREATE TABLE t (a INTEGER PRIMARY KEY);
BEGIN;
CREATE TEMP TABLE t (a INTEGER) ON COMMIT DROP;
ALTER TABLE t ADD CHECK (a > 0);
COMMIT;

decide
SELECT a FROM t WHERE a > 0
----
SELECT a FROM t
----
undecided UNSUPPORTED

# Nor is it of what a trigger runs, on a table or on DDL, or a statement that fills a table.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER UNIQUE);
CREATE TABLE u (a INTEGER CONSTRAINT c CHECK (a > 0), b INTEGER);
CREATE TABLE s (a INTEGER CONSTRAINT c CHECK (a > 0), b TEXT);
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CREATE TABLE IF NOT EXISTS t1 () INHERITS (t)'; RETURN new; END $$;
CREATE FUNCTION g() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE u DROP CONSTRAINT IF EXISTS c; END $$;
CREATE FUNCTION h() RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE s DROP CONSTRAINT c; RETURN 'done'; END $$;
CREATE TRIGGER e BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();
CREATE EVENT TRIGGER w ON ddl_command_end EXECUTE FUNCTION g();
INSERT INTO s (b) SELECT h();

decide
SELECT DISTINCT b FROM t WHERE b IS NOT NULL
----
SELECT b FROM t WHERE b IS NOT NULL
----
undecided UNREPLAYED

decide
SELECT b FROM u WHERE a > 0
----
SELECT b FROM u WHERE a IS NOT NULL
----
undecided UNREPLAYED

decide
SELECT b FROM s WHERE a > 0
----
SELECT b FROM s WHERE a IS NOT NULL
----
undecided UNREPLAYED

# What an extension that is not there does to a table may forbid rows.
schema dialect=postgres
CREATE TABLE t (a INTEGER, b INTEGER);
SELECT create_hypertable('t', 'a');

decide
SELECT b FROM t WHERE a IS NOT NULL
----
SELECT b FROM t
----
undecided UNREPLAYED
