# Macros that are tables, that read tables, whose parameters may be left out or named, are what they stand for.
schema dialect=duckdb
CREATE TABLE t (a INTEGER PRIMARY KEY, k INTEGER NOT NULL, s VARCHAR);
CREATE MACRO of_k(n, least := 0) AS TABLE SELECT a, s FROM t WHERE k = n AND a > least;
CREATE MACRO every() AS TABLE FROM t;
CREATE MACRO most(n) AS (SELECT max(u.a) FROM t u WHERE u.k = n);
CREATE MACRO scaled(x, factor := 3) AS x * factor;
CREATE OR REPLACE MACRO scaled(x, "Factor" := 2, shift := 1 + (1)) AS x * factor + shift;
CREATE MACRO scaled(x, factor := 7, shift := 7) AS x;
CREATE MACRO above(x) AS (x) > most(1);
CREATE VIEW v AS SELECT a, scaled(a) AS b FROM of_k(3)
----

decide
SELECT a FROM of_k(2)
----
SELECT a FROM t WHERE k = 2 AND 0 < a
----
equivalent

decide
SELECT q.n FROM of_k(2, least := 5) AS q (n, s) WHERE s IS NOT NULL
----
SELECT a FROM t WHERE NOT (s IS NULL) AND k = 2 AND a > 5
----
equivalent

decide
SELECT a FROM of_k(2, 5)
----
SELECT a FROM of_k(2)
----
not_equivalent

decide
SELECT a FROM of_k(2)
----
SELECT q.a FROM of_k(n := 2) q
----
equivalent

# DuckDB gives it no name.
decide
SELECT of_k.a FROM of_k(2)
----
SELECT a FROM of_k(2)
----
invalid

decide
SELECT count(*) FROM every()
----
SELECT count(a) FROM t
----
equivalent

decide
SELECT a FROM t WHERE a = most(t.k)
----
SELECT a FROM t WHERE a = (SELECT max(x.a) FROM t x WHERE x.k = t.k)
----
equivalent

# To DuckDB an argument stands where the macro has it: a bare name is a column of the query within.
decide
SELECT a FROM t WHERE a = most(k)
----
SELECT a FROM t WHERE a = most(t.k)
----
not_equivalent

decide
SELECT a FROM t WHERE a = most(k)
----
SELECT a FROM t WHERE a = (SELECT max(a) FROM t)
----
equivalent

decide
SELECT a FROM t WHERE a = most(k)
----
SELECT a FROM t WHERE a = most(1)
----
not_equivalent

# What is left out is what the macro says, also where what stands before it is named.
decide
SELECT scaled(a), scaled(a, 3), scaled(a, shift := 0), scaled(factor := k, x := a) FROM t
----
SELECT a * 2 + 2, a * 3 + 2, a * 2, a * k + 2 FROM t
----
equivalent

decide
SELECT scaled(a) FROM t
----
SELECT scaled(a, shift := 1) FROM t
----
not_equivalent

decide
SELECT a, b FROM v
----
SELECT a, 2 * a + 2 FROM t WHERE k = 3 AND a > 0
----
equivalent

decide
SELECT a FROM t WHERE above(a)
----
SELECT a FROM t WHERE a > (SELECT max(a) FROM t WHERE k = 1)
----
equivalent

# A common table expression of the query hides a table of the macro's.
decide
WITH t AS (SELECT 7 AS a, 2 AS k, 'x' AS s) SELECT a FROM of_k(2)
----
WITH t AS (SELECT 7 AS a, 2 AS k, 'x' AS s) SELECT a FROM t
----
equivalent

# What a row beside gives it.
decide
SELECT o.a, q.a FROM t o, of_k(o.k) q
----
SELECT t.a, q.a FROM t JOIN t q ON q.k = t.k WHERE q.a > 0
----
equivalent

decide
SELECT t.a, q.a FROM t, of_k(t.k) q
----
SELECT t.a, q.a FROM t JOIN t q ON q.k = t.k WHERE q.a > 0
----
not_equivalent

decide
SELECT a FROM of_k($1)
----
SELECT a FROM t WHERE k = $1 AND a > 0
----
equivalent
