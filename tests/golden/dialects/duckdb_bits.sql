# Bits of integers: `&`, `|`, `xor`, `~` and shifts by constants.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s INTEGER, w INTEGER);

decide
SELECT xor(a, a) FROM t
----
SELECT a - a FROM t
----
equivalent

decide
SELECT xor(a, a) FROM t
----
SELECT CASE WHEN a IS NULL THEN NULL ELSE 0 END FROM t
----
equivalent

# Of NULL it is NULL.
decide
SELECT xor(a, a) FROM t
----
SELECT 0 FROM t
----
not_equivalent

decide
SELECT a & a FROM t
----
SELECT a FROM t
----
equivalent

decide
SELECT a | a FROM t
----
SELECT a FROM t
----
equivalent

decide
SELECT a & 0 FROM t
----
SELECT a - a FROM t
----
equivalent

decide
SELECT xor(a, b) FROM t
----
SELECT xor(b, a) FROM t
----
equivalent

decide
SELECT xor(a, b) FROM t
----
SELECT a + b FROM t
----
not_equivalent

# Of a negative number the remainder is negative.
decide
SELECT a & 1 FROM t
----
SELECT a % 2 FROM t
----
not_equivalent

# The one rounds down, the other towards zero.
decide
SELECT a >> 1 FROM t
----
SELECT a // 2 FROM t
----
not_equivalent

# Of a negative number it raises an error.
decide
SELECT a << 1 FROM t
----
SELECT a * 2 FROM t
----
undecided NO_PROOF

decide
SELECT a >> 32 FROM t
----
SELECT 0 FROM t
----
not_equivalent

decide
SELECT ~a FROM t
----
SELECT -a FROM t
----
not_equivalent

# Without a sign it has other bits.
decide
SELECT ~(a::UTINYINT) FROM t
----
SELECT ~a FROM t
----
not_equivalent
