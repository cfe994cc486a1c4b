# Parameters are unknown constants of the types that PostgreSQL takes them for.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, n NUMERIC(10, 2), name TEXT, c CHAR(5), d DATE, active BOOLEAN NOT NULL);

decide
SELECT id FROM t WHERE a > $1 AND d < $2
----
SELECT id FROM t WHERE NOT (a <= $1 OR d >= $2) AND d IS NOT NULL
----
equivalent

# By name, too.
decide
SELECT id FROM t WHERE name = :who
----
SELECT id FROM t WHERE :who = name
----
equivalent

decide
SELECT id FROM t WHERE a > :least
----
SELECT id FROM t WHERE a >= :least
----
not_equivalent

# Two parameters may hold two values.
decide
SELECT id FROM t WHERE a = $1 AND id = $2
----
SELECT id FROM t WHERE a = $2 AND id = $1
----
not_equivalent

# A parameter may be NULL.
decide
SELECT id FROM t WHERE a = $1 OR a <> $1
----
SELECT id FROM t
----
not_equivalent

# And a pattern.
decide
SELECT id FROM t WHERE name = $1
----
SELECT id FROM t WHERE name LIKE $1
----
not_equivalent

# A half is no value of an integer: no witness.
decide
SELECT id FROM t WHERE a > $1 + 1
----
SELECT id FROM t WHERE a >= $1 + 2
----
undecided

# A boolean is true, false or NULL.
decide
SELECT id FROM t WHERE active = $1
----
SELECT id FROM t WHERE active
----
not_equivalent

# LIMIT by a parameter is told apart on PostgreSQL; NULL and less than 0 mean other things in each dialect.
decide
SELECT id FROM t ORDER BY id LIMIT $1
----
SELECT id FROM t ORDER BY id LIMIT $2
----
not_equivalent by=generate

# A date here and a text there: '2020-1-5' is one value of the first and another of the second.
decide
SELECT id FROM t WHERE d = $1
----
SELECT id FROM t WHERE CAST(d AS TEXT) = $1
----
undecided UNSUPPORTED

# No type, no reading.
decide
SELECT id FROM t WHERE $1 IS NULL
----
SELECT id FROM t WHERE $1 IS NULL AND a = a
----
undecided UNSUPPORTED

# A character(n) would be compared without its blanks.
decide
SELECT id FROM t WHERE c = $1 AND a = a
----
SELECT id FROM t WHERE c = $1
----
undecided UNSUPPORTED

schema dialect=postgres
CREATE TABLE u (id INTEGER PRIMARY KEY, age INTEGER, name TEXT, mail TEXT, tags TEXT[]);

# An array that has a value twice joins a row twice.
decide
SELECT id FROM u WHERE id = ANY ($1::int[])
----
SELECT u.id FROM u JOIN unnest($1::int[]) AS x (id) ON u.id = x.id
----
not_equivalent by=generate

decide
SELECT id FROM u WHERE 'a' = ANY (tags)
----
SELECT u.id FROM u, unnest(tags) AS x WHERE x = 'a'
----
not_equivalent by=generate

# A column may hold what LIKE takes for a pattern.
decide
SELECT id FROM u WHERE name ILIKE mail
----
SELECT id FROM u WHERE lower(name) = lower(mail)
----
not_equivalent by=generate
