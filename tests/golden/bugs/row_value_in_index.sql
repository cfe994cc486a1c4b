# SQLite 3.40 looks a row value up in an index of the subquery's table, and converts each component as the column at
# its place in the index asks for: with UNIQUE (u, y), (k, x) IN (SELECT y, u FROM r) misses rows that are there.  Later
# versions convert each as its own column asks for.
schema
CREATE TABLE l (k INTEGER, x TEXT);
CREATE TABLE r (y INTEGER, u TEXT, UNIQUE (u, y))

# Rules make the one of the other, which a condition keeps from the index.
decide tiers=rules
SELECT x FROM l WHERE (k, x) IN (SELECT y, u FROM r)
----
SELECT x FROM l WHERE (k, x) IN (SELECT y, u FROM r WHERE 1)
----
equivalent

decide tiers=rules
SELECT x FROM l WHERE (k, x) IN (SELECT y, u FROM r)
----
SELECT x FROM l WHERE (k, x) IN (SELECT q.y, q.u FROM (SELECT y, u FROM r WHERE 1) AS q)
----
equivalent

# Components of one affinity are converted alike, in whatever order.
decide tiers=rules
SELECT x FROM l WHERE (x, x) IN (SELECT u, u FROM r)
----
SELECT x FROM l WHERE (x, x) IN (SELECT u, u FROM r WHERE 1)
----
equivalent by=rules
