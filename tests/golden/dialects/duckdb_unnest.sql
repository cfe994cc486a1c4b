# UNNEST is a table that its list fixes, each element under its place; of NULL and of the empty list it has no rows.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, k INTEGER, tags VARCHAR[], more VARCHAR[], ns INTEGER[], ds DOUBLE[], l INTERVAL[], s STRUCT(a INTEGER, b INTEGER), v INTERVAL);
CREATE TABLE u (id INTEGER PRIMARY KEY, l INTERVAL[]);
----

# In the SELECT list it multiplies rows as a table beside does.
decide
SELECT id, unnest(tags) FROM t
----
SELECT t.id, x FROM t, unnest(t.tags) AS u (x)
----
equivalent

decide
SELECT id, unnest(tags) AS x FROM t ORDER BY 1, x
----
SELECT id, x FROM t CROSS JOIN LATERAL (SELECT unnest(tags)) AS u (x) ORDER BY id, x
----
equivalent

decide
SELECT unnest(tags), count(*) FROM t GROUP BY 1
----
SELECT x, count(*) FROM t, unnest(tags) AS u (x) GROUP BY x
----
equivalent

decide
SELECT id, x FROM t LEFT JOIN unnest(tags) AS u (x) ON x = 'a'
----
SELECT id, x FROM t LEFT JOIN LATERAL (SELECT unnest(tags) AS x) AS u ON 'a' = x
----
equivalent

decide
SELECT unnest($1::INTEGER[])
----
SELECT x FROM unnest($1::INTEGER[]) AS u (x)
----
equivalent

decide
SELECT id FROM t WHERE i IN (SELECT unnest($1))
----
SELECT id FROM t WHERE i = ANY ($1)
----
equivalent

# A place is a key of its list.
decide
SELECT DISTINCT id, o FROM t, unnest(tags) WITH ORDINALITY AS u (x, o)
----
SELECT id, o FROM t, unnest(tags) WITH ORDINALITY AS u (x, o)
----
equivalent

# A list that is written out is VALUES.
decide
SELECT id, unnest([i, k]) FROM t
----
SELECT id, i FROM t UNION ALL SELECT id, k FROM t
----
equivalent

decide
SELECT unnest([3, 1, NULL])
----
SELECT x FROM (VALUES (1), (3), (NULL)) AS u (x)
----
equivalent

# NULL and the empty list have no rows, and LEFT JOIN keeps the row beside.
decide
SELECT id, x FROM t, unnest(tags) AS u (x)
----
SELECT id, x FROM t LEFT JOIN unnest(tags) AS u (x) ON true
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE EXISTS (FROM unnest(tags))
----
SELECT id FROM t WHERE tags IS NOT NULL
----
not_equivalent by=generate

# A list may hold an element twice.
decide
SELECT id, x FROM t, unnest(ds) AS u (x)
----
SELECT DISTINCT id, x FROM t, unnest(ds) AS u (x)
----
not_equivalent by=generate

decide
SELECT unnest($1::VARCHAR[])
----
SELECT DISTINCT unnest($1::VARCHAR[])
----
not_equivalent by=generate

# Two step side by side, and the shorter is filled with NULL: that is no product.
decide
SELECT id, unnest(tags), unnest(more) FROM t
----
SELECT id, x, y FROM t, unnest(tags) AS u (x), unnest(more) AS w (y)
----
not_equivalent by=generate

decide tiers=proof
SELECT id, unnest(tags), unnest(more) FROM t
----
SELECT id, unnest(tags), unnest(more) FROM t WHERE true
----
equivalent

# Lists that are equal need not be identical: [1 month] and [30 days].
decide tiers=proof
SELECT t.id, x::VARCHAR FROM t JOIN u ON t.l = u.l, unnest(t.l) AS w (x)
----
SELECT t.id, x::VARCHAR FROM t JOIN u ON t.l = u.l, unnest(u.l) AS w (x)
----
undecided NO_PROOF

# DuckDB takes equal values beside for one where a subquery looks at them.
decide tiers=proof
SELECT id, x::VARCHAR FROM t, unnest([v]) AS w (x)
----
SELECT id, unnest([v])::VARCHAR FROM t
----
undecided UNSUPPORTED

# The fields of a struct become columns; RECURSIVE goes down; windows have their rows before there are elements.
decide tiers=proof
SELECT unnest(s) FROM t
----
SELECT unnest(s) FROM t WHERE true
----
undecided UNSUPPORTED

decide tiers=proof
SELECT unnest([[i], [k]], recursive := true) FROM t
----
SELECT unnest([i, k]) FROM t
----
undecided UNSUPPORTED

decide tiers=proof
SELECT unnest(tags), row_number() OVER () FROM t
----
SELECT unnest(tags), row_number() OVER () FROM t WHERE true
----
undecided UNSUPPORTED

decide tiers=proof
SELECT unnest(list(i)) FROM t
----
SELECT i FROM t
----
undecided UNSUPPORTED
