schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, a INTEGER, b TEXT, f DOUBLE PRECISION, j JSONB);
CREATE TABLE u (k INTEGER PRIMARY KEY, x TEXT NOT NULL, y INTEGER)
----

# What the group determines is no choice.
decide
SELECT t.k, any_value(u.x), count(*) FROM t JOIN u ON u.k = t.k GROUP BY t.k
----
SELECT t.k, u.x, count(*) FROM t, u WHERE u.k = t.k GROUP BY t.k, u.x
----
equivalent

decide
SELECT k, max(a), any_value(b) FROM t WHERE b = 'x' GROUP BY k
----
SELECT k, max(a), b FROM t WHERE b = 'x' GROUP BY k, b
----
equivalent

# NULL is never chosen beside another value.
decide
SELECT k, any_value(a) FROM t WHERE a = 1 OR a IS NULL GROUP BY k
----
SELECT k, max(a) FROM t WHERE a = 1 OR a IS NULL GROUP BY k
----
undecided NO_PROOF

decide
SELECT k, any_value(a) FROM t WHERE a = 1 OR a IS NULL GROUP BY k
----
SELECT k, 1 FROM t WHERE a = 1 OR a IS NULL GROUP BY k
----
not_equivalent

decide
SELECT any_value(a) FROM t WHERE id = 3
----
SELECT a FROM t WHERE id = 3
----
not_equivalent

decide
SELECT k, any_value(a) FILTER (WHERE a > 0) FROM t GROUP BY k
----
SELECT k, any_value(CASE WHEN a > 0 THEN a END) FROM t GROUP BY k
----
equivalent

# Any other value would do as well.
decide
SELECT k, any_value(a) FROM t GROUP BY k
----
SELECT k, max(a) FROM t GROUP BY k
----
undecided NONDETERMINISTIC

# Which values are chosen of two columns is not of one row.
decide tiers=proof
SELECT k, any_value(id), any_value(a) FROM t WHERE a > 0 GROUP BY k
----
SELECT DISTINCT ON (k) k, id, a FROM t WHERE a > 0
----
undecided NO_PROOF

decide tiers=proof
SELECT k, any_value(j) FROM t WHERE j = '1' GROUP BY k
----
SELECT k, '1'::jsonb FROM t WHERE j = '1' GROUP BY k
----
undecided NO_PROOF

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, a INTEGER, b VARCHAR);
CREATE TABLE u (k INTEGER PRIMARY KEY, x VARCHAR NOT NULL, y INTEGER)
----

decide
SELECT u.k, first(u.x), any_value(u.y), sum(t.a) FROM u LEFT JOIN t ON u.k = t.k GROUP BY u.k
----
SELECT u.k, u.x, u.y, sum(t.a) FROM t RIGHT JOIN u ON u.k = t.k GROUP BY ALL
----
equivalent

# The first value may be NULL, any value only if all are.
decide
SELECT k, first(a) FROM t WHERE a = 1 OR a IS NULL GROUP BY k
----
SELECT k, any_value(a) FROM t WHERE a = 1 OR a IS NULL GROUP BY k
----
undecided NONDETERMINISTIC

decide
SELECT k, arbitrary(a) FROM t WHERE a = 1 GROUP BY k
----
SELECT DISTINCT k, 1 FROM t WHERE a = 1
----
equivalent

decide
SELECT k, first(b) FROM t GROUP BY k
----
SELECT k, b FROM t GROUP BY k, b
----
not_equivalent
