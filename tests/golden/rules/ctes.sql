schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER, code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=inline_cte
WITH k AS (SELECT a.x, a.id FROM a WHERE a.y = 1) SELECT k.x, k2.x FROM k JOIN k AS k2 ON k.id = k2.x
----

norm expect=inline_cte
WITH k AS (SELECT a.x FROM a LIMIT 1), unused AS (SELECT 1 AS z) SELECT k.x FROM k
----

# Read twice: both reads must see the same choice of tied rows.
norm refuse=inline_cte
WITH k AS (SELECT a.y FROM a ORDER BY a.x LIMIT 1) SELECT k.y, k2.y FROM k JOIN k AS k2
----

norm refuse=inline_cte
WITH RECURSIVE k AS (SELECT 1 AS n UNION ALL SELECT k.n + 1 FROM k WHERE k.n < 3) SELECT k.n FROM k
----
