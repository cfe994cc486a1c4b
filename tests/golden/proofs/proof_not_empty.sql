schema assume='not_empty(t)' assume='not_empty(u)'
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, s TEXT);
CREATE TABLE u (k INTEGER, v TEXT);
CREATE TABLE w (k INTEGER, v TEXT);
----

# Over rows of which there are some, a sum of 0 and 1 is a count.
decide
SELECT COUNT(CASE WHEN y > 1 AND x > 1 THEN 1 END), COUNT(*) FROM t
----
SELECT SUM(CASE WHEN y > 1 AND x > 1 THEN 1 ELSE 0 END), SUM(1) FROM t
----
equivalent

decide
SELECT COUNT(*) FROM t WHERE y > 1
----
SELECT SUM(y > 1) FROM t
----
equivalent by=proof

# But not if a filter may leave none.
decide
SELECT COUNT(*) FROM t WHERE x > 0
----
SELECT SUM(1) FROM t WHERE x > 0
----
not_equivalent by=generate

# Nor over a join.
decide
SELECT COUNT(*) FROM t JOIN u ON t.x = u.k
----
SELECT SUM(1) FROM t JOIN u ON t.x = u.k
----
not_equivalent by=generate

# A product of tables with rows has rows.
decide
SELECT COUNT(*) FROM t, u
----
SELECT SUM(1) FROM t, u
----
equivalent by=proof

# Nobody says that w has rows.
decide
SELECT COUNT(*) FROM t, w
----
SELECT SUM(1) FROM t, w
----
not_equivalent by=generate

# A product adds nothing under DISTINCT if the other table has a row.
decide
SELECT DISTINCT s FROM t, u
----
SELECT DISTINCT s FROM t
----
equivalent

decide
SELECT s FROM t, u
----
SELECT s FROM t
----
not_equivalent by=generate

decide
SELECT DISTINCT s FROM t, w
----
SELECT DISTINCT s FROM t
----
not_equivalent by=generate

decide
SELECT DISTINCT s FROM t, (SELECT k FROM u WHERE k > 0) AS q
----
SELECT DISTINCT s FROM t
----
not_equivalent by=generate

# Over no rows NOT IN is true for NULL too; over some it never is.
decide
SELECT s FROM t WHERE x NOT IN (SELECT k FROM u)
----
SELECT s FROM t WHERE x IS NOT NULL AND x NOT IN (SELECT k FROM u)
----
equivalent by=proof

decide
SELECT s FROM t WHERE x NOT IN (SELECT k FROM w)
----
SELECT s FROM t WHERE x IS NOT NULL AND x NOT IN (SELECT k FROM w)
----
not_equivalent by=generate

decide
SELECT s FROM t WHERE x NOT IN (SELECT k FROM u WHERE k > 0)
----
SELECT s FROM t WHERE x IS NOT NULL AND x NOT IN (SELECT k FROM u WHERE k > 0)
----
not_equivalent by=generate

# The branch about the outer row alone holds for any row; the other is about one of them.
decide
SELECT s FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = 1 OR t.x = 2)
----
SELECT s FROM t WHERE x = 2 OR EXISTS (SELECT 1 FROM u WHERE k = 1)
----
equivalent by=proof

decide
SELECT s FROM t WHERE EXISTS (SELECT 1 FROM w WHERE w.k = 1 OR t.x = 2)
----
SELECT s FROM t WHERE x = 2 OR EXISTS (SELECT 1 FROM w WHERE k = 1)
----
not_equivalent by=generate

# An unknown branch is not a true one.
decide
SELECT s, EXISTS (SELECT 1 FROM u WHERE u.k = 1 OR t.x = 2) FROM t
----
SELECT s, x = 2 OR EXISTS (SELECT 1 FROM u WHERE k = 1) FROM t
----
not_equivalent by=generate

decide
SELECT EXISTS (SELECT 1 FROM u) = 1
----
SELECT 1
----
equivalent

decide
SELECT COUNT(*) > 0 FROM t
----
SELECT 1
----
equivalent by=proof

decide
SELECT COUNT(*) > 1 FROM t
----
SELECT 1
----
not_equivalent by=generate

# The extreme of values that are never NULL is none; of values that may be it may be.
decide
SELECT MAX(y) IS NULL, COALESCE(MIN(y), 7) FROM t
----
SELECT 0, MIN(y) FROM t
----
equivalent by=proof

decide
SELECT MAX(x) IS NULL FROM t
----
SELECT 0
----
not_equivalent by=generate

decide
SELECT MAX(y) IS NULL FROM t WHERE x = 1
----
SELECT 0
----
not_equivalent by=generate

# A LEFT JOIN without a condition pads nothing.
decide
SELECT u.v, t.s FROM u LEFT JOIN t
----
SELECT u.v, t.s FROM u, t
----
equivalent by=proof

decide
SELECT u.v, w.v FROM u LEFT JOIN w
----
SELECT u.v, w.v FROM u, w
----
not_equivalent by=generate

decide
SELECT 1 FROM t LIMIT 1
----
SELECT 1
----
equivalent by=proof

decide
SELECT 1 FROM t LIMIT 1 OFFSET 1
----
SELECT 1
----
not_equivalent by=generate

# A CTE of the table's name is another table.
decide
WITH u AS (SELECT k, v FROM w) SELECT EXISTS (SELECT 1 FROM u)
----
SELECT 1
----
not_equivalent by=generate
