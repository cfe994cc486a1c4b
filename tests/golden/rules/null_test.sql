schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=fold_null_test
SELECT id FROM person WHERE city IS NOT NULL
----
SELECT person.id FROM person

norm expect=fold_null_test
SELECT q.c FROM (SELECT city AS c FROM person) AS q WHERE q.c IS NULL
----
SELECT person.city FROM person WHERE 0

# nick is nullable.
norm refuse=fold_null_test needs=operand_is_never_null
SELECT id FROM person WHERE nick IS NOT NULL
----
SELECT person.id FROM person WHERE person.nick IS NOT NULL

# ESM+ 8 asks for NON_NULL alone: an outer join pads a NOT NULL column with NULLs.
norm refuse=fold_null_test needs=operand_is_never_null
SELECT person.id FROM person LEFT JOIN pet ON pet.owner = person.id AND pet.weight > 3 WHERE pet.name IS NULL
----
SELECT person.id FROM person WHERE NOT EXISTS (SELECT 1 FROM pet WHERE pet.owner = person.id AND pet.weight > 3)

# An aggregate query without GROUP BY has a row even if the table has none; its bare columns are NULL then.
norm refuse=fold_null_test needs=operand_is_never_null
SELECT (city || 'x') IS NULL, COUNT(*) FROM person
----
SELECT person.city || 'x' IS NULL, COUNT(*) FROM person

# A constant orders by nothing.
norm expect=fold_null_test
SELECT nick FROM person ORDER BY city IS NULL
----
SELECT person.nick FROM person ORDER BY NULL

norm refuse=fold_null_test needs=loses_no_aggregate
SELECT COUNT(*) IS NULL FROM person
----
SELECT COUNT(*) IS NULL FROM person

decide relation=list
SELECT id FROM person WHERE NULL IS NULL AND age = 3
----
SELECT person.id FROM person WHERE person.age = 3
----
equivalent by=proof

norm expect=convert_is_to_equality
SELECT id FROM person WHERE age IS 3 AND nick IS city
----
SELECT person.id FROM person WHERE person.age = 3 AND person.nick = person.city

# NULL IS NULL.
norm refuse=convert_is_to_equality needs=one_side_is_never_null
SELECT id FROM person WHERE nick IS email
----
SELECT person.id FROM person WHERE person.nick IS person.email

# Under NOT the 0 of IS becomes true.
norm refuse=convert_is_to_equality needs=null_does_not_show
SELECT id FROM person WHERE NOT age IS 3
----
SELECT person.id FROM person WHERE NOT (person.age IS 3)

norm expect=convert_self_comparison
SELECT id FROM person WHERE age = age AND NOT nick < nick
----
SELECT person.id FROM person WHERE person.age IS NOT NULL AND person.nick IS NOT NULL

norm refuse=convert_self_comparison needs=stands_in_condition
SELECT age = age FROM person
----
SELECT person.age = person.age FROM person

norm expect=eliminate_implied_null_test
SELECT id FROM person WHERE nick LIKE 'a%' AND nick IS NOT NULL
----
SELECT person.id FROM person WHERE person.nick LIKE 'a%'

norm expect=eliminate_implied_null_test
SELECT id FROM person WHERE age IN (1, 2) AND age IS NOT NULL
----
SELECT person.id FROM person WHERE person.age IN (1, 2)

# The other conjunct lets NULL pass.
norm refuse=eliminate_implied_null_test
SELECT id FROM person WHERE (nick = 'a' OR nick IS NULL) AND age IS NOT NULL
----
SELECT person.id FROM person WHERE person.age IS NOT NULL AND (person.nick = 'a' OR person.nick IS NULL)

# In the result the NULL shows.
norm refuse=eliminate_implied_null_test needs=stands_in_condition
SELECT nick = 'a' AND nick IS NOT NULL FROM person
----
SELECT person.nick = 'a' AND person.nick IS NOT NULL FROM person

# NOT IN an empty subquery is true even of NULL.
norm refuse=eliminate_implied_null_test
SELECT id FROM person WHERE age NOT IN (SELECT owner FROM pet) AND age IS NOT NULL
----
SELECT person.id FROM person WHERE person.age NOT IN (SELECT pet.owner FROM pet) AND person.age IS NOT NULL

decide relation=list
SELECT id FROM person WHERE nick = 'a' AND nick IS NULL
----
SELECT person.id FROM person WHERE 0
----
equivalent by=proof

decide relation=list
SELECT person.nick = 'a' AND person.nick IS NULL AS expr FROM person
----
SELECT 0 AS expr FROM person
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE nick IS NOT NULL
----
SELECT id FROM person
----
not_equivalent by=generate

decide
SELECT name FROM pet WHERE name IS NOT NULL
----
SELECT name FROM pet
----
equivalent by=rules

# COALESCE of all columns that may be NULL is not a test of one.
decide
SELECT id FROM person WHERE nick IS email
----
SELECT id FROM person WHERE nick = email
----
not_equivalent by=generate
