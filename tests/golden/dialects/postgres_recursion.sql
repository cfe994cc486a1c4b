# Two recursions have the same rows if they begin alike and each step makes the same of whatever it reads.
schema dialect=postgres
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
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE NOT manager IS NOT NULL UNION ALL SELECT e.id, e.manager FROM employee e INNER JOIN (SELECT id FROM chain) c ON c.id = e.manager) SELECT c.id FROM chain c
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
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE 7 = whole UNION ALL SELECT p.part, b.qty * p.qty FROM bill b JOIN part_of p ON b.part = p.whole) SELECT part, sum(qty) FROM bill GROUP BY part
----
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE whole = 7 UNION ALL SELECT p.part, p.qty * b.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT part, sum(qty) FROM bill GROUP BY part
----
equivalent

decide
WITH RECURSIVE start AS (SELECT part, qty FROM part_of WHERE whole = 7), bill AS (SELECT * FROM start UNION ALL SELECT p.part, p.qty * b.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT b.part, sum(b.qty) FROM bill b GROUP BY b.part
----
WITH RECURSIVE bill AS (SELECT part, qty FROM part_of WHERE whole = 7 UNION ALL SELECT p.part, p.qty * b.qty FROM part_of p JOIN bill b ON p.whole = b.part) SELECT part, sum(qty) FROM bill GROUP BY part
----
equivalent

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

# Paths that come to no node twice.
decide
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src, dst] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.src = p.dst AND e.dst <> ALL(p.seen)) SELECT dst FROM path
----
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src, dst] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.src = p.dst WHERE NOT e.dst = ANY(p.seen)) SELECT dst FROM path
----
equivalent

decide
WITH RECURSIVE path(a, b, seen) AS (SELECT src, dst, ARRAY[src, dst] FROM edge WHERE 1 = src UNION ALL SELECT e.src, e.dst, seen || e.dst FROM path, edge e WHERE NOT e.dst = ANY(seen) AND b = e.src) SELECT b FROM path
----
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src, dst] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.src = p.dst WHERE NOT e.dst = ANY(p.seen)) SELECT dst FROM path
----
equivalent

decide
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.src = p.dst WHERE NOT e.dst = ANY(p.seen)) SELECT dst FROM path
----
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src, dst] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.src = p.dst WHERE NOT e.dst = ANY(p.seen)) SELECT dst FROM path
----
not_equivalent by=generate

decide
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src, dst] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.dst = p.dst WHERE NOT e.dst = ANY(p.seen)) SELECT dst FROM path
----
WITH RECURSIVE path AS (SELECT src, dst, ARRAY[src, dst] AS seen FROM edge WHERE src = 1 UNION ALL SELECT e.src, e.dst, p.seen || e.dst FROM edge e JOIN path p ON e.src = p.dst WHERE NOT e.dst = ANY(p.seen)) SELECT dst FROM path
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

# The head of each, by a recursion for each row.
decide
SELECT e.id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM up, employee m WHERE up.manager = m.id) SELECT count(*) FROM up) FROM employee e
----
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.manager) SELECT count(*) FROM up) FROM employee e
----
equivalent

decide
SELECT e.id, h.n FROM employee e, LATERAL (WITH RECURSIVE up(a, b) AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.b) SELECT count(*) AS n FROM up) h
----
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.manager) SELECT count(*) FROM up) FROM employee e
----
equivalent

decide
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.manager) SELECT count(manager) FROM up) FROM employee e
----
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.manager) SELECT count(*) FROM up) FROM employee e
----
not_equivalent by=generate

decide
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.manager = up.id) SELECT count(*) FROM up) FROM employee e
----
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.manager) SELECT count(*) FROM up) FROM employee e
----
not_equivalent by=generate

# UNION has no row twice, whichever step makes it.
decide
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM reached r JOIN edge e ON e.src = r.dst) SELECT DISTINCT dst, src FROM reached
----
WITH RECURSIVE reached AS (SELECT src, dst FROM edge UNION SELECT r.src, e.dst FROM edge e JOIN reached r ON r.dst = e.src) SELECT dst, src FROM reached
----
equivalent

# That a column of it is never NULL takes an induction.
decide
SELECT e.id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM up, employee m WHERE up.manager = m.id) SELECT count(id) FROM up) FROM employee e
----
SELECT id, (WITH RECURSIVE up AS (SELECT e.id, e.manager UNION SELECT m.id, m.manager FROM employee m JOIN up ON m.id = up.manager) SELECT count(*) FROM up) FROM employee e
----
undecided NO_PROOF

# Rows that the engine alone compares: a recursion that merges them has a choice where equal ones show otherwise.
schema dialect=postgres
CREATE TABLE node (id INTEGER PRIMARY KEY, above INTEGER REFERENCES node, data JSONB, at INTEGER NOT NULL)

decide
WITH RECURSIVE b AS (SELECT id, data FROM node WHERE id <> $1 UNION (SELECT n.id, n.data FROM node n JOIN b ON n.above = b.id ORDER BY n.at)) SELECT * FROM b
----
WITH RECURSIVE b AS (SELECT id, data FROM node WHERE id = $1 UNION (SELECT n.id, n.data FROM node n JOIN b ON n.above = b.id ORDER BY n.at)) SELECT * FROM b
----
not_equivalent by=generate

decide
WITH RECURSIVE b AS (SELECT data FROM node UNION SELECT n.data FROM b JOIN node n ON n.data = b.data) SELECT data FROM b
----
SELECT DISTINCT ON (data) data FROM node ORDER BY data, id DESC
----
undecided

decide
WITH RECURSIVE b AS (SELECT data FROM node UNION SELECT n.data FROM b JOIN node n ON n.data = b.data) SELECT data FROM b
----
SELECT DISTINCT data FROM node WHERE at > 0
----
not_equivalent by=generate

# A step that takes one row has a choice where several are tied.
decide
WITH RECURSIVE b AS (SELECT id, data FROM node WHERE above IS NULL UNION ALL (SELECT n.id, n.data FROM node n JOIN b ON n.above = b.id ORDER BY n.at LIMIT 1)) SELECT id, data FROM b
----
WITH RECURSIVE b AS (SELECT id, data FROM node WHERE above IS NULL UNION ALL (SELECT n.id, n.data FROM node n JOIN b ON n.above = b.id ORDER BY n.at DESC LIMIT 1)) SELECT id, data FROM b
----
not_equivalent by=generate

decide
WITH RECURSIVE b AS (SELECT id, data FROM node WHERE above IS NULL UNION ALL (SELECT n.id, n.data FROM node n JOIN b ON n.above = b.id ORDER BY n.at LIMIT 1)) SELECT id, data FROM b
----
WITH RECURSIVE b AS (SELECT id, data FROM node WHERE above IS NULL UNION ALL (SELECT n.id, n.data FROM node n JOIN b ON n.above = b.id ORDER BY n.at, n.id LIMIT 1)) SELECT id, data FROM b
----
undecided

decide
WITH RECURSIVE b AS (SELECT id, data, 1::bigint AS n FROM node WHERE above IS NULL UNION ALL SELECT n.id, n.data, row_number() OVER (ORDER BY n.at) FROM node n JOIN b ON n.above = b.id) SELECT id, data, n FROM b
----
WITH RECURSIVE b AS (SELECT id, data, 1::bigint AS n FROM node WHERE above IS NULL UNION ALL SELECT n.id, n.data, row_number() OVER (ORDER BY n.at DESC) FROM node n JOIN b ON n.above = b.id) SELECT id, data, n FROM b
----
not_equivalent by=generate
