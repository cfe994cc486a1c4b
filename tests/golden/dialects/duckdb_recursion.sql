# DuckDB lets a step read itself twice, and in subqueries.
schema dialect=duckdb
CREATE TABLE employee (id INTEGER PRIMARY KEY, manager INTEGER REFERENCES employee, name VARCHAR NOT NULL);
CREATE TABLE edge (src INTEGER NOT NULL, dst INTEGER NOT NULL, weight INTEGER, PRIMARY KEY (src, dst))

# Everybody below a manager, in DuckDB.
decide
WITH RECURSIVE below(id, boss) AS (SELECT b.id, b.manager FROM employee AS b WHERE b.manager IS NULL UNION ALL SELECT e.id, e.manager FROM below AS b, employee AS e WHERE b.id = e.manager) SELECT id FROM below
----
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
equivalent

decide
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NOT NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
WITH RECURSIVE chain AS (SELECT id, manager FROM employee WHERE manager IS NULL UNION ALL SELECT e.id, e.manager FROM employee e JOIN chain c ON e.manager = c.id) SELECT id FROM chain
----
not_equivalent by=generate

# The relation joined with itself.
decide
WITH RECURSIVE r AS (SELECT src, dst FROM edge WHERE src = 1 UNION SELECT a.src, b.dst FROM r b, r a WHERE b.src = a.dst) SELECT src, dst FROM r
----
WITH RECURSIVE r AS (SELECT src, dst FROM edge WHERE src = 1 UNION SELECT a.src, b.dst FROM r a JOIN r b ON a.dst = b.src) SELECT src, dst FROM r
----
equivalent

decide
WITH RECURSIVE r AS (SELECT src, dst FROM edge WHERE src = 1 UNION SELECT a.src, a.dst FROM r a JOIN r b ON a.dst = b.src) SELECT src, dst FROM r
----
WITH RECURSIVE r AS (SELECT src, dst FROM edge WHERE src < 3 UNION SELECT DISTINCT a.src, b.dst FROM r a JOIN r b ON a.dst = b.src) SELECT src, dst FROM r
----
not_equivalent by=generate

# A step that looks into itself.
decide
WITH RECURSIVE r AS (SELECT id, manager FROM employee WHERE id = 1 UNION SELECT id, manager FROM employee WHERE EXISTS (SELECT 1 FROM r WHERE r.id = employee.manager)) SELECT id FROM r
----
WITH RECURSIVE r AS (SELECT id, manager FROM employee WHERE id = 1 UNION SELECT id, manager FROM employee WHERE manager IN (SELECT id FROM r)) SELECT id FROM r
----
equivalent

decide
WITH RECURSIVE r AS (SELECT id, manager FROM employee WHERE id = 1 UNION SELECT id, manager FROM employee WHERE id IN (SELECT manager FROM r)) SELECT id FROM r
----
WITH RECURSIVE r AS (SELECT id, manager FROM employee WHERE id = 1 UNION SELECT id, manager FROM employee WHERE manager IN (SELECT id FROM r)) SELECT id FROM r
----
not_equivalent by=generate

# What a step makes is converted to what it began with.
decide
WITH RECURSIVE r AS (SELECT src, 1 AS n FROM edge UNION ALL SELECT e.dst, n + weight * 1.5 FROM edge e JOIN r ON e.src = r.src WHERE n < 4) SELECT * FROM r
----
WITH RECURSIVE r AS (SELECT src, 1 AS n FROM edge UNION ALL SELECT e.dst, n + weight FROM edge e JOIN r ON e.src = r.src WHERE n < 4) SELECT * FROM r
----
not_equivalent by=generate
