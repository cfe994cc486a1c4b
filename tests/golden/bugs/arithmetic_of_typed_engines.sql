# Casts to floats left no trace in the core's query, and one addition stood for that of integers, decimals and
# floats: what rests on exact arithmetic, or on no overflow, named neither. PostgreSQL's cast of a constant was
# called equal to the constant, and a quotient of 32 bits to one of 64: 33.333332 is another cell than 33.333333.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER, e BIGINT, g BIGINT, r DOUBLE PRECISION, f REAL, k REAL);

# A cast to a float of 64 bits cuts digits off an integer of 64: 9007199254740993 is another number than what it makes.
decide names=exact_arithmetic
SELECT CAST(e AS DOUBLE PRECISION) FROM t
----
SELECT e FROM t
----
equivalent

# A float of 32 bits lacks digits of most numbers.
decide
SELECT CAST(r AS REAL) FROM t
----
SELECT r FROM t
----
undecided NO_PROOF

decide
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t
----
SELECT CAST(a AS DOUBLE PRECISION) / b FROM t
----
not_equivalent

decide
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t WHERE NOT c <= 1
----
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t WHERE c > 1
----
equivalent

decide names=exact_arithmetic
SELECT CAST(a AS REAL) FROM t
----
SELECT a FROM t
----
equivalent

# Two integers that differ may equal one float.
decide names=exact_arithmetic
SELECT id FROM t WHERE e = r AND g = r
----
SELECT id FROM t WHERE e = r AND g = r AND e = g
----
equivalent

# A third of 1 taken three times is 1 in floats, and not in decimals.
decide names=exact_arithmetic
SELECT id FROM t WHERE CAST(a AS NUMERIC(18, 3)) / b * 3 = 1
----
SELECT id FROM t WHERE CAST(a AS DOUBLE PRECISION) / b * 3 = 1
----
equivalent

# Floats that integers were made are multiplied as floats.
decide names=exact_arithmetic
SELECT id FROM t WHERE (CAST(a AS DOUBLE PRECISION) * b) * c = e
----
SELECT id FROM t WHERE CAST(a AS DOUBLE PRECISION) * (CAST(b AS DOUBLE PRECISION) * c) = e
----
equivalent

# What 32 bits add up shows other digits in 64.
decide
SELECT f + k FROM t
----
SELECT CAST(f + k AS DOUBLE PRECISION) FROM t
----
undecided NO_PROOF

# An integer of 32 bits overflows before one of 64.
decide names=no_overflow
SELECT a + b FROM t
----
SELECT CAST(a AS BIGINT) + b FROM t
----
equivalent

decide names=no_overflow
SELECT COUNT(a * a) FROM t
----
SELECT COUNT(a) FROM t
----
equivalent

# What no number is computed for rests on neither.
decide
SELECT id FROM t WHERE NOT a <= 3
----
SELECT id FROM t WHERE a > 3
----
equivalent

# A constant is cut as any other number.
decide
SELECT CAST(16777217 AS REAL) FROM t
----
SELECT 16777217 FROM t
----
not_equivalent

decide
SELECT CAST(16777217 AS REAL) = 16777216 FROM t
----
SELECT TRUE FROM t
----
equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER, e BIGINT, g BIGINT, r DOUBLE PRECISION, f REAL, k REAL);

# A cast to a float of 64 bits cuts digits off an integer of 64: 9007199254740993 is another number than what it makes.
decide names=exact_arithmetic
SELECT CAST(e AS DOUBLE PRECISION) FROM t
----
SELECT e FROM t
----
equivalent

# A float of 32 bits lacks digits of most numbers.
decide
SELECT CAST(r AS REAL) FROM t
----
SELECT r FROM t
----
undecided NO_PROOF

decide
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t
----
SELECT CAST(a AS DOUBLE PRECISION) / b FROM t
----
not_equivalent

decide
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t WHERE NOT c <= 1
----
SELECT CAST(a AS REAL) / CAST(b AS REAL) FROM t WHERE c > 1
----
equivalent

decide names=exact_arithmetic
SELECT CAST(a AS REAL) FROM t
----
SELECT a FROM t
----
equivalent

# Two integers that differ may equal one float.
decide names=exact_arithmetic
SELECT id FROM t WHERE e = r AND g = r
----
SELECT id FROM t WHERE e = r AND g = r AND e = g
----
equivalent

# A third of 1 taken three times is 1 in floats, and not in decimals.
decide names=exact_arithmetic
SELECT id FROM t WHERE CAST(a AS NUMERIC(18, 3)) / b * 3 = 1
----
SELECT id FROM t WHERE CAST(a AS DOUBLE PRECISION) / b * 3 = 1
----
equivalent

# Floats that integers were made are multiplied as floats.
decide names=exact_arithmetic
SELECT id FROM t WHERE (CAST(a AS DOUBLE PRECISION) * b) * c = e
----
SELECT id FROM t WHERE CAST(a AS DOUBLE PRECISION) * (CAST(b AS DOUBLE PRECISION) * c) = e
----
equivalent

# What 32 bits add up shows other digits in 64.
decide
SELECT f + k FROM t
----
SELECT CAST(f + k AS DOUBLE PRECISION) FROM t
----
undecided NO_PROOF

# An integer of 32 bits overflows before one of 64.
decide names=no_overflow
SELECT a + b FROM t
----
SELECT CAST(a AS BIGINT) + b FROM t
----
equivalent

decide names=no_overflow
SELECT COUNT(a * a) FROM t
----
SELECT COUNT(a) FROM t
----
equivalent

# What no number is computed for rests on neither.
decide
SELECT id FROM t WHERE NOT a <= 3
----
SELECT id FROM t WHERE a > 3
----
equivalent

# A constant is cut as any other number.
decide
SELECT CAST(16777217 AS REAL) FROM t
----
SELECT 16777217 FROM t
----
not_equivalent

decide
SELECT CAST(16777217 AS REAL) = 16777216 FROM t
----
SELECT TRUE FROM t
----
equivalent
