# Scripts whose statements SQLite runs, and those of other systems that were read over though they matter.
schema
CREATE TABLE t (a INTEGER, b TEXT);
ALTER TABLE t ADD COLUMN enable INTEGER;
----

# A new column was lost where the statement has ENABLE, DISABLE or FORCE before a word, in a name or a text.
decide
SELECT * FROM t
----
SELECT a, b FROM t
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
ALTER TABLE t ADD COLUMN x TEXT DEFAULT 'force majeure';
----

decide
SELECT * FROM t
----
SELECT a, b FROM t
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
ALTER TABLE t DISABLE KEYS;
ALTER TABLE ONLY public.t ALTER COLUMN a SET DEFAULT nextval('a, b'::regclass);
----

decide
SELECT * FROM t
----
SELECT a, b FROM t
----
equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
CREATE UNIQUE INDEX u ON t (a);
DROP INDEX u ON t;
----

# A unique index stayed that is dropped in the words of another system, or rolled back.
decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
CREATE UNIQUE INDEX u ON t (a);
DROP INDEX IF EXISTS u CASCADE;
----

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
BEGIN;
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK;
----

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
BEGIN;
CREATE UNIQUE INDEX u ON t (a);
COMMIT;
----

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
CREATE OR REPLACE TABLE t (b TEXT, a INTEGER);
----

# CREATE OR REPLACE was read over, so that the old table, or none, was there.
decide
SELECT * FROM t
----
SELECT a, b FROM t
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
CREATE OR REPLACE VIEW v AS SELECT a FROM t;
CREATE OR REPLACE VIEW v AS SELECT b FROM t;
----

decide
SELECT * FROM v
----
SELECT b FROM t
----
equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
CREATE TABLE l (x INTEGER);
CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO l VALUES (1); END;
DROP TRIGGER g;
----

# A trigger stayed that is dropped.
decide
SELECT COUNT(*) FROM t
----
SELECT COUNT(a) FROM t
----
not_equivalent

schema
CREATE TABLE t (a INTEGER, b TEXT);
ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT VALID;
----

# Rows that were there may break a constraint that is NOT VALID.
decide
SELECT a FROM t WHERE a > 0
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema dialect=postgres
CREATE TABLE t (a INTEGER, b TEXT);
BEGIN;
SAVEPOINT s;
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK TO s;
COMMIT;

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (a INTEGER, b TEXT);
START TRANSACTION;
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK;
BEGIN;
CREATE UNIQUE INDEX u ON t (b);
COMMIT;

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

schema
CREATE TABLE `t` (`a` INTEGER, `b` INTEGER, CONSTRAINT `c` CHECK ((`a` > 0)) /*!80016 NOT ENFORCED */, CHECK (`b` > 0)) ENGINE=InnoDB;
----

# A CHECK that rows need not pass, as a dump of MySQL writes it.
decide
SELECT a FROM t WHERE a > 0
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

decide
SELECT a FROM t WHERE b > 0
----
SELECT a FROM t WHERE b IS NOT NULL
----
equivalent

schema dialect=duckdb
DROP TABLE t;
CREATE TABLE u (b INTEGER);
CREATE TABLE t (a INTEGER);

# A table was lost behind a DROP of one that was not there.
decide
SELECT a FROM t
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (a INTEGER);
CREATE MACRO abs(x) AS x + 1;

# A macro that hides a function of DuckDB's own was skipped, and calls of it were the function's.
decide
SELECT abs(a) FROM t
----
SELECT CASE WHEN a < 0 THEN -a ELSE a END FROM t
----
undecided UNSUPPORTED

schema
CREATE TABLE `t` (a TEXT DEFAULT '\', b TEXT DEFAULT '\');
----

# A backslash before a quote was MySQL's escape, wherever back quotes stand.
decide
SELECT * FROM t
----
SELECT a FROM t
----
not_equivalent

schema dialect=postgres
CREATE TABLE p (k int PRIMARY KEY);
CREATE TABLE t (a int REFERENCES p);
ALTER TABLE t DISABLE TRIGGER ALL;

# What checks a foreign key is a trigger.
decide
SELECT a FROM t WHERE a IN (SELECT k FROM p)
----
SELECT a FROM t WHERE a IS NOT NULL
----
undecided

schema dialect=postgres
CREATE TABLE t (a int);
BEGIN;
COMMIT AND CHAIN;
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK;

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

# A comment behind BEGIN or ROLLBACK made it no statement that ends or begins a transaction.
schema dialect=duckdb
CREATE TABLE t (a INTEGER);
BEGIN; -- all or nothing
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK; /* nothing */

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

# What other systems call a transaction was none: its ROLLBACK undid nothing.
schema
CREATE TABLE t (a INTEGER, b INTEGER);
START TRANSACTION ISOLATION LEVEL SERIALIZABLE;
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK WORK;
BEGIN TRAN;
CREATE UNIQUE INDEX v ON t (b);
COMMIT TRAN;

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
