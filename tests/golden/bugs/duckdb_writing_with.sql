# A WITH that writes was run on the database of a witness: the rows that it deleted were missing afterwards.
schema dialect=duckdb
CREATE TABLE t (a INTEGER)

decide
WITH x AS (DELETE FROM t RETURNING a) SELECT a FROM x
----
SELECT a FROM t
----
undecided UNSUPPORTED
