schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

decide relation=list
SELECT id FROM person WHERE nick LIKE '%' AND age LIKE '%'
----
SELECT person.id FROM person WHERE person.age IS NOT NULL AND person.nick IS NOT NULL
----
equivalent by=proof

decide relation=list
SELECT person.nick LIKE '%' AS expr FROM person
----
SELECT person.nick IS NOT NULL AS expr FROM person
----
not_equivalent by=generate

# LIKE ignores case.
decide
SELECT id FROM person WHERE nick LIKE 'abc'
----
SELECT id FROM person WHERE nick = 'abc'
----
not_equivalent by=generate

# So a prefix pattern is no comparison of the first characters.
decide
SELECT id FROM person WHERE nick LIKE 'te%'
----
SELECT id FROM person WHERE SUBSTR(nick, 1, 2) = 'te'
----
not_equivalent by=generate

norm expect=fold_pattern_case
SELECT id FROM person WHERE nick LIKE '%North%' OR photo LIKE 'Ä_B'
----
SELECT person.id FROM person WHERE person.nick LIKE '%north%' OR person.photo LIKE 'Ä_b'

norm refuse=fold_pattern_case
SELECT id FROM person WHERE nick GLOB '*North*'
----
SELECT person.id FROM person WHERE person.nick GLOB '*North*'

# The character that escapes has a case.
norm refuse=fold_pattern_case
SELECT id FROM person WHERE nick LIKE 'aE%' ESCAPE 'E'
----
SELECT person.id FROM person WHERE person.nick LIKE 'aE%' ESCAPE 'E'

decide
SELECT id FROM person WHERE nick LIKE 'Ä%'
----
SELECT id FROM person WHERE nick LIKE 'ä%'
----
not_equivalent by=generate
