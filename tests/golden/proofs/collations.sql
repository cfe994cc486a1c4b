# Comparisons under NOCASE and RTRIM: of keys, which are equal though the values may differ.
schema
CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE, city TEXT COLLATE NOCASE, tag TEXT COLLATE RTRIM, note TEXT);
CREATE TABLE q (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, note TEXT, a INTEGER)
----

decide tiers=proof
SELECT p.id FROM p JOIN q ON p.name = q.note
----
SELECT p.id FROM q, p WHERE q.note = p.name COLLATE NOCASE
----
equivalent

# The column that stands first counts.
decide
SELECT p.id FROM p JOIN q ON p.city = q.note
----
SELECT p.id FROM p JOIN q ON q.note = p.city
----
not_equivalent

decide tiers=proof
SELECT id FROM p WHERE city IN (SELECT note FROM q WHERE a > 1)
----
SELECT id FROM p WHERE EXISTS (SELECT 1 FROM q WHERE p.city = q.note AND a > 1)
----
equivalent

decide tiers=proof
SELECT id FROM p WHERE city NOT IN (SELECT name FROM q)
----
SELECT id FROM p WHERE NOT EXISTS (SELECT 1 FROM q WHERE p.city = q.name OR p.city IS NULL OR q.name IS NULL)
----
equivalent

# IN takes the collation of its left side, whatever stands on the right.
decide
SELECT id FROM q WHERE note IN (SELECT city FROM p)
----
SELECT id FROM q WHERE EXISTS (SELECT 1 FROM p WHERE p.city = q.note)
----
not_equivalent

decide tiers=proof
SELECT id FROM p WHERE city BETWEEN note AND tag
----
SELECT id FROM p WHERE city >= note AND NOT city > tag
----
equivalent

decide tiers=proof
SELECT id FROM p WHERE CASE city WHEN note THEN 1 ELSE 0 END = 1
----
SELECT id FROM p WHERE city = note
----
equivalent

# The values of one class of a collation differ: one does not stand for the other.
decide tiers=proof
SELECT p.note FROM p WHERE city = note
----
SELECT p.city FROM p WHERE city = note
----
undecided

decide
SELECT id FROM p WHERE city = note AND note = 'x'
----
SELECT id FROM p WHERE city = 'x' AND note = 'x' COLLATE NOCASE
----
not_equivalent

# Equal values have equal keys, equal keys no equal values.
decide tiers=proof
SELECT id FROM p WHERE note = city COLLATE BINARY AND city = note
----
SELECT id FROM p WHERE note = city COLLATE BINARY
----
equivalent

decide
SELECT id FROM p WHERE note = city COLLATE BINARY
----
SELECT id FROM p WHERE city = note
----
not_equivalent

# No text but its own differs from a number by its case.
decide tiers=proof
SELECT id FROM q WHERE a = name
----
SELECT id FROM q WHERE name = a COLLATE BINARY
----
equivalent

decide tiers=proof
SELECT COUNT(DISTINCT city) FROM p
----
SELECT COUNT(DISTINCT city COLLATE NOCASE) FROM p WHERE city IS NOT NULL
----
equivalent

decide
SELECT COUNT(DISTINCT city) FROM p
----
SELECT COUNT(DISTINCT city || '') FROM p
----
not_equivalent

# Groups of which no text is shown.
decide tiers=proof
SELECT COUNT(*), MAX(id) FROM p WHERE city > 'b' GROUP BY city
----
SELECT COUNT(*), MAX(p.id) FROM p WHERE NOT p.city <= 'b' GROUP BY p.city
----
equivalent

decide tiers=proof
SELECT city, COUNT(*) FROM p GROUP BY city
----
SELECT p.city, COUNT(*) FROM p WHERE 1 GROUP BY 1
----
undecided UNSUPPORTED

decide tiers=proof
SELECT id FROM p ORDER BY city DESC, id LIMIT 3
----
SELECT p.id FROM p ORDER BY p.city COLLATE NOCASE DESC, id LIMIT 3
----
equivalent

decide
SELECT id FROM p ORDER BY city, id LIMIT 3
----
SELECT id FROM p ORDER BY city COLLATE BINARY, id LIMIT 3
----
not_equivalent

decide tiers=proof
SELECT id, RANK() OVER (PARTITION BY name ORDER BY city) FROM p
----
SELECT p.id, 1 + (SELECT COUNT(*) FROM p AS o WHERE o.name IS p.name AND (o.city < p.city OR o.city IS NULL AND p.city IS NOT NULL)) FROM p
----
equivalent

# Under RTRIM the self-join is at the mercy of SQLite's plan (bugs/rtrim_in_a_join).
decide tiers=proof
SELECT id, RANK() OVER (PARTITION BY tag ORDER BY city) FROM p
----
SELECT p.id, 1 + (SELECT COUNT(*) FROM p AS o WHERE o.tag IS p.tag AND (o.city < p.city OR o.city IS NULL AND p.city IS NOT NULL)) FROM p
----
undecided UNSUPPORTED

# A key under NOCASE tells more rows apart than its values do.
decide tiers=proof
SELECT x.id FROM p AS x JOIN p AS y ON x.name = y.name WHERE x.id <> y.id
----
SELECT id FROM p WHERE 0
----
equivalent

decide
SELECT x.id FROM p AS x JOIN p AS y ON x.city = y.city WHERE x.id <> y.id
----
SELECT id FROM p WHERE 0
----
not_equivalent

decide tiers=proof
SELECT NULLIF(note, city) FROM p
----
SELECT CASE WHEN note = city THEN NULL ELSE note END FROM p
----
equivalent
