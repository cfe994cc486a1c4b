# Distinct rows that have the MIN or MAX of their group are the groups, each with its MIN or MAX.
schema
CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT);
CREATE TABLE s (id INTEGER PRIMARY KEY, c INTEGER, t INTEGER, n INTEGER NOT NULL, g INTEGER NOT NULL, x REAL NOT NULL, u NOT NULL, m NUMERIC NOT NULL, name TEXT COLLATE NOCASE NOT NULL, pid INTEGER REFERENCES p(id));

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g)
----
equivalent by=proof

decide
SELECT g, MIN(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE n = (SELECT MIN(n) FROM s s2 WHERE s2.g = s.g)
----
equivalent by=proof

decide
SELECT c, MAX(n) FROM s GROUP BY c
----
SELECT DISTINCT c, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.c IS s.c)
----
equivalent by=proof

decide
SELECT g, MAX(t) FROM s GROUP BY g HAVING MAX(t) IS NOT NULL
----
SELECT DISTINCT g, t FROM s WHERE t = (SELECT MAX(t) FROM s s2 WHERE s2.g = s.g)
----
equivalent by=proof

decide
SELECT g, MAX(n) FROM s WHERE t > 1 GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE t > 1 AND n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g AND s2.t > 1)
----
equivalent by=proof

decide
SELECT g, c, MAX(n) FROM s GROUP BY g, c
----
SELECT DISTINCT g, c, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g AND s2.c IS s.c)
----
equivalent by=proof

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM (SELECT g, n, RANK() OVER (PARTITION BY g ORDER BY n DESC) AS r FROM s) q WHERE r = 1
----
equivalent by=proof

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT a.g, a.n FROM s a LEFT JOIN s b ON b.g = a.g AND b.n > a.n WHERE b.id IS NULL
----
equivalent by=proof

decide
SELECT COUNT(*) FROM (SELECT DISTINCT g, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g)) q
----
SELECT COUNT(DISTINCT g) FROM s
----
equivalent by=proof

decide
SELECT p.k, q.n FROM p JOIN (SELECT DISTINCT g, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g)) q ON q.g = p.id
----
SELECT p.k, q.n FROM p JOIN (SELECT g, MAX(n) AS n FROM s GROUP BY g) q ON q.g = p.id
----
equivalent by=proof

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g) AND t > 1
----
not_equivalent

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g AND s2.t > 1)
----
not_equivalent

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g >= s.g)
----
not_equivalent

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s WHERE t = (SELECT MAX(t) FROM s s2 WHERE s2.g = s.g)
----
not_equivalent

decide
SELECT c, MAX(n) FROM s GROUP BY c
----
SELECT DISTINCT c, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.c = s.c)
----
not_equivalent

decide
SELECT g, MAX(t) FROM s GROUP BY g
----
SELECT DISTINCT g, t FROM s WHERE t = (SELECT MAX(t) FROM s s2 WHERE s2.g = s.g)
----
not_equivalent

decide
SELECT g, c, MAX(n) FROM s GROUP BY g, c
----
SELECT DISTINCT g, c, n FROM s WHERE n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g)
----
not_equivalent

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT s.g, s.n FROM s JOIN p ON p.id = s.pid WHERE s.n = (SELECT MAX(n) FROM s s2 WHERE s2.g = s.g)
----
not_equivalent

decide
SELECT g, MAX(n) FROM s GROUP BY g
----
SELECT DISTINCT g, n FROM s a WHERE NOT EXISTS (SELECT 1 FROM s b WHERE b.g = a.g AND b.n > a.n AND b.t = 1)
----
not_equivalent

# Names that NOCASE takes for equal are several.
decide
SELECT g, MAX(name) FROM s GROUP BY g
----
SELECT DISTINCT g, name COLLATE BINARY FROM s WHERE name = (SELECT MAX(name) FROM s s2 WHERE s2.g = s.g)
----
undecided UNSUPPORTED
