# The index of an attached database was passed over, and a witness broke it; of two tables of one name the
# wrong one was read; what main lacks was found elsewhere.
schema
ATTACH 'x' AS o;
ATTACH 'y' AS p;
CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
CREATE TABLE o.u (id INTEGER PRIMARY KEY, a INT);
CREATE UNIQUE INDEX o.i ON u (a);
CREATE VIEW o.v AS SELECT a FROM u;
CREATE TABLE temp.w (id INTEGER PRIMARY KEY, a, b TEXT)

decide
SELECT DISTINCT a FROM o.u WHERE a IS NOT NULL
----
SELECT a FROM u WHERE a IS NOT NULL
----
equivalent

decide
SELECT a FROM main.u
----
SELECT a FROM u
----
invalid by=parse

decide
SELECT main.id FROM t AS main
----
SELECT id FROM main.t
----
equivalent

decide
SELECT a FROM o.v
----
SELECT u.a FROM o.u
----
equivalent

decide
SELECT DISTINCT id FROM temp.w
----
SELECT id FROM w
----
equivalent

schema
ATTACH 'x' AS o;
CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
CREATE TABLE o.t (a TEXT);
CREATE TEMP TABLE w (id INT);
DROP TABLE w;
CREATE TABLE w (id INT)

decide
SELECT a FROM o.t
----
SELECT a FROM t
----
undecided UNSUPPORTED

decide
SELECT a FROM main.t
----
SELECT a FROM t
----
equivalent

decide
SELECT id FROM main.w
----
SELECT id FROM w
----
equivalent
