# A savepoint hides an earlier one of its name until it is released: the index stayed.
schema dialect=postgres
CREATE TABLE t (a INTEGER);
BEGIN;
SAVEPOINT s;
CREATE UNIQUE INDEX u ON t (a);
SAVEPOINT s;
RELEASE SAVEPOINT s;
ROLLBACK TO s;
COMMIT;

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent

# A comment behind the name made it no savepoint.
schema dialect=postgres
CREATE TABLE t (a INTEGER, b INTEGER);
BEGIN;
SAVEPOINT s /* before */;
CREATE UNIQUE INDEX u ON t (a);
ROLLBACK /* all */ TO SAVEPOINT s -- again
;
CREATE UNIQUE INDEX v ON t (b);
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

# Rolled back to twice, from within others, and by a name in quotes: of these the last undid the whole transaction.
schema dialect=postgres
CREATE TABLE t (a INTEGER CONSTRAINT k CHECK (a > 0), b INTEGER, c INTEGER);
BEGIN;
ALTER TABLE t DROP CONSTRAINT k;
SAVEPOINT "S";
CREATE UNIQUE INDEX u ON t (b);
SAVEPOINT s;
CREATE UNIQUE INDEX v ON t (c);
ROLLBACK TO S;
ROLLBACK WORK TO "S";
CREATE UNIQUE INDEX w ON t (c);
ROLLBACK TO SAVEPOINT "S";
COMMIT;

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
SELECT DISTINCT c FROM t WHERE c IS NOT NULL
----
SELECT c FROM t WHERE c IS NOT NULL
----
not_equivalent

schema
CREATE TABLE t (a INTEGER);
SAVEPOINT s;
CREATE UNIQUE INDEX u ON t (a);
SAVEPOINT s /* again */;
RELEASE s;
ROLLBACK TO s -- all
;
RELEASE s;
----

decide
SELECT DISTINCT a FROM t WHERE a IS NOT NULL
----
SELECT a FROM t WHERE a IS NOT NULL
----
not_equivalent
