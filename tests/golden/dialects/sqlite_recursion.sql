# Two recursions have the same rows if they begin alike and each step makes the same of whatever it reads.
schema
CREATE TABLE employee (id INTEGER PRIMARY KEY, manager INTEGER REFERENCES employee, name TEXT NOT NULL);
CREATE TABLE part_of (whole INTEGER NOT NULL, part INTEGER NOT NULL, qty INTEGER NOT NULL, PRIMARY KEY (whole, part));
CREATE TABLE category (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES category, title TEXT NOT NULL);
CREATE TABLE edge (src INTEGER NOT NULL, dst INTEGER NOT NULL, weight INTEGER, PRIMARY KEY (src, dst))

# Everybody below a manager.
decide
WITH RECURSIVE below(id, boss) AS (SELECT b.id, b.manager FROM employee AS b WHERE b.manager IS NULL UNION ALL SELECT e.id, e.manager FROM below AS b, employee AS e WHERE b.id = e.manager) SELECT id FROM below
----
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
equivalent

decide
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.manager) SELECT id FROM chain
----
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
not_equivalent by=generate

decide
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NOT NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
not_equivalent by=generate

# How deep they stand.
decide
WITH RECURSIVE deep AS (SELECT id, 0 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, 1 + d.depth FROM employee e JOIN deep d ON e.manager = d.id AND d.depth <= 2) SELECT id, depth FROM deep
----
WITH RECURSIVE deep AS (SELECT id, 0 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, d.depth + 1 FROM employee e JOIN deep d ON e.manager = d.id WHERE d.depth < 3) SELECT id, depth FROM deep
----
equivalent

decide
WITH RECURSIVE d(who, n) AS (SELECT id, 0 FROM employee WHERE 1 = id UNION ALL SELECT e.id, d.n + 1 FROM d JOIN employee e ON d.who = e.manager WHERE NOT d.n >= 3) SELECT who AS id, n AS depth FROM d
----
WITH RECURSIVE deep AS (SELECT id, 0 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, d.depth + 1 FROM employee e JOIN deep d ON e.manager = d.id WHERE d.depth < 3) SELECT id, depth FROM deep
----
equivalent

decide
WITH RECURSIVE deep AS (SELECT id, 0 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, d.depth + 1 FROM employee e JOIN deep d ON e.manager = d.id WHERE d.depth <= 3) SELECT id, depth FROM deep
----
WITH RECURSIVE deep AS (SELECT id, 0 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, d.depth + 1 FROM employee e JOIN deep d ON e.manager = d.id WHERE d.depth < 3) SELECT id, depth FROM deep
----
not_equivalent by=generate

decide
WITH RECURSIVE deep AS (SELECT id, 1 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, d.depth + 1 FROM employee e JOIN deep d ON e.manager = d.id WHERE d.depth < 3) SELECT id, depth FROM deep
----
WITH RECURSIVE deep AS (SELECT id, 0 AS depth FROM employee WHERE id = 1 UNION ALL SELECT e.id, d.depth + 1 FROM employee e JOIN deep d ON e.manager = d.id WHERE d.depth < 3) SELECT id, depth FROM deep
----
not_equivalent by=generate

# A bill of materials, its amounts multiplied.
decide
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE whole = 7 UNION ALL SELECT p.part, p.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT part, sum(qty) FROM bill GROUP BY part
----
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE whole = 7 UNION ALL SELECT p.part, p.qty * b.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT part, sum(qty) FROM bill GROUP BY part
----
not_equivalent by=generate

decide
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE whole = 7 UNION SELECT p.part, p.qty * b.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT part, sum(qty) FROM bill GROUP BY part
----
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE whole = 7 UNION ALL SELECT p.part, p.qty * b.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT part, sum(qty) FROM bill GROUP BY part
----
not_equivalent by=generate

# The way from the root of a tree of categories, as a text.
decide
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, (t.title || '/') || c.title FROM tree t INNER JOIN category c ON t.id = c.parent) SELECT * FROM tree
----
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, t.title || '/' || c.title FROM category c JOIN tree t ON c.parent = t.id) SELECT id, title FROM tree
----
equivalent

decide
WITH RECURSIVE t AS (SELECT id, title FROM category c WHERE c.parent IS NULL UNION ALL SELECT category.id, t.title || '/' || category.title FROM category, t WHERE category.parent = t.id) SELECT t.id, t.title FROM t
----
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, t.title || '/' || c.title FROM category c JOIN tree t ON c.parent = t.id) SELECT id, title FROM tree
----
equivalent

decide
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, c.title || '/' || t.title FROM category c JOIN tree t ON c.parent = t.id) SELECT id, title FROM tree
----
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, t.title || '/' || c.title FROM category c JOIN tree t ON c.parent = t.id) SELECT id, title FROM tree
----
not_equivalent by=generate

decide
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, t.title || '/' || c.title FROM category c JOIN tree t ON c.parent = t.id WHERE c.title <> 'x') SELECT id, title FROM tree
----
WITH RECURSIVE tree AS (SELECT id, title FROM category WHERE parent IS NULL UNION ALL SELECT c.id, t.title || '/' || c.title FROM category c JOIN tree t ON c.parent = t.id) SELECT id, title FROM tree
----
not_equivalent by=generate

# A series of numbers.
decide
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT 1 + i FROM n WHERE 10 > i) SELECT i FROM n
----
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
----
equivalent

decide
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i <= 9) SELECT i FROM n
----
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
----
equivalent

decide
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i <= 10) SELECT i FROM n
----
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
----
not_equivalent by=generate

decide
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 2 FROM n WHERE i < 10) SELECT i FROM n
----
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
----
not_equivalent by=generate

# What is reached.
decide
WITH RECURSIVE reached AS (SELECT DISTINCT src, dst FROM edge UNION SELECT r.src, e.dst FROM edge e JOIN reached r ON r.dst = e.src) SELECT src, dst FROM reached
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
equivalent

decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT DISTINCT r.src, e.dst FROM reached r, edge e WHERE e.src = r.dst) SELECT r.src, r.dst FROM reached r
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
equivalent

decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT e.src, r.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
not_equivalent by=generate

decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge WHERE weight > 0 UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
not_equivalent by=generate

# UNION has no row twice, whichever step makes it; UNION ALL may, and a part of the columns may.
decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT DISTINCT src, dst FROM reached WHERE src = ?1
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM edge e JOIN reached r ON r.dst = e.src) SELECT src, dst FROM reached WHERE ?1 = src
----
equivalent

decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT DISTINCT src FROM reached
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src FROM reached
----
not_equivalent by=generate

decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION ALL SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT DISTINCT src, dst FROM reached
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION ALL SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT src, dst FROM reached
----
not_equivalent by=generate

# One row makes one at most: they have an order, of which LIMIT takes the first.
decide
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT 1 + i FROM n LIMIT 9) SELECT i FROM n
----
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n
----
equivalent

decide
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT 1 + i FROM n LIMIT 9 OFFSET 1) SELECT i FROM n
----
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n
----
not_equivalent by=generate

# Else which rows it takes hangs on the order in which they are read.
decide
WITH RECURSIVE chain(id, depth) AS (SELECT id, 0 FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, depth + 1 FROM employee e JOIN chain ON e.manager = chain.id ORDER BY 2 DESC LIMIT 3) SELECT id FROM chain
----
WITH RECURSIVE chain(id, depth) AS (SELECT id, 0 FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, depth + 1 FROM employee e JOIN chain ON e.manager = chain.id ORDER BY 2 LIMIT 3) SELECT id FROM chain
----
undecided UNSUPPORTED

# Several steps are the rows of all of them.
decide
WITH RECURSIVE near(id) AS (SELECT 1 UNION SELECT e.dst FROM near n JOIN edge e ON e.src = n.id UNION SELECT src FROM edge JOIN near ON dst = id) SELECT id FROM near
----
WITH RECURSIVE near(id) AS (SELECT 1 UNION SELECT src FROM near, edge WHERE id = dst UNION SELECT dst FROM near, edge WHERE src = id) SELECT id FROM near
----
equivalent

decide
WITH RECURSIVE near(id) AS (SELECT 1 UNION SELECT e.dst FROM near n JOIN edge e ON e.src = n.id UNION SELECT src FROM edge JOIN near ON dst = id) SELECT id FROM near
----
WITH RECURSIVE near(id) AS (SELECT 1 UNION SELECT e.dst FROM near n JOIN edge e ON e.src = n.id) SELECT id FROM near
----
not_equivalent by=generate

# A column of integers in both operands is compared with a text as one; what is computed is not.
decide
WITH RECURSIVE chain(id) AS (SELECT id FROM employee WHERE manager IS NULL UNION ALL SELECT e.id FROM employee e JOIN chain ON e.manager = chain.id) SELECT id FROM chain WHERE id = '5'
----
WITH RECURSIVE chain(id) AS (SELECT id FROM employee WHERE manager IS NULL UNION ALL SELECT e.id FROM employee e JOIN chain ON e.manager = chain.id) SELECT id FROM chain WHERE id = 5
----
equivalent

decide
WITH RECURSIVE chain(id) AS (SELECT id + 0 FROM employee WHERE manager IS NULL UNION ALL SELECT e.id + 0 FROM employee e JOIN chain ON e.manager = chain.id) SELECT id FROM chain WHERE id = '5'
----
WITH RECURSIVE chain(id) AS (SELECT id FROM employee WHERE manager IS NULL UNION ALL SELECT e.id FROM employee e JOIN chain ON e.manager = chain.id) SELECT id FROM chain WHERE id = '5'
----
not_equivalent by=generate

# An integer and a REAL that are equal are not the same value.
decide
WITH RECURSIVE n(i) AS (SELECT 1.0 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i || '' FROM n
----
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i || '' FROM n
----
not_equivalent by=generate

decide
WITH RECURSIVE n(i) AS (VALUES (1), (20) UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
----
WITH n(k) AS (SELECT 20 UNION ALL SELECT 1 UNION ALL SELECT 1 + k FROM n WHERE 10 > k) SELECT k FROM n
----
equivalent

# What never ends does so in both.
decide
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 5
----
WITH n AS (SELECT 1 AS i UNION ALL SELECT 1 + i FROM n) SELECT i FROM n LIMIT 5
----
equivalent
