schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=fold_not_literal
SELECT id FROM person WHERE NOT 0 AND age = 3
----
SELECT person.id FROM person WHERE person.age = 3

norm refuse=fold_not_literal
SELECT NOT 'abc' FROM person
----
SELECT NOT 'abc' FROM person

norm expect=push_not_into_comparison
SELECT id FROM person WHERE NOT nick = 'a' AND NOT score < 3
----
SELECT person.id FROM person WHERE person.score >= 3 AND person.nick <> 'a'

# IS is true of NULLs, so its negation is not IS of something.
norm refuse=push_not_into_comparison
SELECT id FROM person WHERE NOT nick IS 'a'
----
SELECT person.id FROM person WHERE NOT (person.nick IS 'a')

norm expect=push_not_into_chain
SELECT id FROM person WHERE NOT (nick = 'a' AND active IS NULL)
----
SELECT person.id FROM person WHERE person.nick <> 'a' OR person.active IS NOT NULL

norm refuse=push_not_into_chain
SELECT id FROM person WHERE NOT EXISTS (SELECT 1 FROM pet WHERE owner = person.id)
----
SELECT person.id FROM person WHERE NOT EXISTS (SELECT 1 FROM pet WHERE pet.owner = person.id)

decide relation=list
SELECT id FROM person WHERE NOT NOT active
----
SELECT person.id FROM person WHERE person.active
----
equivalent by=proof

# NOT NOT 7 is 1.
decide relation=list
SELECT NOT (NOT person.age) AS expr FROM person
----
SELECT person.age AS expr FROM person
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE NOT (age > 3 OR nick = 'a')
----
SELECT id FROM person WHERE age <= 3 AND nick <> 'a'
----
equivalent by=rules
