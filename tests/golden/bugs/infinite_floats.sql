# An infinity less itself is NaN: that no REAL is infinite is part of exact_arithmetic, by name, and without it nothing is proved.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL, y REAL)

decide names=exact_arithmetic
SELECT id FROM t WHERE x - x = 0
----
SELECT id FROM t WHERE x IS NOT NULL
----
equivalent

decide names=exact_arithmetic
SELECT id FROM t WHERE x + 1 > x
----
SELECT id FROM t WHERE x IS NOT NULL
----
equivalent

# No arithmetic, no fact about it.
decide
SELECT id FROM t WHERE x <= x
----
SELECT id FROM t WHERE x IS NOT NULL
----
equivalent

schema rounding=strict
CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL, y REAL)

decide
SELECT id FROM t WHERE x - x = 0
----
SELECT id FROM t WHERE x IS NOT NULL
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE x * 0 IS NOT NULL
----
SELECT id FROM t WHERE x IS NOT NULL
----
undecided NO_PROOF

schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, x DOUBLE PRECISION, y DOUBLE PRECISION)

decide names=exact_arithmetic
SELECT id FROM t WHERE x - x = 0
----
SELECT id FROM t WHERE x IS NOT NULL
----
equivalent

schema dialect=postgres rounding=strict
CREATE TABLE t (id INTEGER PRIMARY KEY, x DOUBLE PRECISION, y DOUBLE PRECISION)

decide
SELECT id FROM t WHERE x - x = 0
----
SELECT id FROM t WHERE x IS NOT NULL
----
undecided NO_PROOF

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, x DOUBLE, y DOUBLE)

decide names=exact_arithmetic
SELECT id FROM t WHERE x - x = 0
----
SELECT id FROM t WHERE x IS NOT NULL
----
equivalent
