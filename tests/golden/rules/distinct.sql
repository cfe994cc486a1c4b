schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=eliminate_distinct_on_key
SELECT DISTINCT b.id, a.x FROM b JOIN a ON a.id = b.x
----
SELECT b.id, a.x FROM a JOIN b WHERE a.id = b.x

# UNIQUE but nullable is no strict key: (NULL, 1) may occur twice.
norm refuse=eliminate_distinct_on_key needs=projects_strict_key
SELECT DISTINCT a.code, a.x FROM a
----
SELECT DISTINCT a.code, a.x FROM a

norm expect=eliminate_distinct_on_key
SELECT DISTINCT a.code, a.x FROM a WHERE a.code > ''
----
SELECT a.code, a.x FROM a WHERE a.code > ''

norm refuse=eliminate_distinct_on_key needs=projects_strict_key
SELECT DISTINCT a.id FROM a JOIN b ON a.x = b.x AND a.y < b.y ORDER BY b.id
----
SELECT DISTINCT a.id FROM a JOIN b WHERE a.x = b.x AND a.y < b.y ORDER BY b.id

norm expect=eliminate_distinct_of_groups
SELECT DISTINCT a.x, COUNT(*) FROM a GROUP BY a.x
----
SELECT a.x, COUNT(*) FROM a GROUP BY a.x

norm refuse=eliminate_distinct_of_groups needs=projects_group_keys
SELECT DISTINCT COUNT(*) FROM a GROUP BY a.x
----
SELECT DISTINCT COUNT(*) FROM a GROUP BY a.x

decide relation=list
SELECT DISTINCT a.x FROM a ORDER BY a.x LIMIT 1
----
SELECT a.x FROM a ORDER BY a.x LIMIT 1
----
equivalent by=proof

decide relation=list
SELECT DISTINCT a.x AS x FROM a ORDER BY a.x LIMIT 1 OFFSET 1
----
SELECT a.x AS x FROM a ORDER BY a.x LIMIT 1 OFFSET 1
----
not_equivalent by=generate

norm expect=eliminate_distinct_in_set
SELECT a.y FROM a WHERE NOT a.x IN (SELECT DISTINCT b.y FROM b)
----
SELECT a.y FROM a WHERE a.x NOT IN (SELECT b.y FROM b)

norm refuse=eliminate_distinct_in_set needs=outputs_compare_binary
SELECT a.y FROM a WHERE NOT a.code IN (SELECT DISTINCT d.nick FROM d)
----
SELECT a.y FROM a WHERE a.code NOT IN (SELECT DISTINCT d.nick FROM d)

norm refuse=eliminate_distinct_in_set
SELECT a.y FROM a WHERE NOT a.x IN (SELECT DISTINCT b.y FROM b ORDER BY b.y LIMIT 2)
----
SELECT a.y FROM a WHERE a.x NOT IN (SELECT DISTINCT b.y FROM b ORDER BY b.y LIMIT 2)

norm expect=eliminate_distinct_under_set rows=set
SELECT DISTINCT a.x FROM a
----
SELECT a.x FROM a

norm refuse=eliminate_distinct_under_set needs=outputs_compare_binary rows=set
SELECT DISTINCT d.nick FROM d
----
SELECT DISTINCT d.nick FROM d

norm refuse=eliminate_distinct_under_set rows=bag
SELECT DISTINCT a.x FROM a
----
SELECT DISTINCT a.x FROM a

norm expect=fold_count_of_distinct_rows
SELECT COUNT(*) FROM (SELECT DISTINCT b.a_id FROM b WHERE b.y = 1) AS q
----
SELECT COUNT(DISTINCT b.a_id) FROM b WHERE b.y = 1

# NULL is a row, but no value.
norm refuse=fold_count_of_distinct_rows needs=distinct_value_is_never_null
SELECT COUNT(*) FROM (SELECT DISTINCT b.x FROM b) AS q
----
SELECT COUNT(*) FROM (SELECT DISTINCT b.x AS c1 FROM b) AS q

norm expect=reduce_count_distinct_key
SELECT a.x, COUNT(DISTINCT a.code) FROM a GROUP BY a.x
----
SELECT a.x, COUNT(a.code) FROM a GROUP BY a.x

norm refuse=reduce_count_distinct_key needs=counted_column_is_key
SELECT COUNT(DISTINCT a.x) FROM a
----
SELECT COUNT(DISTINCT a.x) FROM a

# COUNT of an outer column is an aggregate of the outer query.
norm refuse=fold_count_of_distinct_rows
SELECT b.id, (SELECT COUNT(*) FROM (SELECT DISTINCT b.a_id FROM a) AS q) FROM b
----
SELECT b.id, (SELECT COUNT(*) FROM (SELECT DISTINCT b.a_id AS c1 FROM a) AS q) FROM b

# Read as text, 1 and 1.0 are two members.
norm refuse=eliminate_distinct_in_set needs=equal_members_act_alike
SELECT a.x FROM a WHERE a.code IN ('1', '1.0') AND a.code IN (SELECT DISTINCT COALESCE(b.x, 1.0) FROM b)
----
SELECT a.x FROM a WHERE a.code IN ('1', '1.0') AND a.code IN (SELECT DISTINCT COALESCE(b.x, 1.0) FROM b)
