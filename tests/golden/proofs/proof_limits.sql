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

# The order of chosen rows, stated once more around.
decide
SELECT breed FROM (SELECT breed, weight FROM dog ORDER BY weight DESC LIMIT 3) ORDER BY weight DESC
----
SELECT breed FROM dog ORDER BY weight DESC LIMIT 3
----
equivalent by=proof

decide
SELECT breed FROM (SELECT breed, weight FROM dog ORDER BY weight DESC LIMIT 3) ORDER BY weight
----
SELECT breed FROM dog ORDER BY weight DESC LIMIT 3
----
not_equivalent

# Around, the chosen rows are sorted by more, or by less.
decide
SELECT * FROM (SELECT id, weight FROM dog ORDER BY weight LIMIT 3) ORDER BY weight, id
----
SELECT id, weight FROM dog ORDER BY weight LIMIT 3
----
undecided NONDETERMINISTIC

decide
WITH heavy AS (SELECT breed, COUNT(*) AS number FROM dog GROUP BY breed ORDER BY number DESC LIMIT 5)
SELECT * FROM heavy ORDER BY number DESC LIMIT 5 OFFSET 1
----
SELECT breed, COUNT(*) FROM dog GROUP BY breed ORDER BY COUNT(*) DESC LIMIT 4 OFFSET 1
----
equivalent by=proof

decide
WITH heavy AS (SELECT breed, COUNT(*) AS number FROM dog GROUP BY breed ORDER BY number DESC LIMIT 5)
SELECT * FROM heavy ORDER BY number DESC LIMIT 5 OFFSET 1
----
SELECT breed, COUNT(*) FROM dog GROUP BY breed ORDER BY COUNT(*) DESC LIMIT 5 OFFSET 1
----
not_equivalent

decide
SELECT * FROM (SELECT id FROM dog ORDER BY id LIMIT 3 OFFSET 2) ORDER BY id LIMIT 2 OFFSET 1
----
SELECT id FROM dog ORDER BY id LIMIT 2 OFFSET 3
----
equivalent by=proof

decide
SELECT name FROM owner WHERE id IN (SELECT id FROM (SELECT id FROM dog ORDER BY id LIMIT 3) ORDER BY id LIMIT 9 OFFSET 1)
----
SELECT name FROM owner WHERE id IN (SELECT id FROM dog ORDER BY id LIMIT 2 OFFSET 1)
----
equivalent by=proof

# A chosen row that is left out around is not replaced.
decide
SELECT * FROM (SELECT id, age FROM dog ORDER BY id LIMIT 3) WHERE age > 1 ORDER BY id
----
SELECT id, age FROM dog WHERE age > 1 ORDER BY id LIMIT 3
----
not_equivalent

# Of what is chosen once for all owners no owner takes a row of its own.
decide
SELECT id, (SELECT d.breed || name FROM (SELECT breed, weight FROM dog ORDER BY weight LIMIT 2) AS d ORDER BY d.weight LIMIT 1) FROM owner
----
SELECT id, (SELECT breed || name FROM dog ORDER BY weight LIMIT 1) FROM owner
----
undecided

# A page by its number.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY)

decide
SELECT id FROM t ORDER BY id LIMIT :n OFFSET (:page - 1) * :n
----
SELECT id FROM t ORDER BY id LIMIT :n OFFSET :page * :n
----
not_equivalent by=generate
