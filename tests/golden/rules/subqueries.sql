schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_in_to_exists
SELECT b.y FROM b WHERE b.y = 3 OR b.x IN (SELECT a.x FROM a WHERE a.y = 1)
----
SELECT b.y FROM b WHERE b.y = 3 OR EXISTS (SELECT 1 FROM a WHERE a.x = b.x AND a.y = 1)

# In the output NULL and false differ.
norm refuse=convert_in_to_exists needs=is_condition
SELECT b.id, b.x IN (SELECT a.x FROM a) FROM b
----
SELECT b.id, b.x IN (SELECT a.x FROM a) FROM b

norm expect=convert_in_to_exists
SELECT b.y FROM b WHERE b.code IN (SELECT d.nick FROM d)
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM d WHERE b.code = d.nick)

norm expect=convert_in_to_exists
SELECT b.y FROM b WHERE UPPER(b.code) IN (SELECT d.nick FROM d)
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM d WHERE UPPER(b.code) = d.nick)

norm refuse=convert_in_to_exists
SELECT b.y FROM b WHERE b.x IN (SELECT a.x FROM a ORDER BY a.x LIMIT 2)
----
SELECT b.y FROM b WHERE b.x IN (SELECT a.x FROM a ORDER BY a.x LIMIT 2)

norm expect=convert_not_in_to_not_exists
SELECT b.y FROM b WHERE NOT b.id IN (SELECT a.x FROM a WHERE a.x > 2)
----
SELECT b.y FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.x = b.id AND b.id >= 3)

# A member may be NULL, and then NOT IN holds for nobody.
norm refuse=convert_not_in_to_not_exists needs=neither_side_is_null
SELECT b.y FROM b WHERE NOT b.id IN (SELECT a.x FROM a)
----
SELECT b.y FROM b WHERE b.id NOT IN (SELECT a.x FROM a)

# The operand may be NULL, and then NOT IN is NULL.
norm refuse=convert_not_in_to_not_exists needs=neither_side_is_null
SELECT b.y FROM b WHERE NOT b.x IN (SELECT a.id FROM a)
----
SELECT b.y FROM b WHERE b.x NOT IN (SELECT a.id FROM a)

norm expect=convert_grouped_join_to_in
SELECT a.x, b.a_id FROM a JOIN b ON a.id = b.a_id WHERE a.y = 1 AND b.y > 1 GROUP BY a.id HAVING COUNT(*) > 2 ORDER BY a.x
----
SELECT a.x, a.id FROM a WHERE a.y = 1 AND a.id IN (SELECT b.a_id FROM b WHERE b.y >= 2 GROUP BY b.a_id HAVING COUNT(*) >= 3) ORDER BY a.x

# Several rows share x and so a group.
norm refuse=convert_grouped_join_to_in needs=group_is_one_outer_row
SELECT a.x FROM a JOIN b ON a.x = b.x GROUP BY a.x HAVING COUNT(*) > 1
----
SELECT a.x FROM a JOIN b WHERE a.x = b.x GROUP BY a.x HAVING COUNT(*) >= 2

# '1' and '1.0' fall into one group by a.id and into two by d.a_id.
norm refuse=convert_grouped_join_to_in needs=member_compares_as_stored
SELECT a.x FROM a JOIN d ON a.id = d.a_id GROUP BY a.id HAVING COUNT(*) > 1
----
SELECT a.x FROM a JOIN d WHERE a.id = d.a_id GROUP BY a.id HAVING COUNT(*) >= 2

norm refuse=convert_grouped_join_to_in
SELECT a.x, COUNT(*) FROM a JOIN b ON a.id = b.a_id GROUP BY a.id HAVING COUNT(*) > 2
----
SELECT a.x, COUNT(*) FROM a JOIN b WHERE a.id = b.a_id GROUP BY a.id HAVING COUNT(*) >= 3

norm expect=inline_members_of_parent
SELECT a.id FROM a WHERE a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) > 2)
----
SELECT c.a_id FROM c WHERE c.a_id IS NOT NULL GROUP BY c.a_id HAVING COUNT(*) >= 3

# b.x references nothing.
norm refuse=inline_members_of_parent needs=child_is_included
SELECT a.id FROM a WHERE a.id IN (SELECT b.x FROM b GROUP BY b.x HAVING COUNT(*) > 1)
----
SELECT a.id FROM a WHERE a.id IN (SELECT b.x FROM b GROUP BY b.x HAVING COUNT(*) >= 2)

# c.y references a.y, which is no key: several rows of a may hold it.
norm refuse=inline_members_of_parent needs=parent_columns_are_unique
SELECT a.y FROM a WHERE a.y IN (SELECT c.y FROM c GROUP BY c.y HAVING COUNT(*) > 1)
----
SELECT a.y FROM a WHERE a.y IN (SELECT c.y FROM c GROUP BY c.y HAVING COUNT(*) >= 2)

# d.a_id is TEXT: '1', '01' and '1.0' reference the row 1, each in a group of its own.
norm refuse=inline_members_of_parent needs=key_and_reference_compare_alike
SELECT a.id FROM a WHERE a.id IN (SELECT d.a_id FROM d GROUP BY d.a_id HAVING COUNT(*) > 1)
----
SELECT a.id FROM a WHERE a.id IN (SELECT d.a_id FROM d GROUP BY d.a_id HAVING COUNT(*) >= 2)

norm refuse=inline_members_of_parent
SELECT a.id FROM a WHERE a.y = 1 AND a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) > 2)
----
SELECT a.id FROM a WHERE a.y = 1 AND a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) >= 3)

norm expect=convert_in_union_to_or
SELECT b.y FROM b WHERE NOT b.x IN (SELECT a.x FROM a UNION SELECT c.y FROM c)
----
SELECT b.y FROM b WHERE b.x NOT IN (SELECT a.x FROM a) AND b.x NOT IN (SELECT c.y FROM c)

# The TEXT of the first operand would decide how the numbers of the second compare.
norm refuse=convert_in_union_to_or needs=members_compare_alike
SELECT b.y FROM b WHERE b.code IN (SELECT a.x FROM a UNION SELECT c.code FROM c)
----
SELECT b.y FROM b WHERE b.code IN (SELECT a.x FROM a UNION SELECT c.code FROM c)

# Under EXISTS the tie could be broken anew for each row.
norm refuse=convert_in_to_exists needs=members_leave_no_choice
SELECT a.y FROM a WHERE a.x IN (SELECT q.x FROM (SELECT b.x FROM b ORDER BY b.y LIMIT 1) AS q JOIN c ON c.y > 0)
----
SELECT a.y FROM a WHERE a.x IN (SELECT q.c1 FROM (SELECT b.x AS c1 FROM b ORDER BY b.y LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM c WHERE c.y >= 1))

norm refuse=convert_not_in_to_not_exists needs=members_leave_no_choice
SELECT a.y FROM a WHERE NOT a.id IN (SELECT q.id FROM (SELECT b.id FROM b ORDER BY b.y LIMIT 1) AS q JOIN c ON c.y > 0)
----
SELECT a.y FROM a WHERE a.id NOT IN (SELECT q.c1 FROM (SELECT b.id AS c1 FROM b ORDER BY b.y LIMIT 1) AS q WHERE EXISTS (SELECT 1 FROM c WHERE c.y >= 1))

# Read as text, 1 and 1.0 are two members, of which DISTINCT keeps one.
norm refuse=convert_in_to_exists
SELECT a.x FROM a WHERE a.code IN (SELECT DISTINCT COALESCE(b.x, 1.0) FROM b)
----
SELECT a.x FROM a WHERE a.code IN (SELECT DISTINCT COALESCE(b.x, 1.0) FROM b)

# The groups depend on the row that is tested.
norm refuse=inline_members_of_parent
SELECT a.id FROM a WHERE a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) <> a.y)
----
SELECT a.id FROM a WHERE a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING a.y <> COUNT(*))
