schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=reduce_exists_clauses
SELECT a.x FROM a WHERE EXISTS (SELECT b.y, COUNT(*) FROM b WHERE b.x = a.id GROUP BY b.y LIMIT 2)
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x)

# Without GROUP BY an aggregate yields a row of nothing.
norm refuse=reduce_exists_clauses
SELECT a.x FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE b.x = a.id)
----
SELECT a.x FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE a.id = b.x)

norm refuse=reduce_exists_clauses
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.id LIMIT 1 OFFSET 1)
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x LIMIT 1 OFFSET 1)

norm refuse=reduce_exists_clauses
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.id LIMIT 0)
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x LIMIT 0)

norm expect=merge_nested_exists
SELECT a.x FROM a WHERE NOT EXISTS (
  SELECT 1 FROM b WHERE b.x = a.id AND EXISTS (SELECT 1 FROM c WHERE c.y = b.y AND c.code = 'k'))
----
SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM b JOIN c WHERE a.id = b.x AND b.y = c.y AND c.code = 'k')

norm refuse=merge_nested_exists
SELECT a.x FROM a WHERE EXISTS (
  SELECT 1 FROM b WHERE b.x = a.id AND NOT EXISTS (SELECT 1 FROM c WHERE c.y = b.y))
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x AND NOT EXISTS (SELECT 1 FROM c WHERE b.y = c.y))

norm expect=reduce_exists_to_components
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b, c WHERE b.x = a.id AND c.y = 1 AND a.x > 0)
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x) AND EXISTS (SELECT 1 FROM c WHERE c.y = 1) AND a.x >= 1

# Where a.x is NULL the EXISTS is false and NOT makes it true; a.x > 0 alone stays NULL under NOT.
norm refuse=reduce_exists_to_components needs=is_condition
SELECT a.y FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x = a.id AND a.x > 0)
----
SELECT a.y FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE a.id = b.x AND a.x >= 1)

norm expect=merge_semi_join_on_key
SELECT a.x FROM a WHERE a.code IN (SELECT a2.code FROM a AS a2 WHERE a2.x = 1)
----
SELECT a.x FROM a WHERE a.x = 1 AND a.code IS NOT NULL

# ESM+ 17 asks for nothing: another row with the same x may meet the condition.
norm refuse=merge_semi_join_on_key needs=outer_columns_are_unique
SELECT a.id FROM a WHERE a.x IN (SELECT a2.x FROM a AS a2 WHERE a2.y = 1)
----
SELECT a.id FROM a WHERE EXISTS (SELECT 1 FROM a AS a_2 WHERE a.x = a_2.x AND a_2.y = 1)

# A row without a code has no partner, so NOT EXISTS keeps it, while NOT (NULL AND ...) may be NULL.
norm refuse=merge_semi_join_on_key needs=is_condition
SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM a AS a2 WHERE a2.code = a.code AND a2.x = 1)
----
SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM a AS a_2 WHERE a.code = a_2.code AND a_2.x = 1)

norm expect=reduce_exists_on_reference
SELECT c.y FROM c WHERE EXISTS (SELECT 1 FROM a WHERE a.id = c.a_id)
----
SELECT c.y FROM c WHERE c.a_id IS NOT NULL

# b.x references nothing.
norm refuse=reduce_exists_on_reference needs=child_is_included
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.x)
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.x)

# d.a_id is TEXT.
norm refuse=reduce_exists_on_reference
SELECT d.label FROM d WHERE EXISTS (SELECT 1 FROM a WHERE a.id = d.a_id)
----
SELECT d.label FROM d WHERE EXISTS (SELECT 1 FROM a WHERE a.id = d.a_id)

schema assume='not_empty(b)'
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE c (id INTEGER PRIMARY KEY, b_id INTEGER NOT NULL REFERENCES b (id));
CREATE VIEW v AS SELECT id, x FROM b WHERE x > 0
----

decide relation=list
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b)
----
SELECT a.x FROM a
----
equivalent by=proof

# Nobody says that c has rows: what b holds is no matter of what refers to it.
decide relation=list
SELECT a.x AS x FROM a WHERE EXISTS (SELECT 1 FROM c)
----
SELECT a.x AS x FROM a WHERE 1
----
not_equivalent by=generate
