# A witness broke a fact about arithmetic that a proof may use: integers overflowed in it, or a REAL rounded.
schema rounding=ignore
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, r REAL, s TEXT);

# Only where id + 2 overflows, and becomes a REAL.
decide
SELECT id FROM t WHERE id + 2 > id + 1 AND id >= 9223372036854775807
----
SELECT id FROM t WHERE id >= 9223372036854775807
----
equivalent

decide
SELECT id FROM t WHERE typeof(n * 2) = 'real' AND n = 9223372036854775807
----
SELECT id FROM t WHERE 0
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE typeof(-n) = 'real' AND n < -9223372036854775807
----
SELECT id FROM t WHERE 0
----
undecided NO_PROOF

# 9223372036854775809.0 is cut off to 9223372036854775807.
decide
SELECT CAST(n * 2.0 AS INTEGER) FROM t WHERE n > 4611686018427387904
----
SELECT n * 2 FROM t WHERE n > 4611686018427387904
----
equivalent

# 9007199254740993 rounds as a REAL to 9007199254740992.
decide
SELECT id FROM t WHERE id + 0.0 > 9007199254740992
----
SELECT id FROM t WHERE id > 9007199254740992
----
equivalent

decide
SELECT id FROM t WHERE CAST(n AS REAL) > 9007199254740992
----
SELECT id FROM t WHERE n > 9007199254740992
----
equivalent

# 9007199254740993 satisfies it, though not in SQLite, which rounds.
decide
SELECT id FROM t WHERE CAST(n AS REAL) > 9007199254740992 AND n < 9007199254740994
----
SELECT id FROM t WHERE 0
----
undecided

decide
SELECT id FROM t GROUP BY id HAVING AVG(n) > 9007199254740992
----
SELECT id FROM t WHERE n > 9007199254740992
----
equivalent

# What is the same without overflow and rounding may well differ with them: no witness, and no proof either.
schema rounding=strict
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, r REAL, s TEXT);

decide
SELECT id FROM t WHERE id + 2 > id + 1 AND id >= 9223372036854775807
----
SELECT id FROM t WHERE id >= 9223372036854775807
----
not_equivalent

decide
SELECT id FROM t WHERE CAST(n AS REAL) > 9007199254740992
----
SELECT id FROM t WHERE n > 9007199254740992
----
not_equivalent

# Each of the two facts binds witnesses without the other.
schema rounding=strict assume=no_overflow
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, r REAL, s TEXT);

decide
SELECT id FROM t WHERE id + 2 > id + 1 AND id >= 9223372036854775807
----
SELECT id FROM t WHERE id >= 9223372036854775807
----
equivalent

decide
SELECT id FROM t WHERE CAST(n AS REAL) > 9007199254740992
----
SELECT id FROM t WHERE n > 9007199254740992
----
not_equivalent

schema rounding=strict assume=exact_arithmetic
CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, r REAL, s TEXT);

decide
SELECT id FROM t WHERE id + 2 > id + 1 AND id >= 9223372036854775807
----
SELECT id FROM t WHERE id >= 9223372036854775807
----
not_equivalent

decide
SELECT id FROM t WHERE CAST(n AS REAL) > 9007199254740992
----
SELECT id FROM t WHERE n > 9007199254740992
----
equivalent
