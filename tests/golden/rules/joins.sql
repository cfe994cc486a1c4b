schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=push_join_condition_to_filter
SELECT a.x FROM a JOIN b ON a.id = b.a_id AND b.y > 1 LEFT JOIN c ON c.a_id = a.id AND c.y = 2 WHERE a.y = 3
----
SELECT a.x FROM a JOIN b LEFT JOIN c ON a.id = c.a_id AND c.y = 2 WHERE a.id = b.a_id AND a.y = 3 AND b.y >= 2

# The rows of c that meet no b are padded after the join; in WHERE they would go.
norm refuse=push_join_condition_to_filter needs=pads_left_side_nowhere
SELECT b.y, c.y FROM b JOIN a ON a.id = b.x RIGHT JOIN c ON c.a_id = a.id
----
SELECT b.y, c.y FROM b JOIN a ON a.id = b.x RIGHT JOIN c ON a.id = c.a_id

norm expect=merge_self_join_on_key
SELECT a.x, a2.y FROM a JOIN a AS a2 ON a2.code = a.code WHERE a2.x > 1
----
SELECT a.x, a.y FROM a WHERE a.x >= 2 AND a.code IS NOT NULL

# Two rows may share x.
norm refuse=merge_self_join_on_key needs=equated_columns_are_unique
SELECT a.x, a2.y FROM a JOIN a AS a2 ON a.x = a2.x
----
SELECT a.x, a.y FROM a JOIN a AS a_2 WHERE a.x = a_2.x

norm expect=eliminate_parent_join
SELECT c.y FROM c JOIN a ON a.id = c.a_id
----
SELECT c.y FROM c WHERE c.a_id IS NOT NULL

norm expect=eliminate_parent_join
SELECT COUNT(*), a.id FROM a JOIN b ON a.id = b.a_id WHERE a.id > 3 GROUP BY a.id
----
SELECT COUNT(*), b.a_id FROM b WHERE b.a_id >= 4 GROUP BY b.a_id

# c.y references a.y, which is no key: a row of c may meet several rows of a.
norm refuse=eliminate_parent_join needs=parent_columns_are_unique
SELECT c.id FROM c JOIN a ON a.y = c.y
----
SELECT c.id FROM a JOIN c WHERE a.y = c.y

# ESM+ 13 asks for a non-composite key and no more: b.x references nothing, and may name no row of a.
norm refuse=eliminate_parent_join needs=child_is_included
SELECT b.y FROM b JOIN a ON a.id = b.x
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.x)

# d.a_id is TEXT: '1' and '1.0' both reference the row 1, and the key read is 1, not '1'.
norm refuse=eliminate_parent_join needs=key_and_reference_compare_alike
SELECT a.id FROM d JOIN a ON a.id = d.a_id
----
SELECT a.id FROM a JOIN d WHERE a.id = d.a_id

# More than the key is read.
norm refuse=eliminate_parent_join
SELECT b.y FROM b JOIN a ON a.id = b.a_id WHERE a.x = 1
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.a_id AND a.x = 1)
