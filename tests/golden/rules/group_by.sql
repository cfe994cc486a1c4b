schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=eliminate_determined_group_key
SELECT a.x, COUNT(*) FROM a JOIN b ON b.x = a.id GROUP BY a.id, a.x, a.y
----
SELECT a.x, COUNT(*) FROM a JOIN b WHERE a.id = b.x GROUP BY a.id

norm expect=eliminate_determined_group_key
SELECT a.x, a.y, COUNT(*) FROM a WHERE a.x = 1 AND a.y = 2 GROUP BY a.x, a.y
----
SELECT a.x, a.y, COUNT(*) FROM a WHERE a.x = 1 AND a.y = 2 GROUP BY a.x

# ESM+ 5 asks for UNIQUE alone: rows without a code fall into groups by x.
norm refuse=eliminate_determined_group_key needs=key_is_determined
SELECT COUNT(*) FROM a GROUP BY a.code, a.x
----
SELECT COUNT(*) FROM a GROUP BY a.code, a.x

norm refuse=eliminate_determined_group_key needs=key_is_determined
SELECT COUNT(*) FROM b GROUP BY b.a_id, b.x
----
SELECT COUNT(*) FROM b GROUP BY b.a_id, b.x

norm expect=push_having_to_filter
SELECT a.x, COUNT(*) FROM a GROUP BY a.x HAVING a.x > 1 AND COUNT(*) > 1
----
SELECT a.x, COUNT(*) FROM a WHERE a.x >= 2 GROUP BY a.x HAVING COUNT(*) >= 2

# A bare column: the group picks one of its rows to decide.
norm refuse=push_having_to_filter needs=condition_reads_keys
SELECT a.x, COUNT(*) FROM a GROUP BY a.x HAVING a.y > 1
----
SELECT a.x, COUNT(*) FROM a GROUP BY a.x HAVING a.y >= 2

# The group picks one of 'a' and 'A'.
norm refuse=push_having_to_filter needs=condition_reads_keys
SELECT COUNT(*) FROM d GROUP BY d.nick HAVING d.nick || '' = 'a'
----
SELECT COUNT(*) FROM d GROUP BY d.nick HAVING d.nick || '' = 'a'

norm expect=eliminate_having_any_row
SELECT a.x FROM a GROUP BY a.x HAVING COUNT(*) > 0 AND MAX(a.y) > 1
----
SELECT a.x FROM a GROUP BY a.x HAVING MAX(a.y) >= 2

# The one group of an aggregate without GROUP BY may be empty.
norm refuse=eliminate_having_any_row
SELECT MAX(a.x) FROM a HAVING COUNT(*) > 0
----
SELECT MAX(a.x) FROM a HAVING COUNT(*) >= 1

norm expect=eliminate_grouping_on_key
SELECT a.x FROM a GROUP BY a.id
----
SELECT a.x FROM a

# Rows without a code share a group.
norm refuse=eliminate_grouping_on_key needs=groups_by_strict_key
SELECT a.code FROM a GROUP BY a.code
----
SELECT DISTINCT a.code FROM a

norm expect=convert_grouping_to_distinct
SELECT a.x, a.y FROM a GROUP BY a.x, a.y ORDER BY a.y
----
SELECT DISTINCT a.x, a.y FROM a ORDER BY a.y

# (1, 2) and (1, 3) are two groups with the same x.
norm refuse=convert_grouping_to_distinct needs=projects_keys_alone
SELECT a.x FROM a GROUP BY a.x, a.y
----
SELECT a.x FROM a GROUP BY a.x, a.y

decide relation=list
SELECT a.y FROM a WHERE NOT a.x IN (SELECT b.y FROM b GROUP BY b.y, b.x)
----
SELECT a.y FROM a WHERE a.x NOT IN (SELECT b.y FROM b)
----
equivalent by=proof

# A bare column: the group picks one value, the rows have all.
decide relation=list
SELECT a.y AS y FROM a WHERE a.x NOT IN (SELECT b.y AS y FROM b GROUP BY b.x)
----
SELECT a.y AS y FROM a WHERE a.x NOT IN (SELECT b.y AS y FROM b)
----
not_equivalent by=generate

decide relation=list
SELECT DISTINCT a.x FROM a GROUP BY a.x, a.y
----
SELECT DISTINCT a.x FROM a
----
equivalent by=proof

decide relation=list
SELECT DISTINCT a.x AS x FROM a GROUP BY a.y
----
SELECT DISTINCT a.x AS x FROM a
----
not_equivalent by=generate

decide relation=set
SELECT a.x FROM a GROUP BY a.x, a.y
----
SELECT a.x FROM a
----
equivalent by=proof

decide relation=set
SELECT a.x AS x FROM a GROUP BY a.y
----
SELECT a.x AS x FROM a
----
not_equivalent by=generate

# The group shows one of 'a' and 'A'; DISTINCT keeps both 'ax' and 'Ax'.
norm refuse=convert_grouping_to_distinct needs=outputs_follow_from_keys
SELECT d.nick, d.nick || 'x' FROM d GROUP BY d.nick
----
SELECT d.nick, d.nick || 'x' FROM d GROUP BY d.nick

# The condition of the LEFT JOIN tells 'a' from 'A', which the key does not.
norm refuse=eliminate_determined_group_key needs=key_is_determined
SELECT COUNT(*) FROM d LEFT JOIN a ON a.id = 1 AND REPLACE(d.nick, 'A', 'b') = 'b' GROUP BY d.nick, a.id
----
SELECT COUNT(*) FROM d LEFT JOIN a ON REPLACE(d.nick, 'A', 'b') = 'b' AND a.id = 1 GROUP BY a.id, d.nick
