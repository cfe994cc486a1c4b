# Without a length SUBSTR reads to the end of the text. Before, SQLite took the connection's longest text for a length, by
# which SUBSTR('abc', -20000000) was '' under a limit lower than SQLite's default, and SUBSTR(s, -2000000000) under any.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, a INTEGER);

decide
SELECT SUBSTR('abc', -20000000)
----
SELECT ''
----
not_equivalent

decide tiers=proof
SELECT SUBSTR('abc', -2000000000)
----
SELECT ''
----
undecided

decide
SELECT SUBSTR('abc', -2000000000)
----
SELECT 'abc'
----
equivalent

decide
SELECT SUBSTR(s, -2000000000, 5) FROM t
----
SELECT s FROM t
----
not_equivalent

# Where the text begins is not known to be before it.
decide
SELECT SUBSTR(s, a) FROM t WHERE a = -20000000
----
SELECT s FROM t WHERE a = -20000000
----
undecided
