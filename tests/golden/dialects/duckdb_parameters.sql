# DuckDB takes a value of any type: a query is read for values of the type that stands beside the parameter.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b BIGINT, n DECIMAL(10, 2), s VARCHAR, d DATE, l INTEGER[] NOT NULL, on_sale BOOLEAN, e ENUM('x', 'y'));
CREATE MACRO twice(x) AS x * 2;
CREATE MACRO whole(x) AS x::INTEGER;
CREATE MACRO both_ways(x) AS x::INTEGER > 1 OR length(x) > 1
----

decide
SELECT id FROM t WHERE a > $1 AND d < $2
----
SELECT id FROM t WHERE NOT (a <= ? OR d >= ?) AND d IS NOT NULL
----
equivalent

# By name, in either case.
decide
SELECT id FROM t WHERE s = $who AND a BETWEEN $low AND $high
----
SELECT id FROM t WHERE $Who = s AND a >= $LOW AND a <= $high
----
equivalent

decide
SELECT id FROM t WHERE a > $1
----
SELECT id FROM t WHERE a >= $1
----
not_equivalent

decide
SELECT id FROM t WHERE a = $1 AND id = $2
----
SELECT id FROM t WHERE a = $2 AND id = $1
----
not_equivalent

decide
SELECT id FROM t WHERE a = $1 OR a <> $1
----
SELECT id FROM t
----
not_equivalent

decide
SELECT id FROM t WHERE $1 IS NULL OR a = $1
----
SELECT id FROM t WHERE a = coalesce($1, a)
----
equivalent

decide
SELECT id FROM t WHERE a + $1 > 3 AND s LIKE '%' || $2 || '%'
----
SELECT id FROM t WHERE s LIKE '%' || $2 || '%' AND NOT ($1 + a <= 3)
----
equivalent

decide
SELECT id, CASE WHEN on_sale THEN $1 ELSE n END FROM t WHERE a IN ($2, $3)
----
SELECT id, CASE WHEN on_sale IS TRUE THEN $1 ELSE n END FROM t WHERE a = $2 OR a = $3
----
equivalent

decide
SELECT id FROM t WHERE a = ANY ($1) AND e = $2
----
SELECT id FROM t WHERE e = $2 AND list_contains($1, a)
----
equivalent

decide
SELECT id FROM t WHERE a = ANY ($1::INTEGER[])
----
SELECT id FROM t WHERE NOT (a <> ALL ($1::INTEGER[]))
----
equivalent

decide
SELECT id FROM t WHERE a = ANY ($1)
----
SELECT id FROM t WHERE a <> ALL ($1)
----
not_equivalent

decide
SELECT id FROM t ORDER BY id LIMIT $1 OFFSET $2
----
SELECT id FROM t ORDER BY id LIMIT $2 OFFSET $1
----
not_equivalent

# Rows are values: what is less than a row with NULL is known to be.
decide
SELECT id FROM t WHERE (a, id) < ($1, $2)
----
SELECT id FROM t WHERE a < $1 OR (a = $1 AND id < $2)
----
not_equivalent

decide
SELECT id FROM t WHERE (a, id) < ($1, $2)
----
SELECT id FROM t WHERE a < $1 OR $1 IS NULL OR (a = $1 AND (id < $2 OR $2 IS NULL))
----
equivalent

# One value is of one type: bound as INTEGER here, as BIGINT there.
decide
SELECT id FROM t WHERE a = $1
----
SELECT id FROM t WHERE b = $1
----
undecided UNSUPPORTED

# Of several numbers the type is one that holds all of them.
decide
SELECT id FROM t WHERE a = $1 OR b = $1
----
SELECT id FROM t WHERE b = $1 OR a = $1
----
equivalent

decide
SELECT id FROM t WHERE a = $1 AND s = $1
----
SELECT id FROM t WHERE s = $1 AND a = $1
----
undecided UNSUPPORTED

# A cast in the text takes values of any type, and decimals are cut as their type says.
decide
SELECT id FROM t WHERE b = $1::BIGINT
----
SELECT id FROM t WHERE $1::INTEGER = b
----
equivalent

decide
SELECT id FROM t WHERE n = $1::DECIMAL(10, 2)
----
SELECT id FROM t WHERE n = $1::DECIMAL(10, 1)
----
undecided UNSUPPORTED

decide
SELECT id FROM t WHERE TRY_CAST($1 AS INTEGER) IS NULL
----
SELECT id FROM t WHERE $1::INTEGER IS NULL
----
undecided UNSUPPORTED

decide
SELECT id FROM t WHERE whole($1) = a AND twice($2) = a
----
SELECT id FROM t WHERE $1::INTEGER = a AND $2 * 2 = a
----
equivalent

decide
SELECT id FROM t WHERE both_ways($1)
----
SELECT id FROM t WHERE both_ways($1) AND id = id
----
undecided UNSUPPORTED

# To DuckDB a parameter is no key.
decide
SELECT a FROM t GROUP BY a, $1
----
SELECT a FROM t GROUP BY $1, a
----
undecided GOLD_INVALID

decide
SELECT id FROM t WHERE s = $"the name"
----
SELECT id FROM t WHERE $"the name" = s
----
undecided UNSUPPORTED
