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

# The nth row, from a key or among ties: NULL where the frame, which ends with the row's peers, does not reach it.
schema
CREATE TABLE w (id INTEGER PRIMARY KEY, a INT, b INT)

decide
SELECT id, NTH_VALUE(b, 2) OVER (ORDER BY id) FROM w
----
SELECT id, NTH_VALUE(b, 2) OVER (ORDER BY id DESC) FROM w
----
not_equivalent by=generate

decide
SELECT id, NTH_VALUE(a, 2) OVER (ORDER BY a) FROM w
----
SELECT id, NTH_VALUE(a, 2) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM w
----
not_equivalent by=generate

decide
SELECT id, NTH_VALUE(b, 2) OVER (ORDER BY a) FROM w
----
SELECT id, NTH_VALUE(b, 2) OVER (ORDER BY a) FROM w WHERE id > 0 OR id <= 0
----
undecided NONDETERMINISTIC
