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

# NULLS NOT DISTINCT: one row at most has NULL there, so that DISTINCT removes none.
schema dialect=postgres
CREATE TABLE seat (id INTEGER PRIMARY KEY, guest INTEGER UNIQUE NULLS NOT DISTINCT, host INTEGER UNIQUE, place INTEGER);
CREATE UNIQUE INDEX places ON seat (place) NULLS NOT DISTINCT;
CREATE TABLE meal (id INTEGER PRIMARY KEY, seat_id INTEGER);

decide
SELECT DISTINCT guest FROM seat
----
SELECT guest FROM seat
----
equivalent

# A unique index says so too.
decide
SELECT DISTINCT place FROM seat WHERE host > 3
----
SELECT place FROM seat WHERE host > 3
----
equivalent

# Of a plain UNIQUE any number of rows may hold NULL.
decide
SELECT DISTINCT host FROM seat
----
SELECT host FROM seat
----
not_equivalent

# Rows that a join pads are none of the table's.
decide
SELECT DISTINCT guest FROM meal LEFT JOIN seat ON seat_id = seat.id
----
SELECT guest FROM meal LEFT JOIN seat ON seat_id = seat.id
----
not_equivalent

# Nor those that it pads from the right.
decide
SELECT DISTINCT guest, meal.id FROM seat RIGHT JOIN meal ON seat_id = guest
----
SELECT guest, meal.id FROM seat RIGHT JOIN meal ON seat_id = guest
----
equivalent

decide
SELECT DISTINCT guest FROM seat RIGHT JOIN meal ON seat_id = seat.id
----
SELECT guest FROM seat RIGHT JOIN meal ON seat_id = seat.id
----
not_equivalent

schema
CREATE TABLE seat (id INTEGER PRIMARY KEY, guest INTEGER UNIQUE, host INTEGER UNIQUE, place INTEGER);

decide
SELECT DISTINCT guest FROM seat
----
SELECT guest FROM seat
----
not_equivalent
