# max(a, 2) is the list of the two greatest values, which was read as max(a).
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
----

decide tiers=proof
SELECT len(max(a, 2)) FROM t
----
SELECT len(max(a, 3)) FROM t
----
undecided NO_PROOF

decide tiers=generate
SELECT min(a, 2) FROM t
----
SELECT min(a, 3) FROM t
----
not_equivalent by=generate
