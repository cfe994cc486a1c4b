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

# TimeZone: what converts an instant is read of no zone.
decide
SELECT id FROM t WHERE seen::TIMESTAMP = '2026-03-01'
----
SELECT id FROM t WHERE seen = '2026-03-01 00:00:00+00'
----
undecided UNSUPPORTED

# Calendar
decide
SELECT DATE_PART('year', seen) FROM t
----
SELECT YEAR(seen) FROM t
----
undecided UNSUPPORTED

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
