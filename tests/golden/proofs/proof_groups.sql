schema
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, grade INTEGER);
CREATE TABLE friend (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES person (id), place TEXT, since INTEGER);
----

decide relation=bag
SELECT name FROM person WHERE (SELECT COUNT(*) FROM friend WHERE friend.person_id = person.id) >= 2
----
SELECT name FROM person WHERE id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) >= 2)
----
equivalent by=proof

# Zero friends make no group.
decide relation=bag
SELECT name FROM person WHERE (SELECT COUNT(*) FROM friend WHERE friend.person_id = person.id) <= 2
----
SELECT name FROM person WHERE id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) <= 2)
----
not_equivalent

decide relation=bag
SELECT name FROM person WHERE (SELECT COUNT(*) FROM friend WHERE friend.person_id = person.id) BETWEEN 1 AND 2
----
SELECT name FROM person WHERE id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) <= 2)
----
equivalent by=proof

decide relation=bag
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY friend.person_id
----
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY person.id
----
equivalent by=rules

# Two persons may share a name.
decide relation=bag
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY friend.person_id
----
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY person.name
----
not_equivalent

decide relation=bag
SELECT person.name FROM person JOIN friend ON person.id = friend.person_id GROUP BY person.id HAVING COUNT(*) >= 2 AND person.grade > 5
----
SELECT name FROM person WHERE grade >= 6 AND id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) > 1)
----
equivalent by=rules

decide relation=bag
SELECT person.name FROM person LEFT JOIN friend ON person.id = friend.person_id GROUP BY person.id HAVING COUNT(friend.id) = 0
----
SELECT name FROM person WHERE id NOT IN (SELECT person_id FROM friend)
----
equivalent by=proof

decide relation=bag
SELECT person.name FROM person LEFT JOIN friend ON person.id = friend.person_id GROUP BY person.id HAVING COUNT(*) = 0
----
SELECT name FROM person WHERE id NOT IN (SELECT person_id FROM friend)
----
not_equivalent

decide relation=bag
SELECT person_id FROM friend WHERE place IN ('Bern', 'Graz') GROUP BY person_id HAVING COUNT(DISTINCT place) = 2
----
SELECT person_id FROM friend WHERE place = 'Bern' INTERSECT SELECT person_id FROM friend WHERE place = 'Graz'
----
equivalent by=proof

# Two friends in one place are counted twice.
decide relation=bag
SELECT person_id FROM friend WHERE place IN ('Bern', 'Graz') GROUP BY person_id HAVING COUNT(place) = 2
----
SELECT person_id FROM friend WHERE place = 'Bern' INTERSECT SELECT person_id FROM friend WHERE place = 'Graz'
----
not_equivalent

decide relation=bag
SELECT person_id FROM friend GROUP BY person_id, place HAVING MAX(since) > 2000
----
SELECT person_id FROM friend WHERE since > 2000 GROUP BY person_id, place
----
equivalent by=proof

decide relation=bag
SELECT person_id FROM friend GROUP BY person_id, place HAVING MIN(since) > 2000
----
SELECT person_id FROM friend WHERE since > 2000 GROUP BY person_id, place
----
not_equivalent

# Rows with different constants are no duplicates of each other.
decide relation=bag
SELECT id, 'a', name FROM person UNION SELECT id, 'b', name FROM person
----
SELECT id, 'a', name FROM person UNION ALL SELECT id, 'b', name FROM person
----
equivalent by=proof

decide relation=bag
SELECT grade, 'a', name FROM person UNION SELECT grade, 'b', name FROM person
----
SELECT grade, 'a', name FROM person UNION ALL SELECT grade, 'b', name FROM person
----
not_equivalent

decide relation=bag
SELECT id, 1, name FROM person UNION SELECT id, 1.0, name FROM person
----
SELECT id, 1, name FROM person UNION ALL SELECT id, 1.0, name FROM person
----
not_equivalent

# A group with one place: a bare place is that place.
decide relation=bag
SELECT place, since FROM friend WHERE place = 'here' GROUP BY place, since
----
SELECT 'here', since FROM friend WHERE place = 'here' GROUP BY since
----
equivalent by=proof

decide relation=bag
SELECT COUNT(DISTINCT f.place) FROM friend AS f WHERE f.since = 3 AND EXISTS (SELECT 1 FROM friend AS g WHERE g.person_id = f.person_id)
----
SELECT COUNT(DISTINCT place) FROM friend WHERE since = 3
----
equivalent

decide relation=bag
SELECT id, ROUND(AVG(grade), 0) FROM person GROUP BY id
----
SELECT id, ROUND(AVG(grade)) FROM person GROUP BY id
----
equivalent by=proof

# Each group is of one operand or of both: counted in each, and added up.
decide relation=bag tiers=proof
SELECT k, COALESCE(SUM(n), 0) FROM (SELECT grade AS k, COUNT(*) AS n FROM person WHERE grade = 10 GROUP BY grade UNION ALL SELECT grade, COUNT(*) FROM person WHERE grade > 20 GROUP BY grade) GROUP BY k
----
SELECT k, COUNT(*) FROM (SELECT grade AS k FROM person WHERE grade = 10 UNION ALL SELECT grade FROM person WHERE grade > 20) GROUP BY k
----
equivalent

# UNION drops the second of two equal counts.
decide relation=bag
SELECT k, COALESCE(SUM(n), 0) FROM (SELECT grade AS k, COUNT(*) AS n FROM person WHERE grade >= 10 GROUP BY grade UNION SELECT grade, COUNT(*) FROM person WHERE grade > 20 GROUP BY grade) GROUP BY k
----
SELECT k, COUNT(*) FROM (SELECT grade AS k FROM person WHERE grade >= 10 UNION ALL SELECT grade FROM person WHERE grade > 20) GROUP BY k
----
not_equivalent

decide relation=bag tiers=proof
SELECT k, COALESCE(SUM(n), 1) FROM (SELECT SUM(grade) AS n, 1 AS k FROM person WHERE grade = 10 UNION ALL SELECT COUNT(*), 2 FROM person WHERE grade > 20) GROUP BY k
----
SELECT k, COALESCE(SUM(n), 0) FROM (SELECT SUM(grade) AS n, 1 AS k FROM person WHERE grade = 10 UNION ALL SELECT COUNT(*), 2 FROM person WHERE grade > 20) GROUP BY k
----
undecided NO_PROOF

schema dialect=postgres
CREATE TABLE person (id bigint PRIMARY KEY, name text NOT NULL, grade bigint);
CREATE TABLE friend (id bigint PRIMARY KEY, person_id bigint NOT NULL, since bigint NOT NULL);
----

# Sums of a product of sums, which are numeric there, and are cast back to bigint.
decide relation=bag tiers=proof
SELECT CASE WHEN n = 0 THEN NULL ELSE s END FROM (SELECT COALESCE(SUM(CAST(p.s * f.n AS bigint)), 0) AS s, COALESCE(SUM(p.n * f.n), 0) AS n FROM (SELECT id, COALESCE(SUM(grade), 0) AS s, COUNT(grade) AS n FROM person GROUP BY id) AS p JOIN (SELECT person_id, COUNT(*) AS n FROM friend GROUP BY person_id) AS f ON f.person_id = p.id) AS q
----
SELECT SUM(p.grade) FROM person AS p JOIN friend AS f ON f.person_id = p.id
----
equivalent

# A row of both operands is one; within them, the friend's number may be said by their own.
decide relation=bag tiers=proof
SELECT p.id, q.n FROM person AS p CROSS JOIN LATERAL (SELECT f.person_id AS k, f.since + p.id AS n FROM friend AS f UNION SELECT o.id, o.grade + p.id FROM person AS o) AS q WHERE q.k = p.id
----
SELECT p.id, q.n FROM person AS p JOIN (SELECT f.person_id AS k, f.since + f.person_id AS n FROM friend AS f UNION SELECT o.id, o.grade + o.id FROM person AS o) AS q ON q.k = p.id
----
equivalent

# The column is another one.
decide relation=bag
SELECT p.id, q.n FROM person AS p CROSS JOIN LATERAL (SELECT f.person_id AS k, f.since + p.id AS n FROM friend AS f UNION SELECT o.grade, o.grade + p.id FROM person AS o) AS q WHERE q.k = p.id
----
SELECT p.id, q.n FROM person AS p JOIN (SELECT f.person_id AS k, f.since + f.person_id AS n FROM friend AS f UNION SELECT o.grade, o.grade + o.id FROM person AS o) AS q ON q.k = p.id
----
not_equivalent

# SQLite compiles a view that groups below IN as a derived table, and not as a common table expression.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
CREATE VIEW vw AS SELECT a, COUNT(*) AS n FROM t GROUP BY a

decide
SELECT id FROM t WHERE a IN (SELECT a FROM vw WHERE n > 1)
----
SELECT id FROM t WHERE a IN (SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1)
----
equivalent

# NULL is a group of its own, and is found by no IN.
decide
SELECT id FROM t WHERE a NOT IN (SELECT a FROM vw WHERE n > 1)
----
SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM vw WHERE n > 1 AND vw.a = t.a)
----
not_equivalent

decide
SELECT id FROM t WHERE a IN (SELECT a FROM vw WHERE n > 1)
----
SELECT id FROM t WHERE a IN (SELECT a FROM t GROUP BY a HAVING COUNT(a) >= 1)
----
not_equivalent

# A group beside an average of its groups: joined by a key, or asked for by each row.
schema
CREATE TABLE refund (person INTEGER, shop INTEGER, day INTEGER, amount INTEGER);
CREATE TABLE person (id INTEGER NOT NULL, name TEXT);
CREATE TABLE shop (id INTEGER NOT NULL, town TEXT);
CREATE TABLE day (id INTEGER NOT NULL, year INTEGER);
----

decide relation=bag tiers=proof
WITH g AS (SELECT person, shop, SUM(amount) AS total FROM refund GROUP BY person, shop), m AS (SELECT AVG(total) * 1.2 AS bound, shop FROM g GROUP BY shop) SELECT g.person, g.total FROM g LEFT JOIN m ON m.shop = g.shop WHERE m.bound < g.total
----
WITH g AS (SELECT person, shop, SUM(amount) AS total FROM refund GROUP BY person, shop) SELECT person, total FROM g WHERE total > (SELECT AVG(total) * 1.2 FROM g AS h WHERE h.shop = g.shop)
----
equivalent by=proof

decide relation=bag tiers=proof
WITH g AS (SELECT person, town, SUM(amount) AS total FROM refund JOIN shop ON shop.id = refund.shop JOIN day ON day.id = refund.day AND year = 2000 GROUP BY person, town), m AS (SELECT AVG(total) * 1.2 AS bound, town FROM g GROUP BY town) SELECT name, g.total FROM g JOIN person ON person.id = g.person LEFT JOIN m ON m.town = g.town WHERE m.bound < g.total
----
WITH g AS (SELECT person, town, SUM(amount) AS total FROM refund, day, shop WHERE day.id = refund.day AND year = 2000 AND shop.id = refund.shop GROUP BY person, town) SELECT name, total FROM g, person WHERE total > (SELECT AVG(total) * 1.2 FROM g AS h WHERE h.town = g.town) AND person.id = g.person
----
equivalent by=proof

# Shops that are NULL make a group, which no average is joined to.
decide relation=bag
WITH g AS (SELECT person, shop, SUM(amount) AS total FROM refund GROUP BY person, shop), m AS (SELECT AVG(total) * 1.2 AS bound, shop FROM g GROUP BY shop) SELECT g.person, g.total FROM g LEFT JOIN m ON m.shop = g.shop WHERE m.bound < g.total
----
WITH g AS (SELECT person, shop, SUM(amount) AS total FROM refund GROUP BY person, shop) SELECT person, total FROM g WHERE total > (SELECT AVG(total) * 1.2 FROM g AS h WHERE h.shop IS g.shop)
----
not_equivalent

# A row without an average is less than none, but not less than 0.
decide relation=bag
WITH g AS (SELECT person, shop, SUM(amount) AS total FROM refund GROUP BY person, shop), m AS (SELECT AVG(total) * 1.2 AS bound, shop FROM g GROUP BY shop) SELECT g.person, g.total FROM g LEFT JOIN m ON m.shop = g.shop WHERE COALESCE(m.bound, 0) < g.total
----
WITH g AS (SELECT person, shop, SUM(amount) AS total FROM refund GROUP BY person, shop) SELECT person, total FROM g WHERE total > (SELECT AVG(total) * 1.2 FROM g AS h WHERE h.shop = g.shop)
----
not_equivalent

# The averages of one year say nothing of the groups of all years.
decide relation=bag
WITH g AS (SELECT person, shop FROM refund GROUP BY person, shop), m AS (SELECT shop FROM refund JOIN day ON day.id = refund.day AND year = 2000 GROUP BY shop) SELECT name, g.shop FROM g JOIN person ON person.id = g.person JOIN m ON m.shop = g.shop
----
WITH g AS (SELECT person, shop FROM refund GROUP BY person, shop) SELECT name, shop FROM g JOIN person ON person.id = g.person WHERE shop IS NOT NULL
----
not_equivalent

# Alternatives of conditions, or conditions of alternatives, within a group and its average over others.
decide relation=bag tiers=proof
SELECT year, shop, SUM(amount), AVG(SUM(amount)) OVER (PARTITION BY year) FROM refund, day WHERE day.id = refund.day AND (year = 1999 OR (year = 1998 AND shop = 12) OR (year = 2000 AND shop = 1)) GROUP BY year, shop
----
SELECT year, shop, SUM(amount), AVG(SUM(amount)) OVER (PARTITION BY year) FROM refund JOIN day ON day.id = refund.day AND (shop = 1 OR shop = 12 OR year = 1999) AND (shop = 1 OR year = 1998 OR year = 1999) AND (shop = 12 OR year = 1999 OR year = 2000) AND (year = 1998 OR year = 1999 OR year = 2000) GROUP BY year, shop
----
equivalent by=proof

decide relation=bag
SELECT year, shop, SUM(amount), AVG(SUM(amount)) OVER (PARTITION BY year) FROM refund, day WHERE day.id = refund.day AND (year = 1999 OR (year = 1998 AND shop = 12) OR (year = 2000 AND shop = 1)) GROUP BY year, shop
----
SELECT year, shop, SUM(amount), AVG(SUM(amount)) OVER (PARTITION BY year) FROM refund JOIN day ON day.id = refund.day AND (shop = 1 OR shop = 12 OR year = 1999) AND (year = 1998 OR year = 1999 OR year = 2000) GROUP BY year, shop
----
not_equivalent
