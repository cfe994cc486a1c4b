schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=inline_derived_table
SELECT q.y, b.y FROM (SELECT a.id, a.x + 1 AS y FROM a LEFT JOIN c ON c.y = a.x WHERE a.x > 0) AS q JOIN b ON b.x = q.id
----
SELECT a.x + 1, b.y FROM a JOIN b LEFT JOIN c ON a.x = c.y WHERE a.id = b.x AND a.x >= 1

norm expect=inline_derived_table
SELECT b.y, q.x FROM b LEFT JOIN (SELECT a.id, a.x FROM a WHERE a.y = 2) AS q ON q.id = b.x
----
SELECT b.y, a.x FROM b LEFT JOIN a ON a.id = b.x AND a.y = 2

# q.n compares by BINARY; UPPER(nick) has no collation of its own and leaves it to the other side.
norm refuse=inline_derived_table needs=collations_survive
SELECT q.id FROM (SELECT d.id, UPPER(d.nick) AS n FROM d) AS q JOIN d AS d2 ON q.n = d2.nick
----
SELECT q.c2 FROM (SELECT UPPER(d.nick) AS c1, d.id AS c2 FROM d) AS q JOIN d AS d_2 WHERE q.c1 = d_2.nick

# On the padded side the expression is NULL, not 0.
norm refuse=inline_derived_table
SELECT b.y, q.z FROM b LEFT JOIN (SELECT a.id, COALESCE(a.x, 0) AS z FROM a) AS q ON q.id = b.x
----
SELECT b.y, q.c1 FROM b LEFT JOIN (SELECT COALESCE(a.x, 0) AS c1, a.id AS c2 FROM a) AS q ON b.x = q.c2

norm refuse=inline_derived_table
SELECT q.x + b.y FROM (SELECT a.x FROM a ORDER BY a.id LIMIT 2) AS q, b
----
SELECT b.y + q.c1 FROM (SELECT a.x AS c1 FROM a ORDER BY a.id LIMIT 2) AS q JOIN b

norm expect=inline_distinct_derived_table
SELECT MAX(q.x) FROM (SELECT DISTINCT a.x FROM a) AS q
----
SELECT MAX(a.x) FROM a

# The DISTINCT keeps one of 'a' and 'A'.
norm refuse=inline_distinct_derived_table needs=distinct_compares_binary
SELECT DISTINCT q.n || 'x' FROM (SELECT DISTINCT d.nick AS n FROM d) AS q
----
SELECT DISTINCT q.c1 || 'x' FROM (SELECT DISTINCT d.nick AS c1 FROM d) AS q

norm refuse=inline_distinct_derived_table needs=collations_survive
SELECT DISTINCT q.n, d2.id FROM (SELECT DISTINCT UPPER(d.label) AS n FROM d) AS q JOIN d AS d2 ON q.n = d2.nick
----
SELECT q.c1, d_2.id FROM (SELECT DISTINCT UPPER(d.label) AS c1 FROM d) AS q JOIN d AS d_2 WHERE q.c1 = d_2.nick

norm refuse=inline_distinct_derived_table needs=ignores_duplicates
SELECT SUM(q.x) FROM (SELECT DISTINCT a.x FROM a) AS q
----
SELECT SUM(q.c1) FROM (SELECT DISTINCT a.x AS c1 FROM a) AS q

norm expect=inline_distinct_derived_table_under_set rows=set
SELECT q.x FROM (SELECT DISTINCT a.x, a.y FROM a) AS q
----
SELECT a.x FROM a

norm refuse=inline_distinct_derived_table_under_set needs=distinct_compares_binary rows=set
SELECT q.n || 'x' FROM (SELECT DISTINCT d.nick AS n FROM d) AS q
----
SELECT q.c1 || 'x' FROM (SELECT DISTINCT d.nick AS c1 FROM d) AS q

norm refuse=inline_distinct_derived_table_under_set needs=collations_survive rows=set
SELECT q.n, d2.id FROM (SELECT DISTINCT UPPER(d.label) AS n FROM d) AS q JOIN d AS d2 ON q.n = d2.nick
----
SELECT q.c1, d_2.id FROM (SELECT DISTINCT UPPER(d.label) AS c1 FROM d) AS q JOIN d AS d_2 WHERE q.c1 = d_2.nick

norm refuse=inline_distinct_derived_table_under_set needs=is_unlimited rows=set
SELECT q.x FROM (SELECT DISTINCT a.x, a.y FROM a) AS q ORDER BY q.x LIMIT 2
----
SELECT q.c1 FROM (SELECT DISTINCT a.x AS c1, a.y AS c2 FROM a) AS q ORDER BY q.c1 LIMIT 2

# DISTINCT keeps one of 1 and 1.0, which divide differently.
norm refuse=inline_distinct_derived_table needs=equal_values_act_alike
SELECT COUNT(DISTINCT q.t / 2) FROM (SELECT DISTINCT COALESCE(a.x, 1.0) AS t FROM a) AS q
----
SELECT COUNT(DISTINCT q.c1 / 2) FROM (SELECT DISTINCT COALESCE(a.x, 1.0) AS c1 FROM a) AS q

norm refuse=inline_distinct_derived_table_under_set needs=equal_values_act_alike rows=set
SELECT q.t / 2 FROM (SELECT DISTINCT COALESCE(a.x, 1.0) AS t FROM a) AS q
----
SELECT q.c1 / 2 FROM (SELECT DISTINCT COALESCE(a.x, 1.0) AS c1 FROM a) AS q

# Read as text, 1 and 1.0 are two values, of which DISTINCT keeps one.
norm refuse=inline_distinct_derived_table needs=equal_values_act_alike
SELECT DISTINCT a.x FROM a JOIN (SELECT DISTINCT COALESCE(b.x, 1.0) AS v FROM b) AS q ON q.v = a.code
WHERE a.code IN ('1', '1.0')
----
SELECT DISTINCT a.x FROM a WHERE EXISTS (SELECT 1 FROM (SELECT DISTINCT COALESCE(b.x, 1.0) AS c1 FROM b) AS q WHERE a.code = q.c1) AND a.code IN ('1', '1.0')

norm refuse=inline_distinct_derived_table needs=equal_values_act_alike
SELECT a.x FROM a WHERE a.code IN ('1', '1.0')
AND a.code IN (SELECT q.v FROM (SELECT DISTINCT COALESCE(b.x, 1.0) AS v FROM b) AS q)
----
SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM (SELECT DISTINCT COALESCE(b.x, 1.0) AS c1 FROM b) AS q WHERE a.code = q.c1) AND a.code IN ('1', '1.0')
