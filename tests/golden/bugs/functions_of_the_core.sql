schema
CREATE TABLE t (a INTEGER, s TEXT)
----

# The core's functions for other dialects are known to its connections: SQLite itself lacks them.
decide
SELECT CORE_SPLIT_PART(s, ' ', 1) FROM t
----
SELECT s FROM t
----
invalid by=parse

decide
SELECT a FROM t
----
SELECT "core_split_part" (s, ' ', 1) FROM t
----
undecided GOLD_INVALID
