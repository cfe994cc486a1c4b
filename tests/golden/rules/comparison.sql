schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

decide relation=list
SELECT id FROM person WHERE 'a' < nick
----
SELECT person.id FROM person WHERE person.nick > 'a'
----
equivalent by=proof

norm expect=convert_between
SELECT id FROM person WHERE nick BETWEEN 'a' AND 'c'
----
SELECT person.id FROM person WHERE person.nick <= 'c' AND person.nick >= 'a'

norm refuse=convert_between needs=subject_is_repeatable
SELECT id FROM person WHERE (SELECT weight FROM pet) BETWEEN 1 AND 3
----
SELECT person.id FROM person WHERE (SELECT pet.weight FROM pet) BETWEEN 1 AND 3

# ESM+ 19 holds as stated: BETWEEN is inclusive on both sides.
decide
SELECT id FROM person WHERE score BETWEEN 3 AND 5
----
SELECT id FROM person WHERE score > 3 AND score < 5
----
not_equivalent by=generate

norm expect=fold_null_operand
SELECT id FROM person WHERE NOT nick = NULL
----
SELECT person.id FROM person WHERE NULL

norm refuse=fold_null_operand
SELECT id FROM person WHERE NOT nick IS NULL
----
SELECT person.id FROM person WHERE person.nick IS NOT NULL

# COUNT(*) + NULL is one row, NULL alone one for each row of the table.
norm refuse=fold_null_operand needs=loses_no_aggregate
SELECT COUNT(*) + NULL FROM person
----
SELECT COUNT(*) + NULL FROM person

norm expect=convert_numeric_text
SELECT id FROM person WHERE age = '05' AND score > '1.50'
----
SELECT person.id FROM person WHERE person.age = 5 AND person.score > 1.5

norm expect=convert_numeric_text
SELECT id FROM person WHERE age IN ('5', '7')
----
SELECT person.id FROM person WHERE person.age IN (5, 7)

# ESM+ 11 does not ask for a numeric column: without affinity 5 is not '5'.
norm refuse=convert_numeric_text needs=subject_has_numeric_affinity
SELECT id FROM person WHERE tag = '5'
----
SELECT person.id FROM person WHERE person.tag = '5'

# In a TEXT column '05' is not '5'.
norm refuse=convert_numeric_text needs=subject_has_numeric_affinity
SELECT id FROM person WHERE nick = '05'
----
SELECT person.id FROM person WHERE person.nick = '05'

# Nor beside a call, which has no affinity.
norm refuse=convert_numeric_text needs=subject_has_numeric_affinity
SELECT id FROM person WHERE ABS(age) = '5'
----
SELECT person.id FROM person WHERE ABS(person.age) = '5'

norm expect=convert_integer_to_text
SELECT id FROM person WHERE nick = 5 AND email <> -5
----
SELECT person.id FROM person WHERE person.nick = '5' AND person.email <> '-5'

norm refuse=convert_integer_to_text needs=subject_has_text_affinity
SELECT id FROM person WHERE tag = 5
----
SELECT person.id FROM person WHERE person.tag = 5

# The text of 5.0 is '5.0'.
norm refuse=convert_integer_to_text
SELECT id FROM person WHERE nick = 5.0
----
SELECT person.id FROM person WHERE person.nick = 5.0

norm expect=convert_whole_real
SELECT id FROM person WHERE score > 29.0 AND tag IN (-3.0, 1.5)
----
SELECT person.id FROM person WHERE person.tag IN (-3, 1.5) AND person.score > 29

# In a TEXT column the literal becomes '9.0' or '9'.
norm refuse=convert_whole_real needs=subject_makes_no_text
SELECT id FROM person WHERE nick > 9.0
----
SELECT person.id FROM person WHERE person.nick > 9.0

decide
SELECT id FROM person WHERE age = '5'
----
SELECT id FROM person WHERE age = 5
----
equivalent by=rules

decide
SELECT id FROM person WHERE tag = '5'
----
SELECT id FROM person WHERE tag = 5
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE nick > 30
----
SELECT id FROM person WHERE CAST(nick AS INTEGER) > 30
----
not_equivalent by=generate
