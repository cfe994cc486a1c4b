# A RANGE frame with an offset reckons with what it is sorted by: a week of Julian days, and nothing of texts.
schema assume=iso_date(person.born)
CREATE TABLE person (id INTEGER PRIMARY KEY, born TEXT, v INTEGER);
----

decide relation=set
SELECT id, SUM(v) OVER (ORDER BY julianday(born) RANGE BETWEEN 7 PRECEDING AND CURRENT ROW) FROM person
----
SELECT id, SUM(v) OVER (ORDER BY born RANGE BETWEEN 7 PRECEDING AND CURRENT ROW) FROM person
----
not_equivalent

norm refuse=eliminate_julian_day_of_term
SELECT id, COUNT(*) OVER w FROM person WINDOW w AS (ORDER BY julianday(born) RANGE BETWEEN CURRENT ROW AND 5 FOLLOWING)
----
SELECT person.id, COUNT(*) OVER (ORDER BY JULIANDAY(person.born) RANGE BETWEEN CURRENT ROW AND 5 FOLLOWING) FROM person

norm expect=eliminate_julian_day_of_term
SELECT id FROM person ORDER BY julianday(born)
----
SELECT person.id FROM person ORDER BY person.born
