schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, code TEXT UNIQUE);
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), x INTEGER, y INTEGER, code TEXT);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), y INTEGER REFERENCES a (y), code TEXT REFERENCES a (code));
CREATE TABLE d (id INTEGER PRIMARY KEY, nick TEXT COLLATE NOCASE, tag, label TEXT NOT NULL, a_id TEXT REFERENCES a (id))
----

norm expect=inline_groups_of_aggregates
SELECT b.y, SUM(q.n * b.x) FROM b JOIN (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q ON q.x = b.y GROUP BY b.y
----
SELECT b.y, SUM(b.x) FROM a JOIN b WHERE a.x = b.y GROUP BY b.y

# COUNT(a.y) is 0 where every y is NULL.
norm expect=inline_groups_of_aggregates
SELECT b.code, SUM(q.n * b.x), SUM(b.x * q.s) FROM b JOIN (SELECT a.x, COUNT(a.y) AS n, SUM(a.y) AS s FROM a GROUP BY a.x) AS q
ON q.x = b.y GROUP BY b.code
----
SELECT b.code, SUM((a.y IS NOT NULL) * b.x), SUM(a.y * b.x) FROM a JOIN b WHERE a.x = b.y GROUP BY b.code

norm expect=inline_groups_of_aggregates
SELECT MIN(q.m), MAX(b.x), COUNT(DISTINCT q.x) FROM b JOIN (SELECT a.x, MIN(a.y) AS m FROM a GROUP BY a.x) AS q ON q.x = b.y
----
SELECT MIN(a.y), MAX(b.x), COUNT(DISTINCT a.x) FROM a JOIN b WHERE a.x = b.y

# The query around groups too, and is inlined in turn.
norm expect=inline_groups_of_aggregates
SELECT r.code, COALESCE(SUM(r.n * q.n), 0) FROM (SELECT a.id, COUNT(*) AS n FROM a GROUP BY a.id) AS q
JOIN (SELECT b.a_id, b.code, COUNT(*) AS n FROM b GROUP BY b.a_id, b.code) AS r ON r.a_id = q.id GROUP BY r.code
----
SELECT b.code, COUNT(*) FROM b GROUP BY b.code

# Of 'a' and 'A' a group shows one.
norm refuse=inline_groups_of_aggregates needs=keys_fix_columns_read
SELECT MIN(q.m), MAX(q.nick || 'x') FROM (SELECT d.nick, MIN(d.id) AS m FROM d GROUP BY d.nick) AS q
----
SELECT MIN(q.c1), MAX(q.c2 || 'x') FROM (SELECT MIN(d.id) AS c1, d.nick AS c2 FROM d GROUP BY d.nick) AS q

# The MIN of a group is compared by BINARY, nick by NOCASE.
norm refuse=inline_groups_of_aggregates needs=extremes_have_one_form
SELECT MIN(q.m) FROM (SELECT d.id, MIN(d.nick) AS m FROM d GROUP BY d.id) AS q
----
SELECT MIN(q.c1) FROM (SELECT MIN(d.nick) AS c1 FROM d GROUP BY d.id) AS q

# The sum of 'abc' is 0.0, their product with 1 is 0.
norm refuse=inline_groups_of_aggregates needs=sums_are_exact
SELECT SUM(q.s * b.x) / 2 FROM (SELECT d.id, SUM(CASE WHEN d.id = 1 THEN 'abc' ELSE '5' END) AS s FROM d GROUP BY d.id) AS q
JOIN b ON q.id = b.y
----
SELECT SUM(b.x * q.c1) / 2 FROM (SELECT SUM(CASE WHEN d.id = 1 THEN 'abc' ELSE '5' END) AS c1, d.id AS c2 FROM d GROUP BY d.id) AS q JOIN b WHERE q.c2 = b.y

# It counts groups.
decide
SELECT b.y, COUNT(*), SUM(q.n) FROM b JOIN (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q ON q.x = b.y GROUP BY b.y
----
SELECT b.y, COUNT(*), COUNT(*) FROM b JOIN a ON a.x = b.y GROUP BY b.y
----
not_equivalent by=generate

decide
SELECT b.y, SUM(b.x), MAX(q.m) FROM b JOIN (SELECT a.x, MAX(a.y) AS m FROM a GROUP BY a.x) AS q ON q.x = b.y GROUP BY b.y
----
SELECT b.y, SUM(b.x), MAX(a.y) FROM b JOIN a ON a.x = b.y GROUP BY b.y
----
not_equivalent by=generate

decide
SELECT SUM(q.n * q.s) FROM b JOIN (SELECT a.x, COUNT(*) AS n, SUM(a.y) AS s FROM a GROUP BY a.x) AS q ON q.x = b.y
----
SELECT SUM(a.y) FROM b JOIN a ON a.x = b.y
----
not_equivalent by=generate

decide
SELECT MAX(q.m) FROM b JOIN (SELECT a.x, MIN(a.y) AS m FROM a GROUP BY a.x) AS q ON q.x = b.y
----
SELECT MAX(a.y) FROM b JOIN a ON a.x = b.y
----
not_equivalent by=generate

decide
SELECT SUM(DISTINCT q.s) FROM b JOIN (SELECT a.x, SUM(a.y) AS s FROM a GROUP BY a.x) AS q ON q.x = b.y
----
SELECT SUM(DISTINCT a.y) FROM b JOIN a ON a.x = b.y
----
not_equivalent by=generate

decide
SELECT SUM(q.n) FROM b JOIN (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q ON q.x = b.y WHERE q.n > 1
----
SELECT SUM(1) FROM b JOIN a ON a.x = b.y
----
not_equivalent by=generate

decide
SELECT SUM(q.n) FROM b JOIN (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x HAVING COUNT(*) > 1) AS q ON q.x = b.y
----
SELECT SUM(1) FROM b JOIN a ON a.x = b.y
----
not_equivalent by=generate

# A row of b without a partner has no group, whose COUNT is NULL.
decide
SELECT b.id, SUM(q.n) FROM b LEFT JOIN (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q ON q.x = b.y GROUP BY b.id
----
SELECT b.id, SUM(1) FROM b LEFT JOIN a ON a.x = b.y GROUP BY b.id
----
not_equivalent by=generate

decide relation=bag
SELECT b.code, SUM(q.n * b.x) FROM b JOIN (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q ON q.x = b.y GROUP BY b.code
----
SELECT b.code, SUM(b.x) FROM b JOIN a ON a.x = b.y GROUP BY b.code
----
equivalent by=rules
