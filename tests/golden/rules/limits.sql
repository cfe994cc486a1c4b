schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=eliminate_offset_zero
SELECT a.x FROM a ORDER BY a.x LIMIT 2 OFFSET 0
----
SELECT a.x FROM a ORDER BY a.x LIMIT 2

norm refuse=eliminate_offset_zero needs=skips_nothing
SELECT a.x FROM a ORDER BY a.x LIMIT 2 OFFSET 1
----
SELECT a.x FROM a ORDER BY a.x LIMIT 2 OFFSET 1

norm expect=eliminate_negative_limit
SELECT a.x FROM a LIMIT -1
----
SELECT a.x FROM a

norm refuse=eliminate_negative_limit needs=limits_nothing
SELECT a.x FROM a LIMIT 1
----
SELECT a.x FROM a LIMIT 1

norm expect=eliminate_limit_of_one_row
SELECT COUNT(*) FROM a LIMIT 3
----
SELECT COUNT(*) FROM a

norm refuse=eliminate_limit_of_one_row needs=has_positive_limit
SELECT COUNT(*) FROM a LIMIT 0
----
SELECT COUNT(*) FROM a LIMIT 0

norm expect=eliminate_limit_of_single_row
SELECT a.x, b.y FROM a JOIN b ON a.id = b.a_id WHERE b.id = 3 LIMIT 1
----
SELECT a.x, b.y FROM a JOIN b WHERE a.id = b.a_id AND b.id = 3

# Several rows may match.
norm refuse=eliminate_limit_of_single_row needs=is_at_most_one_row
SELECT b.y FROM b WHERE b.x = 1 LIMIT 1
----
SELECT b.y FROM b WHERE b.x = 1 LIMIT 1
