schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

decide relation=list
SELECT a.x FROM a ORDER BY a.x LIMIT 2 OFFSET 0
----
SELECT a.x FROM a ORDER BY a.x LIMIT 2
----
equivalent by=proof

decide relation=list
SELECT a.x AS x FROM a ORDER BY a.x LIMIT 2 OFFSET 1
----
SELECT a.x AS x FROM a ORDER BY a.x LIMIT 2
----
not_equivalent by=generate

decide relation=list
SELECT a.x FROM a LIMIT -1
----
SELECT a.x FROM a
----
equivalent by=proof

decide relation=list
SELECT a.x AS x FROM a LIMIT 1
----
SELECT a.x AS x FROM a
----
not_equivalent by=generate

decide relation=list
SELECT COUNT(*) FROM a LIMIT 3
----
SELECT COUNT(*) FROM a
----
equivalent by=proof

decide relation=list
SELECT COUNT(*) AS expr FROM a LIMIT 0
----
SELECT COUNT(*) AS expr FROM a
----
not_equivalent by=generate

decide relation=list
SELECT a.x, b.y FROM a JOIN b ON a.id = b.a_id WHERE b.id = 3 LIMIT 1
----
SELECT a.x, b.y FROM a JOIN b WHERE a.id = b.a_id AND b.id = 3
----
equivalent by=proof

# Several rows may match.
decide relation=list
SELECT b.y AS y FROM b WHERE b.x = 1 LIMIT 1
----
SELECT b.y AS y FROM b WHERE b.x = 1
----
not_equivalent by=generate
