schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

decide relation=list
SELECT MAX(DISTINCT age), MIN(DISTINCT nick) FROM person
----
SELECT MAX(person.age), MIN(person.nick) FROM person
----
equivalent by=proof

# Beside a plain MAX the bare column comes from the row of the maximum.
decide relation=list
SELECT person.nick AS nick, MAX(DISTINCT person.age) AS expr FROM person
----
SELECT person.nick AS nick, MAX(person.age) AS expr FROM person
----
undecided NONDETERMINISTIC

decide
SELECT SUM(DISTINCT age) FROM person
----
SELECT SUM(age) FROM person
----
not_equivalent by=generate

norm expect=convert_guarded_argument
SELECT COUNT(CASE WHEN nick = 'a' THEN age END), SUM(CASE WHEN nick = 'b' THEN age END) FROM person
----
SELECT COUNT(person.age) FILTER (WHERE person.nick = 'a'), SUM(person.age) FILTER (WHERE person.nick = 'b') FROM person

norm expect=convert_guarded_argument
SELECT COUNT(DISTINCT CASE WHEN nick = 'a' THEN age END) FROM person
----
SELECT COUNT(DISTINCT person.age) FILTER (WHERE person.nick = 'a') FROM person

norm refuse=convert_guarded_argument
SELECT COUNT(CASE WHEN nick = 'a' THEN age ELSE 0 END) FROM person
----
SELECT COUNT(CASE WHEN person.nick = 'a' THEN person.age ELSE 0 END) FROM person

# The row of the maximum gives the bare column.
norm refuse=convert_guarded_argument
SELECT nick, MAX(CASE WHEN age = 1 THEN id END) FROM person
----
SELECT person.nick, MAX(CASE WHEN person.age = 1 THEN person.id END) FROM person

decide relation=list
SELECT SUM(age) FILTER (WHERE 1) FROM person
----
SELECT SUM(person.age) FROM person
----
equivalent by=proof

decide relation=list
SELECT SUM(person.age) FILTER (WHERE person.active) AS expr FROM person
----
SELECT SUM(person.age) AS expr FROM person
----
not_equivalent by=generate

norm expect=convert_sum_to_count
SELECT city, SUM(CASE WHEN nick = 'a' THEN 1 ELSE 0 END), SUM(1) FROM person GROUP BY city
----
SELECT person.city, COUNT(*) FILTER (WHERE person.nick = 'a'), COUNT(*) FROM person GROUP BY person.city

# Over an empty table SUM is NULL and COUNT is 0.
norm refuse=convert_sum_to_count needs=group_has_rows
SELECT SUM(CASE WHEN nick = 'a' THEN 1 ELSE 0 END) FROM person
----
SELECT SUM(CASE WHEN person.nick = 'a' THEN 1 ELSE 0 END) FROM person

# Where all summands are NULL the sum is NULL.
norm refuse=convert_sum_to_count needs=bits_are_never_null
SELECT city, SUM(nick = 'a') FROM person GROUP BY city
----
SELECT person.city, SUM(person.nick = 'a') FROM person GROUP BY person.city

decide relation=list
SELECT COALESCE(SUM(CASE WHEN nick = 'a' THEN 1 ELSE 0 END), 0), IFNULL(SUM(nick = 'b'), 0), IFNULL(SUM(1), 0) FROM person
----
SELECT COUNT(*) FILTER (WHERE person.nick = 'a'), COUNT(*) FILTER (WHERE person.nick = 'b'), COUNT(*) FROM person
----
equivalent by=proof

norm expect=convert_count_to_star
SELECT COUNT(city), COUNT(1) FROM person
----
SELECT COUNT(*), COUNT(*) FROM person

# Its FILTER makes it a COUNT over pet.
norm expect=convert_count_to_star
SELECT id, (SELECT COUNT(person.city) FILTER (WHERE pet.weight > 3) FROM pet) FROM person
----
SELECT person.id, (SELECT COUNT(*) FILTER (WHERE pet.weight > 3) FROM pet) FROM person

norm refuse=convert_count_to_star needs=operand_is_never_null
SELECT COUNT(nick) FROM person
----
SELECT COUNT(person.nick) FROM person

# ESM+ 7 asks for NON_NULL alone: a LEFT JOIN pads NOT NULL columns.
norm refuse=convert_count_to_star needs=operand_is_never_null
SELECT person.city, COUNT(pet.name) FROM person LEFT JOIN pet ON pet.owner = person.id AND pet.weight > 3 GROUP BY person.id
----
SELECT person.city, COUNT(pet.name) FROM person LEFT JOIN pet ON pet.owner = person.id AND pet.weight > 3 GROUP BY person.id

norm refuse=convert_count_to_star
SELECT COUNT(DISTINCT city) FROM person
----
SELECT COUNT(DISTINCT person.city) FROM person

decide
SELECT COUNT(city) FROM person
----
SELECT COUNT(*) FROM person
----
equivalent by=rules

decide
SELECT COUNT(nick) FROM person
----
SELECT COUNT(*) FROM person
----
not_equivalent by=generate

decide
SELECT SUM(CASE WHEN nick = 'a' THEN 1 ELSE 0 END) FROM person
----
SELECT COUNT(CASE WHEN nick = 'a' THEN 1 END) FROM person
----
not_equivalent by=generate

decide
SELECT city, SUM(CASE WHEN nick = 'a' THEN 1 ELSE 0 END) FROM person GROUP BY city
----
SELECT city, COUNT(*) FILTER (WHERE nick = 'a') FROM person GROUP BY city
----
equivalent by=rules

schema assume='not_empty(person)'
CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER, nick TEXT);
CREATE TABLE pet (id INTEGER PRIMARY KEY, age INTEGER)
----

norm expect=convert_sum_to_count
SELECT SUM(CASE WHEN nick = 'a' THEN 1 ELSE 0 END) FROM person
----
SELECT COUNT(*) FILTER (WHERE person.nick = 'a') FROM person

# Nobody says that there is a pet.
norm refuse=convert_sum_to_count needs=group_has_rows
SELECT SUM(1) FROM pet
----
SELECT SUM(1) FROM pet

# Nor that there is a person of that name.
norm refuse=convert_sum_to_count needs=group_has_rows
SELECT SUM(1) FROM person WHERE nick = 'a'
----
SELECT SUM(1) FROM person WHERE person.nick = 'a'

# A join of a table with rows may have none.
norm refuse=convert_sum_to_count needs=group_has_rows
SELECT SUM(1) FROM person JOIN pet ON pet.age = person.age
----
SELECT SUM(1) FROM person JOIN pet WHERE person.age = pet.age
