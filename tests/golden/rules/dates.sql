schema assume=iso_date(person.born)
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

decide relation=list
SELECT id FROM person WHERE CAST(STRFTIME('%Y', nick) AS INTEGER) >= 1990
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.nick) >= '1990'
----
equivalent by=proof

norm expect=convert_strict_date_bound
SELECT id FROM person WHERE STRFTIME('%Y', nick) > '1989' AND STRFTIME('%m', nick) < '04'
----
SELECT person.id FROM person WHERE STRFTIME('%m', person.nick) <= '03' AND STRFTIME('%Y', person.nick) >= '1990'

# '1990' > '199', but '1990' is no neighbour of '199'.
norm refuse=convert_strict_date_bound
SELECT id FROM person WHERE STRFTIME('%Y', nick) > '199'
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.nick) > '199'

decide relation=list
SELECT id FROM person WHERE SUBSTR(born, 1, 7) = '1990-05'
----
SELECT person.id FROM person WHERE STRFTIME('%Y-%m', person.born) = '1990-05'
----
equivalent by=proof

# Of 'abcd' strftime makes NULL.
decide relation=list
SELECT SUBSTR(person.nick, 1, 4) AS expr FROM person
----
SELECT STRFTIME('%Y', person.nick) AS expr FROM person
----
not_equivalent by=generate

decide relation=list
SELECT DATE(born) FROM person
----
SELECT person.born FROM person
----
equivalent by=proof

decide relation=list
SELECT DATE(person.nick) AS expr FROM person
----
SELECT person.nick AS expr FROM person
----
not_equivalent by=generate

decide relation=list
SELECT id FROM person WHERE born LIKE '1990-05%' OR born LIKE '1991%'
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.born) = '1991' OR STRFTIME('%Y-%m', person.born) = '1990-05'
----
equivalent by=proof

decide relation=list
SELECT person.id AS id FROM person WHERE person.nick LIKE '1990%'
----
SELECT person.id AS id FROM person WHERE STRFTIME('%Y', person.nick) = '1990'
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE SUBSTR(born, 1, 4) > '1989'
----
SELECT id FROM person WHERE CAST(STRFTIME('%Y', born) AS INTEGER) >= 1990
----
equivalent by=proof

decide
SELECT id FROM person WHERE nick LIKE '1990%'
----
SELECT id FROM person WHERE STRFTIME('%Y', nick) = '1990'
----
not_equivalent by=generate

norm expect=eliminate_cast_of_operand
SELECT 2024 - CAST(strftime('%Y', born) AS INTEGER), CAST(strftime('%m', born) AS INTEGER) * 2 FROM person
----
SELECT 2024 - STRFTIME('%Y', person.born), STRFTIME('%m', person.born) * 2 FROM person

# 59.999 is no integer.
norm refuse=eliminate_cast_of_operand
SELECT 2024 - CAST(strftime('%f', born) AS INTEGER) FROM person
----
SELECT 2024 - CAST(STRFTIME('%f', person.born) AS INTEGER) FROM person

# A column of the result is a number with CAST, and text without.
norm refuse=eliminate_cast_of_operand needs=counts_part_in_arithmetic
SELECT CAST(strftime('%Y', born) AS INTEGER) FROM person
----
SELECT CAST(STRFTIME('%Y', person.born) AS INTEGER) FROM person

norm expect=eliminate_julian_day_of_term
SELECT id FROM person ORDER BY julianday(born) DESC
----
SELECT person.id FROM person ORDER BY person.born DESC

# '1990-1-5' is no date to julianday, and 1990 is a Julian day itself.
norm refuse=eliminate_julian_day_of_term needs=term_holds_iso_dates
SELECT id FROM person ORDER BY julianday(nick)
----
SELECT person.id FROM person ORDER BY JULIANDAY(person.nick)

norm refuse=eliminate_julian_day_of_term
SELECT id FROM person ORDER BY julianday(born, '+1 day')
----
SELECT person.id FROM person ORDER BY JULIANDAY(person.born, '+1 day')
