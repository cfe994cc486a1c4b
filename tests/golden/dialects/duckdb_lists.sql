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

# A list that a grouped table gathers, of which no more is read than how many of its elements meet a condition.
schema dialect=duckdb dialect=postgres
CREATE TABLE s (id INTEGER PRIMARY KEY, o INTEGER, w INTEGER, v VARCHAR)
----

decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE array_length(u.l, 1) > 2
----
SELECT s1.id FROM s AS s1 WHERE (SELECT count(*) FROM s AS s2 WHERE s2.o = s1.o) > 2
----
equivalent

# NULLs are elements, too.
decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE array_length(u.l, 1) > 2
----
SELECT s1.id FROM s AS s1 WHERE (SELECT count(w) FROM s AS s2 WHERE s2.o = s1.o) > 2
----
not_equivalent

# Where an outer join has no row there is no list, and its length is not 0.
decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s WHERE w > 0 GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE array_length(u.l, 1) IS NULL
----
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s WHERE w > 0 GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE array_length(u.l, 1) = 0
----
not_equivalent

# The order of the elements shows in the first of them, which is left as it is.
decide tiers=proof
WITH u AS (SELECT o AS k, array_agg(w ORDER BY id) AS l FROM s GROUP BY o) SELECT u.k, (SELECT x FROM unnest(u.l) AS e (x) LIMIT 1) FROM u
----
WITH u AS (SELECT o AS k, array_agg(w ORDER BY id DESC) AS l FROM s GROUP BY o) SELECT u.k, (SELECT x FROM unnest(u.l) AS e (x) LIMIT 1) FROM u
----
undecided

# The group of NULL has no row of u beside s1.o, and is one of u by itself.
decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT u.k FROM u WHERE EXISTS (SELECT 1 FROM unnest(u.l) AS e (x) WHERE x > 1)
----
SELECT DISTINCT o FROM s WHERE w > 1
----
equivalent

decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT u.k FROM u WHERE EXISTS (SELECT 1 FROM unnest(u.l) AS e (x) WHERE x > 1)
----
SELECT DISTINCT o FROM s WHERE w > 1 AND o IS NOT NULL
----
not_equivalent

schema dialect=duckdb
CREATE TABLE s (id INTEGER PRIMARY KEY, o INTEGER, w INTEGER, v VARCHAR)
----

decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE NOT u.k IS NULL AND (array_length(u.l) = 0 OR array_length(list_filter(u.l, lambda x : s1.w <> x)) <> 0)
----
SELECT s1.id FROM s AS s1 WHERE EXISTS (SELECT 1 FROM s AS s2 WHERE s2.o = s1.o AND s2.w <> s1.w)
----
equivalent

# An element for which the lambda is NULL is left out.
decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE NOT u.k IS NULL AND len(list_filter(u.l, lambda x : s1.w <> x)) = 0
----
SELECT s1.id FROM s AS s1 WHERE NOT EXISTS (SELECT 1 FROM s AS s2 WHERE s2.o = s1.o AND s2.w IS DISTINCT FROM s1.w)
----
not_equivalent

# Without the test of u.k, what has no list is missing from what is not empty.
decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o) SELECT s1.id FROM s AS s1 LEFT JOIN u ON u.k = s1.o WHERE len(list_filter(u.l, lambda x : s1.w <> x)) = 0
----
SELECT s1.id FROM s AS s1 WHERE NOT EXISTS (SELECT 1 FROM s AS s2 WHERE s2.o = s1.o AND s2.w <> s1.w)
----
not_equivalent

# A list of the groups of other keys than the ones that are joined.
decide
WITH u AS (SELECT o AS k, array_agg(w) AS l FROM s GROUP BY o, v) SELECT s1.id FROM s AS s1 WHERE EXISTS (SELECT 1 FROM u WHERE u.k = s1.o AND len(list_filter(u.l, lambda x : x > 1)) > 1)
----
SELECT s1.id FROM s AS s1 WHERE (SELECT count(*) FROM s AS s2 WHERE s2.o = s1.o AND s2.w > 1) > 1
----
not_equivalent

# Lists that are shown are lists.
decide
SELECT o, len(list_filter(array_agg(w), lambda x : x > 1)), array_agg(w) FROM s GROUP BY o
----
SELECT o, len(list_filter(array_agg(w), lambda y : y > 1)), array_agg(w) FROM s GROUP BY o
----
undecided
