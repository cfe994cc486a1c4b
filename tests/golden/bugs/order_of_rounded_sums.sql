# Without exact_arithmetic a sum of REALs depends on the order in which the rows are added, which a join settles.
schema rounding=strict
CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER);
CREATE TABLE g (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), r REAL, n INTEGER);

decide
SELECT SUM(g.r) > 0.6 FROM a CROSS JOIN g WHERE g.a_id = a.id
----
SELECT SUM(g.r) > 0.6 FROM g CROSS JOIN a WHERE g.a_id = a.id
----
undecided

decide
SELECT a.n FROM a WHERE (SELECT SUM(g.r) FROM a CROSS JOIN g WHERE g.a_id = a.id)
  = (SELECT SUM(g.r) FROM g CROSS JOIN a WHERE g.a_id = a.id)
----
SELECT a.n FROM a WHERE (SELECT SUM(g.r) FROM a CROSS JOIN g WHERE g.a_id = a.id) IS NOT NULL
----
undecided

decide
SELECT AVG(g.n) > 1 FROM a CROSS JOIN g WHERE g.a_id = a.id
----
SELECT AVG(g.n) > 1 FROM g CROSS JOIN a WHERE g.a_id = a.id
----
undecided

decide
SELECT SUM(g.n) > 1 FROM a CROSS JOIN g WHERE g.a_id = a.id
----
SELECT SUM(g.n) > 1 FROM g CROSS JOIN a WHERE g.a_id = a.id
----
equivalent

decide
SELECT SUM(g.r) > 0.6 FROM g WHERE g.n = 1
----
SELECT sum(r) > 0.6 FROM g AS g WHERE n = 1
----
equivalent
