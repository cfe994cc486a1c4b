# exact_arithmetic: close REALs subtract exactly in binary, and still not as the decimals that they stand for; the trial
# of a proof took that for no rounding, and a right proof ended as CONFLICT.
schema rounding=ignore
CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, i INTEGER);

decide
SELECT id FROM t WHERE r - 0.3 <= 0.1
----
SELECT id FROM t WHERE r <= 0.4
----
equivalent by=proof

decide
SELECT id FROM t WHERE r - 0.1 = 0.2
----
SELECT id FROM t WHERE r = 0.3
----
equivalent by=proof

decide
SELECT id FROM t WHERE abs(r - 2.68) <= 0.005
----
SELECT id FROM t WHERE r BETWEEN 2.675 AND 2.685
----
equivalent by=proof

decide
SELECT i, SUM(r) FROM t GROUP BY i HAVING SUM(r) - 0.3 <= 0.1
----
SELECT i, SUM(r) FROM t GROUP BY i HAVING SUM(r) <= 0.4
----
equivalent by=proof

decide
SELECT id FROM t WHERE r - 0.1 = 0.2
----
SELECT id FROM t WHERE r = 0.2
----
not_equivalent

# No 64 bit integer is more than the REAL that is written, which is 2^63; none has a REAL that equals the integer
# 2^63 - 1. The search took a CAST to be exact, and its databases did not replay.
decide
SELECT id FROM t WHERE i > 9223372036854775806.0
----
SELECT id FROM t WHERE CAST(i AS REAL) = 9223372036854775807
----
undecided NO_PROOF
