# '1 mon' equals '30 days', and 1.0 equals 1.00: which of them MAX, GROUP BY or INTERSECT keep is a choice.
schema dialect=postgres
CREATE TABLE t (id int PRIMARY KEY, n numeric, p numeric(10,2), i interval)

decide
SELECT max(i)::text FROM t
----
SELECT (SELECT i FROM t ORDER BY i DESC NULLS LAST, id LIMIT 1)::text
----
undecided NO_PROOF

decide
SELECT n::text FROM (SELECT n FROM t INTERSECT SELECT p FROM t) AS s (n)
----
SELECT n::text FROM (SELECT p FROM t INTERSECT SELECT n FROM t) AS s (n)
----
undecided UNSUPPORTED

decide
SELECT i::text FROM (SELECT DISTINCT i FROM t) AS s
----
SELECT min(i)::text FROM t GROUP BY i
----
undecided

decide
SELECT array_agg(DISTINCT i)::text FROM t
----
SELECT array_agg(i ORDER BY i)::text FROM (SELECT i FROM t GROUP BY i) AS s
----
undecided

# Where the values that are kept are other values, they are told apart as ever.
decide
SELECT max(i)::text FROM t
----
SELECT min(i)::text FROM t
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY)

decide
SELECT max(x)::VARCHAR FROM (SELECT to_days(30 * id) AS x FROM t UNION ALL SELECT to_months(id) FROM t) AS s
----
SELECT max(x)::VARCHAR FROM (SELECT to_months(id) AS x FROM t UNION ALL SELECT to_days(30 * id) FROM t) AS s
----
equivalent by=proof
