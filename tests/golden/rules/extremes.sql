schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=convert_first_value_to_extreme
SELECT a.y FROM a WHERE a.x = (SELECT a2.x FROM a AS a2 ORDER BY a2.x DESC LIMIT 1)
----
SELECT a.y FROM a WHERE (SELECT MAX(a_2.x) FROM a AS a_2) = a.x

norm expect=convert_first_value_to_extreme
SELECT a.y FROM a WHERE a.x = (SELECT b.x FROM b WHERE b.x > a.y ORDER BY b.x LIMIT 1)
----
SELECT a.y FROM a WHERE (SELECT MIN(b.x) FROM b WHERE a.y < b.x) = a.x

# NULL comes first.
norm refuse=convert_first_value_to_extreme needs=order_puts_null_last
SELECT a.id FROM a WHERE a.x = (SELECT b.x FROM b ORDER BY b.x LIMIT 1)
----
SELECT a.id FROM a WHERE (SELECT b.x FROM b ORDER BY b.x LIMIT 1) = a.x

# '5' is compared as a number with the column, as text with MAX.
norm refuse=convert_first_value_to_extreme needs=value_keeps_its_affinity
SELECT a.id FROM a WHERE '5' = (SELECT b.x FROM b ORDER BY b.x DESC LIMIT 1)
----
SELECT a.id FROM a WHERE (SELECT b.x FROM b ORDER BY b.x DESC LIMIT 1) = 5

norm expect=convert_extreme_filter_to_first_row
SELECT a.x FROM a WHERE a.y = 1 AND a.id = (SELECT MAX(a2.id) FROM a AS a2 WHERE a2.y = 1)
----
SELECT a.x FROM a WHERE a.y = 1 ORDER BY a.id DESC LIMIT 1

# ESM+ 1 asks for UNIQUE alone: where every code is NULL, = finds no row and ORDER BY finds one.
norm refuse=convert_extreme_filter_to_first_row needs=extreme_is_unique
SELECT a.x FROM a WHERE a.code = (SELECT MAX(a2.code) FROM a AS a2)
----
SELECT a.x FROM a WHERE (SELECT MAX(a_2.code) FROM a AS a_2) = a.code

# Ties: = keeps all of them.
norm refuse=convert_extreme_filter_to_first_row needs=extreme_is_unique
SELECT b.y FROM b WHERE b.a_id = (SELECT MIN(b2.a_id) FROM b AS b2)
----
SELECT b.y FROM b WHERE (SELECT MIN(b_2.a_id) FROM b AS b_2) = b.a_id

# The extreme is taken over other rows.
norm refuse=convert_extreme_filter_to_first_row
SELECT a.x FROM a WHERE a.y = 1 AND a.id = (SELECT MAX(a2.id) FROM a AS a2)
----
SELECT a.x FROM a WHERE (SELECT MAX(a_2.id) FROM a AS a_2) = a.id AND a.y = 1

# Of an empty table MAX makes a row and LIMIT 1 none.
norm refuse=convert_first_row_to_extreme needs=source_has_rows
SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1
----
SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1

schema assume='not_empty(a)' assume='not_empty(d)'
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id));
CREATE VIEW w AS SELECT x FROM a
----

norm expect=convert_first_row_to_extreme
SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1
----
SELECT MAX(a.x) FROM a

norm expect=convert_first_row_to_extreme
SELECT DISTINCT label FROM d ORDER BY label LIMIT 1
----
SELECT MIN(d.label) FROM d

# NULL comes first.
norm refuse=convert_first_row_to_extreme needs=order_puts_null_last
SELECT a.x FROM a ORDER BY a.x LIMIT 1
----
SELECT a.x FROM a ORDER BY a.x LIMIT 1

# That a has rows says nothing of b.
norm refuse=convert_first_row_to_extreme needs=source_has_rows
SELECT b.x FROM b ORDER BY b.x DESC LIMIT 1
----
SELECT b.x FROM b ORDER BY b.x DESC LIMIT 1

# The filter may let no row through.
norm refuse=convert_first_row_to_extreme needs=has_no_filter
SELECT a.x FROM a WHERE a.y > 1 ORDER BY a.x DESC LIMIT 1
----
SELECT a.x FROM a WHERE a.y >= 2 ORDER BY a.x DESC LIMIT 1

# A nested query of a may have no row.
norm refuse=convert_first_row_to_extreme
SELECT q.x FROM (SELECT x FROM a WHERE y = 1 LIMIT 3) AS q ORDER BY q.x DESC LIMIT 1
----
SELECT q.c1 FROM (SELECT a.x AS c1 FROM a WHERE a.y = 1 LIMIT 3) AS q ORDER BY q.c1 DESC LIMIT 1

# The second row may be missing.
norm refuse=convert_first_row_to_extreme
SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1 OFFSET 1
----
SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1 OFFSET 1

# 'a' and 'A' tie.
norm refuse=convert_first_row_to_extreme needs=value_is_binary
SELECT d.nick FROM d ORDER BY d.nick DESC LIMIT 1
----
SELECT d.nick FROM d ORDER BY d.nick DESC LIMIT 1

# The first row of another order.
norm refuse=convert_first_row_to_extreme
SELECT a.x FROM a ORDER BY a.y DESC LIMIT 1
----
SELECT a.x FROM a ORDER BY a.y DESC LIMIT 1

# Figure 1b of ESM+, but the column may be NULL and comes first.
decide
SELECT MIN(x) FROM a
----
SELECT x FROM a ORDER BY x LIMIT 1
----
not_equivalent by=generate

decide
SELECT MAX(x) FROM w
----
SELECT x FROM w ORDER BY x DESC LIMIT 1
----
equivalent

decide
SELECT MAX(x) FROM a WHERE y = 1
----
SELECT x FROM a WHERE y = 1 ORDER BY x DESC LIMIT 1
----
not_equivalent by=generate
