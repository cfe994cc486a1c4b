# A MIN or MAX that only ORDER BY has decides which row the bare columns are of: the ORDER BY must stay.
schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);

decide relation=bag
SELECT a.y, COUNT(*) FROM a ORDER BY MAX(a.x)
----
SELECT a.y, COUNT(*) FROM a ORDER BY MIN(a.x)
----
not_equivalent

decide relation=bag
SELECT y FROM a GROUP BY x ORDER BY MAX(id)
----
SELECT y FROM a GROUP BY x ORDER BY MIN(id)
----
not_equivalent

decide
SELECT q.y FROM (SELECT y FROM a GROUP BY x ORDER BY MAX(id)) AS q
----
SELECT q.y FROM (SELECT y FROM a GROUP BY x ORDER BY MIN(id)) AS q
----
not_equivalent

# Here too: SQLite keeps the ORDER BY of a query in IN.
decide
SELECT x FROM a WHERE id IN (SELECT id FROM a GROUP BY x ORDER BY MAX(y))
----
SELECT x FROM a WHERE id IN (SELECT id FROM a GROUP BY x ORDER BY MIN(y))
----
undecided

decide relation=bag
SELECT x FROM a GROUP BY x ORDER BY MAX(id)
----
SELECT DISTINCT x FROM a
----
equivalent
