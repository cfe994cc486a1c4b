schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, a INTEGER, l INTEGER[] NOT NULL, m INTEGER[], s VARCHAR[] NOT NULL, f DOUBLE, g DOUBLE[])
----

# Where it filters, an element that is NULL and a list that is NULL are as false.
decide
SELECT id FROM t WHERE 'x' = ANY (s) AND k > 0
----
SELECT id FROM t WHERE k >= 1 AND list_contains(s, 'x')
----
equivalent

decide
SELECT id FROM t WHERE m @> ARRAY[1, 2]
----
SELECT id FROM t WHERE 1 = ANY (m) AND 2 IN (SELECT unnest(m))
----
equivalent

decide
SELECT id FROM t WHERE s && ['x', 'y']
----
SELECT id FROM t WHERE list_has(s, 'y') OR array_contains(s, 'x')
----
equivalent

decide
SELECT id FROM t WHERE a = ANY ([1, 2, NULL])
----
SELECT id FROM t WHERE a IN (1, 2)
----
equivalent

decide
SELECT id FROM t WHERE a <> ALL ([1, 2])
----
SELECT id FROM t WHERE a NOT IN (2, 1)
----
equivalent

# No element is no reason for NULL: of the empty list, and of one that is NULL, ANY is false and ALL true.
decide
SELECT id FROM t WHERE a = ANY (m)
----
SELECT id FROM t WHERE a <> ALL (m)
----
not_equivalent

decide
SELECT id FROM t WHERE NOT a = ANY (m)
----
SELECT id FROM t WHERE NOT list_contains(m, a)
----
not_equivalent

decide tiers=proof
SELECT id, a = ANY (m) FROM t
----
SELECT id, list_contains(m, a) FROM t
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE 1 <> ALL (l)
----
SELECT id FROM t WHERE NOT list_contains(l, 1)
----
not_equivalent

decide
SELECT id FROM t WHERE a NOT IN (1, 2, NULL)
----
SELECT id FROM t WHERE a <> ALL ([1, 2])
----
not_equivalent

# Another element than each of a list is not another than one of it.
decide
SELECT id FROM t WHERE 1 <> ANY (l)
----
SELECT id FROM t WHERE 1 <> ALL (l)
----
not_equivalent

decide tiers=proof
SELECT id FROM t WHERE l @> [1, 2]
----
SELECT id FROM t WHERE l && [1, 2]
----
undecided NO_PROOF

# Which of two equal floats an element is need not be known to compare it, but a symbol is of bytes.
decide tiers=proof
SELECT id FROM t WHERE f = ANY (g)
----
SELECT id FROM t WHERE list_contains(g, f)
----
undecided UNSUPPORTED

# A list that is written out is of the type of what it stands beside.
decide
SELECT id FROM t WHERE s = ['x'] AND len(s) = 1
----
SELECT id FROM t WHERE len(s) = 1 AND s = ARRAY['x']
----
equivalent

decide
SELECT id FROM t WHERE l <> [] AND k > 0
----
SELECT id FROM t WHERE k > 0 AND NOT l = []
----
equivalent

# The empty list is the one of no elements, the empty text the one of no characters.
decide
SELECT id FROM t WHERE len(m) < 1 OR length(replace('ab', 'a', '')) = 0
----
SELECT id FROM t WHERE m = [] OR lower('B') = 'c'
----
equivalent

decide
SELECT id FROM t WHERE 1 <= array_length(m)
----
SELECT id FROM t WHERE NOT (m = [])
----
equivalent

decide
SELECT id FROM t WHERE len(m) = 0
----
SELECT id FROM t WHERE coalesce(len(m), 0) = 0
----
not_equivalent

decide
SELECT id FROM t WHERE len(m) <= 1
----
SELECT id FROM t WHERE m = []
----
not_equivalent
