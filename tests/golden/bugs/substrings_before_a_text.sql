# Without a length SUBSTR takes the connection's longest text for one, which was shorter here than SQLite's default:
# SUBSTR('abc', -20000000) was '' instead of 'abc'.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, a INTEGER);

decide
SELECT SUBSTR('abc', -20000000)
----
SELECT ''
----
undecided

decide tiers=proof
SELECT SUBSTR('abc', -200000)
----
SELECT ''
----
undecided

decide
SELECT SUBSTR('abc', -200000)
----
SELECT 'abc'
----
equivalent

# Where the text ends here, and not by default, nothing is said.
decide
SELECT SUBSTR(s, -20000000) FROM t
----
SELECT s FROM t
----
undecided

decide
SELECT SUBSTR(s, a) FROM t WHERE a = -20000000
----
SELECT s FROM t WHERE a = -20000000
----
undecided

# By default it ends, too.
decide
SELECT SUBSTR(s, -2000000000) FROM t
----
SELECT s FROM t
----
not_equivalent
