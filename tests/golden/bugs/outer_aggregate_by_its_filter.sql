# SQLite looks at the FILTER too to tell whose aggregate it is: this COUNT is of the outer rows, and never 0 here.
schema
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER);
CREATE TABLE b (a_id INTEGER NOT NULL REFERENCES a (id), z INTEGER, w INTEGER);
----

decide relation=set
SELECT a.id, (SELECT SUM(CASE WHEN b.z > 1 THEN 1 ELSE 0 END) / COUNT(*) FILTER (WHERE a.x > 0) FROM b WHERE b.a_id = 7) FROM a
----
SELECT a.id, (SELECT COUNT(*) FILTER (WHERE b.z > 1) / COUNT(*) FILTER (WHERE a.x > 0) FROM b WHERE b.a_id = 7) FROM a
----
undecided UNSUPPORTED

# So it is of every aggregate whose FILTER alone mentions columns, and those of outer rows.
decide tiers=proof
SELECT a.id, (SELECT COUNT(*) FILTER (WHERE a.x > 0) FROM b) FROM a
----
SELECT a.id, CASE WHEN a.x > 0 THEN (SELECT COUNT(*) FROM b) ELSE 0 END FROM a
----
undecided UNSUPPORTED

decide tiers=proof
SELECT a.id, (SELECT SUM(1) FILTER (WHERE a.x > 0) FROM b) FROM a
----
SELECT a.id, (SELECT SUM(1) FROM b WHERE a.x > 0) FROM a
----
undecided UNSUPPORTED

norm expect=convert_divided_sum_to_count
SELECT a.id, (SELECT SUM(CASE WHEN b.z > 1 THEN 1 ELSE 0 END) / COUNT(*) FILTER (WHERE b.w > 0) FROM b WHERE b.a_id = a.id) FROM a
----
SELECT a.id, (SELECT COUNT(*) FILTER (WHERE b.z >= 2) / COUNT(*) FILTER (WHERE b.w >= 1) FROM b WHERE a.id = b.a_id) FROM a
