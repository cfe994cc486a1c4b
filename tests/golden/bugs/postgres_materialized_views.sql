# A materialised view was a table of any rows: its witness put a row of 0 into one of WHERE a > 0, which no database
# holds. It has the rows of its query at an earlier time.
schema dialect=postgres
CREATE TABLE t (id INT PRIMARY KEY, a INT NOT NULL, b INT CHECK (b > 5), p INT REFERENCES t);
CREATE TABLE c (id INT PRIMARY KEY, t INT NOT NULL REFERENCES t);
CREATE MATERIALIZED VIEW mv AS SELECT id, a, b, p FROM t WHERE a > 0;
CREATE MATERIALIZED VIEW empty AS SELECT id, t FROM c WITH NO DATA;
CREATE MATERIALIZED VIEW again AS SELECT id, a FROM mv;
CREATE MATERIALIZED VIEW either AS SELECT id FROM empty UNION SELECT id FROM t;
CREATE MATERIALIZED VIEW grouped AS SELECT a, count(*) AS n FROM t GROUP BY a;
CREATE MATERIALIZED VIEW dated AS SELECT id, now() AS at FROM t;

decide
SELECT a FROM mv WHERE a <= 0
----
SELECT a FROM mv WHERE false
----
equivalent

# Keys, NOT NULL and CHECKs of its tables held at that time.
decide
SELECT DISTINCT id FROM mv WHERE b > 5 OR b IS NULL
----
SELECT id FROM mv
----
equivalent

decide
SELECT DISTINCT a FROM grouped
----
SELECT a FROM grouped
----
equivalent

# Its rows are not those of now; its script fills the table, refreshes the view and empties the table.
decide
SELECT a FROM mv
----
SELECT a FROM t WHERE a > 0
----
not_equivalent

decide
SELECT mv.id FROM mv JOIN t ON t.id = mv.id
----
SELECT mv.id FROM mv
----
not_equivalent

decide
SELECT mv.id FROM mv JOIN t ON t.id = mv.id AND t.a = mv.a
----
SELECT mv.id FROM mv JOIN t ON t.id = mv.id
----
not_equivalent

# A view without data made every pair INTERNAL; one that reads it is refreshed after it.
decide
SELECT id FROM empty WHERE t > 3
----
SELECT id FROM empty WHERE t >= 3
----
not_equivalent

decide
SELECT id FROM t WHERE a IS NOT NULL
----
SELECT id FROM t
----
equivalent

# Two views are of two times.
decide
SELECT id FROM either WHERE id IN (SELECT id FROM empty)
----
SELECT id FROM empty
----
not_equivalent

decide
SELECT mv.a FROM mv JOIN again USING (id)
----
SELECT again.a FROM mv JOIN again USING (id)
----
not_equivalent

decide
SELECT DISTINCT id FROM either
----
SELECT id FROM either
----
equivalent

# The time of its refresh is not now.
decide
SELECT at FROM dated
----
SELECT now() FROM dated
----
undecided UNSUPPORTED

# What a session wrote under its own style was taken for what this one writes: the view may hold '02.01.2020'.
schema dialect=postgres assume="setting(DateStyle = 'ISO, MDY')"
CREATE TABLE t (id INT PRIMARY KEY, d DATE);
CREATE MATERIALIZED VIEW written AS SELECT id, d::text AS d FROM t

decide
SELECT id FROM written WHERE d = '02.01.2020'
----
SELECT id FROM written WHERE false
----
undecided UNSUPPORTED

decide
SELECT id FROM written WHERE d < 'A'
----
SELECT id FROM written WHERE d IS NOT NULL
----
undecided UNSUPPORTED
