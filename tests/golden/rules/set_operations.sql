schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=merge_equal_operands
SELECT a.x FROM a JOIN b ON a.id = b.x INTERSECT SELECT a2.x FROM b AS b2 JOIN a AS a2 ON b2.x = a2.id
----
SELECT DISTINCT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x)

# Each evaluation may keep other rows.
norm refuse=merge_equal_operands
SELECT q.x FROM (SELECT a.x FROM a LIMIT 1) AS q UNION SELECT q.x FROM (SELECT a.x FROM a LIMIT 1) AS q
----
SELECT * FROM (SELECT a.x FROM a LIMIT 1) UNION SELECT * FROM (SELECT a_2.x FROM a AS a_2 LIMIT 1)

norm refuse=merge_equal_operands
SELECT a.x FROM a UNION ALL SELECT a.x FROM a
----
SELECT a.x FROM a UNION ALL SELECT a_2.x FROM a AS a_2

norm expect=merge_union_to_or
SELECT a.x FROM a WHERE a.y = 1 AND a.x > 0 UNION SELECT a.x FROM a WHERE a.x > 0 AND a.code = 'k'
----
SELECT DISTINCT a.x FROM a WHERE a.x >= 1 AND (a.code = 'k' OR a.y = 1)

norm refuse=merge_union_to_or needs=joins_blocks
SELECT a.x FROM a WHERE a.y = 1 UNION ALL SELECT a.x FROM a WHERE a.code = 'k'
----
SELECT a.x FROM a WHERE a.code = 'k' UNION ALL SELECT a_2.x FROM a AS a_2 WHERE a_2.y = 1

norm expect=merge_intersect_to_and
SELECT a.id FROM a WHERE a.x = 1 INTERSECT SELECT a.id FROM a WHERE a.y = 2
----
SELECT a.id FROM a WHERE a.x = 1 AND a.y = 2

# ESM+ 3 asks for UNIQUE alone: two rows without a code, one for each condition, meet in the result.
norm refuse=merge_intersect_to_and needs=operand_projects_strict_key
SELECT a.code FROM a WHERE a.x = 1 INTERSECT SELECT a.code FROM a WHERE a.y = 2
----
SELECT a.code FROM a WHERE a.x = 1 INTERSECT SELECT a_2.code FROM a AS a_2 WHERE a_2.y = 2

norm expect=merge_except_to_and_not
SELECT a.id, a.x FROM a EXCEPT SELECT a.id, a.x FROM a WHERE a.y > 2
----
SELECT a.id, a.x FROM a WHERE (a.y >= 3) IS NOT TRUE

norm expect=merge_except_to_and_not
SELECT a.id FROM a WHERE a.x = 1 EXCEPT SELECT a.id FROM a WHERE a.x = 1
----
SELECT a.id FROM a WHERE 0

norm refuse=merge_except_to_and_not needs=operand_projects_strict_key
SELECT a.code FROM a WHERE a.x = 1 EXCEPT SELECT a.code FROM a WHERE a.y = 2
----
SELECT a_2.code FROM a AS a_2 WHERE a_2.x = 1 EXCEPT SELECT a.code FROM a WHERE a.y = 2

# The condition is NULL, not false, where y is.
decide
SELECT a.id FROM a EXCEPT SELECT a.id FROM a WHERE a.y > 2
----
SELECT a.id FROM a WHERE NOT a.y > 2
----
not_equivalent by=generate

decide
SELECT a.id FROM a EXCEPT SELECT a.id FROM a WHERE a.y > 2
----
SELECT a.id FROM a WHERE a.y IS NULL OR a.y <= 2
----
equivalent

norm expect=convert_intersect_to_exists
SELECT b.a_id FROM b INTERSECT SELECT c.y FROM c
----
SELECT DISTINCT b.a_id FROM b WHERE EXISTS (SELECT 1 FROM c WHERE b.a_id = c.y)

# NULL meets NULL.
norm refuse=convert_intersect_to_exists needs=null_is_on_one_side
SELECT b.y FROM b INTERSECT SELECT c.y FROM c
----
SELECT b.y FROM b INTERSECT SELECT c.y FROM c

# '1' = 1 holds between the columns, and INTERSECT tells them apart.
norm refuse=convert_intersect_to_exists needs=operands_compare_alike
SELECT b.a_id FROM b INTERSECT SELECT c.code FROM c
----
SELECT b.a_id FROM b INTERSECT SELECT c.code FROM c

norm expect=convert_except_to_not_exists
SELECT b.x FROM b EXCEPT SELECT a.id FROM a WHERE a.x = 1
----
SELECT DISTINCT b.x FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.id = b.x AND a.x = 1)

norm refuse=convert_except_to_not_exists needs=null_is_on_one_side
SELECT b.y FROM b EXCEPT SELECT c.y FROM c
----
SELECT b.y FROM b EXCEPT SELECT c.y FROM c

norm refuse=convert_except_to_not_exists needs=operands_compare_alike
SELECT b.a_id FROM b EXCEPT SELECT c.code FROM c
----
SELECT b.a_id FROM b EXCEPT SELECT c.code FROM c

norm expect=convert_union_all_in_set
SELECT a.y FROM a WHERE NOT a.x IN (SELECT b.y FROM b UNION ALL SELECT c.y FROM c)
----
SELECT a.y FROM a WHERE a.x NOT IN (SELECT b.y FROM b) AND a.x NOT IN (SELECT c.y FROM c)

norm refuse=convert_union_all_in_set needs=outputs_compare_binary
SELECT a.y FROM a WHERE NOT a.code IN (SELECT d.nick FROM d UNION ALL SELECT d.nick FROM d)
----
SELECT a.y FROM a WHERE a.code NOT IN (SELECT d_2.nick FROM d AS d_2 UNION ALL SELECT d.nick FROM d)

decide relation=set
SELECT a.x FROM a UNION ALL SELECT b.y FROM b
----
SELECT a.x FROM a UNION SELECT b.y FROM b
----
equivalent by=proof

# Under EXISTS the tie could be broken anew for each row.
norm refuse=convert_intersect_to_exists needs=second_operand_leaves_no_choice
SELECT b.a_id FROM b INTERSECT SELECT q.x FROM (SELECT a.x FROM a ORDER BY a.y LIMIT 1) AS q JOIN c ON c.y > 0
----
SELECT b.a_id FROM b INTERSECT SELECT q.c1 FROM (SELECT a.x AS c1 FROM a ORDER BY a.y LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM c WHERE c.y >= 1)

norm refuse=convert_except_to_not_exists needs=second_operand_leaves_no_choice
SELECT b.a_id FROM b EXCEPT SELECT q.x FROM (SELECT a.x FROM a ORDER BY a.y LIMIT 1) AS q JOIN c ON c.y > 0
----
SELECT b.a_id FROM b EXCEPT SELECT q.c1 FROM (SELECT a.x AS c1 FROM a ORDER BY a.y LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM c WHERE c.y >= 1)

# Read as text, 1 and 1.0 are two members.
norm refuse=convert_union_all_in_set needs=equal_members_act_alike
SELECT a.x FROM a WHERE a.code IN ('1', '1.0')
AND a.code IN (SELECT COALESCE(b.x, 1.0) FROM b UNION ALL SELECT COALESCE(a2.x, 1) FROM a AS a2)
----
SELECT a.x FROM a WHERE a.code IN ('1', '1.0') AND a.code IN (SELECT COALESCE(b.x, 1.0) FROM b UNION ALL SELECT COALESCE(a_2.x, 1) FROM a AS a_2)
