# What is open because equal texts are chosen from is settled where there are no rows to choose from.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);

decide
SELECT MAX(name) FROM t
----
SELECT name FROM t ORDER BY name DESC LIMIT 1
----
not_equivalent by=generate

# With rows the choice between 'a' and 'A' is open.
decide
SELECT MAX(name) FROM t HAVING COUNT(*) > 0
----
SELECT name FROM t ORDER BY name DESC LIMIT 1
----
undecided UNSUPPORTED

# Constants have rows without a table.
decide
SELECT MAX(name) FROM t
----
SELECT MAX(x COLLATE NOCASE) FROM (SELECT 'a' AS x UNION ALL SELECT 'A') q WHERE 1 = 0
----
undecided UNSUPPORTED

decide
SELECT MAX(name), RANDOM() FROM t
----
SELECT MAX(name), 1 FROM t
----
undecided UNSUPPORTED
