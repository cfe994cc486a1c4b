# SQLite 3.40 lets no row of t1 through where the ON of a join inside, below a RIGHT JOIN, is the constant false: the
# pair was refuted there, and with PostgreSQL and DuckDB, of which the core asked that SQLite, it ended CONFLICT.
schema
CREATE TABLE t1 (a INTEGER);
CREATE TABLE t2 (a INTEGER);
CREATE TABLE t3 (a INTEGER);

decide
SELECT t1.a FROM t1
----
SELECT t1.a FROM t2 JOIN t3 ON 0 RIGHT JOIN t1 ON 1
----
equivalent

decide
SELECT t1.a, t2.a FROM t2 JOIN t3 ON 1 = 2 RIGHT JOIN t1 ON t1.a = t2.a
----
SELECT a, NULL FROM t1
----
equivalent

# The constant is true: rows of t1 come once for each pair.
decide
SELECT t1.a FROM t2 JOIN t3 ON 1 RIGHT JOIN t1 ON 1
----
SELECT a FROM t1
----
not_equivalent

schema dialect=postgres
CREATE TABLE t1 (a INTEGER);
CREATE TABLE t2 (a INTEGER);
CREATE TABLE t3 (a INTEGER);

decide
SELECT t1.a FROM t1
----
SELECT t1.a FROM t2 JOIN t3 ON false RIGHT JOIN t1 ON true
----
equivalent

schema dialect=duckdb
CREATE TABLE t1 (a INTEGER);
CREATE TABLE t2 (a INTEGER);
CREATE TABLE t3 (a INTEGER);

decide
SELECT t1.a FROM t1
----
SELECT t1.a FROM t2 JOIN t3 ON false RIGHT JOIN t1 ON true
----
equivalent
