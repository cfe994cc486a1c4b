schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_divided_sum_to_count
SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM person
----
SELECT COUNT(*) FILTER (WHERE person.age >= 4) * 100.0 / COUNT(*) FROM person

# The divisor is such a sum itself.
norm expect=convert_divided_sum_to_count
SELECT CAST(SUM(city = 'a') AS REAL) / SUM(city = 'b') FROM person WHERE age > 3
----
SELECT COUNT(*) FILTER (WHERE person.city = 'a') * 1.0 / COUNT(*) FILTER (WHERE person.city = 'b') FROM person WHERE person.age >= 4

norm expect=convert_divided_sum_to_count
SELECT ROUND((SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) - SUM(city = 'b')) * 100.0 / (COUNT(age) * 2), 2) FROM person
----
SELECT ROUND((COUNT(*) FILTER (WHERE person.age >= 4) - COUNT(*) FILTER (WHERE person.city = 'b')) * 50.0 / COUNT(person.age), 2) FROM person

# Of no rows 0, where the sum is NULL.
norm refuse=convert_divided_sum_to_count needs=is_divided_by_its_rows
SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) / 2 FROM person
----
SELECT SUM(CASE WHEN person.age >= 4 THEN 1 ELSE 0 END) / 2 FROM person

# The rows of another query.
norm refuse=convert_divided_sum_to_count needs=is_divided_by_its_rows
SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) * 1.0 / (SELECT COUNT(*) FROM pet) FROM person
----
SELECT SUM(CASE WHEN person.age >= 4 THEN 1 ELSE 0 END) * 1.0 / (SELECT COUNT(*) FROM pet) FROM person

# Added to a quotient, not divided.
norm refuse=convert_divided_sum_to_count needs=is_divided_by_its_rows
SELECT COALESCE(age / COUNT(*), 1) + SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) FROM person
----
SELECT COALESCE(person.age / COUNT(*), 1) + SUM(CASE WHEN person.age >= 4 THEN 1 ELSE 0 END) FROM person

# A divisor that is 1 of no rows.
norm refuse=convert_divided_sum_to_count needs=is_divided_by_its_rows
SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) * 1.0 / (COUNT(*) + 1) FROM person
----
SELECT SUM(CASE WHEN person.age >= 4 THEN 1 ELSE 0 END) * 1.0 / (COUNT(*) + 1) FROM person

# NULL is skipped by the sum: where every age is NULL it is NULL too.
norm refuse=convert_divided_sum_to_count needs=bits_are_never_null
SELECT SUM(age > 3) * 1.0 / COUNT(*) FROM person
----
SELECT SUM(person.age >= 4) * 1.0 / COUNT(*) FROM person

norm expect=eliminate_nullif_of_divisor
SELECT age / NULLIF(score, 0), age % NULLIF(id, 0) FROM person
----
SELECT person.age * 1.0 / person.score, person.age % person.id FROM person

norm refuse=eliminate_nullif_of_divisor
SELECT age / NULLIF(score, 1) FROM person
----
SELECT person.age / NULLIF(person.score, 1) FROM person

decide
SELECT age / (NULLIF(score, 0) + 1) FROM person
----
SELECT age / (score + 1) FROM person
----
not_equivalent by=generate

decide
SELECT AVG(CASE WHEN age > 3 THEN 1 ELSE 0 END) * 100 FROM person WHERE city = 'a'
----
SELECT 100.0 * SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) / NULLIF(COUNT(*), 0) FROM person WHERE city = 'a'
----
equivalent by=rules

# Integer division.
decide
SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) / COUNT(*) FROM person
----
SELECT COUNT(CASE WHEN age > 3 THEN 1 END) * 1.0 / COUNT(*) FROM person
----
not_equivalent by=generate

decide
SELECT COALESCE(SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END), 7) * 1.0 / COUNT(*) FROM person
----
SELECT COALESCE(COUNT(CASE WHEN age > 3 THEN 1 END), 7) * 1.0 / COUNT(*) FROM person
----
equivalent by=rules
