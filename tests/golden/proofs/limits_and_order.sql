schema
CREATE TABLE keeper (id INTEGER PRIMARY KEY, name TEXT NOT NULL, isle TEXT, age INTEGER);
CREATE TABLE lamp (id INTEGER PRIMARY KEY, keeper_id INTEGER NOT NULL REFERENCES keeper (id), hue TEXT NOT NULL, lux INTEGER NOT NULL, lit INTEGER);
----

# The keepers of the most lamps: chosen in a subquery, or from the join.
decide relation=bag effort=60 tiers=data,generate,proof
SELECT name FROM keeper WHERE id = (SELECT keeper_id FROM lamp WHERE hue = 'red' GROUP BY keeper_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT k.name FROM lamp AS l JOIN keeper AS k ON k.id = l.keeper_id WHERE l.hue = 'red' GROUP BY k.id, k.name ORDER BY COUNT(*) DESC LIMIT 1
----
equivalent by=proof

decide relation=bag effort=60
SELECT name FROM keeper WHERE id IN (SELECT keeper_id FROM lamp GROUP BY keeper_id ORDER BY SUM(lux) LIMIT 3)
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY SUM(l.lux) LIMIT 3
----
equivalent by=proof

# Groups by hue too: a keeper is chosen twice, and found once.
decide relation=bag
SELECT name FROM keeper WHERE id IN (SELECT keeper_id FROM lamp GROUP BY keeper_id, hue ORDER BY COUNT(*) DESC LIMIT 2)
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id, l.hue ORDER BY COUNT(*) DESC LIMIT 2
----
not_equivalent

decide relation=bag
SELECT name FROM keeper WHERE id = (SELECT keeper_id FROM lamp GROUP BY keeper_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(DISTINCT l.hue) DESC LIMIT 1
----
not_equivalent

# DISTINCT beside ORDER BY an aggregate: the groups differ anyway, or are merged.
decide relation=list
SELECT DISTINCT keeper_id FROM lamp GROUP BY keeper_id HAVING COUNT(*) > 1 ORDER BY SUM(lux) DESC LIMIT 2
----
SELECT keeper_id FROM lamp GROUP BY keeper_id HAVING COUNT(*) >= 2 ORDER BY SUM(lux) DESC LIMIT 2
----
equivalent

decide relation=set
SELECT DISTINCT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(*) DESC
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(*) DESC
----
equivalent

decide relation=bag
SELECT DISTINCT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(*) DESC LIMIT 2
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(*) DESC LIMIT 2
----
not_equivalent

# A name is sorted by the count of any of its keepers: which one, is SQLite's choice.
decide relation=bag effort=60
SELECT DISTINCT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(*) DESC LIMIT 1
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY COUNT(*) DESC LIMIT 1
----
undecided NONDETERMINISTIC

# A cut pushed into UNION ALL, or to the rows whose parent a join looks up.
decide relation=list effort=60
SELECT lux FROM lamp UNION ALL SELECT age FROM keeper ORDER BY 1 DESC LIMIT 3
----
SELECT lux FROM (SELECT lux FROM lamp ORDER BY lux DESC LIMIT 3) UNION ALL SELECT age FROM (SELECT age FROM keeper ORDER BY age DESC LIMIT 4) ORDER BY 1 DESC LIMIT 3
----
equivalent by=proof

decide relation=bag effort=60
SELECT hue FROM lamp UNION ALL SELECT isle FROM keeper LIMIT 5 OFFSET 1
----
SELECT * FROM (SELECT hue FROM lamp LIMIT 6) UNION ALL SELECT isle FROM keeper LIMIT 5 OFFSET 1
----
equivalent by=proof

decide relation=bag effort=60
SELECT l.id, k.name FROM lamp AS l LEFT JOIN keeper AS k ON l.lit = k.id ORDER BY l.lux DESC LIMIT 2
----
SELECT l.id, k.name FROM (SELECT * FROM lamp ORDER BY lux DESC LIMIT 2) AS l LEFT JOIN keeper AS k ON l.lit = k.id
----
equivalent by=proof

decide relation=bag
SELECT id FROM lamp UNION ALL SELECT id FROM keeper ORDER BY id LIMIT 3 OFFSET 1
----
SELECT * FROM (SELECT id FROM lamp ORDER BY id LIMIT 3) UNION ALL SELECT * FROM (SELECT id FROM keeper ORDER BY id LIMIT 3) ORDER BY id LIMIT 3 OFFSET 1
----
not_equivalent

decide relation=bag
SELECT k.id, l.hue FROM keeper AS k LEFT JOIN lamp AS l ON k.id = l.keeper_id ORDER BY k.id LIMIT 3
----
SELECT k.id, l.hue FROM (SELECT * FROM keeper ORDER BY id LIMIT 3) AS k LEFT JOIN lamp AS l ON k.id = l.keeper_id
----
not_equivalent

decide relation=set
SELECT hue FROM lamp UNION SELECT isle FROM keeper ORDER BY 1 LIMIT 2
----
SELECT * FROM (SELECT hue FROM lamp ORDER BY hue LIMIT 2) UNION SELECT isle FROM keeper ORDER BY 1 LIMIT 2
----
not_equivalent

# A name against its key: keepers of one name are one group, or several.
decide relation=bag
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.name ORDER BY AVG(l.lux) DESC LIMIT 1
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.id ORDER BY AVG(l.lux) DESC LIMIT 1
----
not_equivalent

decide relation=bag
SELECT name FROM keeper WHERE id = (SELECT keeper_id FROM lamp GROUP BY keeper_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.name ORDER BY COUNT(*) DESC LIMIT 1
----
not_equivalent

decide relation=bag
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY k.name, k.id ORDER BY COUNT(*) DESC LIMIT 1
----
SELECT k.name FROM keeper AS k JOIN lamp AS l ON k.id = l.keeper_id GROUP BY l.keeper_id ORDER BY COUNT(*) DESC LIMIT 1
----
equivalent

# Each keeper is a group of one: they all tie, and any name may come first.
decide relation=bag effort=60
SELECT name FROM keeper GROUP BY name ORDER BY COUNT(*) DESC LIMIT 1
----
SELECT name FROM keeper GROUP BY id ORDER BY COUNT(*) DESC LIMIT 1
----
undecided NONDETERMINISTIC

# A key behind what LIMIT returns anyway.
decide relation=list effort=60
SELECT lux FROM lamp ORDER BY lux LIMIT 1
----
SELECT lux FROM lamp ORDER BY lux, id LIMIT 1
----
equivalent by=proof

decide relation=list effort=60
SELECT hue, lit FROM lamp ORDER BY lit DESC, hue LIMIT 3 OFFSET 2
----
SELECT hue, lit FROM lamp ORDER BY lit DESC, hue, lux, id LIMIT 3 OFFSET 2
----
equivalent by=proof

decide relation=list effort=60
SELECT COUNT(*) FROM lamp GROUP BY hue ORDER BY COUNT(*) DESC LIMIT 1
----
SELECT COUNT(*) FROM lamp GROUP BY hue ORDER BY COUNT(*) DESC, hue LIMIT 1
----
equivalent by=proof

# Keys that sort alike where rows do not look alike.
decide relation=list effort=60
SELECT lux FROM lamp WHERE lux > 0 ORDER BY lux * lux, id LIMIT 3
----
SELECT lux FROM lamp WHERE lux > 0 ORDER BY lux, hue LIMIT 3
----
equivalent by=proof

decide relation=bag
SELECT lux FROM lamp ORDER BY lux LIMIT 1
----
SELECT lux FROM lamp ORDER BY id, lux LIMIT 1
----
not_equivalent

decide relation=bag effort=60
SELECT hue FROM lamp ORDER BY lux LIMIT 1
----
SELECT hue FROM lamp ORDER BY lux, id LIMIT 1
----
undecided NONDETERMINISTIC

# The second largest: over fewer values there is no row, and MAX is NULL.
decide relation=bag
SELECT DISTINCT lux FROM lamp ORDER BY lux DESC LIMIT 1 OFFSET 1
----
SELECT MAX(lux) FROM lamp WHERE lux < (SELECT MAX(lux) FROM lamp)
----
not_equivalent

decide relation=bag effort=60
SELECT DISTINCT lux FROM lamp ORDER BY lux DESC LIMIT 1 OFFSET 1
----
SELECT MAX(lux) FROM lamp WHERE lux < (SELECT MAX(lux) FROM lamp) HAVING COUNT(*) > 0
----
equivalent by=proof

decide relation=bag effort=60
SELECT id FROM lamp WHERE lux IN (SELECT DISTINCT lux FROM lamp ORDER BY lux DESC LIMIT 1 OFFSET 1)
----
SELECT id FROM lamp WHERE lux = (SELECT MAX(lux) FROM lamp WHERE lux < (SELECT MAX(lux) FROM lamp))
----
equivalent by=proof

decide relation=bag effort=60
SELECT (SELECT lit FROM lamp GROUP BY lit ORDER BY lit DESC LIMIT 1 OFFSET 1)
----
SELECT MAX(lit) FROM lamp WHERE lit < (SELECT MAX(lit) FROM lamp)
----
equivalent by=proof

# NULL is the least of the values.
decide relation=bag
SELECT (SELECT lit FROM lamp GROUP BY lit ORDER BY lit LIMIT 1 OFFSET 1)
----
SELECT MIN(lit) FROM lamp WHERE lit > (SELECT MIN(lit) FROM lamp)
----
not_equivalent

decide relation=bag
SELECT (SELECT lux FROM lamp ORDER BY lux DESC LIMIT 1 OFFSET 1)
----
SELECT MAX(lux) FROM lamp WHERE lux < (SELECT MAX(lux) FROM lamp)
----
not_equivalent

# IN and = over one row; NOT IN is true of no row, <> is not.
decide relation=bag effort=60
SELECT name FROM keeper AS k WHERE age IN (SELECT lit FROM lamp AS l WHERE l.keeper_id = k.id ORDER BY lux LIMIT 1)
----
SELECT name FROM keeper AS k WHERE age = (SELECT lit FROM lamp AS l WHERE l.keeper_id = k.id ORDER BY lux LIMIT 1)
----
equivalent by=proof

decide relation=bag effort=60
SELECT name FROM keeper WHERE id IN (SELECT keeper_id FROM lamp LIMIT 1)
----
SELECT name FROM keeper WHERE id = (SELECT keeper_id FROM lamp)
----
equivalent by=proof

decide relation=bag
SELECT name FROM keeper WHERE id IN (SELECT keeper_id FROM lamp ORDER BY lux DESC LIMIT 2)
----
SELECT name FROM keeper WHERE id = (SELECT keeper_id FROM lamp ORDER BY lux DESC LIMIT 2)
----
not_equivalent

decide relation=bag
SELECT name FROM keeper WHERE age NOT IN (SELECT lit FROM lamp ORDER BY lux LIMIT 1)
----
SELECT name FROM keeper WHERE age <> (SELECT lit FROM lamp ORDER BY lux LIMIT 1)
----
not_equivalent

# More rows than an OFFSET skips.
decide relation=bag effort=60
SELECT name FROM keeper AS k WHERE EXISTS (SELECT 1 FROM lamp AS l WHERE l.keeper_id = k.id LIMIT 1 OFFSET 1)
----
SELECT name FROM keeper AS k WHERE (SELECT COUNT(*) FROM lamp AS l WHERE l.keeper_id = k.id) > 1
----
equivalent by=proof

decide relation=bag effort=60
SELECT name FROM keeper AS k WHERE EXISTS (SELECT hue FROM lamp AS l WHERE l.keeper_id = k.id GROUP BY hue LIMIT 5 OFFSET 2)
----
SELECT name FROM keeper AS k WHERE (SELECT COUNT(DISTINCT hue) FROM lamp AS l WHERE l.keeper_id = k.id) >= 3
----
equivalent by=proof

decide relation=bag effort=60
SELECT name FROM keeper AS k WHERE NOT EXISTS (SELECT 1 FROM lamp AS l WHERE l.keeper_id = k.id LIMIT 1 OFFSET 1)
----
SELECT name FROM keeper AS k WHERE (SELECT COUNT(*) FROM lamp AS l WHERE l.keeper_id = k.id) <= 1
----
equivalent by=proof

decide relation=bag
SELECT name FROM keeper AS k WHERE EXISTS (SELECT 1 FROM lamp AS l WHERE l.keeper_id = k.id LIMIT 1 OFFSET 1)
----
SELECT name FROM keeper AS k WHERE (SELECT COUNT(lit) FROM lamp AS l WHERE l.keeper_id = k.id) > 1
----
not_equivalent

decide relation=bag
SELECT name FROM keeper AS k WHERE EXISTS (SELECT lit FROM lamp AS l WHERE l.keeper_id = k.id GROUP BY lit LIMIT 1 OFFSET 1)
----
SELECT name FROM keeper AS k WHERE (SELECT COUNT(DISTINCT lit) FROM lamp AS l WHERE l.keeper_id = k.id) > 1
----
not_equivalent

# Rows that are sorted by the same keys around are in that order, whatever order they had.
decide relation=bag
SELECT name FROM (SELECT id, name FROM (SELECT id, name, age FROM keeper ORDER BY age) AS s ORDER BY age, id LIMIT 20) AS t
----
SELECT name FROM (SELECT id, name, age FROM keeper ORDER BY age, id LIMIT 20) AS t
----
equivalent

decide relation=bag
SELECT name FROM (SELECT name FROM keeper LIMIT 3) AS k WHERE name > 'a' LIMIT -1 OFFSET 3
----
SELECT name FROM keeper WHERE 1 = 0
----
equivalent by=proof

decide relation=bag
SELECT name FROM (SELECT name FROM keeper LIMIT 3) AS k WHERE name > 'a' LIMIT -1 OFFSET 2
----
SELECT name FROM keeper WHERE 1 = 0
----
not_equivalent

# A page of lamps, of which the first rows were chosen by what an index holds.
decide relation=bag tiers=proof
SELECT l.id, l.hue, l.lit FROM (SELECT id, hue FROM lamp WHERE lux = 10 ORDER BY hue, id DESC LIMIT 7) AS i JOIN lamp AS l ON l.id = i.id ORDER BY l.hue, l.id DESC LIMIT -1 OFFSET 4
----
SELECT id, hue, lit FROM lamp WHERE lux = 10 ORDER BY hue, id DESC LIMIT 3 OFFSET 4
----
equivalent

# Chosen by one column, and sorted by another of the same rows.
decide relation=bag
SELECT l.id, l.hue, l.lit FROM (SELECT id, hue FROM lamp WHERE lux = 10 ORDER BY hue, id DESC LIMIT 2) AS i JOIN lamp AS l ON l.id = i.id ORDER BY l.lit, l.id DESC LIMIT -1 OFFSET 1
----
SELECT id, hue, lit FROM lamp WHERE lux = 10 ORDER BY hue, id DESC LIMIT 1 OFFSET 1
----
not_equivalent

# One more row is chosen.
decide relation=bag
SELECT l.id, l.hue FROM (SELECT id, hue FROM lamp ORDER BY hue, id LIMIT 4) AS i JOIN lamp AS l ON l.id = i.id ORDER BY l.hue, l.id LIMIT -1 OFFSET 1
----
SELECT id, hue FROM lamp ORDER BY hue, id LIMIT 2 OFFSET 1
----
not_equivalent

# NULLs first among the rows that are chosen, and last among these.
decide relation=bag
SELECT l.id, l.lit FROM (SELECT id, lit FROM lamp ORDER BY lit, id LIMIT 2) AS i JOIN lamp AS l ON l.id = i.id ORDER BY l.lit NULLS LAST, l.id LIMIT -1 OFFSET 1
----
SELECT id, lit FROM lamp ORDER BY lit, id LIMIT 1 OFFSET 1
----
not_equivalent

# A row that is chosen may be gone before those before it are passed over.
decide relation=bag
SELECT l.id FROM (SELECT id, hue FROM lamp ORDER BY hue, id LIMIT 3) AS i JOIN lamp AS l ON l.id = i.id AND l.lit = 1 ORDER BY l.hue, l.id LIMIT -1 OFFSET 1
----
SELECT id FROM lamp WHERE lit = 1 ORDER BY hue, id LIMIT 2 OFFSET 1
----
not_equivalent
