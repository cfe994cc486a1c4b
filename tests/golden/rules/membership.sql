schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_single_in
SELECT id FROM person WHERE tag IN (5)
----
SELECT person.id FROM person WHERE person.tag = 5

# In x IN (y) the right side has no affinity, in x = y it has.
norm refuse=convert_single_in needs=lists_one_literal
SELECT id FROM person WHERE tag IN (age)
----
SELECT person.id FROM person WHERE person.tag IN (person.age)

norm expect=eliminate_duplicate_member
SELECT id FROM person WHERE age IN (5, 7, 5)
----
SELECT person.id FROM person WHERE person.age IN (5, 7)

norm refuse=eliminate_duplicate_member
SELECT id FROM person WHERE tag IN (5, '5')
----
SELECT person.id FROM person WHERE person.tag IN (5, '5')

decide relation=list
SELECT id FROM person WHERE age IN (5, 7, NULL)
----
SELECT person.id FROM person WHERE person.age IN (5, 7)
----
equivalent by=proof

# NOT IN a list with NULL is never true.
decide relation=list
SELECT person.age IN (5, 7, NULL) AS expr FROM person
----
SELECT person.age IN (5, 7) AS expr FROM person
----
not_equivalent by=generate

decide relation=list
SELECT id FROM person WHERE NOT age IN (5, NULL)
----
SELECT person.id FROM person WHERE 0
----
equivalent by=proof

decide relation=list
SELECT person.id AS id FROM person WHERE person.age NOT IN (5, 7)
----
SELECT person.id AS id FROM person WHERE 0
----
not_equivalent by=generate

norm expect=merge_equalities
SELECT id FROM person WHERE age = 5 OR age = 7 OR age IN (8, 9) OR nick = 'a'
----
SELECT person.id FROM person WHERE person.nick = 'a' OR person.age IN (5, 7, 8, 9)

norm expect=merge_equalities
SELECT id FROM person WHERE age <> 5 AND NOT age IN (7, 8)
----
SELECT person.id FROM person WHERE person.age NOT IN (5, 7, 8)

# Not one operand; not a literal.
norm refuse=merge_equalities
SELECT id FROM person WHERE age = 5 OR score = 7 OR age = id
----
SELECT person.id FROM person WHERE person.age = person.id OR person.age = 5 OR person.score = 7

decide relation=list
SELECT id FROM person WHERE age IN (5, 7, 9) AND score > 1 AND age > 6
----
SELECT person.id FROM person WHERE person.age IN (7, 9) AND person.score > 1
----
equivalent by=proof

# ESM+ 15 holds for literals.
decide
SELECT id FROM person WHERE age NOT IN (1, 2)
----
SELECT id FROM person WHERE age <> 1 AND age <> 2
----
equivalent by=rules

# ESM+ 15 says x, y; a column on the right brings an affinity to =, not to IN.
decide
SELECT id FROM person WHERE tag IN (age)
----
SELECT id FROM person WHERE tag = age
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE age NOT IN (1, NULL)
----
SELECT id FROM person WHERE age <> 1
----
not_equivalent by=generate
