schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=eliminate_unread_projection
SELECT q.x + b.y FROM (SELECT a.x, a.y, a.code FROM a ORDER BY a.id LIMIT 2) AS q, b
----
SELECT b.y + q.c1 FROM (SELECT a.x AS c1 FROM a ORDER BY a.id LIMIT 2) AS q JOIN b

# DISTINCT compares the columns that are not read too.
norm refuse=eliminate_unread_projection
SELECT q.x + b.y FROM (SELECT DISTINCT a.x, a.y FROM a) AS q, b
----
SELECT b.y + q.c1 FROM (SELECT DISTINCT a.x AS c1, a.y AS c2 FROM a) AS q JOIN b

# MAX decides which row the bare column is of.
norm refuse=eliminate_unread_projection
SELECT q.y + b.y FROM (SELECT a.y, MAX(a.x) AS m FROM a) AS q, b
----
SELECT b.y + q.c2 FROM (SELECT MAX(a.x) AS c1, a.y AS c2 FROM a) AS q JOIN b
