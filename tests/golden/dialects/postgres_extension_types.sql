# Columns of extensions' types are filled, also where NULL is forbidden, and where others refer to them.
schema dialect=postgres
CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree; CREATE TABLE a (id INT PRIMARY KEY, n TEXT, s CITEXT NOT NULL UNIQUE, h HSTORE NOT NULL, path LTREE NOT NULL); CREATE TABLE c (id INT PRIMARY KEY, n TEXT, s CITEXT NOT NULL REFERENCES a (s));

decide
SELECT id FROM a WHERE n <> 'x'
----
SELECT id FROM a
----
not_equivalent

decide
SELECT id FROM c WHERE n <> 'x'
----
SELECT id FROM c
----
not_equivalent

# citext minds no case where it compares, and shows the letters as they are.
decide
SELECT lower(s) FROM a
----
SELECT s::text FROM a
----
not_equivalent

decide
SELECT id FROM a WHERE s = 'a'
----
SELECT id FROM a WHERE s::text = 'a'
----
not_equivalent

decide
SELECT h -> 'a' FROM a
----
SELECT h -> 'b' FROM a
----
not_equivalent

decide
SELECT nlevel(path) FROM a
----
SELECT nlevel(path) + 1 FROM a
----
not_equivalent
