# Frames by tied rows (RANGE, GROUPS, EXCLUDE): a random last sort key would split the ties that the frame is made of.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT, v INTEGER);

decide
SELECT SUM(v) OVER (ORDER BY g GROUPS CURRENT ROW), (SELECT id FROM t LIMIT 1) FROM t
----
SELECT SUM(v) OVER (PARTITION BY g), (SELECT id FROM t ORDER BY id DESC LIMIT 1) FROM t
----
undecided

decide
SELECT LAST_VALUE(id) OVER (ORDER BY v) FROM t
----
SELECT MIN(id) OVER (PARTITION BY v) FROM t
----
undecided NONDETERMINISTIC

decide
SELECT LAST_VALUE(id) OVER (PARTITION BY g) FROM t
----
SELECT MIN(id) OVER (PARTITION BY g) FROM t
----
undecided NONDETERMINISTIC
