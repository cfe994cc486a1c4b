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

# Of a script that states nothing DuckDB's own values were taken without a word: another session answers otherwise.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, f DOUBLE, name VARCHAR, seen TIMESTAMPTZ, g VARCHAR NOT NULL CHECK (g <> 'A'))

decide names="setting(default_null_order = 'NULLS_LAST')"
SELECT a FROM t ORDER BY a, id
----
SELECT a FROM t ORDER BY a NULLS LAST, id
----
equivalent

decide names="setting(default_order = 'ASC')"
SELECT a FROM t ORDER BY a NULLS LAST, id NULLS LAST
----
SELECT a FROM t ORDER BY a ASC NULLS LAST, id ASC NULLS LAST
----
equivalent

decide names="setting(default_collation = 'binary')"
SELECT id FROM t WHERE name = 'a' AND name = 'A'
----
SELECT id FROM t WHERE FALSE
----
equivalent

decide names="setting(default_collation = 'binary')"
SELECT id FROM t WHERE g = 'A'
----
SELECT id FROM t WHERE FALSE
----
equivalent

decide names="setting(integer_division = 'false')"
SELECT id FROM t WHERE a / 2 = 0.5
----
SELECT id FROM t WHERE a = 1
----
equivalent

decide names="setting(ieee_floating_point_ops = 'false')"
SELECT id FROM t WHERE f / f IS NOT NULL
----
SELECT id FROM t WHERE f / f = 1
----
equivalent

decide names="setting(error_on_division_by_zero = 'true')"
SELECT id FROM t WHERE a % id = 0 AND a > 1
----
SELECT id FROM t WHERE NOT a <= 1 AND 0 = a % id
----
equivalent

decide names="setting(regex_match_operator_semantics = 'partial')"
SELECT id FROM t WHERE name ~ 'a'
----
SELECT id FROM t WHERE REGEXP_MATCHES(name, 'a')
----
equivalent

# What a text means under each value of a setting names none.
decide
SELECT id, name FROM t WHERE a > 1
----
SELECT id, name FROM t WHERE NOT a <= 1
----
equivalent

# The time zone is the machine's.
decide
SELECT id FROM t WHERE seen::TIMESTAMP = '2026-03-01'
----
SELECT id FROM t WHERE seen::DATE = '2026-03-01'
----
not_equivalent

# Under the policy declared nothing is assumed of a session.
schema dialect=duckdb facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, name VARCHAR)

decide
SELECT a FROM t ORDER BY a, id
----
SELECT a FROM t ORDER BY a NULLS LAST, id
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE NOT a <> 1
----
SELECT id FROM t WHERE a = 1
----
equivalent
