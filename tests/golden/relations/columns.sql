schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
----

decide relation=spider
SELECT a, b FROM t WHERE a > 1
----
SELECT b, a FROM t WHERE 1 < a
----
equivalent by=rules

decide relation=rose
SELECT a, b, a FROM t
----
SELECT b, a, a FROM t
----
equivalent by=rules

decide relation=sql
SELECT a, b FROM t
----
SELECT b, a FROM t
----
not_equivalent

# The same columns, another number of each.
decide relation=spider
SELECT a, a, b FROM t
----
SELECT a, b, b FROM t
----
not_equivalent

decide relation=spider
SELECT a, b FROM t ORDER BY a, b
----
SELECT b, a FROM t ORDER BY a, b
----
equivalent by=rules

# The order goes by the other column.
decide relation=spider
SELECT a, id FROM t ORDER BY a, id
----
SELECT id, a FROM t ORDER BY id, a
----
not_equivalent

# A set operation pairs its operands' columns by position.
decide relation=spider
SELECT a, id FROM t UNION SELECT id, a FROM t
----
SELECT a, id FROM t
----
not_equivalent

# One permutation for all operands of a set operation, which may themselves stand in another order.
decide relation=spider
SELECT a, b FROM t WHERE id = 1 INTERSECT SELECT a, b FROM t WHERE a = 2
----
SELECT b, a FROM t WHERE a = 2 INTERSECT SELECT b, a FROM t WHERE id = 1
----
equivalent by=rules

decide relation=spider
SELECT a, b FROM t WHERE a < 3 EXCEPT SELECT id, b FROM t
----
SELECT b, a FROM t WHERE 3 > a EXCEPT SELECT b, id FROM t
----
equivalent by=rules

# The operands are permuted apart.
decide relation=spider
SELECT a, id FROM t EXCEPT SELECT a, id FROM t WHERE b = 'x'
----
SELECT id, a FROM t EXCEPT SELECT a, id FROM t WHERE b = 'x'
----
not_equivalent

# ORDER BY goes by position: by a here, by id there.
decide relation=spider
SELECT a, id FROM t UNION ALL SELECT a, id FROM t ORDER BY 1
----
SELECT id, a FROM t UNION ALL SELECT id, a FROM t ORDER BY 1
----
not_equivalent

# Thirteen columns may be permuted in any way, and none helps the last.
decide relation=rose
SELECT 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
----
SELECT 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
----
not_equivalent
