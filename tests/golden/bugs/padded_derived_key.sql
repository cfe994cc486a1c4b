schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER);
CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER)
----

# A key of a derived table may be NULL, and so is every column of a padded row: (NULL, NULL) twice.
norm refuse=eliminate_distinct_on_key
SELECT DISTINCT q.x, r.x FROM (SELECT DISTINCT a.x FROM a) AS q FULL JOIN (SELECT DISTINCT b.x FROM b) AS r ON q.x = r.x
----
SELECT DISTINCT q.c1, q_2.c1 FROM (SELECT DISTINCT a.x AS c1 FROM a) AS q FULL JOIN (SELECT DISTINCT b.x AS c1 FROM b) AS q_2 ON q.c1 = q_2.c1
