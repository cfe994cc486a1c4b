schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_to_representative_column
SELECT a.id, COUNT(*) FROM a JOIN b ON a.id = b.x JOIN c ON c.y = b.x WHERE a.y = 1 AND b.y = 2 GROUP BY a.id
----
SELECT b.x, COUNT(*) FROM b JOIN c WHERE b.x = c.y AND b.y = 2 AND EXISTS (SELECT 1 FROM a WHERE a.id = b.x AND a.y = 1) GROUP BY b.x

norm expect=convert_to_representative_column
SELECT b.y FROM a JOIN b ON b.x = a.x AND b.y = a.y WHERE a.x > 3
----
SELECT a.y FROM a JOIN b WHERE a.x = b.x AND a.y = b.y AND a.x >= 4

# d.a_id is TEXT: '01' = 1 holds, and '01' is another value than 1.
norm refuse=convert_to_representative_column
SELECT d.a_id FROM a JOIN d ON a.x = d.a_id
----
SELECT d.a_id FROM a JOIN d WHERE a.x = d.a_id

# 'A' = 'a' holds under NOCASE.
norm refuse=convert_to_representative_column
SELECT d.nick, d2.nick FROM d JOIN d AS d2 ON d.nick = d2.nick
----
SELECT d.nick, d_2.nick FROM d JOIN d AS d_2 WHERE d.nick = d_2.nick

# A column without affinity holds 1 beside 1.0, which divide differently.
norm refuse=convert_to_representative_column
SELECT d.tag / 2 FROM d JOIN d AS d2 ON d.tag = d2.tag
----
SELECT d.tag / 2 FROM d JOIN d AS d_2 WHERE d.tag = d_2.tag

# d.a_id is TEXT: '01' is equal to 1.
norm refuse=convert_to_representative_column needs=equal_columns_are_identical
SELECT a.id, d.a_id FROM a JOIN d ON a.id = d.a_id
----
SELECT a.id, d.a_id FROM a JOIN d WHERE a.id = d.a_id

# The padded side is not equal.
norm refuse=convert_to_representative_column
SELECT b.x, a.id FROM b LEFT JOIN a ON a.id = b.x
----
SELECT b.x, a.id FROM b LEFT JOIN a ON a.id = b.x

# COUNT of an outer column would be an aggregate of the outer query.
norm refuse=convert_to_representative_column
SELECT a.y FROM a WHERE a.x = (SELECT COUNT(b.x) FROM b WHERE b.x = a.id)
----
SELECT a.y FROM a WHERE (SELECT COUNT(*) FROM b WHERE a.id = b.x) = a.x
