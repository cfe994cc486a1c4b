schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_real_quotient
SELECT CAST(age AS REAL) * 100 / id, age * 100.0 / id, 100 * (age / CAST(id AS REAL)) FROM person
----
SELECT person.age * 100.0 / person.id, person.age * 100.0 / person.id, person.age * 100.0 / person.id FROM person

norm expect=convert_real_quotient
SELECT CAST(SUM(age) AS REAL) / COUNT(age) FROM person
----
SELECT SUM(person.age) * 1.0 / COUNT(person.age) FROM person

# Truncates.
norm refuse=convert_real_quotient needs=no_division_truncates
SELECT age * 100 / id FROM person
----
SELECT person.age * 100 / person.id FROM person

# Truncates inside.
norm refuse=convert_real_quotient needs=no_division_truncates
SELECT 1.0 * (age / id) FROM person
----
SELECT person.age / person.id * 1.0 FROM person

norm expect=convert_average_to_quotient
SELECT AVG(score), AVG(age) FILTER (WHERE nick = 'a') FROM person
----
SELECT SUM(person.score) * 1.0 / COUNT(person.score), SUM(person.age) FILTER (WHERE person.nick = 'a') * 1.0 / COUNT(person.age) FILTER (WHERE person.nick = 'a') FROM person

norm refuse=convert_average_to_quotient needs=averages_values
SELECT AVG(score) OVER (PARTITION BY city) FROM person
----
SELECT AVG(person.score) OVER (PARTITION BY person.city) FROM person

decide
SELECT CAST(SUM(age) AS REAL) / COUNT(age) FROM person
----
SELECT AVG(age) FROM person
----
equivalent by=rules

decide
SELECT SUM(age) / COUNT(age) FROM person
----
SELECT AVG(age) FROM person
----
not_equivalent by=generate

# AVG divides by the count of values, not of rows.
decide
SELECT 1.0 * SUM(age) / COUNT(*) FROM person
----
SELECT AVG(age) FROM person
----
not_equivalent by=generate

decide
SELECT CAST(COUNT(CASE WHEN nick = 'a' THEN 1 END) AS REAL) * 100 / COUNT(*) FROM person
----
SELECT COUNT(*) FILTER (WHERE nick = 'a') * 100.0 / COUNT(id) FROM person
----
equivalent by=rules

schema rounding=strict
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB)
----

# Without exact arithmetic the order of rounding shows.
norm refuse=convert_real_quotient needs=arithmetic_is_exact
SELECT id FROM person WHERE age * 0.1 / id = 0.3
----
SELECT person.id FROM person WHERE person.age * 0.1 / person.id = 0.3

norm refuse=convert_average_to_quotient
SELECT AVG(score) FROM person
----
SELECT AVG(person.score) FROM person
