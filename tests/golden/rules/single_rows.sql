schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_joined_row_to_subquery
SELECT b.x FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q GROUP BY b.x HAVING COUNT(*) > MAX(q.n)
----
SELECT b.x FROM b GROUP BY b.x HAVING (SELECT SUM(a.y) FROM a) < COUNT(*)

# Both columns of the row, one of them twice.
norm expect=convert_joined_row_to_subquery
SELECT b.x, MIN(q.n) FROM b JOIN (SELECT SUM(a.y) AS n, COUNT(*) AS k FROM a) AS q GROUP BY b.x HAVING COUNT(*) > MAX(q.n) OR SUM(b.y) < MAX(q.k)
----
SELECT b.x, (SELECT SUM(a.y) FROM a) FROM b GROUP BY b.x HAVING (SELECT SUM(a.y) FROM a) < COUNT(*) OR SUM(b.y) < (SELECT COUNT(*) FROM a)

decide
SELECT b.x FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q GROUP BY b.x HAVING COUNT(*) > MAX(q.n)
----
SELECT b.x FROM b GROUP BY b.x HAVING COUNT(*) > (SELECT SUM(a.y) FROM a)
----
equivalent by=rules

# Of no rows of b there is no row beside which the sum stands.
norm refuse=convert_joined_row_to_subquery
SELECT MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q
----
SELECT MAX(q.c1) FROM (SELECT SUM(a.y) AS c1 FROM a) AS q WHERE EXISTS (SELECT 1 FROM b)

decide
SELECT MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q
----
SELECT (SELECT SUM(a.y) FROM a)
----
not_equivalent

# A sum counts the row as often as the group has rows.
norm refuse=convert_joined_row_to_subquery
SELECT b.x, SUM(q.n), MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q GROUP BY b.x
----
SELECT b.x, SUM(q.c1), MAX(q.c1) FROM (SELECT SUM(a.y) AS c1 FROM a) AS q JOIN b GROUP BY b.x

# Groups may be none or several.
norm refuse=convert_joined_row_to_subquery
SELECT b.x, MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a GROUP BY a.x) AS q GROUP BY b.x
----
SELECT b.x, MAX(q.c1) FROM (SELECT SUM(a.y) AS c1 FROM a GROUP BY a.x) AS q JOIN b GROUP BY b.x

decide
SELECT b.x, MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a HAVING COUNT(*) > 1) AS q GROUP BY b.x
----
SELECT b.x, (SELECT SUM(a.y) FROM a HAVING COUNT(*) > 1) FROM b GROUP BY b.x
----
not_equivalent

# Alone it would no longer be one row.
norm refuse=convert_joined_row_to_subquery
SELECT b.x, MAX(q.k) FROM b JOIN (SELECT SUM(a.y) AS n, 1 AS k FROM a) AS q GROUP BY b.x
----
SELECT b.x, MAX(q.c2) FROM (SELECT SUM(a.y) AS c1, 1 AS c2 FROM a) AS q JOIN b GROUP BY b.x

# On the right of a LEFT JOIN the row may be missing.
norm refuse=convert_joined_row_to_subquery
SELECT b.x, MAX(q.n) FROM b LEFT JOIN (SELECT SUM(a.y) AS n FROM a) AS q ON b.y = q.n GROUP BY b.x
----
SELECT b.x, MAX(q.c1) FROM b LEFT JOIN (SELECT SUM(a.y) AS c1 FROM a) AS q ON b.y = q.c1 GROUP BY b.x

decide
SELECT b.x, MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q ON b.y > q.n GROUP BY b.x
----
SELECT b.x, (SELECT SUM(a.y) FROM a) FROM b GROUP BY b.x
----
not_equivalent

# MAX(b.y) decides the row of b.code; without MAX(q.n) it decides alone.
norm refuse=convert_joined_row_to_subquery
SELECT b.x, b.code, MAX(b.y), MAX(q.n) FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q GROUP BY b.x
----
SELECT b.x, b.code, MAX(b.y), MAX(q.c1) FROM (SELECT SUM(a.y) AS c1 FROM a) AS q JOIN b GROUP BY b.x

# Both reads see the same one of the tied texts.
norm refuse=convert_joined_row_to_subquery needs=single_row_leaves_no_choice
SELECT b.x, MAX(q.n), MIN(q.n) FROM b JOIN (SELECT GROUP_CONCAT(a.code) AS n FROM a) AS q GROUP BY b.x
----
SELECT b.x, MAX(q.c1), MIN(q.c1) FROM (SELECT GROUP_CONCAT(a.code) AS c1 FROM a) AS q JOIN b GROUP BY b.x

# MAX(q.n) is a text without affinity, the cast itself converts what it is compared with.
norm refuse=convert_joined_row_to_subquery
SELECT b.x FROM b JOIN (SELECT CAST(COUNT(*) AS TEXT) AS n FROM a) AS q GROUP BY b.x HAVING COUNT(*) = MAX(q.n)
----
SELECT b.x FROM (SELECT CAST(COUNT(*) AS TEXT) AS c1 FROM a) AS q JOIN b GROUP BY b.x HAVING MAX(q.c1) = COUNT(*)

# DISTINCT over groups, where nobody counts their rows.
norm expect=eliminate_distinct_in_derived_table
SELECT MAX(q.n) FROM (SELECT DISTINCT COUNT(*) AS n FROM a GROUP BY a.x) AS q
----
SELECT MAX(q.c1) FROM (SELECT COUNT(*) AS c1 FROM a GROUP BY a.x) AS q

decide
SELECT b.id FROM b WHERE EXISTS (SELECT 1 FROM (SELECT DISTINCT a.x FROM a GROUP BY a.x, a.y HAVING COUNT(*) > 1) AS q WHERE q.x = b.x)
----
SELECT b.id FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = b.x GROUP BY a.y HAVING COUNT(*) > 1)
----
equivalent by=rules

norm refuse=eliminate_distinct_in_derived_table
SELECT SUM(q.n) FROM (SELECT DISTINCT COUNT(*) AS n FROM a GROUP BY a.x) AS q
----
SELECT SUM(q.c1) FROM (SELECT DISTINCT COUNT(*) AS c1 FROM a GROUP BY a.x) AS q

norm refuse=eliminate_distinct_in_derived_table
SELECT MAX(q.n) FROM (SELECT DISTINCT COUNT(*) AS n FROM a GROUP BY a.x ORDER BY 1 LIMIT 2) AS q
----
SELECT MAX(q.c1) FROM (SELECT DISTINCT COUNT(*) AS c1 FROM a GROUP BY a.x ORDER BY COUNT(*) LIMIT 2) AS q

# 'a' beside 'A': DISTINCT keeps one of them.
norm refuse=eliminate_distinct_in_derived_table needs=distinct_compares_binary
SELECT MAX(q.m || '') FROM (SELECT DISTINCT d.nick AS m FROM d GROUP BY d.nick || '', d.label) AS q
----
SELECT MAX(q.c1 || '') FROM (SELECT DISTINCT d.nick AS c1 FROM d GROUP BY d.nick || '', d.label) AS q

# 1 beside 1.0: DISTINCT keeps one of them.
norm refuse=eliminate_distinct_in_derived_table needs=equal_values_act_alike
SELECT MIN(q.m / 2) FROM (SELECT DISTINCT MAX(COALESCE(d.tag, 1.0)) AS m FROM d GROUP BY d.label) AS q
----
SELECT MIN(q.c1 / 2) FROM (SELECT DISTINCT MAX(COALESCE(d.tag, 1.0)) AS c1 FROM d GROUP BY d.label) AS q

# The aggregate of a query within an AND is none of the query around.
norm expect=fold_literal_operand
SELECT COUNT(*) FROM b WHERE b.x > 1 AND 1 AND (SELECT MAX(a.y) FROM a WHERE a.x = b.x) > 2
----
SELECT COUNT(*) FROM b WHERE b.x >= 2 AND (SELECT MAX(a.y) FROM a WHERE a.x = b.x) >= 3
