# A text for which our own limits or the machine's do not suffice was invalid, as if no engine took it.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY)
----

decide
WITH c0 AS (SELECT id FROM t),
c1 AS (SELECT a.id FROM c0 AS a, c0 AS b),
c2 AS (SELECT a.id FROM c1 AS a, c1 AS b),
c3 AS (SELECT a.id FROM c2 AS a, c2 AS b),
c4 AS (SELECT a.id FROM c3 AS a, c3 AS b),
c5 AS (SELECT a.id FROM c4 AS a, c4 AS b),
c6 AS (SELECT a.id FROM c5 AS a, c5 AS b),
c7 AS (SELECT a.id FROM c6 AS a, c6 AS b),
c8 AS (SELECT a.id FROM c7 AS a, c7 AS b),
c9 AS (SELECT a.id FROM c8 AS a, c8 AS b),
c10 AS (SELECT a.id FROM c9 AS a, c9 AS b),
c11 AS (SELECT a.id FROM c10 AS a, c10 AS b),
c12 AS (SELECT a.id FROM c11 AS a, c11 AS b),
c13 AS (SELECT a.id FROM c12 AS a, c12 AS b),
c14 AS (SELECT a.id FROM c13 AS a, c13 AS b),
c15 AS (SELECT a.id FROM c14 AS a, c14 AS b),
c16 AS (SELECT a.id FROM c15 AS a, c15 AS b),
c17 AS (SELECT a.id FROM c16 AS a, c16 AS b)
SELECT id FROM c17
----
SELECT id FROM t
----
undecided RESOURCE
