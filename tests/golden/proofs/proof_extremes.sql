# A value that is the greatest of its group says that what ties it to the group is not NULL.
schema
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, class TEXT, guns INTEGER);
CREATE TABLE class (class TEXT PRIMARY KEY, country TEXT);
----

decide relation=bag tiers=proof
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class) AND class IS NOT NULL
----
equivalent by=proof

decide relation=bag tiers=proof
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT ship.id FROM ship JOIN (SELECT class, MAX(guns) AS m FROM ship GROUP BY class) AS g ON g.class = ship.class AND g.m = ship.guns
----
equivalent by=proof

decide relation=bag tiers=proof
SELECT id FROM ship WHERE guns >= (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT id FROM ship WHERE (class, guns) IN (SELECT class, MAX(guns) FROM ship GROUP BY class)
----
equivalent by=proof

# What sqlglot makes of the correlated subquery.
decide relation=bag tiers=proof
SELECT id FROM ship WHERE guns > (SELECT AVG(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT ship.id FROM ship LEFT JOIN (SELECT AVG(x.guns) AS a, x.class AS k FROM ship AS x WHERE TRUE GROUP BY x.class) AS u ON u.k = ship.class WHERE ship.guns > u.a
----
equivalent by=proof

decide relation=bag tiers=proof
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT id FROM ship WHERE guns IS NOT NULL AND class IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ship AS x WHERE x.class = ship.class AND x.guns > ship.guns)
----
equivalent by=proof

# NOT EXISTS keeps a ship without guns.
decide relation=bag
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT id FROM ship WHERE class IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ship AS x WHERE x.class = ship.class AND x.guns > ship.guns)
----
not_equivalent

# NOT EXISTS keeps a ship without a class.
decide relation=bag
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class)
----
SELECT id FROM ship WHERE guns IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ship AS x WHERE x.class = ship.class AND x.guns > ship.guns)
----
not_equivalent

# The MAX over no rows is NULL, which IS NULL.
decide relation=bag
SELECT id FROM ship WHERE guns IS (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.name)
----
SELECT id FROM ship WHERE guns IS (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.name) AND name IS NOT NULL
----
not_equivalent

# A TOTAL over no rows is 0.
decide relation=bag
SELECT id FROM ship WHERE (SELECT TOTAL(guns) FROM ship AS x WHERE x.class = ship.name) = 0
----
SELECT id FROM ship WHERE (SELECT TOTAL(guns) FROM ship AS x WHERE x.class = ship.name) = 0 AND name IS NOT NULL
----
not_equivalent

# A row of the MAX may be of no name at all.
decide relation=bag
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.name OR x.id = 1)
----
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.name OR x.id = 1) AND name IS NOT NULL
----
not_equivalent

# The greatest of the named ones has at most the guns of the others.
decide relation=bag
SELECT id FROM ship WHERE guns >= (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class AND x.name = 'a')
----
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class AND x.name = 'a')
----
not_equivalent

decide relation=bag tiers=proof
SELECT id FROM ship WHERE guns = (SELECT MAX(guns) FROM ship AS x WHERE x.class = ship.class AND x.name = 'a')
----
SELECT ship.id FROM ship JOIN (SELECT class, MAX(guns) AS m FROM ship WHERE name = 'a' GROUP BY class) AS g ON g.class = ship.class AND g.m = ship.guns
----
equivalent by=proof

# A group with ships, none of which is of the name, is no group of the other query.
decide relation=bag
SELECT id FROM ship WHERE guns <> (SELECT COUNT(*) FROM ship AS x WHERE x.class = ship.class AND x.name = 'a')
----
SELECT ship.id FROM ship JOIN (SELECT class, COUNT(*) AS m FROM ship WHERE name = 'a' GROUP BY class) AS g ON g.class = ship.class AND g.m <> ship.guns
----
not_equivalent

decide relation=bag tiers=proof
SELECT country FROM class WHERE (SELECT MAX(guns) FROM ship WHERE ship.class = class.class) = 5
----
SELECT country FROM class WHERE class.class IN (SELECT class FROM ship GROUP BY class HAVING MAX(guns) = 5)
----
equivalent by=proof

# A CHECK says which few numbers are added.
schema
CREATE TABLE test (id INTEGER PRIMARY KEY, suite TEXT, ok INTEGER NOT NULL CHECK (ok IN (0, 1)), late INTEGER CHECK (late IN (0, 1)), runs INTEGER NOT NULL CHECK (runs >= 0));
----

decide relation=bag tiers=proof
SELECT SUM(CASE WHEN ok = 1 THEN 1 ELSE 0 END) FROM test
----
SELECT SUM(ok) FROM test
----
equivalent by=proof

decide relation=bag tiers=proof
SELECT suite, COUNT(*) FILTER (WHERE ok = 1) FROM test GROUP BY suite
----
SELECT suite, SUM(ok) FROM test GROUP BY suite
----
equivalent by=proof

# A SUM over no rows is NULL.
decide relation=bag
SELECT COUNT(*) FROM test WHERE ok = 1
----
SELECT SUM(ok) FROM test
----
not_equivalent

# A test that may be NULL in all rows has no SUM.
decide relation=bag
SELECT suite, COUNT(CASE WHEN late = 1 THEN 1 END) FROM test GROUP BY suite
----
SELECT suite, SUM(late) FROM test GROUP BY suite
----
not_equivalent

# There may be more than one run.
decide relation=bag
SELECT SUM(CASE WHEN runs > 0 THEN 1 ELSE 0 END) FROM test
----
SELECT SUM(runs) FROM test
----
not_equivalent

decide relation=bag tiers=proof
SELECT suite FROM test GROUP BY suite HAVING SUM(ok) > 0
----
SELECT suite FROM test GROUP BY suite HAVING MAX(ok) = 1
----
equivalent by=proof

decide relation=bag tiers=proof
SELECT suite FROM test GROUP BY suite HAVING SUM(ok) = COUNT(*)
----
SELECT suite FROM test GROUP BY suite HAVING MIN(ok) = 1
----
equivalent by=proof

# Of a test without a result, late is NULL.
decide relation=bag
SELECT suite FROM test GROUP BY suite HAVING SUM(late) = COUNT(*)
----
SELECT suite FROM test GROUP BY suite HAVING MIN(late) = 1
----
not_equivalent

# A part of a foreign key's columns refers, too.
schema
CREATE TABLE place (a INTEGER NOT NULL, b INTEGER NOT NULL, z TEXT, PRIMARY KEY (a, b));
CREATE TABLE stay (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, FOREIGN KEY (a, b) REFERENCES place (a, b));
----

decide relation=bag tiers=proof
SELECT id FROM stay WHERE a IN (SELECT a FROM place)
----
SELECT id FROM stay
----
equivalent by=proof

decide relation=bag
SELECT id FROM stay JOIN place ON place.a = stay.a
----
SELECT id FROM stay
----
not_equivalent

schema
CREATE TABLE task (id INTEGER PRIMARY KEY, due INTEGER, owner TEXT, done INTEGER);
----

decide relation=bag tiers=proof
SELECT id, due FROM task WHERE id IN (SELECT id FROM task ORDER BY due, id LIMIT 3)
----
SELECT id, due FROM task ORDER BY due, id LIMIT 3
----
equivalent by=proof

# The filter on the first three, and the first three of the filtered.
decide relation=bag
SELECT id, due FROM task WHERE done = 1 AND id IN (SELECT id FROM task ORDER BY due, id LIMIT 3)
----
SELECT id, due FROM task WHERE done = 1 ORDER BY due, id LIMIT 3
----
not_equivalent

decide relation=list tiers=proof
SELECT id, due FROM task ORDER BY id LIMIT -1 OFFSET 1
----
SELECT id, due FROM task WHERE id > (SELECT MIN(id) FROM task) ORDER BY id
----
equivalent by=proof

# Two tasks may be due first.
decide relation=bag
SELECT due FROM task ORDER BY due LIMIT -1 OFFSET 1
----
SELECT due FROM task WHERE due > (SELECT MIN(due) FROM task)
----
not_equivalent

decide relation=bag tiers=proof
SELECT id, due FROM task WHERE id IN (SELECT MIN(id) FROM task GROUP BY owner)
----
SELECT id, due FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY owner ORDER BY id) AS r FROM task) WHERE r = 1
----
equivalent by=proof

# The least of another owner is due then, too.
decide relation=bag
SELECT id, due FROM task WHERE due IN (SELECT MIN(due) FROM task GROUP BY owner)
----
SELECT id, due FROM (SELECT *, RANK() OVER (PARTITION BY owner ORDER BY due) AS r FROM task) WHERE r = 1
----
not_equivalent

# The first of the done ones is not the first, if that is done.
decide relation=bag
SELECT id FROM task WHERE done = 1 AND id IN (SELECT MIN(id) FROM task GROUP BY owner)
----
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY owner ORDER BY id) AS r FROM task WHERE done = 1) WHERE r = 1
----
not_equivalent
