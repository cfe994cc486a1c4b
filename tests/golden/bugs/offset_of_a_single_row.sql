schema
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER NOT NULL REFERENCES t (id), v INTEGER);
----

# That there is one row at most shows only in normal form; OFFSET takes it away all the same.
decide relation=list effort=0
SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q
    JOIN t AS t2 ON t2.id = q.t_id WHERE t2.a > 3) LIMIT 5 OFFSET 1
----
SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q
    JOIN t AS t2 ON t2.id = q.t_id WHERE t2.a > 3)
----
undecided

decide relation=list
SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q
    JOIN t AS t2 ON t2.id = q.t_id WHERE t2.a > 3) ORDER BY s LIMIT 5 OFFSET 1
----
SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q
    JOIN t AS t2 ON t2.id = q.t_id WHERE t2.a > 3) ORDER BY s
----
not_equivalent

decide relation=list
SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q
    JOIN t AS t2 ON t2.id = q.t_id WHERE t2.a > 3) ORDER BY s
----
SELECT s FROM t WHERE id IN (SELECT q.t_id FROM (SELECT t_id FROM u ORDER BY v LIMIT 1) AS q
    JOIN t AS t2 ON t2.id = q.t_id WHERE t2.a > 3)
----
equivalent by=proof
