schema
CREATE TABLE t (id INTEGER PRIMARY KEY, b);
CREATE TABLE u (t_id INTEGER, e);
----

# A LIKE with a blob is 0 before SQLite looks at ESCAPE NULL: the condition keeps padded rows.
decide
SELECT t.id FROM t LEFT JOIN u ON t.id = u.t_id WHERE (t.b LIKE 'a' ESCAPE u.e) = 0
----
SELECT t.id FROM t JOIN u ON t.id = u.t_id WHERE (t.b LIKE 'a' ESCAPE u.e) = 0
----
not_equivalent

# Where it is true, there is an escape character.
decide
SELECT t.id FROM t LEFT JOIN u ON t.id = u.t_id WHERE t.b LIKE 'a%' AND t.b LIKE u.e ESCAPE '!'
----
SELECT t.id FROM t JOIN u ON t.id = u.t_id WHERE t.b LIKE 'a%' AND t.b LIKE u.e ESCAPE '!'
----
equivalent
