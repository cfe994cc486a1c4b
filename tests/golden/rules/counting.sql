schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_filtered_count_to_star
SELECT city, COUNT(nick) FROM person WHERE nick = 'a' GROUP BY city
----
SELECT person.city, COUNT(*) FROM person WHERE person.nick = 'a' GROUP BY person.city

norm expect=convert_filtered_count_to_star
SELECT COUNT(age) FROM person WHERE EXISTS (SELECT 1 FROM pet WHERE pet.weight < person.age)
----
SELECT COUNT(*) FROM person WHERE EXISTS (SELECT 1 FROM pet WHERE pet.weight < person.age)

norm refuse=convert_filtered_count_to_star needs=filter_rejects_null
SELECT COUNT(nick) FROM person WHERE nick = 'a' OR age = 3
----
SELECT COUNT(person.nick) FROM person WHERE person.age = 3 OR person.nick = 'a'

norm refuse=convert_filtered_count_to_star needs=filter_rejects_null
SELECT COUNT(pet.owner) FROM person LEFT JOIN pet ON pet.owner = person.id
----
SELECT COUNT(pet.owner) FROM person LEFT JOIN pet ON pet.owner = person.id

# An aggregate is there whatever the filter lets through.
norm refuse=convert_filtered_count_to_star needs=filter_rejects_null
SELECT COUNT(age) FROM person WHERE EXISTS (SELECT MAX(weight) FROM pet WHERE pet.weight < person.age LIMIT 1)
----
SELECT COUNT(person.age) FROM person WHERE EXISTS (SELECT MAX(pet.weight) FROM pet WHERE pet.weight < person.age LIMIT 1)

norm expect=eliminate_null_test_before_aggregates
SELECT COUNT(*), MAX(age + 1), COUNT(DISTINCT age) FROM person WHERE NOT age IS NULL AND city = 'a'
----
SELECT COUNT(person.age), MAX(person.age + 1), COUNT(DISTINCT person.age) FROM person WHERE person.city = 'a'

# COUNT(score) would count more rows.
norm refuse=eliminate_null_test_before_aggregates
SELECT COUNT(*), COUNT(score) FROM person WHERE NOT age IS NULL
----
SELECT COUNT(*), COUNT(person.score) FROM person WHERE person.age IS NOT NULL

# A group of NULLs would come back.
norm refuse=eliminate_null_test_before_aggregates needs=aggregates_all_rows
SELECT city, MAX(age) FROM person WHERE NOT age IS NULL GROUP BY city
----
SELECT person.city, MAX(person.age) FROM person WHERE person.age IS NOT NULL GROUP BY person.city

# A bare column may be read from any row.
norm refuse=eliminate_null_test_before_aggregates needs=aggregates_all_rows
SELECT nick, COUNT(age) FROM person WHERE NOT age IS NULL
----
SELECT person.nick, COUNT(*) FROM person WHERE person.age IS NOT NULL

decide
SELECT COUNT(*) FROM person WHERE age IS NOT NULL
----
SELECT COUNT(age) FROM person
----
equivalent by=rules

decide
SELECT COUNT(*) FROM person WHERE age IS NOT NULL AND score IS NOT NULL
----
SELECT COUNT(age) FROM person
----
not_equivalent by=generate

decide
SELECT TOTAL(COALESCE(age, 1)) FROM person WHERE age IS NOT NULL
----
SELECT TOTAL(COALESCE(age, 1)) FROM person
----
not_equivalent by=generate
