# A value of a domain is compared, cast and given to functions as one of the type below it; its CHECKs hold of its columns.
schema dialect=postgres
CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
CREATE DOMAIN digit AS positive CHECK (VALUE < 10);
CREATE DOMAIN mail AS text CHECK (VALUE LIKE '%@%');
CREATE TABLE person (id bigint PRIMARY KEY, age positive, grade digit, email mail, size int)

decide
SELECT id FROM person WHERE age + 1 > 2
----
SELECT id FROM person WHERE 1 < age
----
equivalent

decide
SELECT id FROM person WHERE age > 0
----
SELECT id FROM person WHERE age IS NOT NULL
----
equivalent

# Of a domain over a domain both CHECKs hold.
decide
SELECT id FROM person WHERE grade < 3
----
SELECT id FROM person WHERE grade IN (1, 2)
----
equivalent

decide
SELECT id FROM person WHERE age < 3
----
SELECT id FROM person WHERE age IN (2, 3)
----
not_equivalent

decide
SELECT id FROM person WHERE lower(email) = 'a@b'
----
SELECT id FROM person WHERE 'a@b' = lower(email::text)
----
equivalent

decide
SELECT id FROM person WHERE email LIKE '%@%'
----
SELECT id FROM person
----
not_equivalent

decide
SELECT age, count(*) FROM person GROUP BY age
----
SELECT age::int, count(id) FROM person GROUP BY age::int
----
equivalent

# A function of any type sees the domain.
decide
SELECT pg_typeof(age)::text FROM person
----
SELECT pg_typeof(age::int)::text FROM person
----
not_equivalent

decide
SELECT id FROM person WHERE size IN (SELECT age FROM person WHERE email = 'a@b')
----
SELECT id FROM person p WHERE EXISTS (SELECT 1 FROM person q WHERE q.email = 'a@b' AND q.age = p.size)
----
equivalent

decide
SELECT id FROM person WHERE size NOT IN (SELECT age FROM person)
----
SELECT id FROM person p WHERE NOT EXISTS (SELECT 1 FROM person q WHERE q.age = p.size)
----
not_equivalent

# PostgreSQL itself makes a value one of a domain, which may fail.
decide
SELECT size::positive FROM person
----
SELECT size FROM person
----
undecided UNSUPPORTED
