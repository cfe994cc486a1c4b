# Names in letters of another case beyond ASCII are two names to every engine, and were one to Python.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, é INTEGER NOT NULL, É INTEGER UNIQUE, k INTEGER UNIQUE NOT NULL, "K" INTEGER);
CREATE TABLE ê (a INTEGER NOT NULL);
CREATE VIEW Ê AS SELECT a + 1 AS a FROM ê

# É alone is unique, and may be NULL.
decide relation=bag
SELECT DISTINCT é FROM t
----
SELECT é FROM t
----
not_equivalent

decide relation=bag
SELECT COUNT(É) FROM t
----
SELECT COUNT(*) FROM t
----
not_equivalent

decide relation=bag
SELECT COUNT(é) FROM t
----
SELECT COUNT(*) FROM t
----
equivalent

# The sign of the kelvin is no letter k.
decide relation=bag
SELECT DISTINCT "K" FROM t
----
SELECT "K" FROM t
----
not_equivalent

decide relation=bag
SELECT DISTINCT k FROM t
----
SELECT k FROM t
----
equivalent

# The view beside the table.
decide relation=bag
SELECT a FROM Ê
----
SELECT a FROM ê
----
not_equivalent

decide relation=bag
SELECT a FROM Ê
----
SELECT a + 1 FROM ê
----
equivalent

decide relation=bag
SELECT É FROM (SELECT id AS é, k AS É FROM t) AS q
----
SELECT k FROM t
----
equivalent

decide relation=bag
WITH é AS (SELECT k FROM t), É AS (SELECT id AS k FROM t) SELECT k FROM É
----
SELECT id FROM t
----
equivalent

decide relation=bag
SELECT é.k FROM t AS é JOIN t AS É ON é.id < É.id
----
SELECT É.k FROM t AS é JOIN t AS É ON é.id < É.id
----
not_equivalent

decide relation=list
SELECT k AS é, id AS É FROM t ORDER BY É
----
SELECT k, id FROM t ORDER BY k
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, é INTEGER NOT NULL, É INTEGER);
CREATE MACRO "ranK"(x) AS x + 1

decide relation=bag
SELECT COUNT(É) FROM t
----
SELECT COUNT(*) FROM t
----
not_equivalent

decide relation=bag
SELECT COUNT(é) FROM t
----
SELECT COUNT(*) FROM t
----
equivalent

decide relation=bag
SELECT é AS É, É AS é FROM t WHERE id > 1 UNION ALL BY NAME SELECT id AS É, 0 AS é FROM t
----
SELECT é, É FROM t WHERE id > 1 UNION ALL SELECT id, 0 FROM t
----
equivalent

decide relation=bag
SELECT * EXCLUDE (é) FROM t
----
SELECT id, É FROM t
----
equivalent

# A macro is not the engine's function of a name that differs beyond ASCII.
decide relation=bag
SELECT "ranK"(id) FROM t
----
SELECT id FROM t
----
not_equivalent

decide relation=bag
SELECT "ranK"(id) FROM t
----
SELECT id + 1 FROM t
----
equivalent

schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, é INTEGER NOT NULL, É INTEGER);
CREATE TABLE É (a INTEGER);
CREATE TABLE é (a INTEGER NOT NULL)

decide relation=bag
SELECT COUNT(É) FROM t
----
SELECT COUNT(*) FROM t
----
not_equivalent

decide relation=bag
SELECT COUNT(é) FROM t
----
SELECT COUNT(*) FROM t
----
equivalent

decide relation=bag
SELECT COUNT(a) FROM É
----
SELECT COUNT(*) FROM É
----
not_equivalent
