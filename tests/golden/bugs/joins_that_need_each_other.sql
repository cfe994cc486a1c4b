schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE c (id INTEGER PRIMARY KEY, x INTEGER)
----

# SQLite refuses a condition about a later source; 3.40 does not where WHERE holds for no row, since it then does not
# look. To order these LEFT JOINs found none that could come first, and failed.
decide
SELECT a.id FROM a LEFT JOIN b ON b.x = c.x LEFT JOIN c ON c.x = b.id WHERE a.id IN ()
----
SELECT id FROM a WHERE id IN ()
----
invalid
