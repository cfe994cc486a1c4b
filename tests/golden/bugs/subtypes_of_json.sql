# A subquery hands on a value, and not that it is JSON: inlining it makes another array.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT, g AS (json(j)))

decide
SELECT json_array(x) FROM (SELECT json(j) AS x FROM t)
----
SELECT json_array(json(j)) FROM t
----
not_equivalent

decide
WITH q AS (SELECT json(j) AS x FROM t) SELECT json_array(x) FROM q
----
SELECT json_array(json(j)) FROM t
----
not_equivalent

decide
SELECT json_array(j) FROM t WHERE j = json(j)
----
SELECT json_array(json(j)) FROM t WHERE j = json(j)
----
not_equivalent

decide
SELECT json_array(g) FROM t WHERE j = g
----
SELECT json_array(j) FROM t WHERE j = g
----
not_equivalent by=generate
