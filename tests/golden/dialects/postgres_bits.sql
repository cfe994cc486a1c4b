# Bits of integers: `&`, `|`, exclusive or, `~` and shifts by constants.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b BIGINT, s SMALLINT);

decide
SELECT a # a FROM t
----
SELECT a - a FROM t
----
equivalent

decide
SELECT a # a FROM t
----
SELECT CASE WHEN a IS NULL THEN NULL ELSE 0 END FROM t
----
equivalent

# Of NULL it is NULL.
decide
SELECT a # a FROM t
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
SELECT a & 0 FROM t
----
SELECT 0 FROM t
----
not_equivalent

decide
SELECT a # b FROM t
----
SELECT b # a FROM t
----
equivalent

decide
SELECT a # b FROM t
----
SELECT (a | b) - (a & b) FROM t
----
equivalent

decide
SELECT a # b FROM t
----
SELECT a + b FROM t
----
not_equivalent

decide
SELECT a | b FROM t
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

decide
SELECT a >> 0 FROM t
----
SELECT a FROM t
----
equivalent

# The one rounds down, the other towards zero.
decide
SELECT a >> 1 FROM t
----
SELECT a / 2 FROM t
----
not_equivalent

decide
SELECT a << 31 FROM t
----
SELECT 0 FROM t
----
not_equivalent

# Where the one wraps round the other raises an error.
decide
SELECT a << 1 FROM t
----
SELECT a * 2 FROM t
----
undecided NO_PROOF

# A smallint keeps its 16 bits.
decide
SELECT s << 15 FROM t
----
SELECT s::int << 15 FROM t
----
not_equivalent

# By 32 it hangs on the processor.
decide
SELECT 1 << a FROM t
----
SELECT 2 ^ a FROM t
----
undecided NO_PROOF

decide
SELECT a << 32 FROM t
----
SELECT a FROM t
----
undecided NO_PROOF

decide
SELECT ~a FROM t
----
SELECT -a FROM t
----
not_equivalent

# Strings of bits are others.
decide
SELECT B'101' & B'110' FROM t
----
SELECT B'100' FROM t
----
undecided NO_PROOF
