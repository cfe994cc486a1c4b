# The decidable fragment, by its own tier alone: what it proves, and near misses that it refutes by a frozen body.
schema
CREATE TABLE p (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b TEXT, r REAL);
CREATE TABLE c (id INTEGER PRIMARY KEY, pid INTEGER REFERENCES p(id), q INTEGER, u INTEGER UNIQUE, v TEXT);
CREATE TABLE e (x INTEGER, y INTEGER, z TEXT)
----

# A parent that there is: the chase adds it.
decide tiers=fragment
SELECT c.q FROM c JOIN p ON c.pid = p.id
----
SELECT q FROM c WHERE pid IS NOT NULL
----
equivalent

# A foreign key with a NULL asks for no parent.
decide tiers=fragment
SELECT c.q FROM c JOIN p ON c.pid = p.id
----
SELECT q FROM c
----
not_equivalent

# Rows that agree in a key are one row.
decide tiers=fragment
SELECT f.q FROM c AS f, c AS g WHERE f.u = g.u
----
SELECT q FROM c WHERE u IS NOT NULL
----
equivalent

# UNIQUE with NULLs: the equality drops them.
decide tiers=fragment
SELECT f.q FROM c AS f, c AS g WHERE f.u = g.u
----
SELECT q FROM c
----
not_equivalent

# Without a key a row may be there twice.
decide tiers=fragment
SELECT f.y FROM e AS f, e AS g WHERE f.x = g.x AND f.y = g.y AND f.z = g.z
----
SELECT y FROM e WHERE x = x AND y = y AND z = z
----
not_equivalent

decide tiers=fragment relation=set
SELECT f.y FROM e AS f, e AS g WHERE f.x = g.x AND f.y = g.y AND f.z = g.z
----
SELECT y FROM e WHERE x = x AND y = y AND z = z
----
equivalent

# A sum by cases: below, above and NULL.
decide tiers=fragment
SELECT q FROM c WHERE q < 5 UNION ALL SELECT q FROM c WHERE q >= 5 UNION ALL SELECT NULL FROM c WHERE q IS NULL
----
SELECT q FROM c
----
equivalent

decide tiers=fragment
SELECT q FROM c WHERE q < 5 UNION ALL SELECT q FROM c WHERE q >= 5
----
SELECT q FROM c
----
not_equivalent

# Between two literals there are three whole numbers, not four.
decide tiers=fragment
SELECT a FROM p WHERE a BETWEEN 1 AND 3
----
SELECT a FROM p WHERE a IN (1, 2, 3)
----
equivalent

decide tiers=fragment
SELECT a FROM p WHERE a BETWEEN 1 AND 4
----
SELECT a FROM p WHERE a IN (1, 2, 3)
----
not_equivalent

# Three different numbers of two: two of the three are one.
decide tiers=fragment relation=set
SELECT 1 FROM p AS f, p AS g WHERE f.a > 1 AND f.a < 4 AND g.a > 1 AND g.a < 4 AND f.a = g.a
----
SELECT 1 FROM p WHERE a = 2 OR a = 3
----
equivalent

# A union covers a block that no block of it covers alone.
decide tiers=fragment relation=set
SELECT f.y FROM e AS f, e AS g, e AS h WHERE f.y = g.x AND g.y = h.x AND f.z = 'r' AND h.z IS NOT NULL AND g.z IS NOT NULL AND h.z <> 'r' AND (g.z = 'r' OR g.z <> 'r')
----
SELECT f.y FROM e AS f, e AS g, e AS h WHERE f.y = g.x AND g.y = h.x AND f.z = 'r' AND h.z <> 'r' AND g.z = 'r' UNION SELECT f.y FROM e AS f, e AS g, e AS h WHERE f.y = g.x AND g.y = h.x AND f.z = 'r' AND h.z <> 'r' AND g.z <> 'r'
----
equivalent

# A set against a bag: with the key among the outputs no row comes twice.
decide tiers=fragment
SELECT DISTINCT id, a FROM p
----
SELECT id, a FROM p
----
equivalent

decide tiers=fragment
SELECT DISTINCT u FROM c
----
SELECT u FROM c
----
not_equivalent

decide tiers=fragment
SELECT DISTINCT u FROM c WHERE u > 1
----
SELECT u FROM c WHERE NOT u <= 1
----
equivalent

# Chains of joins that differ in direction alone.
decide tiers=fragment
SELECT f.x FROM e AS f, e AS g WHERE f.y = g.x
----
SELECT f.x FROM e AS f, e AS g WHERE f.y = g.y
----
not_equivalent

decide tiers=fragment
SELECT f.x, g.y FROM e AS f, e AS g, e AS h WHERE f.y = h.x AND h.y = g.x
----
SELECT h.x, f.y FROM e AS f, e AS g, e AS h WHERE g.y = f.x AND g.x = h.y
----
equivalent

# An idle row says nothing under DISTINCT, and counts without.
decide tiers=fragment
SELECT DISTINCT f.x FROM e AS f, e AS g WHERE f.y = g.y
----
SELECT DISTINCT x FROM e WHERE y IS NOT NULL
----
equivalent

decide tiers=fragment
SELECT f.x FROM e AS f, e AS g WHERE f.y = g.y
----
SELECT x FROM e WHERE y IS NOT NULL
----
not_equivalent

# EXISTS, IN and INTERSECT are joins where duplicates do not count.
decide tiers=fragment
SELECT DISTINCT a FROM p WHERE id IN (SELECT pid FROM c WHERE q = 1)
----
SELECT DISTINCT p.a FROM p JOIN c ON c.pid = p.id AND c.q = 1
----
equivalent

# INTERSECT takes a NULL that is on both sides.
decide tiers=fragment
SELECT q FROM c INTERSECT SELECT u FROM c
----
SELECT DISTINCT f.q FROM c AS f, c AS g WHERE f.q IS g.u
----
equivalent

decide tiers=fragment
SELECT q FROM c INTERSECT SELECT u FROM c
----
SELECT DISTINCT f.q FROM c AS f, c AS g WHERE f.q = g.u
----
not_equivalent

# Outside: an order of REAL columns.
decide tiers=fragment
SELECT a FROM p WHERE r > 1
----
SELECT a FROM p WHERE NOT r <= 1
----
undecided NO_PROOF

decide tiers=fragment
SELECT f.x FROM e AS f, e AS g WHERE f.x < g.x
----
SELECT g.x FROM e AS f, e AS g WHERE g.x < f.x
----
undecided NO_PROOF

decide tiers=fragment
SELECT a FROM p ORDER BY id LIMIT 1
----
SELECT p.a FROM p ORDER BY p.id LIMIT 1
----
undecided NO_PROOF

decide tiers=fragment
SELECT p.a FROM p LEFT JOIN c ON c.pid = p.id
----
SELECT p.a FROM c RIGHT JOIN p ON p.id = c.pid
----
undecided NO_PROOF

# The fresh values of a frozen body are none of the values that its cases fix.
decide tiers=fragment
SELECT y FROM e WHERE (x = 1 OR x = 2) AND z <> 'x'
----
SELECT DISTINCT x FROM e
----
not_equivalent
