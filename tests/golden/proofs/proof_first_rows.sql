# The first row of each group, said by windows, by MIN and MAX, by what is not before it.
schema
CREATE TABLE visit (guest INTEGER NOT NULL, day DATE NOT NULL, room INTEGER, spent INTEGER, PRIMARY KEY (guest, day));
CREATE TABLE stay (id INTEGER PRIMARY KEY, guest INTEGER, day DATE, room INTEGER);
CREATE TABLE price (item INTEGER NOT NULL, shop TEXT NOT NULL, cents INTEGER, PRIMARY KEY (item, shop));
----

# A rank of 1 is the first day, which with its guest is one row.
decide tiers=proof
SELECT guest, room FROM (SELECT guest, room, RANK() OVER (PARTITION BY guest ORDER BY day) AS r FROM visit) AS v WHERE r = 1
----
SELECT guest, room FROM visit WHERE (guest, day) IN (SELECT guest, MIN(day) FROM visit GROUP BY guest)
----
equivalent by=proof

decide tiers=proof
SELECT guest, day FROM (SELECT guest, day, ROW_NUMBER() OVER (PARTITION BY guest ORDER BY day) AS r FROM visit) AS v WHERE r = 1
----
SELECT guest, MIN(day) FROM visit GROUP BY guest
----
equivalent by=proof

decide tiers=proof
SELECT f.guest, v.room FROM (SELECT guest, MAX(day) AS last FROM visit GROUP BY guest) AS f LEFT JOIN visit AS v ON v.guest = f.guest AND v.day = f.last
----
SELECT guest, room FROM visit AS v WHERE NOT EXISTS (SELECT 1 FROM visit AS o WHERE o.guest = v.guest AND o.day > v.day)
----
equivalent by=proof

# Not unique: two stays of one day are both first.
decide tiers=proof
SELECT guest, day FROM stay AS s WHERE day = (SELECT MIN(day) FROM stay AS o WHERE o.guest = s.guest)
----
SELECT guest, MIN(day) FROM stay GROUP BY guest
----
undecided NO_PROOF

# The first row with a room is not the first row.
decide tiers=proof
SELECT guest, MIN(CASE WHEN room > 0 THEN day END) FROM visit GROUP BY guest
----
SELECT guest, day FROM visit AS v WHERE room > 0 AND NOT EXISTS (SELECT 1 FROM visit AS o WHERE o.guest = v.guest AND o.day < v.day)
----
undecided NO_PROOF

decide tiers=proof
SELECT DISTINCT guest, MIN(day) OVER (PARTITION BY guest ORDER BY day) FROM visit
----
SELECT guest, MIN(day) FROM visit GROUP BY guest
----
equivalent by=proof

# A running MAX over its own order is the row's own value.
decide tiers=proof
SELECT DISTINCT guest, MAX(day) OVER (PARTITION BY guest ORDER BY day) FROM visit
----
SELECT guest, MAX(day) FROM visit GROUP BY guest
----
undecided NO_PROOF

# A NULL comes first, and then the running MIN is NULL.
decide tiers=proof
SELECT DISTINCT guest, MIN(room) OVER (PARTITION BY guest ORDER BY room) FROM visit
----
SELECT guest, MIN(room) FROM visit GROUP BY guest
----
undecided NO_PROOF

# All of a group, by its extremes and by what is not there.
decide tiers=proof
SELECT guest FROM visit GROUP BY guest HAVING MIN(spent) >= 10 AND MAX(spent) <= 20
----
SELECT DISTINCT guest FROM visit AS v WHERE spent IS NOT NULL AND NOT EXISTS (SELECT 1 FROM visit AS o WHERE o.guest = v.guest AND (o.spent < 10 OR o.spent > 20))
----
equivalent by=proof

# A group whose spent is all NULL has no MIN.
decide tiers=proof
SELECT guest FROM visit GROUP BY guest HAVING MIN(spent) >= 10
----
SELECT DISTINCT guest FROM visit AS v WHERE NOT EXISTS (SELECT 1 FROM visit AS o WHERE o.guest = v.guest AND o.spent < 10)
----
undecided NO_PROOF

# One row at most has an item and a shop: SUM, MAX and a look-up are one.
decide tiers=proof
SELECT item, SUM(CASE WHEN shop = 'a' THEN cents END) FROM price GROUP BY item
----
SELECT item, MAX(CASE WHEN shop = 'a' THEN cents END) FROM price GROUP BY item
----
equivalent by=proof

decide tiers=proof
SELECT item, SUM(CASE WHEN shop <> 'a' THEN cents END) FROM price GROUP BY item
----
SELECT item, MAX(CASE WHEN shop <> 'a' THEN cents END) FROM price GROUP BY item
----
undecided NO_PROOF

decide tiers=proof
SELECT guest, day, CASE WHEN m < 10 THEN spent WHEN m <= 20 THEN spent * 2 ELSE spent * 3 END FROM (SELECT *, MAX(spent) OVER (PARTITION BY guest) AS m FROM visit) AS v
----
SELECT v.guest, v.day, CASE WHEN f.m BETWEEN 10 AND 20 THEN v.spent * 2 WHEN f.m > 20 THEN v.spent * 3 ELSE v.spent END FROM visit AS v JOIN (SELECT guest, MAX(spent) AS m FROM visit GROUP BY guest) AS f ON f.guest = v.guest
----
equivalent by=proof

decide tiers=proof
SELECT v.guest, v.day, CASE WHEN f.m BETWEEN 10 AND 20 THEN v.spent * 2 WHEN f.m >= 20 THEN v.spent * 3 ELSE v.spent END FROM visit AS v JOIN (SELECT guest, MAX(spent) AS m FROM visit GROUP BY guest) AS f ON f.guest = v.guest
----
SELECT v.guest, v.day, CASE WHEN f.m > 10 AND f.m <= 20 THEN v.spent * 2 WHEN f.m > 20 THEN v.spent * 3 ELSE v.spent END FROM visit AS v JOIN (SELECT guest, MAX(spent) AS m FROM visit GROUP BY guest) AS f ON f.guest = v.guest
----
undecided NO_PROOF

# Counts over columns are one count of rows for each column.
decide tiers=proof
SELECT g.id, COUNT(*) FROM stay AS g JOIN (SELECT guest AS who FROM visit UNION ALL SELECT room FROM visit) AS u ON u.who = g.id GROUP BY g.id
----
SELECT * FROM (SELECT s.id, SUM(CASE WHEN s.id = v.guest THEN 1 ELSE 0 END + CASE WHEN s.id = v.room THEN 1 ELSE 0 END) AS n FROM stay AS s CROSS JOIN visit AS v GROUP BY s.id) AS q WHERE n > 0
----
equivalent by=proof

# Rows where both are the guest count twice.
decide tiers=proof
SELECT g.id, COUNT(*) FROM stay AS g JOIN visit AS v ON v.guest = g.id OR v.room = g.id GROUP BY g.id
----
SELECT * FROM (SELECT s.id, SUM(CASE WHEN s.id = v.guest THEN 1 ELSE 0 END + CASE WHEN s.id = v.room THEN 1 ELSE 0 END) AS n FROM stay AS s CROSS JOIN visit AS v GROUP BY s.id) AS q WHERE n > 0
----
undecided NO_PROOF

decide tiers=proof
SELECT SUM(CASE WHEN room IS NULL THEN spent ELSE spent + room END) FROM visit
----
SELECT SUM(spent + IFNULL(room, 0)) FROM visit
----
equivalent by=proof

decide tiers=proof
SELECT SUM(CASE WHEN room > 1 THEN spent WHEN room <= 1 THEN spent END) FROM visit
----
SELECT SUM(spent) FROM visit
----
undecided NO_PROOF

# A count of values under a guard against NULL is one where it counts.
decide tiers=proof
SELECT MAX(room) FROM (SELECT room FROM stay GROUP BY room HAVING COUNT(room) = 1) AS q
----
SELECT MAX(room) FROM (SELECT room FROM stay GROUP BY room HAVING COUNT(*) = 1) AS q
----
equivalent by=proof

decide tiers=proof
SELECT DISTINCT s.room FROM stay AS s JOIN stay AS o ON s.room = o.room AND s.id <> o.id
----
SELECT room FROM stay GROUP BY room HAVING COUNT(room) > 1
----
equivalent by=proof

# Rows without a room are a group, too.
decide tiers=proof
SELECT DISTINCT s.room FROM stay AS s JOIN stay AS o ON s.room = o.room AND s.id <> o.id
----
SELECT room FROM stay GROUP BY room HAVING COUNT(*) > 1
----
undecided NO_PROOF

# Each partition has one first row, be its key NULL.
decide tiers=proof
SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY room ORDER BY day) AS r FROM stay) AS q WHERE r < 2
----
SELECT COUNT(*) FROM (SELECT DISTINCT room FROM stay) AS q
----
equivalent by=proof

decide
SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY room ORDER BY day) AS r FROM stay) AS q WHERE r = 1
----
SELECT COUNT(DISTINCT room) FROM stay
----
not_equivalent
