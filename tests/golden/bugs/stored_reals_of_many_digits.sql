# exact_arithmetic: 26.69999999999999 is what SQLite computes for 487 - 460.3, and a REAL that is stored stands for its
# notation; taken for 26.7 in arithmetic and not in the comparison, it was a witness against an equivalence.
schema rounding=ignore
CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, d DECIMAL(8, 2));

decide
SELECT id FROM t WHERE r - 27.70 = d - 488.0
----
SELECT id FROM t WHERE r = d + (-460.30)
----
equivalent by=proof

decide
SELECT id FROM t WHERE r - 11.73 <> d - 8207
----
SELECT id FROM t WHERE r <> d + (-8195.27)
----
equivalent by=proof

decide
SELECT id FROM t WHERE r - 27.70 = d - 488.0
----
SELECT id FROM t WHERE r = d - 460.31
----
not_equivalent
