# Written by `python -m equiv.rules.audit` from rules/esm_plus.toml.

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-1, LEFT, RIGHT, INNER and OUTER are read: the join kind is part of the tree.
decide relation=bag
SELECT dogs.name FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code
----
SELECT dogs.name FROM dogs LEFT JOIN breeds ON dogs.breed_code = breeds.breed_code
----
not_equivalent by=generate

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-2, a foreign key is not its primary key: columns keep their table.
decide relation=bag
SELECT dogs.breed_code FROM dogs JOIN breeds
----
SELECT breeds.breed_code FROM dogs JOIN breeds
----
not_equivalent by=generate

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-3, join conditions count: they are filters like any other.
decide relation=bag
SELECT dogs.dog_id, breed_name FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code
----
SELECT dogs.dog_id, breed_name FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_name
----
not_equivalent by=generate

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-4, an alias belongs to its subquery: names resolve from the inside out.
decide relation=bag
SELECT t.dog_id FROM dogs AS t WHERE t.breed_code IN (SELECT t.breed_code FROM breeds AS t)
----
SELECT d.dog_id FROM dogs d WHERE d.breed_code IN (SELECT breeds.breed_code FROM breeds)
----
equivalent by=rules

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-5, DISTINCT counts everywhere: DISTINCT is part of the tree.
decide relation=bag
SELECT DISTINCT name FROM dogs
----
SELECT name FROM dogs
----
not_equivalent by=generate

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-6, the value of LIMIT counts: LIMIT is part of the tree.
decide relation=bag
SELECT seen FROM dogs ORDER BY seen DESC LIMIT 2
----
SELECT seen FROM dogs ORDER BY seen DESC LIMIT 1
----
not_equivalent by=generate

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-7, IN takes a list of values: a list is a set.
decide relation=bag
SELECT name FROM dogs WHERE dog_id IN (1, 2, 3)
----
SELECT name FROM dogs WHERE dog_id IN (3, 1, 2, 1)
----
equivalent by=rules

schema
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);
CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, seen TEXT, value INTEGER)
----

# ESM+ A.1-8, a column may be called value: values are never masked.
decide relation=bag
SELECT value FROM dogs WHERE name = 'value'
----
SELECT dogs.value FROM dogs WHERE 'value' = name
----
equivalent by=rules
