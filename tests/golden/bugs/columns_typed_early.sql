# A column of a derived table that hands on a column of a derived table of a query around has no affinity and no
# collation: SQLite types it first. Rules and proof took those of the column that it hands on.
schema
CREATE TABLE person (p INTEGER, q INTEGER, a TEXT, n TEXT COLLATE NOCASE);
----

decide tiers=rules,proof
SELECT COUNT(*) FROM (SELECT * FROM person) u WHERE EXISTS (SELECT 1 FROM (SELECT u.a AS c) w WHERE w.c = 1)
----
SELECT COUNT(*) FROM person u WHERE EXISTS (SELECT 1 FROM (SELECT u.a AS c) w WHERE w.c = 1)
----
undecided UNSUPPORTED

decide tiers=rules,proof
SELECT COUNT(*) FROM (SELECT * FROM person) u WHERE EXISTS (SELECT 1 FROM (SELECT u.n AS c) w WHERE w.c = 'a')
----
SELECT COUNT(*) FROM person u WHERE EXISTS (SELECT 1 FROM (SELECT u.n AS c) w WHERE w.c = 'a')
----
undecided UNSUPPORTED

decide tiers=rules,proof
SELECT COUNT(*) FROM (SELECT * FROM person) u WHERE EXISTS (SELECT 1 FROM (SELECT u.n AS c) w WHERE w.c = 'a')
----
SELECT COUNT(*) FROM person u WHERE n = 'a'
----
undecided UNSUPPORTED

# Joins in parentheses are a derived table of their own.
decide tiers=rules,proof
SELECT t.a, u.a FROM person AS t LEFT JOIN (person AS u JOIN (SELECT 1 AS a) AS q) ON MIN(t.p, t.p) = (SELECT w.c FROM (SELECT u.a AS c) AS w)
----
SELECT t.a, u.a FROM person AS t LEFT JOIN person AS u ON MIN(t.p, t.p) = u.a
----
undecided UNSUPPORTED

decide tiers=rules,proof
WITH u AS (SELECT * FROM person) SELECT (WITH w AS (SELECT u.a AS c) SELECT w.c = 1 FROM w) FROM u
----
SELECT a = 1 FROM person
----
undecided UNSUPPORTED

decide tiers=rules,proof
SELECT (SELECT x.c = 1 FROM (SELECT (SELECT u.a) AS c) x) FROM (SELECT * FROM person) u
----
SELECT a = 1 FROM person
----
undecided UNSUPPORTED

decide tiers=rules,proof
SELECT a FROM (SELECT * FROM person) u WHERE 1 IN (SELECT w.c FROM (SELECT u.a AS c) AS w)
----
SELECT a FROM person u WHERE 1 IN (SELECT w.c FROM (SELECT u.a AS c) AS w)
----
undecided UNSUPPORTED

# A base table's column has its type, and so has what is compared in the query of the derived table itself.
decide
SELECT COUNT(*) FROM person u WHERE EXISTS (SELECT 1 FROM (SELECT u.a AS c) w WHERE w.c = 1)
----
SELECT COUNT(*) FROM person WHERE a = 1
----
equivalent

decide
SELECT COUNT(*) FROM (SELECT * FROM person) u WHERE EXISTS (SELECT 1 FROM (SELECT 1 AS c WHERE u.n = 'a' AND u.a = 1) w)
----
SELECT COUNT(*) FROM person WHERE n = 'a' AND a = 1
----
equivalent

# What names its own type is not typed early.
decide
SELECT (SELECT x.c = '1' FROM (SELECT CAST(u.a AS INTEGER) AS c) x) FROM (SELECT * FROM person) u
----
SELECT CAST(a AS INTEGER) = '1' FROM person
----
equivalent
