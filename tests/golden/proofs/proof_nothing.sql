schema
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, tons INTEGER);
CREATE TABLE port (id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ship (id), city TEXT);
----

# LIMIT 0 yields no row, whatever stands before it.
decide
SELECT name FROM ship LIMIT 0
----
SELECT name FROM ship WHERE 1 = 0
----
equivalent by=proof

# Not even the one row of an aggregate.
decide
SELECT COUNT(*) FROM ship LIMIT 0
----
SELECT tons FROM ship WHERE FALSE
----
equivalent by=proof

# The order of no rows is none.
decide relation=list
SELECT name FROM ship ORDER BY tons LIMIT 0 OFFSET 3
----
SELECT city FROM port WHERE 0
----
equivalent by=proof

# An aggregate over no rows has a row.
decide
SELECT COUNT(*) FROM ship LIMIT 0
----
SELECT COUNT(*) FROM ship WHERE 1 = 0
----
not_equivalent

decide
SELECT name FROM ship LIMIT 0
----
SELECT name FROM ship LIMIT 1
----
not_equivalent

# A negative LIMIT is none.
decide
SELECT name FROM ship LIMIT 0
----
SELECT name FROM ship LIMIT -1
----
not_equivalent

# VALUES under the column names of a CTE.
decide
WITH class (low, word) AS (VALUES (1, 'small'), (100, 'large')) SELECT ship.id FROM ship JOIN class ON ship.tons = class.low
----
SELECT id FROM ship WHERE tons IN (100, 1)
----
equivalent by=proof

# Rows of VALUES are a bag.
decide
WITH class (low) AS (VALUES (1), (1)) SELECT ship.id FROM ship JOIN class ON ship.tons = class.low
----
SELECT id FROM ship WHERE tons = 1
----
not_equivalent

# Several rows of VALUES after another operand.
decide
SELECT tons FROM ship UNION ALL VALUES (1), (2)
----
SELECT 2 UNION ALL SELECT tons FROM ship UNION ALL SELECT 1
----
equivalent

decide
SELECT tons FROM ship UNION ALL VALUES (1), (1)
----
SELECT 1 UNION ALL SELECT tons FROM ship
----
not_equivalent
