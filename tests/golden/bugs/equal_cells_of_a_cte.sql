# A CTE is evaluated once: all that read it see the same one of several equal cells.
schema
CREATE TABLE d (id INTEGER PRIMARY KEY, x INTEGER, u, k TEXT COLLATE NOCASE, r REAL);

decide
WITH c AS (SELECT DISTINCT k FROM d) SELECT p.k || '', q.k || '' FROM c AS p, c AS q
----
SELECT p.k || '', q.k || '' FROM (SELECT DISTINCT k FROM d) AS p, (SELECT DISTINCT k FROM d) AS q
----
undecided

decide
WITH c AS (SELECT MAX(k) AS m FROM d) SELECT p.m || '', q.m || '' FROM c AS p, c AS q
----
SELECT p.m || '', q.m || '' FROM (SELECT MAX(k) AS m FROM d) AS p, (SELECT MAX(k) AS m FROM d) AS q
----
undecided

decide
WITH c AS (SELECT DISTINCT u FROM d) SELECT typeof(p.u), typeof(q.u) FROM c AS p, c AS q
----
SELECT typeof(p.u), typeof(q.u) FROM (SELECT DISTINCT u FROM d) AS p, (SELECT DISTINCT u FROM d) AS q
----
undecided

decide
WITH c AS (SELECT x AS u FROM d UNION SELECT r FROM d) SELECT typeof(p.u), typeof(q.u) FROM c AS p, c AS q
----
SELECT typeof(p.u), typeof(q.u) FROM (SELECT x AS u FROM d UNION SELECT r FROM d) AS p, (SELECT x AS u FROM d UNION SELECT r FROM d) AS q
----
undecided

# Integers alone are equal only if they are the same, but for -2^63, which a REAL may be; rules and proof name no_overflow.
decide
WITH c AS (SELECT DISTINCT x FROM d) SELECT typeof(p.x), typeof(q.x) FROM c AS p, c AS q
----
SELECT typeof(p.x), typeof(q.x) FROM (SELECT DISTINCT x FROM d) AS p, (SELECT DISTINCT x FROM d) AS q
----
equivalent by=rules
