# UNION and GROUP BY merge 1 with 1.0; which of the two they keep is free, and shows through / and typeof.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, r REAL);

decide
SELECT x / 2 FROM (SELECT 1 AS x UNION SELECT 1.0)
----
SELECT x / 2 FROM (SELECT 1.0 AS x UNION SELECT 1)
----
undecided

decide
SELECT typeof(x) FROM (SELECT v AS x FROM t UNION SELECT r FROM t)
----
SELECT typeof(x) FROM (SELECT r AS x FROM t UNION SELECT v FROM t)
----
undecided
