schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_strict_bound
SELECT id FROM person WHERE age > 3 AND NOT age > 7
----
SELECT person.id FROM person WHERE person.age <= 7 AND person.age >= 4

norm expect=convert_strict_bound
SELECT id FROM person WHERE age >= 3.5 AND age < 7.5
----
SELECT person.id FROM person WHERE person.age <= 7 AND person.age >= 4

norm expect=convert_strict_bound
SELECT city FROM person GROUP BY city HAVING COUNT(*) > 2
----
SELECT person.city FROM person GROUP BY person.city HAVING COUNT(*) >= 3

# 3.5 lies between.
norm refuse=convert_strict_bound needs=subject_is_whole
SELECT id FROM person WHERE score > 3
----
SELECT person.id FROM person WHERE person.score > 3

# A column without type may hold 3.5, or text.
norm refuse=convert_strict_bound needs=subject_is_whole
SELECT id FROM person WHERE tag > 3
----
SELECT person.id FROM person WHERE person.tag > 3

# The cast has TEXT affinity: '10' < '3'.
norm refuse=convert_strict_bound
SELECT id FROM person WHERE CAST(age AS TEXT) > 3
----
SELECT person.id FROM person WHERE CAST(person.age AS TEXT) > '3'

norm expect=merge_bounds
SELECT id FROM person WHERE score >= 5 AND score <= 5
----
SELECT person.id FROM person WHERE person.score = 5

norm expect=merge_bounds
SELECT id FROM person WHERE score > 3 AND score > 4 AND score <> 3
----
SELECT person.id FROM person WHERE person.score > 4

norm expect=merge_bounds
SELECT id FROM person WHERE nick > 'b' OR nick = 'b'
----
SELECT person.id FROM person WHERE person.nick >= 'b'

norm expect=merge_bounds
SELECT id FROM person WHERE score < 3 OR score >= 2
----
SELECT person.id FROM person WHERE person.score IS NOT NULL

norm expect=merge_bounds
SELECT id FROM person WHERE score = 1 AND score = 2
----
SELECT person.id FROM person WHERE 0

# As text '10' < '9', so the second bound says more.
norm refuse=merge_bounds
SELECT id FROM person WHERE nick > 9.5 AND nick > 10.5
----
SELECT person.id FROM person WHERE person.nick > 10.5 AND person.nick > 9.5

# Under NOCASE 'B' and 'b' are one.
norm refuse=merge_bounds
SELECT id FROM person WHERE email > 'B' AND email > 'a'
----
SELECT person.id FROM person WHERE person.email > 'B' AND person.email > 'a'

# False or NULL: in the result that shows.
norm refuse=merge_bounds
SELECT score = 1 AND score = 2 FROM person
----
SELECT person.score = 1 AND person.score = 2 FROM person

decide
SELECT id FROM person WHERE age > 3
----
SELECT id FROM person WHERE age >= 4
----
equivalent by=rules

decide
SELECT id FROM person WHERE score > 3
----
SELECT id FROM person WHERE score >= 4
----
not_equivalent by=generate

decide
SELECT city FROM person GROUP BY city HAVING COUNT(*) > 2
----
SELECT city FROM person GROUP BY city HAVING COUNT(*) >= 2
----
not_equivalent by=generate
