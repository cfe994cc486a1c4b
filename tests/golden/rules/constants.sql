schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=fold_number_spelling
SELECT id FROM person WHERE score = 1.50
----
SELECT person.id FROM person WHERE person.score = 1.5

# 1.0 is REAL and 1 is not: beside / they differ.
norm refuse=fold_number_spelling
SELECT 7 / 2.0 FROM person
----
SELECT 7.0 / 2 FROM person

decide
SELECT age / 2.0 FROM person
----
SELECT age / 2 FROM person
----
not_equivalent by=generate

norm expect=fold_integer_arithmetic
SELECT id FROM person WHERE age = -7 / 2
----
SELECT person.id FROM person WHERE person.age = -3

norm expect=fold_integer_arithmetic
SELECT id FROM person WHERE age = -7 % 3 + 2 * 5 - 1
----
SELECT person.id FROM person WHERE person.age = 8

# x / 0 is NULL, not an error.
norm expect=fold_integer_arithmetic
SELECT 1 / 0 FROM person
----
SELECT NULL FROM person

# Past 64 bits the sum is REAL.
norm refuse=fold_integer_arithmetic
SELECT 9223372036854775807 + 1 FROM person
----
SELECT 1 + 9223372036854775807 FROM person

# The constant 1 + 1 orders by nothing; a literal 2 in SQL would order by the second column.
norm expect=fold_integer_arithmetic
SELECT city, id FROM person ORDER BY 1 + 1
----
SELECT person.city, person.id FROM person ORDER BY NULL

decide relation=list
SELECT id FROM person WHERE nick = 'a' || 'b'
----
SELECT person.id FROM person WHERE person.nick = 'ab'
----
equivalent by=proof

norm expect=fold_literal_comparison
SELECT id FROM person WHERE 1 = 1 AND 'a' < 'b'
----
SELECT person.id FROM person

# Text and number have no order that this rule knows ('1' = 1 is false).
norm refuse=fold_literal_comparison
SELECT '1' = 1 FROM person
----
SELECT '1' = 1 FROM person

decide relation=list
SELECT id FROM person WHERE age = - -3
----
SELECT person.id FROM person WHERE person.age = 3
----
equivalent by=proof

# Truncation, not the floor.
decide
SELECT id FROM person WHERE age = -7 / 2
----
SELECT id FROM person WHERE age = -4
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE age = -7 / 2
----
SELECT id FROM person WHERE age = -3
----
equivalent by=rules
