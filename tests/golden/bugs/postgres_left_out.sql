# One object took the schema with it: a table without columns, names that differ in case alone, a type that is not there.
schema dialect=postgres
CREATE TABLE t (id INT PRIMARY KEY);
CREATE TABLE n ();
CREATE TABLE "N" (a INT);
CREATE TABLE twins (a INT, "A" INT);
CREATE TABLE place (id INT PRIMARY KEY, at geometry);
CREATE TABLE z (id INT UNIQUE);
ALTER TABLE z ADD COLUMN at geometry;
CREATE VIEW places AS SELECT id FROM place;
CREATE SEQUENCE s;
CREATE OPERATOR === (LEFTARG = INT, RIGHTARG = INT, FUNCTION = int4eq);
CREATE RECURSIVE VIEW counted (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM counted WHERE n < 5;

decide
SELECT id FROM t
----
SELECT DISTINCT id FROM t
----
equivalent

decide
SELECT count(*) FROM n
----
SELECT 0
----
undecided UNSUPPORTED

decide
SELECT a FROM twins
----
SELECT a FROM twins WHERE a IS NOT NULL
----
undecided UNSUPPORTED

decide
SELECT id FROM place
----
SELECT id FROM places
----
undecided UNSUPPORTED

decide
SELECT id FROM z
----
SELECT id FROM t
----
undecided UNSUPPORTED

# Invalid is what PostgreSQL refuses, no more.
decide
SELECT last_value FROM s
----
SELECT 1
----
undecided UNSUPPORTED

decide
SELECT id === 1 FROM t
----
SELECT id = 1 FROM t
----
undecided UNSUPPORTED

decide
SELECT id !!! 1 FROM t
----
SELECT id = 1 FROM t
----
invalid

decide
SELECT n FROM counted
----
SELECT n FROM counted WHERE n > 0
----
undecided NO_PROOF
