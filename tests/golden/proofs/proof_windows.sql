schema
CREATE TABLE score (id INTEGER PRIMARY KEY, name TEXT, team TEXT, pts INTEGER, nn INTEGER NOT NULL, code TEXT NOT NULL UNIQUE, alias TEXT UNIQUE);
----

# The first rank is the maximum, and a row that ranks is there to have it.
decide relation=bag
SELECT name FROM (SELECT name, RANK() OVER (ORDER BY nn DESC) AS r FROM score) WHERE r = 1
----
SELECT name FROM score WHERE nn = (SELECT MAX(nn) FROM score)
----
equivalent by=proof

# Over no rows but NULLs there is no maximum, and everyone is first.
decide relation=bag
SELECT name FROM (SELECT name, RANK() OVER (ORDER BY pts DESC) AS r FROM score) WHERE r = 1
----
SELECT name FROM score WHERE pts = (SELECT MAX(pts) FROM score)
----
not_equivalent

decide relation=bag
SELECT name FROM (SELECT name, pts, RANK() OVER (ORDER BY pts DESC) AS r FROM score) WHERE r = 1 AND pts IS NOT NULL
----
SELECT name FROM score WHERE pts = (SELECT MAX(pts) FROM score)
----
equivalent by=proof

# Ascending, NULLs come first.
decide relation=bag
SELECT name FROM (SELECT name, RANK() OVER (ORDER BY pts) AS r FROM score) WHERE r = 1
----
SELECT name FROM score WHERE pts = (SELECT MIN(pts) FROM score)
----
not_equivalent

decide relation=bag
SELECT name FROM (SELECT name, RANK() OVER (PARTITION BY team ORDER BY nn DESC) AS r FROM score) WHERE r < 2
----
SELECT name FROM score AS s WHERE nn = (SELECT MAX(nn) FROM score AS t WHERE t.team IS s.team)
----
equivalent by=proof

# PARTITION BY puts NULLs together, a join does not.
decide relation=bag
SELECT name FROM (SELECT name, RANK() OVER (PARTITION BY team ORDER BY nn DESC) AS r FROM score) WHERE r = 1
----
SELECT s.name FROM score AS s JOIN (SELECT team, MAX(nn) AS m FROM score GROUP BY team) AS g ON s.team = g.team AND s.nn = g.m
----
not_equivalent

decide relation=bag
SELECT name FROM (SELECT name, team, DENSE_RANK() OVER (PARTITION BY team ORDER BY nn DESC) AS r FROM score) WHERE r = 1 AND team IS NOT NULL
----
SELECT s.name FROM score AS s JOIN (SELECT team, MAX(nn) AS m FROM score GROUP BY team) AS g ON s.team = g.team AND s.nn = g.m
----
equivalent by=proof

# The maximum of the team may be had by others too.
decide relation=bag
SELECT name FROM (SELECT name, RANK() OVER (ORDER BY nn DESC) AS r FROM score WHERE team = 'a') WHERE r = 1
----
SELECT name FROM score WHERE nn = (SELECT MAX(nn) FROM score WHERE team = 'a')
----
not_equivalent

# Rows that tie may be numbered, and cut, in any order: the same rows on both sides.
decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY nn DESC) AS r FROM score WHERE team = 'a') WHERE r <= 3
----
SELECT name FROM score WHERE team = 'a' ORDER BY nn DESC LIMIT 3
----
equivalent by=proof

decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY nn DESC, id) AS r FROM score) WHERE r = 1
----
SELECT name FROM score ORDER BY nn DESC, id LIMIT 1
----
equivalent by=proof

decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY code) AS r FROM score) WHERE r BETWEEN 2 AND 3
----
SELECT name FROM score ORDER BY code LIMIT 2 OFFSET 1
----
equivalent by=proof

decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (PARTITION BY team ORDER BY code) AS r FROM score) WHERE r = 1
----
SELECT name FROM score AS s WHERE code = (SELECT MIN(code) FROM score AS t WHERE t.team IS s.team)
----
equivalent by=proof

decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY code) AS r FROM score) WHERE r = 1 AND name <> 'b'
----
SELECT name FROM score WHERE name <> 'b' ORDER BY code LIMIT 1
----
not_equivalent

decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY code) AS r FROM score) WHERE r < 2
----
SELECT name FROM score ORDER BY code LIMIT 2
----
not_equivalent

# One row of those that tie is numbered 1, and all of them are greatest.
decide relation=bag
SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY nn DESC, id) AS r FROM score) WHERE r = 1
----
SELECT name FROM score WHERE nn = (SELECT MAX(nn) FROM score)
----
not_equivalent

# A key leaves no peers.
decide relation=bag
SELECT id, SUM(nn) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM score
----
SELECT id, SUM(nn) OVER (ORDER BY id) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, SUM(nn) OVER (PARTITION BY team ORDER BY nn, code ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM score
----
SELECT id, SUM(nn) OVER (PARTITION BY team ORDER BY nn, code) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, COUNT(*) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM score
----
SELECT id, COUNT(*) OVER (ORDER BY id DESC) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, COUNT(*) OVER (ORDER BY nn ROWS UNBOUNDED PRECEDING) FROM score
----
SELECT id, COUNT(*) OVER (ORDER BY nn) FROM score
----
not_equivalent

# UNIQUE lets two NULLs tie.
decide relation=bag
SELECT id, COUNT(*) OVER (ORDER BY alias ROWS UNBOUNDED PRECEDING) FROM score
----
SELECT id, COUNT(*) OVER (ORDER BY alias) FROM score
----
not_equivalent

decide relation=bag
SELECT id, SUM(nn) OVER (PARTITION BY team ORDER BY id ROWS UNBOUNDED PRECEDING) FROM score
----
SELECT id, SUM(nn) OVER (ORDER BY team, id ROWS UNBOUNDED PRECEDING) FROM score
----
not_equivalent

decide relation=bag
SELECT id, LEAD(pts, 1) OVER (ORDER BY id DESC) FROM score
----
SELECT id, LAG(pts) OVER (ORDER BY id) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, LAG(pts) OVER (ORDER BY id) FROM score
----
SELECT s.id, (SELECT t.pts FROM score AS t WHERE t.id < s.id ORDER BY t.id DESC LIMIT 1) FROM score AS s
----
equivalent by=proof

decide relation=bag
SELECT id, LAG(pts, 2) OVER (ORDER BY id) FROM score
----
SELECT s.id, (SELECT t.pts FROM score AS t WHERE t.id < s.id ORDER BY t.id DESC LIMIT 1) FROM score AS s
----
not_equivalent

decide relation=bag
SELECT id, LAG(pts, 1, 0) OVER (ORDER BY id) FROM score
----
SELECT id, COALESCE(LAG(pts) OVER (ORDER BY id), 0) FROM score
----
not_equivalent

# Which of two tied rows is the one before is left open.
decide relation=bag tiers=proof
SELECT id, LAG(pts) OVER (ORDER BY nn) FROM score
----
SELECT id, LEAD(pts) OVER (ORDER BY nn DESC) FROM score
----
undecided UNSUPPORTED

decide relation=bag
SELECT id, FIRST_VALUE(nn) OVER (PARTITION BY team ORDER BY nn) FROM score
----
SELECT id, MIN(nn) OVER (PARTITION BY team) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, FIRST_VALUE(pts) OVER (PARTITION BY team ORDER BY pts DESC) FROM score
----
SELECT id, MAX(pts) OVER (PARTITION BY team) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, FIRST_VALUE(pts) OVER (PARTITION BY team ORDER BY pts) FROM score
----
SELECT id, MIN(pts) OVER (PARTITION BY team) FROM score
----
not_equivalent

decide relation=bag
SELECT id, FIRST_VALUE(name) OVER (ORDER BY code DESC) FROM score
----
SELECT id, LAST_VALUE(name) OVER (ORDER BY code ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM score
----
equivalent by=proof

# The default frame ends at the current row.
decide relation=bag
SELECT id, LAST_VALUE(name) OVER (ORDER BY code) FROM score
----
SELECT id, name FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, LAST_VALUE(name) OVER (ORDER BY code) FROM score
----
SELECT id, FIRST_VALUE(name) OVER (ORDER BY code DESC) FROM score
----
not_equivalent

decide relation=bag
SELECT id, NTILE(1) OVER (ORDER BY code) FROM score
----
SELECT id, 1 FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, NTILE(3) OVER (PARTITION BY name ORDER BY id) FROM score WHERE name = 'b'
----
SELECT id, NTILE(3) OVER (ORDER BY id) FROM score WHERE name = 'b'
----
equivalent by=proof

decide relation=bag
SELECT id, NTILE(2) OVER (ORDER BY id) FROM score
----
SELECT id, NTILE(2) OVER (ORDER BY id DESC) FROM score
----
not_equivalent

# With one row a group of peers, an offset of groups is one of rows.
decide relation=bag
SELECT id, SUM(pts) OVER (PARTITION BY team ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM score
----
SELECT id, SUM(pts) OVER (PARTITION BY team ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM score
----
equivalent by=proof

# A frame the other way round.
decide relation=bag
SELECT id, COUNT(pts) OVER (ORDER BY code ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM score
----
SELECT id, COUNT(pts) OVER (ORDER BY code DESC ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, SUM(pts) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM score
----
SELECT id, (SELECT SUM(o.pts) FROM score AS o WHERE o.id < score.id) FROM score
----
equivalent by=proof

# An offset of RANGE is one of values: ids need not follow one another.
decide relation=bag
SELECT id, SUM(pts) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM score
----
SELECT id, (SELECT SUM(o.pts) FROM score AS o WHERE o.id BETWEEN score.id - 1 AND score.id) FROM score
----
equivalent by=proof

decide relation=bag
SELECT id, SUM(pts) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM score
----
SELECT id, SUM(pts) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM score
----
not_equivalent

# Tied rows are one group.
decide relation=bag
SELECT id, COUNT(*) OVER (ORDER BY nn GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM score
----
SELECT id, COUNT(*) OVER (ORDER BY nn ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM score
----
not_equivalent

# The rows between are counted before FILTER leaves some out.
decide relation=bag
SELECT id, COUNT(*) FILTER (WHERE pts > 0) OVER (ORDER BY id ROWS 1 PRECEDING) FROM score
----
SELECT id, COUNT(*) OVER (ORDER BY id ROWS 1 PRECEDING) FROM score
----
not_equivalent

# The number of a row is how many rows there are up to it.
decide relation=bag tiers=proof
SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM score
----
SELECT s.id, (SELECT COUNT(*) FROM score AS o WHERE o.id <= s.id) FROM score AS s
----
equivalent by=proof

decide relation=bag tiers=proof
SELECT id, ROW_NUMBER() OVER (PARTITION BY team ORDER BY code) FROM score
----
SELECT id, COUNT(*) OVER (PARTITION BY team ORDER BY code) FROM score
----
equivalent by=proof

# NULL is a team of its own, and equals none.
decide relation=bag
SELECT id, ROW_NUMBER() OVER (PARTITION BY team ORDER BY id) FROM score
----
SELECT s.id, (SELECT COUNT(*) FROM score AS o WHERE o.team = s.team AND o.id <= s.id) FROM score AS s
----
not_equivalent

decide relation=bag tiers=proof
SELECT id, RANK() OVER (ORDER BY nn, id DESC) FROM score
----
SELECT s.id, COUNT(*) FROM score AS s JOIN score AS o ON o.nn < s.nn OR o.nn = s.nn AND o.id >= s.id GROUP BY s.id
----
equivalent by=proof

# Two NULLs tie as alias, and one of them is numbered 2.
decide relation=bag
SELECT id, RANK() OVER (ORDER BY alias) FROM score
----
SELECT id, DENSE_RANK() OVER (ORDER BY alias) FROM score
----
not_equivalent

# Before so many rows as LIMIT takes.
decide relation=bag tiers=proof
SELECT name FROM score AS s WHERE (SELECT COUNT(*) FROM score AS o WHERE o.code < s.code) < 5
----
SELECT name FROM score ORDER BY code LIMIT 5
----
equivalent by=proof

decide relation=bag
SELECT name FROM score AS s WHERE (SELECT COUNT(*) FROM score AS o WHERE o.nn < s.nn) < 2
----
SELECT name FROM score ORDER BY nn LIMIT 2
----
not_equivalent

decide relation=list tiers=proof
SELECT name FROM score ORDER BY ROW_NUMBER() OVER (ORDER BY nn, id)
----
SELECT name FROM score ORDER BY nn, id
----
equivalent by=proof

schema
CREATE TABLE sale (id INTEGER PRIMARY KEY, shop TEXT, qty INTEGER, won INTEGER NOT NULL, u);
----

# Rows that tie for the first of a shop have one and the same first key.
decide relation=bag
SELECT shop, won FROM (SELECT shop, won, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY won DESC) AS r FROM sale) WHERE r = 1
----
SELECT shop, MAX(won) FROM sale GROUP BY shop
----
equivalent by=proof

# Ascending, NULL comes before the least quantity.
decide relation=bag
SELECT shop, qty FROM (SELECT shop, qty, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY qty) AS r FROM sale) WHERE r = 1
----
SELECT shop, MIN(qty) FROM sale GROUP BY shop
----
not_equivalent

# Of 1 and 1.0, which tie, either may be the greatest.
decide relation=bag
SELECT shop, TYPEOF(u) FROM (SELECT shop, u, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY u DESC) AS r FROM sale) WHERE r = 1
----
SELECT shop, TYPEOF(MAX(u)) FROM sale GROUP BY shop
----
undecided

decide relation=bag
SELECT id FROM sale WHERE SIGN(qty) = 1
----
SELECT id FROM sale WHERE qty > 0
----
equivalent by=proof

# A text that is no number has no sign, and is greater than any number.
decide relation=bag
SELECT id FROM sale WHERE SIGN(u) = 1
----
SELECT id FROM sale WHERE u > 0
----
not_equivalent

decide relation=bag
SELECT id FROM sale WHERE shop || '' = 'a'
----
SELECT id FROM sale WHERE shop = 'a'
----
equivalent by=proof

# The text of a number has no affinity that would make a number of the literal.
decide relation=bag
SELECT id FROM sale WHERE qty || '' = '1.0'
----
SELECT id FROM sale WHERE qty = '1.0'
----
not_equivalent
