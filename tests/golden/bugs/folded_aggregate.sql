schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)
----

# SQLite's parser makes 0 of "x AND 0" and of "x IN ()": the aggregate is gone, and each row of t gives a row.
decide
SELECT COUNT(*) > 3 AND 0 FROM t
----
SELECT COUNT(*) > 3 AND 0 FROM t LIMIT 1
----
undecided UNSUPPORTED

decide
SELECT COUNT(*) IN () FROM t
----
SELECT 0
----
undecided UNSUPPORTED

# FALSE is a name to the parser, so nothing is folded.
decide
SELECT COUNT(*) > 3 AND FALSE FROM t
----
SELECT COUNT(*) > 3 AND FALSE FROM t LIMIT 1
----
equivalent by=proof
