# What the DDL alone promises: PostgreSQL enforces keys as the standard says.
schema facts=declared dialect=postgres
CREATE TABLE parent (id TEXT PRIMARY KEY, x INTEGER);
CREATE TABLE child (id INTEGER PRIMARY KEY, pid TEXT NOT NULL REFERENCES parent (id));

# A primary key holds no NULL.
decide
SELECT COUNT(id) FROM parent
----
SELECT COUNT(*) FROM parent
----
equivalent

# Foreign keys hold.
decide
SELECT c.id FROM child AS c JOIN parent AS p ON c.pid = p.id
----
SELECT id FROM child
----
equivalent

schema facts=declared
CREATE TABLE parent (id TEXT PRIMARY KEY, x INTEGER);
CREATE TABLE child (id INTEGER PRIMARY KEY, pid TEXT NOT NULL REFERENCES parent (id));

decide
SELECT COUNT(id) FROM parent
----
SELECT COUNT(*) FROM parent
----
not_equivalent

decide
SELECT c.id FROM child AS c JOIN parent AS p ON c.pid = p.id
----
SELECT id FROM child
----
not_equivalent
