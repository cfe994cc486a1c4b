schema assume=iso_date(person.born)
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=eliminate_cast_of_date_part
SELECT id FROM person WHERE CAST(STRFTIME('%Y', nick) AS INTEGER) >= 1990
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.nick) >= '1990'

# strftime gives text, and text is never equal to a number without affinity.
norm refuse=eliminate_cast_of_date_part
SELECT id FROM person WHERE STRFTIME('%Y', nick) = 1990
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.nick) = 1990

norm refuse=eliminate_cast_of_date_part
SELECT id FROM person WHERE CAST(STRFTIME('%m', nick) AS INTEGER) < 1000
----
SELECT person.id FROM person WHERE CAST(STRFTIME('%m', person.nick) AS INTEGER) <= 999

norm expect=convert_strict_date_bound
SELECT id FROM person WHERE STRFTIME('%Y', nick) > '1989' AND STRFTIME('%m', nick) < '04'
----
SELECT person.id FROM person WHERE STRFTIME('%m', person.nick) <= '03' AND STRFTIME('%Y', person.nick) >= '1990'

# '1990' > '199', but '1990' is no neighbour of '199'.
norm refuse=convert_strict_date_bound
SELECT id FROM person WHERE STRFTIME('%Y', nick) > '199'
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.nick) > '199'

norm expect=convert_slice_to_date_part
SELECT id FROM person WHERE SUBSTR(born, 1, 7) = '1990-05'
----
SELECT person.id FROM person WHERE STRFTIME('%Y-%m', person.born) = '1990-05'

# Of 'abcd' strftime makes NULL.
norm refuse=convert_slice_to_date_part needs=subject_holds_iso_dates
SELECT SUBSTR(nick, 1, 4) FROM person
----
SELECT SUBSTR(person.nick, 1, 4) FROM person

norm expect=eliminate_date_call
SELECT DATE(born) FROM person
----
SELECT person.born FROM person

norm refuse=eliminate_date_call needs=subject_holds_iso_dates
SELECT DATE(nick) FROM person
----
SELECT DATE(person.nick) FROM person

# Beside a DATE column, whose affinity is NUMERIC, '5' is a number.
norm refuse=eliminate_date_call needs=column_may_stand_alone
SELECT id FROM person WHERE DATE(born) < '5'
----
SELECT person.id FROM person WHERE DATE(person.born) < '5'

norm expect=convert_date_prefix
SELECT id FROM person WHERE born LIKE '1990-05%' OR born LIKE '1991%'
----
SELECT person.id FROM person WHERE STRFTIME('%Y', person.born) = '1991' OR STRFTIME('%Y-%m', person.born) = '1990-05'

norm refuse=convert_date_prefix needs=subject_holds_iso_dates
SELECT id FROM person WHERE nick LIKE '1990%'
----
SELECT person.id FROM person WHERE SUBSTR(person.nick, 1, 4) = '1990'

decide
SELECT id FROM person WHERE SUBSTR(born, 1, 4) > '1989'
----
SELECT id FROM person WHERE CAST(STRFTIME('%Y', born) AS INTEGER) >= 1990
----
equivalent by=rules

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
