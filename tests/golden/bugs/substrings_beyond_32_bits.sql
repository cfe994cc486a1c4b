# SQLite's SUBSTR reads 32 bits of a number: of 2147483648 characters it takes none, DuckDB all.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR, g BIGINT);

decide
SELECT SUBSTR('abc', 1, 2147483648)
----
SELECT ''
----
not_equivalent

decide
SELECT SUBSTR('abc', -2000000000)
----
SELECT ''
----
not_equivalent

decide
SELECT LEFT(s, 2147483648) FROM t
----
SELECT '' FROM t
----
not_equivalent

schema dialect=sqlite/duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, g INTEGER);

decide tiers=rules,proof
SELECT SUBSTR(s, 1, g) FROM t
----
SELECT SUBSTR(s, 1, g) FROM t
----
undecided NO_PROOF

# Places within a text are no such numbers.
decide
SELECT SUBSTR(s, 1, INSTR(s, '-') - 1) FROM t
----
SELECT SUBSTR(s, 1, INSTR(s, '-') - 1) FROM t
----
equivalent
