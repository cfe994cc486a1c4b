# A bare column whose row is chosen at random must keep its affinity: an INTEGER column equals '5' where it is 5.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT, v INTEGER);

decide
SELECT g FROM t GROUP BY g HAVING v = '5'
----
SELECT g FROM t WHERE v = 5 AND id IN (SELECT MAX(id) FROM t GROUP BY g)
----
undecided NONDETERMINISTIC

decide
SELECT q.g FROM (SELECT g, v FROM t GROUP BY g) AS q WHERE q.v = '5'
----
SELECT g FROM t WHERE v = 5 AND id IN (SELECT MAX(id) FROM t GROUP BY g)
----
undecided NONDETERMINISTIC
