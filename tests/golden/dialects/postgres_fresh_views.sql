# A materialised view of which `fresh(v)` is assumed is read as its query over the tables of now; each proof names the fact.
schema dialect=postgres assume="fresh(mv)" assume="fresh(again)" assume="fresh(empty)"
CREATE TABLE t (id INT PRIMARY KEY, a INT NOT NULL, b INT CHECK (b > 5), p INT REFERENCES t);
CREATE TABLE c (id INT PRIMARY KEY, t INT NOT NULL REFERENCES t);
CREATE MATERIALIZED VIEW mv AS SELECT id, a, b, p FROM t WHERE a > 0;
CREATE UNIQUE INDEX by_id ON mv (id);
CREATE MATERIALIZED VIEW free AS SELECT id, a FROM t WHERE a > 0;
CREATE MATERIALIZED VIEW again AS SELECT id, a FROM mv;
CREATE MATERIALIZED VIEW of_free AS SELECT id, a FROM free;
CREATE MATERIALIZED VIEW of_mv AS SELECT id, a FROM mv;
CREATE MATERIALIZED VIEW empty AS SELECT id, t FROM c WITH NO DATA;
CREATE MATERIALIZED VIEW chosen AS SELECT id FROM t LIMIT 1

decide names="fresh(mv)"
SELECT * FROM mv
----
SELECT id, a, b, p FROM t WHERE a > 0
----
equivalent

# A near miss; the witness's script refreshes the view after the rows.
decide names="fresh(mv)"
SELECT id FROM mv
----
SELECT id FROM t WHERE a >= 0
----
not_equivalent

decide names="fresh(mv)"
SELECT mv.id FROM mv JOIN t ON t.id = mv.id
----
SELECT DISTINCT id FROM mv
----
equivalent

# Of another view nothing is assumed.
decide
SELECT id FROM free
----
SELECT id FROM t WHERE a > 0
----
not_equivalent

# A view that reads another one is that of now once both are fresh.
decide names="fresh(again)" names="fresh(mv)"
SELECT id FROM again
----
SELECT id FROM t WHERE a > 0
----
equivalent

decide
SELECT id FROM of_mv
----
SELECT id FROM mv
----
not_equivalent

# A view without data, taken for filled.
decide names="fresh(empty)"
SELECT id FROM empty WHERE t > 3
----
SELECT id FROM c WHERE NOT t <= 3
----
equivalent

# What was chosen then may be another row than is chosen now.
schema dialect=postgres assume="fresh(chosen)" assume="fresh(of_free)" assume="fresh(average)"
CREATE TABLE t (id INT PRIMARY KEY, a INT NOT NULL, x FLOAT8);
CREATE MATERIALIZED VIEW free AS SELECT id, a FROM t WHERE a > 0;
CREATE MATERIALIZED VIEW of_free AS SELECT id, a FROM free;
CREATE MATERIALIZED VIEW average AS SELECT a, sum(x) AS x FROM t GROUP BY a;
CREATE MATERIALIZED VIEW chosen AS SELECT id FROM t LIMIT 1

decide
SELECT id FROM chosen
----
SELECT id FROM t LIMIT 1
----
undecided UNSUPPORTED

decide
SELECT a, x FROM average
----
SELECT a, sum(x) FROM t GROUP BY a
----
undecided UNSUPPORTED

# It is fresh and reads what is not.
decide names="fresh(of_free)"
SELECT id FROM of_free
----
SELECT id FROM free
----
equivalent

decide
SELECT id FROM of_free
----
SELECT id FROM t WHERE a > 0
----
not_equivalent
