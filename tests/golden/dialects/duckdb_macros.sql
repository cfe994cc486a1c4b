# A macro is what it stands for: DuckDB's plans of a call and of its body are the same.
schema dialect=duckdb
CREATE TABLE t (a INTEGER NOT NULL, b INTEGER, s VARCHAR);
CREATE MACRO twice(x) AS x * 2;
CREATE MACRO four(x) AS twice(twice(x));
CREATE MACRO plus(a) AS a + 1, (a, b) AS a + b;
CREATE MACRO plain(s) AS lower(trim(s));
CREATE MACRO least_of(k) AS (SELECT min(u.a) FROM (VALUES (1), (2)) u (a) WHERE u.a > k);
CREATE MACRO luck(x) AS x > random();
CREATE VIEW v AS SELECT four(a) AS f FROM t
----

decide
SELECT a FROM t WHERE four(a) > twice(2)
----
SELECT a FROM t WHERE a > 1
----
equivalent

# Which macro of a name is meant its arguments say, and a parameter is no column of the same name.
decide
SELECT plus(b), plus(b, a) FROM t
----
SELECT b + 1, b + a FROM t
----
equivalent

decide
SELECT plus(b) FROM t
----
SELECT a + 1 FROM t
----
not_equivalent

decide
SELECT f FROM v
----
SELECT a * 4 FROM t
----
equivalent

decide
SELECT plain(s) FROM t
----
SELECT lower(s) FROM t
----
not_equivalent

decide
SELECT a, twice(sum(b)) FROM t GROUP BY a
----
SELECT a, sum(b) * 2 FROM t GROUP BY a
----
equivalent

decide
SELECT luck(a) FROM t
----
SELECT luck(a) FROM t
----
undecided UNSUPPORTED

# An argument within the query of a body: no column of that query, whatever it is called.
decide
SELECT least_of(a) FROM t
----
SELECT least_of(b) FROM t
----
not_equivalent

decide
SELECT twice(x := a) FROM t
----
SELECT a * 2 FROM t
----
equivalent
