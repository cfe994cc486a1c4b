schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER, code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_in_to_exists
SELECT b.y FROM b WHERE b.y = 3 OR b.x IN (SELECT a.x FROM a WHERE a.y = 1)
----

# IN compares by the left side's collation, = by that of its left operand, here NOCASE if turned round.
norm refuse=convert_in_to_exists needs=membership_compares_binary
SELECT b.y FROM b WHERE UPPER(b.code) IN (SELECT d.nick FROM d)
----

# In the output NULL and false differ.
norm refuse=convert_in_to_exists needs=is_condition_here
SELECT b.id, b.x IN (SELECT a.x FROM a) FROM b
----

norm refuse=convert_in_to_exists
SELECT b.y FROM b WHERE b.x IN (SELECT a.x FROM a ORDER BY a.x LIMIT 2)
----

norm expect=convert_not_in_to_not_exists
SELECT b.y FROM b WHERE NOT b.id IN (SELECT a.x FROM a WHERE a.x > 2)
----

# A member may be NULL, and then NOT IN holds for nobody.
norm refuse=convert_not_in_to_not_exists needs=neither_side_is_null
SELECT b.y FROM b WHERE NOT b.id IN (SELECT a.x FROM a)
----

# The operand may be NULL, and then NOT IN is NULL.
norm refuse=convert_not_in_to_not_exists needs=neither_side_is_null
SELECT b.y FROM b WHERE NOT b.x IN (SELECT a.id FROM a)
----

norm refuse=convert_not_in_to_not_exists needs=membership_compares_binary
SELECT d.id FROM d WHERE NOT UPPER(d.label) IN (SELECT d2.nick FROM d AS d2 WHERE d2.nick > '')
----

norm expect=convert_grouped_join_to_in
SELECT a.x, b.a_id FROM a JOIN b ON a.id = b.a_id WHERE a.y = 1 AND b.y > 1 GROUP BY a.id HAVING COUNT(*) > 2 ORDER BY a.x
----

# Several rows share x and so a group.
norm refuse=convert_grouped_join_to_in needs=group_is_one_outer_row
SELECT a.x FROM a JOIN b ON a.x = b.x GROUP BY a.x HAVING COUNT(*) > 1
----

# '1' and '1.0' fall into one group by a.id and into two by d.a_id.
norm refuse=convert_grouped_join_to_in needs=member_compares_as_stored
SELECT a.x FROM a JOIN d ON a.id = d.a_id GROUP BY a.id HAVING COUNT(*) > 1
----

norm refuse=convert_grouped_join_to_in
SELECT a.x, COUNT(*) FROM a JOIN b ON a.id = b.a_id GROUP BY a.id HAVING COUNT(*) > 2
----

norm expect=inline_members_of_parent
SELECT a.id FROM a WHERE a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) > 2)
----

# b.x references nothing.
norm refuse=inline_members_of_parent needs=child_is_included
SELECT a.id FROM a WHERE a.id IN (SELECT b.x FROM b GROUP BY b.x HAVING COUNT(*) > 1)
----

norm refuse=inline_members_of_parent
SELECT a.id FROM a WHERE a.y = 1 AND a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) > 2)
----
