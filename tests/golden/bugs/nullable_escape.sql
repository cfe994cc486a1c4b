schema
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT);
CREATE TABLE u (t_id INTEGER, e TEXT);
----

# A LIKE with a blob is 0 before SQLite looks at ESCAPE NULL: the condition keeps padded rows.
decide
SELECT t.id FROM t LEFT JOIN u ON t.id = u.t_id WHERE (CAST(t.s AS BLOB) LIKE 'a' ESCAPE u.e) = 0
----
SELECT t.id FROM t JOIN u ON t.id = u.t_id WHERE (CAST(t.s AS BLOB) LIKE 'a' ESCAPE u.e) = 0
----
not_equivalent

decide tiers=rules
SELECT t.id FROM t LEFT JOIN u ON t.id = u.t_id WHERE (t.s LIKE 'a' ESCAPE u.e) = 0
----
SELECT t.id FROM t JOIN u ON t.id = u.t_id WHERE (t.s LIKE 'a' ESCAPE u.e) = 0
----
undecided

# Where it is true, there is an escape character.
decide
SELECT t.id FROM t LEFT JOIN u ON t.id = u.t_id WHERE t.s LIKE 'a%' AND t.s LIKE u.e ESCAPE '!'
----
SELECT t.id FROM t JOIN u ON t.id = u.t_id WHERE t.s LIKE 'a%' AND t.s LIKE u.e ESCAPE '!'
----
equivalent
