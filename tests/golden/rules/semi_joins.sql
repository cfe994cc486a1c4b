schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_filtering_join_to_exists
SELECT DISTINCT a.x FROM a JOIN b ON a.id = b.x WHERE b.y > 1
----
SELECT DISTINCT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x AND b.y >= 2)

# COUNT(*) counts the matches.
norm refuse=convert_filtering_join_to_exists needs=ignores_duplicates
SELECT COUNT(*), MAX(a.x) FROM a JOIN b ON a.id = b.x
----
SELECT COUNT(*), MAX(a.x) FROM a JOIN b WHERE a.id = b.x

norm expect=convert_filtering_join_under_set rows=set
SELECT a.x FROM a JOIN b ON a.id = b.x
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.x)

# Repetitions use the limit up.
norm refuse=convert_filtering_join_under_set needs=is_unlimited rows=set
SELECT a.x FROM a JOIN b ON a.id = b.x ORDER BY a.x LIMIT 2
----
SELECT a.x FROM a JOIN b WHERE a.id = b.x ORDER BY a.x LIMIT 2

norm refuse=convert_filtering_join_under_set rows=bag
SELECT a.x FROM a JOIN b ON a.id = b.x
----
SELECT a.x FROM a JOIN b WHERE a.id = b.x

norm expect=convert_unique_join_to_exists
SELECT b.y FROM a JOIN b ON a.id = b.x WHERE a.x = 1
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.x AND a.x = 1)

norm expect=convert_unique_join_to_exists
SELECT COUNT(*) FROM a JOIN b ON a.id = b.x WHERE a.x = 1
----
SELECT COUNT(*) FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.x AND a.x = 1)

# ESM+ 12 asks for a primary and a foreign key; a row of a may match several rows of b all the same.
norm refuse=convert_unique_join_to_exists needs=match_is_unique
SELECT a.x FROM a JOIN b ON a.id = b.a_id WHERE b.y = 1
----
SELECT a.x FROM a JOIN b WHERE a.id = b.a_id AND b.y = 1

# code is UNIQUE, but compared with a number '1' and '1.0' are both equal to 1.
norm refuse=convert_unique_join_to_exists needs=match_is_unique
SELECT b.y FROM a JOIN b ON a.code = b.y
----
SELECT b.y FROM a JOIN b WHERE a.code = b.y

norm expect=convert_anti_join_to_not_exists
SELECT a.x FROM a LEFT JOIN b ON b.x = a.id AND b.y > 1 WHERE b.id IS NULL
----
SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE a.id = b.x AND b.y >= 2)

norm expect=convert_anti_join_to_not_exists
SELECT a.x FROM a LEFT JOIN b ON b.x = a.id WHERE b.x IS NULL
----
SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE a.id = b.x)

# y may be NULL in a row that matches.
norm refuse=convert_anti_join_to_not_exists needs=column_is_null_only_when_padded
SELECT a.x FROM a LEFT JOIN b ON b.x = a.id WHERE b.y IS NULL
----
SELECT a.x FROM a LEFT JOIN b ON a.id = b.x WHERE b.y IS NULL

norm expect=convert_tested_join_to_exists
SELECT b.y FROM b LEFT JOIN a ON a.id = b.x WHERE a.id IS NULL OR b.y > 1
----
SELECT b.y FROM b WHERE b.y >= 2 OR NOT EXISTS (SELECT 1 FROM a WHERE a.id = b.x)

norm expect=convert_tested_join_to_exists
SELECT b.y FROM b LEFT JOIN (SELECT x FROM a GROUP BY x) AS q ON q.x = b.x WHERE NOT q.x IS NULL OR b.y > 1
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = b.x) OR b.y >= 2

norm refuse=convert_tested_join_to_exists needs=column_is_null_only_when_padded
SELECT b.y FROM b LEFT JOIN a ON a.id = b.x WHERE a.x IS NULL OR b.y > 1
----
SELECT b.y FROM b LEFT JOIN a ON a.id = b.x WHERE a.x IS NULL OR b.y >= 2

norm refuse=convert_tested_join_to_exists needs=match_of_join_is_unique
SELECT b.y FROM b LEFT JOIN a ON a.x = b.x WHERE a.x IS NULL OR b.y > 1
----
SELECT b.y FROM b LEFT JOIN a ON a.x = b.x WHERE a.x IS NULL OR b.y >= 2

norm refuse=convert_tested_join_to_exists needs=joined_source_leaves_no_choice
SELECT a.y FROM a LEFT JOIN (SELECT DISTINCT b.x FROM b ORDER BY b.y LIMIT 1) AS q ON q.x = a.x WHERE q.x IS NULL OR a.y > 1
----
SELECT a.y FROM a LEFT JOIN (SELECT DISTINCT b.x AS c1 FROM b ORDER BY b.y LIMIT 1) AS q ON a.x = q.c1 WHERE q.c1 IS NULL OR a.y >= 2

# Two rows of q may have one x.
decide relation=bag
SELECT b.y FROM b LEFT JOIN (SELECT x, y FROM a GROUP BY x, y) AS q ON q.x = b.x WHERE q.x IS NULL OR b.y > 1
----
SELECT b.y FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.x = b.x) OR b.y > 1
----
not_equivalent

# The test is asked of each row of a, and one that is padded has no match within the other query either.
decide relation=bag
SELECT b.y FROM b LEFT JOIN (SELECT DISTINCT x FROM a) AS q ON q.x = b.x WHERE EXISTS (SELECT 1 FROM a WHERE a.y = b.y AND (q.x IS NULL OR a.x = 1))
----
SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.y = b.y AND (NOT EXISTS (SELECT 1 FROM a AS c WHERE c.y = b.x) OR a.x = 1))
----
not_equivalent

# Some source must stay for the LEFT JOIN to join.
norm refuse=convert_unique_join_to_exists
SELECT b.y FROM a LEFT JOIN b ON b.y > 2 WHERE a.code = 'k'
----
SELECT b.y FROM a LEFT JOIN b ON b.y >= 3 WHERE a.code = 'k'

# Under EXISTS the tie could be broken anew for each row.
norm refuse=convert_filtering_join_to_exists needs=filtering_sources_leave_no_choice
SELECT DISTINCT a.x FROM a JOIN (SELECT b.x FROM b ORDER BY b.y LIMIT 1) AS q ON q.x > a.y
----
SELECT DISTINCT a.x FROM (SELECT b.x AS c1 FROM b ORDER BY b.y LIMIT 1) AS q JOIN a WHERE a.y < q.c1

norm refuse=convert_filtering_join_under_set needs=filtering_sources_leave_no_choice rows=set
SELECT a.x FROM a JOIN (SELECT b.x FROM b ORDER BY b.y LIMIT 1) AS q ON q.x > a.y
----
SELECT a.x FROM (SELECT b.x AS c1 FROM b ORDER BY b.y LIMIT 1) AS q JOIN a WHERE a.y < q.c1

norm refuse=convert_unique_join_to_exists needs=moved_source_leaves_no_choice
SELECT a.y FROM a JOIN (SELECT DISTINCT b.x FROM b LIMIT 2) AS q ON q.x = a.x
----
SELECT a.y FROM (SELECT DISTINCT b.x AS c1 FROM b LIMIT 2) AS q JOIN a WHERE a.x = q.c1

norm refuse=convert_anti_join_to_not_exists needs=joined_source_leaves_no_choice
SELECT a.y FROM a LEFT JOIN (SELECT b.x FROM b ORDER BY b.y LIMIT 1) AS q ON q.x = a.x WHERE q.x IS NULL
----
SELECT a.y FROM a LEFT JOIN (SELECT b.x AS c1 FROM b ORDER BY b.y LIMIT 1) AS q ON a.x = q.c1 WHERE q.c1 IS NULL
