# For each setting of DuckDB that changes answers a pair that differs by it alone: test_settings.py reads the names,
# also those of settings_of_duckdb.sql, which has what is proved once they are stated or assumed.
schema dialect=duckdb facts=declared
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, f DOUBLE, name VARCHAR, seen TIMESTAMPTZ)

# default_null_order
decide
SELECT a FROM t ORDER BY a, id
----
SELECT a FROM t ORDER BY a NULLS LAST, id
----
undecided NO_PROOF

# default_order
decide
SELECT a FROM t ORDER BY a NULLS LAST, id NULLS LAST
----
SELECT a FROM t ORDER BY a ASC NULLS LAST, id ASC NULLS LAST
----
undecided NO_PROOF

# default_collation
decide
SELECT id FROM t WHERE name = 'a' AND name = 'A'
----
SELECT id FROM t WHERE FALSE
----
undecided NO_PROOF

# integer_division
decide
SELECT id FROM t WHERE a / 2 = 0.5
----
SELECT id FROM t WHERE a = 1
----
undecided NO_PROOF

# ieee_floating_point_ops
decide
SELECT id FROM t WHERE f / f IS NOT NULL
----
SELECT id FROM t WHERE f / f = 1
----
undecided NO_PROOF

# error_on_division_by_zero
decide
SELECT id FROM t WHERE a % a = 0
----
SELECT id FROM t WHERE a IS NOT NULL
----
undecided

# regex_match_operator_semantics
decide
SELECT id FROM t WHERE name ~ 'a'
----
SELECT id FROM t WHERE REGEXP_MATCHES(name, 'a')
----
undecided NO_PROOF

# scalar_subquery_error_on_multiple_rows: it is any of them where it is no error.
decide
SELECT id FROM t WHERE a = (SELECT u.a FROM t AS u WHERE u.id > 3)
----
SELECT id FROM t WHERE a IN (SELECT u.a FROM t AS u WHERE u.id > 3)
----
undecided

# TimeZone
decide
SELECT id FROM t WHERE seen::TIMESTAMP = '2026-03-01'
----
SELECT id FROM t WHERE seen = '2026-03-01 00:00:00+00'
----
undecided NO_PROOF

# Calendar
decide
SELECT DATE_PART('year', seen) FROM t
----
SELECT YEAR(seen) FROM t
----
undecided NO_PROOF

# null_order, by its other name.
schema dialect=duckdb
SET null_order = 'nulls_first';
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)

decide
SELECT a FROM t ORDER BY a, id
----
SELECT a FROM t ORDER BY a NULLS LAST, id
----
undecided UNSUPPORTED

# Which rows a CHECK let in the zone says of the session that wrote them.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, k TIMESTAMPTZ CHECK (k >= '2026-01-01'), l TIMESTAMPTZ CHECK (l >= '2026-01-01 00:00:00+00'))

decide
SELECT id FROM t WHERE k >= '2025-12-31 23:00:00+00'
----
SELECT id FROM t WHERE k IS NOT NULL
----
undecided

decide
SELECT id FROM t WHERE l >= '2025-12-31 23:00:00+00'
----
SELECT id FROM t WHERE l IS NOT NULL
----
equivalent

schema dialect=duckdb
SET TimeZone = 'America/New_York';
CREATE TABLE t (id INTEGER PRIMARY KEY, k TIMESTAMPTZ, n INTEGER)

decide
SELECT id FROM t WHERE k >= '2026-03-01' AND n = 1
----
SELECT id FROM t WHERE n = 1 AND NOT k < '2026-03-01'
----
equivalent

decide
SELECT id FROM t WHERE k >= '2026-03-01'
----
SELECT id FROM t WHERE k >= '2026-03-01 05:00:00+00'
----
undecided

schema dialect=duckdb assume="setting(TimeZone = 'UTC')"
CREATE TABLE t (id INTEGER PRIMARY KEY, k TIMESTAMPTZ, l TIMESTAMPTZ)

decide names="setting(TimeZone = 'UTC')"
SELECT id FROM t WHERE k >= '2026-03-01' AND k::TIMESTAMP > l::TIMESTAMP
----
SELECT id FROM t WHERE k >= '2026-03-01 00:00:00+00' AND k > l
----
equivalent
