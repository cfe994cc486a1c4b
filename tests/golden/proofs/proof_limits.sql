schema
CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT);
CREATE TABLE dog (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owner (id), breed TEXT NOT NULL, weight INTEGER NOT NULL, age INTEGER);
----

# The owner of the most dogs: chosen by a join, or by a scalar subquery.
decide relation=bag tiers=data,generate,proof
SELECT name FROM owner WHERE id = (SELECT owner_id FROM dog GROUP BY owner_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT owner.name FROM owner JOIN dog ON owner.id = dog.owner_id GROUP BY owner.id ORDER BY COUNT(*) DESC LIMIT 1
----
equivalent by=proof

decide relation=bag tiers=data,generate,proof
SELECT name FROM owner WHERE id IN (SELECT owner_id FROM dog GROUP BY owner_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT owner.name FROM owner JOIN dog ON owner.id = dog.owner_id GROUP BY dog.owner_id ORDER BY COUNT(*) DESC LIMIT 1
----
equivalent by=proof

# Names are not unique: the owners of a name together may have the most dogs.
decide relation=bag
SELECT owner.name FROM owner JOIN dog ON owner.id = dog.owner_id GROUP BY owner.name ORDER BY COUNT(*) DESC LIMIT 1
----
SELECT owner.name FROM owner JOIN dog ON owner.id = dog.owner_id GROUP BY owner.id ORDER BY COUNT(*) DESC LIMIT 1
----
not_equivalent

decide relation=bag
SELECT name FROM owner WHERE id = (SELECT owner_id FROM dog GROUP BY owner_id ORDER BY COUNT(*) DESC LIMIT 1)
----
SELECT owner.name FROM owner JOIN dog ON owner.id = dog.owner_id GROUP BY owner.id ORDER BY COUNT(*) LIMIT 1
----
not_equivalent

decide relation=bag tiers=data,generate,proof
SELECT breed, MAX(weight) FROM dog GROUP BY breed ORDER BY MAX(weight) DESC LIMIT 1
----
SELECT breed, weight FROM dog ORDER BY weight DESC LIMIT 1
----
equivalent by=proof

decide relation=bag
SELECT breed, MAX(weight) FROM dog GROUP BY breed ORDER BY MAX(weight) DESC LIMIT 2
----
SELECT breed, weight FROM dog ORDER BY weight DESC LIMIT 2
----
not_equivalent

# NULLs come first in ascending order, and MIN passes over them.
decide relation=bag
SELECT breed, MIN(age) FROM dog GROUP BY breed ORDER BY MIN(age) LIMIT 1
----
SELECT breed, age FROM dog ORDER BY age LIMIT 1
----
not_equivalent

# A key that sorts as another does.
decide relation=list
SELECT name FROM owner ORDER BY id + 1, town
----
SELECT name FROM owner ORDER BY id
----
equivalent by=proof

decide relation=list
SELECT breed FROM dog ORDER BY weight * 2 DESC, id LIMIT 3
----
SELECT breed FROM dog ORDER BY weight DESC, id LIMIT 3
----
equivalent by=proof

decide relation=list
SELECT breed FROM dog ORDER BY weight / 2 DESC, id LIMIT 3
----
SELECT breed FROM dog ORDER BY weight DESC, id LIMIT 3
----
not_equivalent

decide relation=bag
SELECT breed FROM dog WHERE weight = (SELECT MAX(weight) FROM dog)
----
SELECT breed FROM dog WHERE weight = (SELECT weight FROM dog ORDER BY weight DESC LIMIT 1)
----
equivalent by=rules

decide relation=bag
SELECT breed FROM dog WHERE weight = (SELECT MAX(weight) FROM dog)
----
SELECT breed FROM dog ORDER BY weight DESC LIMIT 1
----
not_equivalent

# SQLite reads a bare column beside a sole MAX from the row that has it.
decide relation=bag
SELECT MAX(weight), breed FROM dog GROUP BY breed ORDER BY weight DESC LIMIT 1
----
SELECT weight, breed FROM dog ORDER BY weight DESC LIMIT 1
----
equivalent by=proof

decide relation=bag
SELECT MAX(weight), breed FROM dog GROUP BY breed ORDER BY id DESC LIMIT 1
----
SELECT weight, breed FROM dog ORDER BY id DESC LIMIT 1
----
not_equivalent
