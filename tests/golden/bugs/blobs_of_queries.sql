# A blob that a query holds against a column was no value of any database.
schema
CREATE TABLE photo (id INTEGER PRIMARY KEY, content BLOB, name TEXT);
----

decide
SELECT id FROM photo WHERE content = x'61'
----
SELECT id FROM photo WHERE content = x'62'
----
not_equivalent

decide
SELECT COUNT(*) FROM photo WHERE content >= x'80'
----
SELECT COUNT(*) FROM photo WHERE content > x'80'
----
not_equivalent

decide
SELECT id FROM photo WHERE content <> x'C3A4'
----
SELECT id FROM photo WHERE content IS NOT NULL
----
not_equivalent

decide
SELECT id FROM photo WHERE content = x'c3a4'
----
SELECT id FROM photo WHERE x'C3A4' = content
----
equivalent
