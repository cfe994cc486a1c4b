schema
CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER, q INTEGER, j TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id), n INTEGER NOT NULL)
----

# Was equivalent, with no fact named: the first raises "integer overflow" on every row but those of 7 and 9.
decide
SELECT id FROM t WHERE p IN (7, 9) OR abs(-9223372036854775808) = 1
----
SELECT id FROM t WHERE p IN (7, 9)
----
not_equivalent by=generate

# The other way round.
decide
SELECT id FROM t WHERE p IN (7, 9)
----
SELECT id FROM t WHERE p IN (7, 9) OR abs(-9223372036854775808) = 1
----
not_equivalent by=generate

# SQLite asks for the second condition of every row on which the first holds.
decide
SELECT id FROM t WHERE p > 0 AND abs(-9223372036854775808) = 1
----
SELECT id FROM t WHERE FALSE AND p > 0
----
not_equivalent by=generate

# A branch that is taken for some rows.
decide
SELECT CASE WHEN p = 1 THEN abs(-9223372036854775808) ELSE q END FROM t
----
SELECT CASE WHEN p = 1 THEN abs(-9223372036854775808) WHEN p <> 1 THEN q ELSE q END FROM t
----
equivalent

# A branch that is never taken raises nothing.
decide
SELECT COALESCE(id, abs(-9223372036854775808)) FROM t
----
SELECT id FROM t
----
equivalent

# No argument of the first column is NULL: the second is never asked for.
decide
SELECT id FROM t WHERE id IS NOT NULL OR abs(-9223372036854775808) = 1
----
SELECT id FROM t
----
equivalent

# Only a row of the least integer raises.
decide names=no_error
SELECT id FROM t WHERE abs(p) >= 0
----
SELECT id FROM t WHERE p IS NOT NULL
----
equivalent

# Moved before another condition, it is asked of other rows.
decide names=no_error
SELECT id FROM t WHERE abs(p) = 1 AND q = 2
----
SELECT id FROM t WHERE q = 2 AND abs(p) = 1
----
equivalent

# Under other names it is the same query.
decide
SELECT id FROM t WHERE abs(p) = 1
----
SELECT x.id FROM t AS x WHERE abs(x.p) = 1
----
equivalent

# Groups that HAVING drops are summed, too.
decide names=no_error
SELECT q, SUM(p) FROM t GROUP BY q HAVING q > 1
----
SELECT q, SUM(p) FROM t WHERE q > 1 GROUP BY q
----
equivalent

# The same rows are summed.
decide
SELECT SUM(p) FROM t WHERE q = 1 AND id > 2
----
SELECT SUM(x.p) FROM t x WHERE x.id > 2 AND x.q = 1
----
equivalent

# What a derived table shows and nobody reads.
decide names=no_error
SELECT d.id FROM (SELECT id, abs(p) AS a FROM t) AS d
----
SELECT id FROM t
----
equivalent

# A subquery that is asked of each row.
decide
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id AND abs(-9223372036854775808) = 1)
----
SELECT id FROM t WHERE FALSE
----
not_equivalent by=generate

# The condition of an outer join.
decide
SELECT t.id, u.id FROM t LEFT JOIN u ON u.t_id = t.id AND abs(-9223372036854775808) = 1
----
SELECT t.id, NULL FROM t
----
not_equivalent by=generate

# A group is not dropped by what raises an error.
decide
SELECT q FROM t GROUP BY q HAVING abs(-9223372036854775808) = 1
----
SELECT q FROM t WHERE FALSE
----
not_equivalent by=generate

# An order by what raises an error has none.
decide names=no_error
SELECT id FROM t ORDER BY id, abs(p)
----
SELECT id FROM t ORDER BY id
----
equivalent

# No LIMIT is a text.
decide
SELECT id FROM t ORDER BY id LIMIT 'a'
----
SELECT id FROM t ORDER BY id LIMIT 1
----
not_equivalent by=generate

# A pattern's escape is a single character.
decide
SELECT id FROM t WHERE j LIKE 'a%' ESCAPE 'xy'
----
SELECT id FROM t WHERE j LIKE 'a%'
----
not_equivalent by=generate

# JSON that is none; the engine alone can tell.
decide
SELECT id FROM t WHERE json_extract('{', '$.a') = 1
----
SELECT id FROM t WHERE FALSE
----
not_equivalent by=generate

schema errors=strict
CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER, q INTEGER, j TEXT)
----

# Where errors count, a row of the least integer is enough.
decide
SELECT id FROM t WHERE abs(p) >= 0
----
SELECT id FROM t WHERE p IS NOT NULL
----
not_equivalent by=generate

# Both raise an error on the same rows.
decide
SELECT id FROM t WHERE abs(p) = 1
----
SELECT x.id FROM t AS x WHERE abs(x.p) = 1
----
equivalent

# On SQLite no row parts these, but nothing proves it.
decide
SELECT d.id FROM (SELECT id, abs(p) AS a FROM t) AS d
----
SELECT id FROM t
----
undecided NO_PROOF

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER, q INTEGER, s VARCHAR)
----

# A division by zero that some rows are asked for.
decide
SELECT CASE WHEN p = 1 THEN 1 / 0 ELSE q END FROM t
----
SELECT q FROM t
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE p IN (7, 9) OR 1 // 0 = 1
----
SELECT id FROM t WHERE p IN (7, 9)
----
not_equivalent by=generate

# Only rows of zero raise.
decide names=no_error
SELECT id FROM t WHERE 10 // p > 1
----
SELECT id FROM t WHERE p <> 0 AND 10 // p > 1
----
equivalent

# A name is no other place.
decide
SELECT x.id FROM t x WHERE 10 // x.p > 1
----
SELECT id FROM t WHERE 10 // p > 1
----
equivalent

schema dialect=postgres
CREATE TABLE t (id integer PRIMARY KEY, p integer, q integer, s text)
----

# PostgreSQL computes it before it reads a row.
decide
SELECT id FROM t WHERE p IN (7, 9) OR 1 / 0 = 1
----
SELECT id FROM t WHERE p IN (7, 9)
----
not_equivalent by=generate

decide names=no_error
SELECT id FROM t WHERE CAST(s AS integer) = 5 AND q = 1
----
SELECT id FROM t WHERE q = 1 AND CAST(s AS integer) = 5
----
equivalent

schema dialect=postgres errors=strict
CREATE TABLE t (id integer PRIMARY KEY, p integer, q integer, s text)
----

# The author of a rewriter wants to know of the row of zero.
decide
SELECT id FROM t WHERE 10 / p > 1
----
SELECT id FROM t WHERE p <> 0 AND 10 / p > 1
----
not_equivalent by=generate

decide
SELECT x.id FROM t x WHERE 10 / x.p > 1
----
SELECT id FROM t WHERE 10 / p > 1
----
equivalent
