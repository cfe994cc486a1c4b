# What the reader does not translate DuckDB itself runs: where the plan leaves no choice and rounds nothing, it refutes.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, name VARCHAR, d DATE, ts TIMESTAMP, r DOUBLE, n DECIMAL(8, 2), q BOOLEAN);
CREATE TABLE s (id INTEGER PRIMARY KEY, a INTEGER, kind VARCHAR, v INTEGER, w INTEGER);

# A list of columns.
decide
SELECT id FROM s WHERE list_contains([v, w], 2)
----
SELECT id FROM s WHERE list_contains([v], 2)
----
not_equivalent by=generate

# The same, as another text.
decide
SELECT id FROM s WHERE list_contains([v, w], 2)
----
SELECT id FROM s WHERE list_contains([w, v], 2)
----
undecided NO_PROOF

# A field of a struct.
decide
SELECT {'k': v}.k FROM s
----
SELECT {'k': w}.k FROM s
----
not_equivalent by=generate

# A value of a map.
decide
SELECT id FROM s WHERE map_contains(map([1, 2], [v, w]), v)
----
SELECT id FROM s WHERE map_contains(map([1, 2], [v, w]), w)
----
not_equivalent by=generate

# A regular expression that is not plain.
decide
SELECT id FROM s WHERE kind ~ '^x+$'
----
SELECT id FROM s WHERE kind = 'x'
----
not_equivalent by=generate

decide
SELECT id FROM s WHERE regexp_matches(kind, '\d')
----
SELECT id FROM s WHERE regexp_matches(kind, '\D')
----
not_equivalent by=generate

# WITH RECURSIVE.
decide
WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 3) SELECT n FROM k
----
WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 4) SELECT n FROM k
----
not_equivalent by=generate

# UNNEST of what rows say.
decide
SELECT unnest([v, w]) FROM s
----
SELECT unnest([v, v]) FROM s
----
not_equivalent by=generate

# A part of a text.
decide
SELECT split_part(kind, ',', 1) FROM s
----
SELECT split_part(kind, ',', 2) FROM s
----
not_equivalent by=generate

# A list of columns that is sorted.
decide
SELECT id FROM s WHERE list_sort([v, w])[1] = v
----
SELECT id FROM s WHERE list_sort([v, w])[1] = w
----
not_equivalent by=generate

# A choice among rows is no difference.
decide
SELECT ANY_VALUE(v) FROM s
----
SELECT MAX(v) FROM s
----
undecided NONDETERMINISTIC

decide
SELECT FIRST(v) FROM s
----
SELECT LAST(v) FROM s
----
undecided NO_PROOF

# A list of one row has no order.
decide
SELECT list_contains(list(v), 2) FROM s
----
SELECT list_contains(list(w), 2) FROM s
----
not_equivalent by=generate

# A sample is random.
decide
SELECT id FROM s USING SAMPLE 1 ROWS
----
SELECT id FROM s
----
undecided UNSUPPORTED

# What rounds is left alone.
decide
SELECT ln(r) FROM t
----
SELECT ln(r) + 1 FROM t
----
undecided UNSUPPORTED

# Two tables side by side, row by row as they are stored.
decide
SELECT t.id, s.v FROM t POSITIONAL JOIN s
----
SELECT t.id, s.v FROM t JOIN s ON t.id = s.id
----
undecided UNSUPPORTED

# ASOF where several rows are equally near.
decide
SELECT t.id, s.id FROM t ASOF JOIN s ON t.a >= s.v
----
SELECT t.id, s.id FROM t JOIN s ON t.a >= s.v
----
undecided UNSUPPORTED

# PIVOT on values found in the rows.
decide
PIVOT s ON kind USING SUM(v)
----
PIVOT s ON kind IN ('x') USING SUM(v)
----
undecided

# SUMMARIZE is no query that is let near.
decide
SUMMARIZE s
----
SELECT * FROM s
----
undecided UNSUPPORTED

# The time of now, with its zone.
decide
SELECT id FROM t WHERE ts < now()
----
SELECT id FROM t WHERE ts > now()
----
not_equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, l INTEGER[], s STRUCT(a INTEGER, b VARCHAR), x INTEGER);
CREATE TABLE w (x INTEGER, y INTEGER, l INTEGER[]);

# A window over lists: the rows of a partition, of which those that tie have one value.
decide
SELECT id, max(l) OVER (PARTITION BY x) FROM t
----
SELECT id, max(l) OVER () FROM t
----
not_equivalent by=generate

decide
SELECT id, rank() OVER (ORDER BY l) FROM t
----
SELECT id, rank() OVER (ORDER BY l DESC) FROM t
----
not_equivalent by=generate

# A key leaves no rows tied.
decide
SELECT id, lag(s) OVER (ORDER BY id) FROM t WHERE x > 0
----
SELECT id, lead(s) OVER (ORDER BY id) FROM t WHERE x > 0
----
not_equivalent by=generate

# Rows that tie may be numbered in any order.
decide
SELECT l, row_number() OVER (ORDER BY x) FROM w
----
SELECT l, row_number() OVER (ORDER BY x, y) FROM w
----
undecided
