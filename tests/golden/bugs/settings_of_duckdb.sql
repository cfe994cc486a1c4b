# A script's settings were passed over: where NULL stands, which way ORDER BY goes and what / is were DuckDB's defaults.
schema dialect=duckdb
SET default_null_order = 'nulls_first';
SET integer_division = true;
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, name VARCHAR)

decide
SELECT a FROM t ORDER BY a, id
----
SELECT a FROM t ORDER BY a NULLS LAST, id
----
undecided UNSUPPORTED

decide
SELECT id FROM t WHERE a / 2 = 0.5
----
SELECT id FROM t WHERE a = 1
----
undecided UNSUPPORTED

decide
SELECT id FROM t WHERE NOT a <> 1
----
SELECT id FROM t WHERE a = 1
----
equivalent

decide
SELECT a FROM t ORDER BY a NULLS LAST, id NULLS LAST
----
SELECT a FROM t AS q ORDER BY q.a NULLS LAST, q.id NULLS LAST
----
equivalent

schema dialect=duckdb
SET default_order = 'DESC';
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, name VARCHAR)

decide
SELECT MIN(id) FROM t
----
SELECT id FROM t ORDER BY id LIMIT 1
----
undecided UNSUPPORTED

# Under another collation equal texts are not the same ones.
schema dialect=duckdb
SET default_collation = 'NOCASE';
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, name VARCHAR)

decide
SELECT id FROM t WHERE name = 'a' AND name = 'A'
----
SELECT id FROM t WHERE FALSE
----
undecided UNSUPPORTED

# What the script states as the reader takes it is a fact of the schema, by name.
schema dialect=duckdb
PRAGMA default_null_order = 'NULLS LAST';
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, name VARCHAR)

decide names="setting(default_null_order = 'NULLS_LAST')"
SELECT a FROM t ORDER BY a, id
----
SELECT a FROM t ORDER BY a NULLS LAST, id
----
equivalent
