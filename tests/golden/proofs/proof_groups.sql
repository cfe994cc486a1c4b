schema
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, grade INTEGER);
CREATE TABLE friend (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES person (id), place TEXT, since INTEGER);
----

decide relation=bag
SELECT name FROM person WHERE (SELECT COUNT(*) FROM friend WHERE friend.person_id = person.id) >= 2
----
SELECT name FROM person WHERE id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) >= 2)
----
equivalent by=proof

# Zero friends make no group.
decide relation=bag
SELECT name FROM person WHERE (SELECT COUNT(*) FROM friend WHERE friend.person_id = person.id) <= 2
----
SELECT name FROM person WHERE id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) <= 2)
----
not_equivalent

decide relation=bag
SELECT name FROM person WHERE (SELECT COUNT(*) FROM friend WHERE friend.person_id = person.id) BETWEEN 1 AND 2
----
SELECT name FROM person WHERE id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) <= 2)
----
equivalent by=proof

decide relation=bag
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY friend.person_id
----
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY person.id
----
equivalent by=rules

# Two persons may share a name.
decide relation=bag
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY friend.person_id
----
SELECT person.name, COUNT(*) FROM person JOIN friend ON person.id = friend.person_id GROUP BY person.name
----
not_equivalent

decide relation=bag
SELECT person.name FROM person JOIN friend ON person.id = friend.person_id GROUP BY person.id HAVING COUNT(*) >= 2 AND person.grade > 5
----
SELECT name FROM person WHERE grade >= 6 AND id IN (SELECT person_id FROM friend GROUP BY person_id HAVING COUNT(*) > 1)
----
equivalent by=rules

decide relation=bag
SELECT person.name FROM person LEFT JOIN friend ON person.id = friend.person_id GROUP BY person.id HAVING COUNT(friend.id) = 0
----
SELECT name FROM person WHERE id NOT IN (SELECT person_id FROM friend)
----
equivalent by=proof

decide relation=bag
SELECT person.name FROM person LEFT JOIN friend ON person.id = friend.person_id GROUP BY person.id HAVING COUNT(*) = 0
----
SELECT name FROM person WHERE id NOT IN (SELECT person_id FROM friend)
----
not_equivalent

decide relation=bag
SELECT person_id FROM friend WHERE place IN ('Bern', 'Graz') GROUP BY person_id HAVING COUNT(DISTINCT place) = 2
----
SELECT person_id FROM friend WHERE place = 'Bern' INTERSECT SELECT person_id FROM friend WHERE place = 'Graz'
----
equivalent by=proof

# Two friends in one place are counted twice.
decide relation=bag
SELECT person_id FROM friend WHERE place IN ('Bern', 'Graz') GROUP BY person_id HAVING COUNT(place) = 2
----
SELECT person_id FROM friend WHERE place = 'Bern' INTERSECT SELECT person_id FROM friend WHERE place = 'Graz'
----
not_equivalent

decide relation=bag
SELECT person_id FROM friend GROUP BY person_id, place HAVING MAX(since) > 2000
----
SELECT person_id FROM friend WHERE since > 2000 GROUP BY person_id, place
----
equivalent by=proof

decide relation=bag
SELECT person_id FROM friend GROUP BY person_id, place HAVING MIN(since) > 2000
----
SELECT person_id FROM friend WHERE since > 2000 GROUP BY person_id, place
----
not_equivalent
