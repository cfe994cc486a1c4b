schema
CREATE TABLE person (
  id INTEGER PRIMARY KEY, nick TEXT, city TEXT NOT NULL, age INTEGER, score REAL, active BOOLEAN, tag,
  born DATE, email TEXT COLLATE NOCASE, photo BLOB);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT NOT NULL, weight REAL)
----

norm expect=convert_clock_call
SELECT date('now'), date('NOW'), datetime('now'), datetime(CURRENT_TIMESTAMP), date(datetime('now')) FROM person
----
SELECT CURRENT_DATE, CURRENT_DATE, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, CURRENT_DATE FROM person

# Another day.
norm refuse=convert_clock_call needs=tells_the_clock
SELECT date('now', '-1 day') FROM person
----
SELECT DATE('now', '-1 day') FROM person

norm refuse=convert_clock_call needs=tells_the_clock
SELECT date(born) FROM person
----
SELECT DATE(person.born) FROM person

norm expect=reduce_instant_to_day
SELECT strftime('%Y', 'now'), strftime('%d.%m.', CURRENT_TIMESTAMP) FROM person
----
SELECT STRFTIME('%Y', CURRENT_DATE), STRFTIME('%d.%m.', CURRENT_DATE) FROM person

# An hour is no part of a day.
norm refuse=reduce_instant_to_day needs=shows_the_day_of_an_instant
SELECT strftime('%H', 'now') FROM person
----
SELECT STRFTIME('%H', 'now') FROM person

norm refuse=reduce_instant_to_day needs=shows_the_day_of_an_instant
SELECT strftime('%Y', born) FROM person
----
SELECT STRFTIME('%Y', person.born) FROM person

decide
SELECT id FROM person WHERE strftime('%Y', datetime('now')) - strftime('%Y', born) > 50
----
SELECT id FROM person WHERE strftime('%Y', date('now')) - strftime('%Y', born) > 50
----
equivalent by=rules
