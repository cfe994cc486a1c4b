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
