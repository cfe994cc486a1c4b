# DuckDB has one answer of a subquery for all rows around it whose values of its columns are equal.  30 days equal
# one month, so that the subquery shows '1 month' for a row of 30 days, and the two queries differ.
schema dialect=duckdb
CREATE TABLE d (id INTEGER PRIMARY KEY, v INTERVAL, s STRUCT(v INTERVAL), l INTERVAL[], n INTEGER);
CREATE TABLE u (id INTEGER PRIMARY KEY);
----

decide tiers=proof
SELECT id, (SELECT d.v::VARCHAR FROM (SELECT 1) AS x LIMIT 1) FROM d
----
SELECT id, v::VARCHAR FROM d
----
undecided UNSUPPORTED

decide tiers=proof
SELECT id, y::VARCHAR FROM d, LATERAL (VALUES (v)) AS q (y)
----
SELECT id, v::VARCHAR FROM d
----
undecided UNSUPPORTED

decide tiers=proof
SELECT id, (SELECT s::VARCHAR FROM (SELECT 1) AS x LIMIT 1) FROM d
----
SELECT id, s::VARCHAR FROM d
----
undecided UNSUPPORTED

# Lists it tells apart by their rows, but not beside IN.
decide tiers=proof
SELECT id, y::VARCHAR FROM d, LATERAL (VALUES (l)) AS q (y)
----
SELECT id, l::VARCHAR FROM d
----
equivalent

decide tiers=proof
SELECT id FROM d WHERE '[30 days]' IN (SELECT l::VARCHAR FROM (SELECT 1) AS x)
----
SELECT id FROM d WHERE l::VARCHAR = '[30 days]'
----
undecided UNSUPPORTED

# Numbers that are equal are identical.
decide tiers=proof
SELECT id, (SELECT d.n::VARCHAR FROM (SELECT 1) AS x LIMIT 1) FROM d
----
SELECT id, n::VARCHAR FROM d
----
equivalent
