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

# What the script drops, quotes or detaches on the way was cut by words, and another table was read.
schema
ATTACH ':memory:' AS o;
CREATE TABLE t (id INT);
CREATE TABLE o.t (id INTEGER PRIMARY KEY);
DROP TABLE o.t;
CREATE TABLE IF NOT EXISTS o.t (id INT, a INT);
DROP TABLE main.t

decide
SELECT id FROM t
----
SELECT DISTINCT id FROM o.t
----
not_equivalent

schema
ATTACH ':memory:' AS o;
CREATE TABLE 'o'.'t' (id INTEGER PRIMARY KEY);
CREATE TABLE o.t$x (id INTEGER PRIMARY KEY);
CREATE TABLE o."t""x" (id INTEGER PRIMARY KEY);
CREATE TABLE t$x (id INT)

decide
SELECT id FROM 'o'.'t'
----
SELECT DISTINCT id FROM t
----
equivalent

decide
SELECT id FROM t$x
----
SELECT DISTINCT id FROM t$x
----
not_equivalent

decide
SELECT id FROM o.t$x
----
SELECT id FROM t$x
----
undecided UNSUPPORTED

decide
SELECT id FROM o."t""x"
----
SELECT DISTINCT id FROM "t""x"
----
equivalent

schema
ATTACH ':memory:' AS o;
CREATE TABLE o.t (id INTEGER PRIMARY KEY);
CREATE TABLE t (id INT);
DETACH DATABASE o;
ATTACH ':memory:' AS o

decide
SELECT id FROM t
----
SELECT DISTINCT id FROM t
----
not_equivalent

decide
SELECT id FROM o.t
----
SELECT id FROM t
----
invalid by=parse

# A foreign key of a table means its own database.
schema
ATTACH ':memory:' AS o;
CREATE TABLE q (id INTEGER PRIMARY KEY);
CREATE TABLE o.c (id INTEGER PRIMARY KEY, k INT NOT NULL REFERENCES q (id));

decide
SELECT c.id FROM o.c JOIN q ON q.id = c.k
----
SELECT c.id FROM o.c
----
not_equivalent

# So does a view.
schema
ATTACH ':memory:' AS o;
CREATE TABLE o.u (id INTEGER PRIMARY KEY, a INT);
CREATE VIEW o.v AS SELECT o.u.a FROM o.u WHERE u.id > 1;
CREATE TABLE u (id INT, a INT)

decide
SELECT a FROM o.v
----
SELECT a FROM u WHERE id > 1
----
undecided UNSUPPORTED

schema
ATTACH ':memory:' AS o;
CREATE TABLE o.u (id INTEGER PRIMARY KEY, a INT);
CREATE VIEW o.v AS SELECT o.u.a FROM o.u WHERE u.id > 1;
CREATE VIEW w AS SELECT a FROM u

decide
SELECT a FROM o.v
----
SELECT a FROM u WHERE id > 1
----
equivalent

decide
SELECT a FROM w
----
SELECT a FROM u
----
undecided UNSUPPORTED

# The file of an attached database may hold what the script does not make.
schema
ATTACH 'x.db' AS o;
CREATE TABLE t (id INT)

decide
SELECT id FROM o.t
----
SELECT id FROM t
----
undecided UNSUPPORTED

decide
SELECT id FROM u
----
SELECT id FROM t
----
undecided UNSUPPORTED
