schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_right_join_to_left
SELECT a.x, b.y FROM a RIGHT JOIN b ON a.id = b.x
----
SELECT a.x, b.y FROM b LEFT JOIN a ON a.id = b.x

norm refuse=convert_right_join_to_left
SELECT a.x, b.y FROM a JOIN c ON c.y = a.y RIGHT JOIN b ON a.id = b.x
----
SELECT a.x, b.y FROM a JOIN c ON a.y = c.y RIGHT JOIN b ON a.id = b.x

norm expect=reduce_full_join
SELECT a.x, b.y FROM a FULL JOIN b ON a.id = b.x WHERE a.y > 1 AND b.y > 1
----
SELECT a.x, b.y FROM a JOIN b WHERE a.id = b.x AND a.y >= 2 AND b.y >= 2

# Rows that are padded on the left pass.
norm refuse=reduce_full_join
SELECT a.x, b.y FROM a FULL JOIN b ON a.id = b.x WHERE COALESCE(a.y, b.y) = 1
----
SELECT a.x, b.y FROM a FULL JOIN b ON a.id = b.x WHERE COALESCE(a.y, b.y) = 1

norm expect=reduce_left_join_to_inner
SELECT a.x FROM a LEFT JOIN b ON a.id = b.x WHERE b.y > 1 OR b.y BETWEEN -3 AND -1
----
SELECT a.x FROM a JOIN b WHERE a.id = b.x AND (b.y >= -3 AND b.y <= -1 OR b.y >= 2)

# A padded row passes where a.x = 1.
norm refuse=reduce_left_join_to_inner
SELECT a.x, b.id FROM a LEFT JOIN b ON a.id = b.x WHERE b.y > 1 OR a.x = 1
----
SELECT a.x, b.id FROM a LEFT JOIN b ON a.id = b.x WHERE a.x = 1 OR b.y >= 2

# COALESCE makes a value of the padding.
norm refuse=reduce_left_join_to_inner
SELECT a.x, b.id FROM a LEFT JOIN b ON a.id = b.x WHERE COALESCE(b.y, 2) > 1
----
SELECT a.x, b.id FROM a LEFT JOIN b ON a.id = b.x WHERE COALESCE(b.y, 2) >= 2

norm expect=reduce_left_join_on_reference
SELECT b.y, a.x FROM b LEFT JOIN a ON a.id = b.a_id
----
SELECT b.y, a.x FROM a JOIN b WHERE a.id = b.a_id

# c.a_id may be NULL: the row is padded.
norm refuse=reduce_left_join_on_reference needs=reference_is_never_null
SELECT c.y, a.x FROM c LEFT JOIN a ON a.id = c.a_id
----
SELECT c.y, a.x FROM c LEFT JOIN a ON a.id = c.a_id

# b.id references nothing.
norm refuse=reduce_left_join_on_reference needs=reference_is_included
SELECT b.y, a.x FROM b LEFT JOIN a ON a.id = b.id
----
SELECT b.y, a.x FROM b LEFT JOIN a ON a.id = b.id

norm expect=eliminate_unused_left_join
SELECT b.y FROM b LEFT JOIN a ON a.id = b.x AND a.y > 2
----
SELECT b.y FROM b

# A row of a may match several rows of b.
norm refuse=eliminate_unused_left_join needs=at_most_one_match
SELECT a.x FROM a LEFT JOIN b ON a.id = b.x
----
SELECT a.x FROM a LEFT JOIN b ON a.id = b.x

# code is UNIQUE, but the comparison with a number makes '1' and '1.0' equal.
norm refuse=eliminate_unused_left_join
SELECT b.y FROM b LEFT JOIN a ON a.code = b.y
----
SELECT b.y FROM b LEFT JOIN a ON a.code = b.y

norm expect=eliminate_unused_left_join_among_duplicates
SELECT MAX(a.x), COUNT(DISTINCT a.y) FROM a LEFT JOIN b ON a.id = b.x
----
SELECT MAX(a.x), COUNT(DISTINCT a.y) FROM a

# COUNT(*) counts the matches.
norm refuse=eliminate_unused_left_join_among_duplicates needs=ignores_duplicates
SELECT COUNT(*) FROM a LEFT JOIN b ON a.id = b.x
----
SELECT COUNT(*) FROM a LEFT JOIN b ON a.id = b.x

decide relation=set
SELECT a.x FROM a LEFT JOIN b ON a.id = b.x
----
SELECT a.x FROM a
----
equivalent by=proof

# Repetitions use the limit up.
decide relation=set
SELECT a.x AS x FROM a LEFT JOIN b ON a.id = b.x ORDER BY a.x LIMIT 2
----
SELECT a.x AS x FROM a ORDER BY a.x LIMIT 2
----
not_equivalent by=generate
