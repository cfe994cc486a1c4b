schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=eliminate_cast
SELECT CAST(age AS INTEGER), CAST(nick AS TEXT), CAST(score AS REAL) FROM person
----
SELECT person.age, person.nick, person.score FROM person

norm expect=eliminate_cast
SELECT nick FROM person WHERE CAST(age AS INTEGER) > 3
----
SELECT person.nick FROM person WHERE person.age >= 4

# 3.5 becomes 3.
norm refuse=eliminate_cast needs=operand_has_the_type
SELECT CAST(score AS INTEGER) FROM person
----
SELECT CAST(person.score AS INTEGER) FROM person

# 7 becomes 7.0, which shows in a division.
norm refuse=eliminate_cast needs=operand_has_the_type
SELECT CAST(age AS REAL) / 2 FROM person
----
SELECT person.age * 1.0 / 2 FROM person

# Beside the cast the text '5' of a column without type becomes a number, beside the call it stays text.
norm refuse=eliminate_cast needs=nothing_reads_the_affinity
SELECT id FROM person WHERE CAST(ABS(age) AS INTEGER) = tag
----
SELECT person.id FROM person WHERE CAST(ABS(person.age) AS INTEGER) = person.tag

norm expect=eliminate_compared_cast
SELECT id FROM person WHERE CAST(age AS REAL) > 3
----
SELECT person.id FROM person WHERE person.age >= 4

decide relation=list
SELECT COUNT(CAST(nick AS REAL)), COUNT(CAST(photo AS TEXT)) FROM person
----
SELECT COUNT(person.nick), COUNT(person.photo) FROM person
----
equivalent by=proof

# '1' and '1.0' are one number.
decide relation=list
SELECT COUNT(DISTINCT CAST(person.nick AS REAL)) AS expr FROM person
----
SELECT COUNT(DISTINCT person.nick) AS expr FROM person
----
not_equivalent by=generate

norm expect=eliminate_averaged_cast
SELECT AVG(CAST(nick AS REAL)), AVG(CAST(age AS REAL)) FROM person
----
SELECT SUM(person.nick) * 1.0 / COUNT(person.nick), SUM(person.age) * 1.0 / COUNT(person.age) FROM person

# Truncates.
norm refuse=eliminate_averaged_cast
SELECT AVG(CAST(score AS INTEGER)) FROM person
----
SELECT SUM(CAST(person.score AS INTEGER)) * 1.0 / COUNT(CAST(person.score AS INTEGER)) FROM person

norm refuse=eliminate_averaged_cast
SELECT AVG(DISTINCT CAST(nick AS REAL)) FROM person
----
SELECT SUM(DISTINCT CAST(person.nick AS REAL)) * 1.0 / COUNT(DISTINCT CAST(person.nick AS REAL)) FROM person

decide
SELECT SUM(CAST(nick AS INTEGER)) FROM person
----
SELECT SUM(nick) FROM person
----
not_equivalent by=generate

schema facts=declared
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB)
----

# By what SQLite enforces, an INTEGER column may hold text.
norm refuse=eliminate_cast needs=operand_has_the_type
SELECT CAST(age AS INTEGER) FROM person
----
SELECT CAST(person.age AS INTEGER) FROM person

decide
SELECT CAST(age AS INTEGER) FROM person
----
SELECT age FROM person
----
not_equivalent by=generate

norm refuse=eliminate_compared_cast needs=operand_is_number
SELECT id FROM person WHERE CAST(age AS REAL) > 3
----
SELECT person.id FROM person WHERE CAST(person.age AS REAL) > 3

schema rounding=strict
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB)
----

# Past 2**53 REAL does not tell neighbouring integers apart.
norm refuse=eliminate_compared_cast needs=arithmetic_is_exact
SELECT id FROM person WHERE CAST(age AS REAL) > 9007199254740992
----
SELECT person.id FROM person WHERE CAST(person.age AS REAL) > 9007199254740992

# The sum of REALs rounds.
norm refuse=eliminate_averaged_cast
SELECT AVG(CAST(nick AS REAL)) FROM person
----
SELECT AVG(CAST(person.nick AS REAL)) FROM person
