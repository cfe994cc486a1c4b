schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=inline_cte
WITH k AS (SELECT a.x, a.id FROM a WHERE a.y = 1) SELECT k.x, k2.x FROM k JOIN k AS k2 ON k.id = k2.x
----
SELECT a.x, a.id FROM a JOIN a AS a_2 WHERE a.id = a_2.x AND a.y = 1 AND a_2.y = 1

norm expect=inline_cte
WITH k AS (SELECT a.x FROM a LIMIT 1), unused AS (SELECT 1 AS z) SELECT k.x FROM k
----
SELECT a.x FROM a LIMIT 1

# Read twice: both reads must see the same choice of tied rows.
norm refuse=inline_cte needs=is_read_once_or_leaves_no_choice
WITH k AS (SELECT a.y FROM a ORDER BY a.x LIMIT 1) SELECT k.y, k2.y FROM k JOIN k AS k2
----
WITH cte_1 AS (SELECT a.y AS c1 FROM a ORDER BY a.x LIMIT 1) SELECT q.c1, q_2.c1 FROM cte_1 AS q JOIN cte_1 AS q_2
