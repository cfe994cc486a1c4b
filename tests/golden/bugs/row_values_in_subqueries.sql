# IN compares a row value component by component, as = does.  Where a component is NULL, SQLite 3.40 compares the
# others as they are, neither converted nor under the collation of the column; of that SQLite these proofs were wrong.
schema
CREATE TABLE l (k INTEGER, x TEXT, n TEXT COLLATE NOCASE, v);
CREATE TABLE r (k INTEGER, y INTEGER, n TEXT COLLATE NOCASE, s TEXT, u TEXT, w TEXT, UNIQUE (u, y))
----

decide tiers=proof
SELECT x FROM l WHERE x LIKE '%7%3' AND (k, x) NOT IN (SELECT k, y FROM r WHERE y % 97 = 5 AND k % 89 = 7)
----
SELECT x FROM l WHERE x LIKE '%7%3' AND NOT EXISTS (SELECT 1 FROM r WHERE y % 97 = 5 AND k % 89 = 7 AND (r.k = l.k AND r.y = l.x) IS NOT 0)
----
equivalent

decide tiers=proof
SELECT x FROM l WHERE (x, k) NOT IN (SELECT y, k FROM r WHERE y > 1)
----
SELECT x FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE y > 1 AND (r.y = l.x AND r.k = l.k) IS NOT 0)
----
equivalent

# As a value, which no NOT hides.
decide tiers=proof
SELECT (k, x) IN (SELECT k, y FROM r WHERE y > 1) FROM l
----
SELECT CASE WHEN EXISTS (SELECT 1 FROM r WHERE y > 1 AND r.k = l.k AND r.y = l.x) THEN 1 WHEN EXISTS (SELECT 1 FROM r WHERE y > 1 AND (r.k = l.k AND r.y = l.x) IS NULL) THEN NULL ELSE 0 END FROM l
----
equivalent

# A literal has no affinity, and takes that of the column.
decide tiers=proof
SELECT v FROM l WHERE (k, 4273) NOT IN (SELECT k, s FROM r WHERE y > 1)
----
SELECT v FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE y > 1 AND (r.k = l.k AND r.s = 4273) IS NOT 0)
----
equivalent

decide tiers=proof
SELECT v FROM l WHERE (k, 'A') NOT IN (SELECT k, n FROM r WHERE y > 1)
----
SELECT v FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE y > 1 AND (r.k = l.k AND r.n = 'A') IS NOT 0)
----
equivalent

# Over plain columns SQLite may look into an index, whose columns stand otherwise.
decide tiers=proof
SELECT x FROM l WHERE (k, x) IN (SELECT y, u FROM r)
----
SELECT x FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.y = l.k AND r.u = l.x)
----
equivalent

# True is true all the same.
decide tiers=proof
SELECT x FROM l WHERE (k, x) IN (SELECT k, y FROM r WHERE y > 1)
----
SELECT x FROM l WHERE EXISTS (SELECT 1 FROM r WHERE y > 1 AND r.k = l.k AND r.y = l.x)
----
equivalent

# Nothing is converted.
decide tiers=proof
SELECT x FROM l WHERE (k, x) NOT IN (SELECT k, s FROM r WHERE y > 1)
----
SELECT x FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE y > 1 AND (r.k = l.k AND r.s = l.x) IS NOT 0)
----
equivalent

decide tiers=proof
SELECT x FROM l WHERE (k, k) NOT IN (SELECT k, y FROM r)
----
SELECT x FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE (r.k = l.k AND r.y = l.k) IS NOT 0)
----
equivalent

# What is NULL hides no NOT IN.
decide
SELECT k, x FROM l WHERE (k, x) NOT IN (SELECT k, y FROM r WHERE y = 30)
----
SELECT k, x FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE y = 30 AND (r.k = l.k AND r.y = l.x))
----
not_equivalent
