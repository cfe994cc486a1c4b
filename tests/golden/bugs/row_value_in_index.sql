# SQLite 3.40 looks a row value up in an index of the subquery's table, and converts each component as the column at
# its place in the index asks for: with UNIQUE (u, y), (k, x) IN (SELECT y, u FROM r) misses rows that are there.
schema
CREATE TABLE l (k INTEGER, x TEXT);
CREATE TABLE r (y INTEGER, u TEXT, UNIQUE (u, y))

# convert_in_to_exists made the one of the other.
decide tiers=rules
SELECT x FROM l WHERE (k, x) IN (SELECT y, u FROM r)
----
SELECT x FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.y = l.k AND r.u = l.x)
----
undecided NO_PROOF

# Components of one affinity are converted alike, in whatever order.
decide tiers=rules
SELECT x FROM l WHERE (x, x) IN (SELECT u, u FROM r)
----
SELECT x FROM l WHERE EXISTS (SELECT 1 FROM r WHERE r.u = l.x AND r.u = l.x)
----
equivalent by=rules
