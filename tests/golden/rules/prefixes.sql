schema assume=iso_date(person.born)
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE nick LIKE '2013-%' AND city LIKE '+49%'
----
SELECT person.id FROM person WHERE SUBSTR(person.city, 1, 3) = '+49' AND SUBSTR(person.nick, 1, 5) = '2013-'

norm expect=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE born LIKE '2013%'
----
SELECT person.id FROM person WHERE SUBSTR(person.born, 1, 4) = '2013'

# Letters, whose case LIKE ignores.
norm refuse=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE nick LIKE 'ab%'
----
SELECT person.id FROM person WHERE person.nick LIKE 'ab%'

norm refuse=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE nick LIKE '2_3%'
----
SELECT person.id FROM person WHERE person.nick LIKE '2_3%'

norm refuse=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE nick LIKE '2!%%' ESCAPE '!'
----
SELECT person.id FROM person WHERE person.nick LIKE '2!%%' ESCAPE '!'

norm refuse=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE age LIKE '1%' OR email LIKE '1%'
----
SELECT person.id FROM person WHERE person.age LIKE '1%' OR person.email LIKE '1%'

# A BLOB may match, and its slice is a BLOB.
norm refuse=convert_prefix_pattern_to_slice
SELECT id FROM person WHERE photo LIKE '20%' AND photo IN (x'3230', x'323031')
----
SELECT person.id FROM person WHERE person.photo IN (x'3230', x'323031') AND person.photo LIKE '20%'

decide
SELECT id FROM person WHERE nick LIKE '2013%' OR nick LIKE '2014%'
----
SELECT id FROM person WHERE SUBSTR(nick, 1, 4) IN ('2013', '2014')
----
equivalent by=rules

decide
SELECT id FROM person WHERE nick LIKE '%2013%'
----
SELECT id FROM person WHERE SUBSTR(nick, 1, 4) = '2013'
----
not_equivalent by=generate

decide
SELECT id FROM person WHERE nick LIKE '2013'
----
SELECT id FROM person WHERE SUBSTR(nick, 1, 4) = '2013'
----
not_equivalent by=generate
