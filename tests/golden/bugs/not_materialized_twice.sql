# What NOT MATERIALIZED says is evaluated wherever it is read: each reader of a choice has one of its own.
schema dialect=postgres
CREATE TABLE e (id INTEGER PRIMARY KEY, team INTEGER);
CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, st TEXT, at INTEGER, eid INTEGER)
----

decide
WITH c AS NOT MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
WITH c AS MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
undecided

# The choice stands in what is read by it.
decide
WITH d AS (SELECT x, st FROM b ORDER BY at LIMIT 1), c AS NOT MATERIALIZED (SELECT x, st FROM d) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
WITH c AS MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
undecided

decide
WITH c AS NOT MATERIALIZED (SELECT e.id, k.x, k.st FROM e LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE b.eid = e.id ORDER BY b.at LIMIT 1) k ON TRUE) SELECT id, x, st FROM c UNION ALL SELECT id, x, st FROM c
----
WITH c AS MATERIALIZED (SELECT e.id, k.x, k.st FROM e LEFT JOIN LATERAL (SELECT b.x, b.st FROM b WHERE e.id = b.eid ORDER BY b.at LIMIT 1) k ON TRUE) SELECT id, x, st FROM c UNION ALL SELECT id, x, st FROM c
----
undecided

# Without a choice it says nothing, nor where it is read once.
decide
WITH c AS NOT MATERIALIZED (SELECT x, st FROM b WHERE x > 3) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
WITH c AS MATERIALIZED (SELECT x, st FROM b WHERE 3 < x) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
equivalent

decide
WITH c AS NOT MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c
----
WITH c AS MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c
----
equivalent

schema dialect=sqlite
CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, st TEXT, at INTEGER)
----

decide
WITH c AS NOT MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
WITH c AS MATERIALIZED (SELECT x, st FROM b ORDER BY at LIMIT 1) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
undecided

decide
WITH c AS NOT MATERIALIZED (SELECT x, st FROM b WHERE x > 3) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
WITH c AS MATERIALIZED (SELECT x, st FROM b WHERE 3 < x) SELECT x, st FROM c UNION ALL SELECT x, st FROM c
----
equivalent
