schema
CREATE TABLE grower (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, age INTEGER);
CREATE TABLE plot (id INTEGER PRIMARY KEY, grower_id INTEGER NOT NULL REFERENCES grower (id), helper_id INTEGER REFERENCES grower (id), kind TEXT, area INTEGER);
CREATE TABLE stall (market TEXT NOT NULL, grower_id INTEGER NOT NULL REFERENCES grower (id), fee INTEGER, PRIMARY KEY (market, grower_id));
----

# Each of some values: counted, or one by one.
decide relation=bag
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id WHERE p.kind IN ('hill', 'bog') GROUP BY g.name HAVING COUNT(DISTINCT p.kind) = 2
----
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id WHERE p.kind = 'hill' INTERSECT SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id WHERE p.kind = 'bog'
----
equivalent

decide relation=bag
SELECT g.name FROM grower AS g WHERE g.id IN (SELECT grower_id FROM plot WHERE kind IN ('hill', 'bog') GROUP BY grower_id HAVING COUNT(DISTINCT kind) > 1)
----
SELECT name FROM grower WHERE id IN (SELECT grower_id FROM plot WHERE kind = 'hill') AND id IN (SELECT grower_id FROM plot WHERE kind = 'bog')
----
equivalent

# Two growers of one name, one with each.
decide relation=bag
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id WHERE p.kind IN ('hill', 'bog') GROUP BY g.id HAVING COUNT(DISTINCT p.kind) = 2
----
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id WHERE p.kind = 'hill' INTERSECT SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id WHERE p.kind = 'bog'
----
not_equivalent

# A chain of them.
decide relation=bag
SELECT grower_id FROM plot WHERE kind = 'hill' INTERSECT SELECT grower_id FROM plot WHERE kind = 'bog' INTERSECT SELECT grower_id FROM plot WHERE kind = 'moor'
----
SELECT grower_id FROM plot WHERE kind IN ('hill', 'bog', 'moor') GROUP BY grower_id HAVING COUNT(DISTINCT kind) = 3
----
equivalent

decide relation=bag
SELECT grower_id FROM plot INTERSECT SELECT grower_id FROM stall
----
SELECT k FROM (SELECT DISTINCT grower_id AS k FROM plot UNION ALL SELECT DISTINCT grower_id FROM stall) GROUP BY k HAVING COUNT(*) = 2
----
equivalent

# Rows are counted, not kinds.
decide relation=bag
SELECT grower_id FROM plot WHERE kind = 'hill' INTERSECT SELECT grower_id FROM plot WHERE kind = 'bog' INTERSECT SELECT grower_id FROM plot WHERE kind = 'moor'
----
SELECT grower_id FROM plot WHERE kind IN ('hill', 'bog', 'moor') GROUP BY grower_id HAVING COUNT(*) = 3
----
not_equivalent

# The group of a key is one row.
decide relation=bag
SELECT market, grower_id, COUNT(fee) FROM stall GROUP BY market, grower_id HAVING COUNT(fee) > 1
----
SELECT market, grower_id, 0 FROM stall WHERE 0
----
equivalent

decide relation=bag
SELECT id, SUM(area), COUNT(*), MAX(kind) FROM plot GROUP BY id
----
SELECT id, area, 1, kind FROM plot
----
equivalent

# Half of a key is none.
decide relation=bag
SELECT market, COUNT(*) FROM stall GROUP BY market HAVING COUNT(*) > 1
----
SELECT market, 2 FROM stall WHERE 0
----
not_equivalent

# Among the values of which MAX is the greatest.
decide relation=bag
SELECT name FROM grower WHERE age < (SELECT MAX(age) FROM grower)
----
SELECT name FROM grower WHERE age <> (SELECT MAX(age) FROM grower)
----
equivalent by=proof

decide relation=bag
SELECT id FROM plot WHERE kind = 'bog' AND area < (SELECT MAX(area) FROM plot)
----
SELECT id FROM plot WHERE kind = 'bog' AND area NOT IN (SELECT MAX(area) FROM plot)
----
equivalent by=proof

# Not among them: it may be greater.
decide relation=bag
SELECT id FROM plot WHERE area < (SELECT MAX(area) FROM plot WHERE kind = 'bog')
----
SELECT id FROM plot WHERE area <> (SELECT MAX(area) FROM plot WHERE kind = 'bog')
----
not_equivalent

# What a group fixes is its own MAX.
decide relation=bag
SELECT MAX(g.town), COUNT(p.id) FROM grower AS g LEFT JOIN plot AS p ON p.grower_id = g.id GROUP BY g.id
----
SELECT g.town, (SELECT COUNT(*) FROM plot AS p WHERE p.grower_id = g.id) FROM grower AS g
----
equivalent by=proof

decide relation=bag
SELECT MIN(kind), COUNT(*) FROM plot GROUP BY kind
----
SELECT MAX(kind), COUNT(id) FROM plot GROUP BY kind
----
equivalent

decide relation=bag
SELECT MAX(g.id), COUNT(*) FROM grower AS g JOIN plot AS p ON p.grower_id = g.id GROUP BY g.name
----
SELECT MIN(g.id), COUNT(*) FROM grower AS g JOIN plot AS p ON p.grower_id = g.id GROUP BY g.name
----
not_equivalent

# A join by one of two columns.
decide relation=bag
SELECT DISTINCT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id OR p.helper_id = g.id
----
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id UNION SELECT g.name FROM grower AS g JOIN plot AS p ON p.helper_id = g.id
----
equivalent by=proof

decide relation=bag
SELECT COUNT(DISTINCT g.id) FROM grower AS g JOIN plot AS p ON p.grower_id = g.id OR p.helper_id = g.id
----
SELECT COUNT(*) FROM grower WHERE id IN (SELECT grower_id FROM plot) OR id IN (SELECT helper_id FROM plot)
----
equivalent by=proof

# One plot by both columns, or two by one each.
decide relation=set
SELECT DISTINCT g.id FROM grower AS g JOIN plot AS p ON p.grower_id = g.id AND p.helper_id = g.id
----
SELECT id FROM grower WHERE id IN (SELECT grower_id FROM plot) AND id IN (SELECT helper_id FROM plot)
----
not_equivalent

# Rows of one of two outer joins.
decide relation=bag
SELECT DISTINCT g.name FROM grower AS g LEFT JOIN plot AS p ON p.grower_id = g.id LEFT JOIN stall AS s ON s.grower_id = g.id WHERE p.id IS NOT NULL OR s.grower_id IS NOT NULL
----
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id UNION SELECT g.name FROM grower AS g JOIN stall AS s ON s.grower_id = g.id
----
equivalent by=proof

decide relation=bag
SELECT DISTINCT g.id FROM grower AS g LEFT JOIN plot AS p ON p.grower_id = g.id LEFT JOIN plot AS q ON q.helper_id = g.id WHERE p.id IS NOT NULL OR q.id IS NOT NULL
----
SELECT id FROM grower WHERE EXISTS (SELECT 1 FROM plot WHERE grower_id = grower.id) OR EXISTS (SELECT 1 FROM plot WHERE helper_id = grower.id)
----
equivalent by=proof

# A row that is there may have no fee.
decide relation=bag
SELECT DISTINCT g.name FROM grower AS g LEFT JOIN plot AS p ON p.grower_id = g.id LEFT JOIN stall AS s ON s.grower_id = g.id WHERE p.id IS NOT NULL OR s.fee IS NOT NULL
----
SELECT g.name FROM grower AS g JOIN plot AS p ON p.grower_id = g.id UNION SELECT g.name FROM grower AS g JOIN stall AS s ON s.grower_id = g.id
----
not_equivalent

# Two rows are two different ones.
decide relation=bag
SELECT g.id, g.name FROM grower AS g JOIN stall AS s ON s.grower_id = g.id GROUP BY g.id HAVING COUNT(*) >= 2
----
SELECT DISTINCT g.id, g.name FROM grower AS g JOIN stall AS s ON s.grower_id = g.id JOIN stall AS t ON t.grower_id = g.id WHERE s.market <> t.market
----
equivalent by=proof

decide relation=bag
SELECT id FROM plot AS p WHERE EXISTS (SELECT 1 FROM plot AS q WHERE q.grower_id = p.grower_id AND q.id <> p.id)
----
SELECT id FROM plot WHERE grower_id IN (SELECT grower_id FROM plot GROUP BY grower_id HAVING COUNT(*) > 1)
----
equivalent by=proof

# A group of NULLs joins with nothing.
decide relation=set
SELECT helper_id FROM plot GROUP BY helper_id HAVING COUNT(*) >= 2
----
SELECT DISTINCT p.helper_id FROM plot AS p JOIN plot AS q ON p.helper_id = q.helper_id WHERE p.id <> q.id
----
not_equivalent

# Counted over both tables, or in each.
decide relation=bag
SELECT g, COUNT(*) FILTER (WHERE v > 3) FROM (SELECT grower_id AS g, area AS v FROM plot UNION ALL SELECT grower_id, fee FROM stall) GROUP BY g
----
SELECT g, SUM(c) FROM (SELECT grower_id AS g, COUNT(*) FILTER (WHERE area > 3) AS c FROM plot GROUP BY grower_id UNION ALL SELECT grower_id, COUNT(*) FILTER (WHERE fee > 3) FROM stall GROUP BY grower_id) GROUP BY g
----
equivalent

decide relation=bag
SELECT COUNT(*) FILTER (WHERE v > 3) FROM (SELECT area AS v FROM plot UNION ALL SELECT fee FROM stall)
----
SELECT (SELECT COUNT(*) FROM plot WHERE area > 3) + (SELECT COUNT(*) FROM stall WHERE fee > 3)
----
equivalent

# Equal counts are added twice.
decide relation=bag
SELECT SUM(c) FROM (SELECT COUNT(*) FILTER (WHERE area > 3) AS c FROM plot UNION SELECT COUNT(*) FILTER (WHERE fee > 3) FROM stall)
----
SELECT COUNT(*) FILTER (WHERE v > 3) FROM (SELECT area AS v FROM plot UNION ALL SELECT fee FROM stall)
----
not_equivalent

# A group of one row shows that row.
decide relation=bag
SELECT grower_id, id FROM plot GROUP BY grower_id HAVING COUNT(*) = 1
----
SELECT grower_id, MAX(id) FROM plot GROUP BY grower_id HAVING COUNT(*) = 1
----
equivalent by=proof

decide relation=bag
SELECT MAX(id), name FROM grower GROUP BY name HAVING COUNT(*) = 1
----
SELECT id, name FROM grower AS g WHERE NOT EXISTS (SELECT 1 FROM grower AS h WHERE h.name = g.name AND h.id <> g.id)
----
equivalent by=proof

# One area among several rows: the row that is shown may have none.
decide relation=bag
SELECT kind, area FROM plot GROUP BY kind HAVING COUNT(area) = 1
----
SELECT kind, MAX(area) FROM plot GROUP BY kind HAVING COUNT(area) = 1
----
undecided NONDETERMINISTIC

# A count beside another aggregate stays a count, where naming its rows leads nowhere.
decide relation=bag tiers=proof
SELECT g.name FROM grower AS g JOIN plot AS p ON g.id = p.grower_id GROUP BY g.id HAVING COUNT(p.id) >= 2 AND AVG(g.age) > 5
----
SELECT g.name FROM plot AS p JOIN grower AS g ON g.id = p.grower_id WHERE g.age > 5 GROUP BY p.grower_id HAVING COUNT(*) >= 2
----
equivalent by=proof

# A group counted beside the row of it: the row is there, be it asked for within an OR.
decide tiers=proof
SELECT SUM(p.area) FROM plot AS p JOIN (SELECT grower_id, COUNT(*) AS n FROM plot GROUP BY grower_id) AS g ON g.grower_id = p.grower_id WHERE g.n = 0 OR EXISTS (SELECT 1 FROM plot AS o WHERE o.grower_id = p.grower_id AND o.kind <> p.kind)
----
SELECT SUM(area) FROM plot AS p WHERE EXISTS (SELECT 1 FROM plot AS o WHERE o.grower_id = p.grower_id AND o.kind <> p.kind)
----
equivalent

# A helper may be NULL: no plot is of such a helper.
decide
SELECT SUM(area) FROM plot AS p WHERE NOT EXISTS (SELECT 1 FROM plot AS o WHERE o.helper_id = p.helper_id) OR p.kind = 'bog'
----
SELECT SUM(area) FROM plot WHERE kind = 'bog'
----
not_equivalent

# The plot itself need not be a bog.
decide
SELECT SUM(area) FROM plot AS p WHERE EXISTS (SELECT 1 FROM plot AS o WHERE o.grower_id = p.grower_id AND o.kind = 'bog') OR p.area > 3
----
SELECT SUM(area) FROM plot
----
not_equivalent

# Nor is it any other plot of its grower.
decide
SELECT COUNT(*) FROM plot AS p WHERE NOT EXISTS (SELECT 1 FROM plot AS o WHERE o.grower_id = p.grower_id AND o.id <> p.id) OR p.area > 3
----
SELECT COUNT(*) FROM plot WHERE area > 3
----
not_equivalent

# Whether all of some values are beyond a bound; the number of values by their extremes.
decide tiers=proof
SELECT kind, MIN(area > 3), MAX(area <= 5) FROM plot GROUP BY kind
----
SELECT kind, MIN(area) > 3, MIN(area) <= 5 FROM plot GROUP BY kind
----
equivalent

decide tiers=proof
SELECT g.id, (SELECT MIN(p.area > g.age) FROM plot AS p WHERE p.grower_id = g.id) FROM grower AS g
----
SELECT g.id, (SELECT MIN(p.area) FROM plot AS p WHERE p.grower_id = g.id) > g.age FROM grower AS g
----
equivalent

decide tiers=proof
SELECT grower_id FROM plot GROUP BY grower_id HAVING MAX(kind LIKE 'b%')
----
SELECT DISTINCT grower_id FROM plot WHERE kind LIKE 'b%'
----
equivalent

decide tiers=proof
SELECT grower_id FROM plot GROUP BY grower_id HAVING COUNT(DISTINCT kind) = 1
----
SELECT grower_id FROM plot GROUP BY grower_id HAVING MIN(kind) = MAX(kind)
----
equivalent

decide tiers=proof
SELECT grower_id FROM plot GROUP BY grower_id HAVING COUNT(DISTINCT kind) > 1
----
SELECT grower_id FROM plot GROUP BY grower_id HAVING MIN(kind) <> MAX(kind)
----
equivalent

# A column makes the text a number, and MIN(area) does not.
decide
SELECT kind, MIN(area > '5') FROM plot GROUP BY kind
----
SELECT kind, MIN(area) > '5' FROM plot GROUP BY kind
----
not_equivalent

decide
SELECT kind, MIN(area > 3) FROM plot GROUP BY kind
----
SELECT kind, MAX(area) > 3 FROM plot GROUP BY kind
----
not_equivalent

decide
SELECT grower_id FROM plot GROUP BY grower_id HAVING MIN(kind LIKE 'b%')
----
SELECT DISTINCT grower_id FROM plot WHERE kind LIKE 'b%'
----
not_equivalent

decide
SELECT grower_id FROM plot GROUP BY grower_id HAVING COUNT(DISTINCT kind) = 1
----
SELECT grower_id FROM plot GROUP BY grower_id HAVING MIN(kind) IS MAX(kind)
----
not_equivalent

# Division: who has all is who has as many as there are, where a key counts each once.
schema
CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT);
CREATE TABLE person (id INTEGER PRIMARY KEY);
CREATE TABLE bought (who INTEGER, what INTEGER NOT NULL REFERENCES item(id), PRIMARY KEY (who, what));
CREATE TABLE seen (who INTEGER, what INTEGER NOT NULL, PRIMARY KEY (who, what));
CREATE TABLE sale (who INTEGER NOT NULL, what INTEGER REFERENCES item(id));
----

decide relation=bag
SELECT id FROM person WHERE (SELECT COUNT(*) FROM bought WHERE who = person.id) = (SELECT COUNT(*) FROM item)
----
SELECT id FROM person WHERE NOT EXISTS (SELECT id FROM item EXCEPT SELECT what FROM bought WHERE who = person.id)
----
equivalent by=proof

decide relation=bag
SELECT who FROM bought JOIN item ON id = what WHERE kind = 'a' GROUP BY who HAVING COUNT(*) = (SELECT COUNT(*) FROM item WHERE kind = 'a')
----
SELECT DISTINCT who FROM bought AS b WHERE EXISTS (SELECT 1 FROM item WHERE id = b.what AND kind = 'a') AND NOT EXISTS (SELECT 1 FROM item AS i WHERE kind = 'a' AND NOT EXISTS (SELECT 1 FROM bought AS o WHERE o.who = b.who AND o.what = i.id))
----
equivalent by=proof

decide relation=bag
SELECT who FROM sale GROUP BY who HAVING COUNT(DISTINCT what) = (SELECT COUNT(*) FROM item)
----
SELECT DISTINCT who FROM sale AS s WHERE NOT EXISTS (SELECT 1 FROM item AS i WHERE NOT EXISTS (SELECT 1 FROM sale AS o WHERE o.who = s.who AND o.what = i.id))
----
equivalent by=proof

# An item that is sold twice is counted twice.
decide relation=bag
SELECT who FROM sale GROUP BY who HAVING COUNT(what) = (SELECT COUNT(*) FROM item)
----
SELECT DISTINCT who FROM sale AS s WHERE NOT EXISTS (SELECT 1 FROM item AS i WHERE NOT EXISTS (SELECT 1 FROM sale AS o WHERE o.who = s.who AND o.what = i.id))
----
not_equivalent

# What is seen need be no item.
decide relation=bag
SELECT id FROM person WHERE (SELECT COUNT(*) FROM seen WHERE who = person.id) = (SELECT COUNT(*) FROM item)
----
SELECT id FROM person WHERE NOT EXISTS (SELECT id FROM item EXCEPT SELECT what FROM seen WHERE who = person.id)
----
not_equivalent

# The least distance of two rows, in either order.
decide relation=bag
SELECT MIN(a.id - b.id) FROM item AS a, item AS b WHERE a.id > b.id
----
SELECT MIN(ABS(a.id - b.id)) FROM item AS a JOIN item AS b ON a.id <> b.id
----
equivalent by=proof

decide relation=bag
SELECT MIN(a.id - b.id) FROM item AS a, item AS b WHERE a.id <> b.id
----
SELECT MIN(ABS(a.id - b.id)) FROM item AS a JOIN item AS b ON a.id <> b.id
----
not_equivalent
