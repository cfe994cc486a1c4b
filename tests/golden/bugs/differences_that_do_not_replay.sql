# Of texts that are equal without regard to case, a UNIQUE column under NOCASE holds one: no error of the search.
schema
CREATE TABLE guest (n INTEGER, nick TEXT COLLATE NOCASE UNIQUE, note NOT NULL, city TEXT NOT NULL);
----

decide relation=bag
SELECT DISTINCT city FROM guest WHERE nick = 'ab' UNION SELECT city FROM guest WHERE nick = 'ab'
----
SELECT city FROM guest WHERE nick = 'ab' OR nick = 'ab'
----
undecided NO_PROOF

# A date is text in a numeric column. As the key of a group it is the one of its group: what overflows apart, no two
# numbers of such a column are equal and not the same.
schema
CREATE TABLE person (p INTEGER NOT NULL, q INTEGER NOT NULL, a DATE UNIQUE, b TEXT NOT NULL, PRIMARY KEY (p, q));
CREATE TABLE city (id INTEGER PRIMARY KEY, a INTEGER, b TEXT UNIQUE, c INTEGER CHECK (c >= 0));
----

decide relation=bag
WITH t3 AS (SELECT person_2.q AS c0, person.q AS c1, COUNT(DISTINCT person.b) AS n FROM person JOIN person AS person_2 ON person.q > person_2.q WHERE (SELECT COUNT(*) AS expr FROM city WHERE city.id = city.c) = 0 GROUP BY person_2.q, person.q) SELECT t3.c1 / 2 AS expr, t5.c0 AS c0 FROM t3 JOIN (SELECT person_3.a AS c0, person_3.b AS c1, person_3.q AS c2, COUNT(DISTINCT person_3.q) AS n FROM person AS person_3 WHERE (person_3.b <> person_3.b) GROUP BY person_3.a, person_3.b, person_3.q) AS t5 ON t3.c0 = t5.n
----
SELECT * FROM (WITH t3 AS (SELECT t2.q AS c0, t1.q AS c1, COUNT(DISTINCT t1.b) AS n FROM person AS t1 JOIN person AS t2 ON t1.q > t2.q WHERE 1 AND ((SELECT COUNT(*) FROM city AS s1 WHERE (s1.id = s1.c)) = 0) GROUP BY t2.q, t1.q) SELECT t4.c1 / 2, t5.c0 FROM t3 AS t4 JOIN (SELECT t6.a AS c0, t6.b AS c1, t6.q AS c2, COUNT(DISTINCT t6.q) AS n FROM person AS t6 GROUP BY t6.a, t6.b, t6.q) AS t5 ON t4.c0 = t5.n) AS w
----
not_equivalent by=generate

# Without that fact it may be any number of its group, affinity and all, which text has not.
schema rounding=strict
CREATE TABLE person (p INTEGER NOT NULL, q INTEGER NOT NULL, a DATE UNIQUE, b TEXT NOT NULL, PRIMARY KEY (p, q));
CREATE TABLE city (id INTEGER PRIMARY KEY, a INTEGER, b TEXT UNIQUE, c INTEGER CHECK (c >= 0));
----

decide relation=bag
WITH t3 AS (SELECT person_2.q AS c0, person.q AS c1, COUNT(DISTINCT person.b) AS n FROM person JOIN person AS person_2 ON person.q > person_2.q WHERE (SELECT COUNT(*) AS expr FROM city WHERE city.id = city.c) = 0 GROUP BY person_2.q, person.q) SELECT t3.c1 / 2 AS expr, t5.c0 AS c0 FROM t3 JOIN (SELECT person_3.a AS c0, person_3.b AS c1, person_3.q AS c2, COUNT(DISTINCT person_3.q) AS n FROM person AS person_3 WHERE (person_3.b <> person_3.b) GROUP BY person_3.a, person_3.b, person_3.q) AS t5 ON t3.c0 = t5.n
----
SELECT * FROM (WITH t3 AS (SELECT t2.q AS c0, t1.q AS c1, COUNT(DISTINCT t1.b) AS n FROM person AS t1 JOIN person AS t2 ON t1.q > t2.q WHERE 1 AND ((SELECT COUNT(*) FROM city AS s1 WHERE (s1.id = s1.c)) = 0) GROUP BY t2.q, t1.q) SELECT t4.c1 / 2, t5.c0 FROM t3 AS t4 JOIN (SELECT t6.a AS c0, t6.b AS c1, t6.q AS c2, COUNT(DISTINCT t6.q) AS n FROM person AS t6 GROUP BY t6.a, t6.b, t6.q) AS t5 ON t4.c0 = t5.n) AS w
----
undecided UNSUPPORTED
