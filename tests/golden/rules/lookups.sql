schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, k INTEGER UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), m INTEGER REFERENCES a (id), v INTEGER,
  w INTEGER NOT NULL, f INTEGER NOT NULL REFERENCES a (y), t TEXT NOT NULL REFERENCES a (id))
----

norm expect=convert_lookup_of_group_to_join
SELECT x FROM a WHERE id = (SELECT a_id FROM b GROUP BY a_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a JOIN b WHERE a.id = b.a_id GROUP BY a.id ORDER BY COUNT(*) DESC LIMIT 1

norm expect=convert_lookup_of_group_to_join
SELECT x FROM a WHERE id IN (SELECT a_id FROM b WHERE v > 3 GROUP BY a_id HAVING COUNT(*) > 1 ORDER BY MAX(v) LIMIT 1)
----
SELECT a.x FROM a JOIN b WHERE a.id = b.a_id AND b.v >= 4 GROUP BY b.a_id HAVING COUNT(*) >= 2 ORDER BY MAX(b.v) LIMIT 1

# The group of NULL may be the first.
norm refuse=convert_lookup_of_group_to_join needs=group_key_is_never_null
SELECT x FROM a WHERE id = (SELECT m FROM b GROUP BY m ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a WHERE (SELECT b.m FROM b GROUP BY b.m ORDER BY COUNT(*) DESC LIMIT 1) = a.id

# The first group may have no parent.
norm refuse=convert_lookup_of_group_to_join needs=group_key_is_included
SELECT x FROM a WHERE id = (SELECT w FROM b GROUP BY w ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a WHERE (SELECT b.w FROM b GROUP BY b.w ORDER BY COUNT(*) DESC LIMIT 1) = a.id

# Several rows of a may have one y.
norm refuse=convert_lookup_of_group_to_join needs=key_is_unique
SELECT x FROM a WHERE y = (SELECT f FROM b GROUP BY f ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a WHERE (SELECT b.f FROM b GROUP BY b.f ORDER BY COUNT(*) DESC LIMIT 1) = a.y

# '1' and '01' are groups of their own and one parent.
norm refuse=convert_lookup_of_group_to_join needs=group_key_compares_alike
SELECT x FROM a WHERE id = (SELECT t FROM b GROUP BY t ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a WHERE (SELECT b.t FROM b GROUP BY b.t ORDER BY COUNT(*) DESC LIMIT 1) = a.id

# Filtered after LIMIT.
norm refuse=convert_lookup_of_group_to_join needs=looks_up_a_row
SELECT x FROM a WHERE y = 3 AND id = (SELECT a_id FROM b GROUP BY a_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a WHERE (SELECT b.a_id FROM b GROUP BY b.a_id ORDER BY COUNT(*) DESC LIMIT 1) = a.id AND a.y = 3

norm refuse=convert_lookup_of_group_to_join
SELECT x FROM a WHERE id IN (SELECT a_id FROM b GROUP BY a_id ORDER BY COUNT(*) DESC LIMIT 2)
----
SELECT a.x FROM a WHERE a.id IN (SELECT b.a_id FROM b GROUP BY b.a_id ORDER BY COUNT(*) DESC LIMIT 2)

decide relation=bag
SELECT x FROM a WHERE id = (SELECT a_id FROM b GROUP BY a_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a JOIN b ON a.id = b.a_id GROUP BY a.id ORDER BY COUNT(*) DESC LIMIT 1
----
equivalent by=rules

decide relation=bag
SELECT x FROM a WHERE id = (SELECT m FROM b GROUP BY m ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a JOIN b ON a.id = b.m GROUP BY a.id ORDER BY COUNT(*) DESC LIMIT 1
----
not_equivalent by=generate

decide relation=bag
SELECT x FROM a WHERE id = (SELECT a_id FROM b GROUP BY a_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT a.x FROM a JOIN b ON a.id = b.a_id GROUP BY a.id ORDER BY COUNT(*) LIMIT 1
----
not_equivalent by=generate
