# For x = 3, x * 0.1 * 3 rounds to more than 0.9; a text that is not read is not computed without rounding.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER);

decide
SELECT id FROM t WHERE x * 0.1 * 3 > 0.3 * x AND EXISTS (SELECT +x)
----
SELECT id FROM t WHERE 0
----
undecided UNSUPPORTED
