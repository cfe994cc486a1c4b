# FLOAT has 32 bits: beside a decimal literal it is compared as a FLOAT, beside a DOUBLE as a DOUBLE.
schema dialect=duckdb
CREATE TABLE f (id INTEGER PRIMARY KEY, g FLOAT, r DOUBLE)

# A decimal literal becomes a FLOAT.
decide
SELECT id FROM f WHERE g = 0.1
----
SELECT id FROM f WHERE g = CAST(0.1 AS FLOAT)
----
equivalent

# What is 0.1 as a FLOAT is none as a DOUBLE.
decide
SELECT id FROM f WHERE g = 0.1
----
SELECT id FROM f WHERE g = CAST(0.1 AS DOUBLE)
----
not_equivalent

# A half is a half in both.
decide
SELECT id FROM f WHERE g = 0.5
----
SELECT id FROM f WHERE g = CAST(0.5 AS DOUBLE)
----
undecided NO_PROOF

# Two widths of one column.
decide
SELECT id FROM f WHERE g = r
----
SELECT id FROM f WHERE CAST(g AS DOUBLE) = r
----
equivalent

decide
SELECT id FROM f WHERE g = r AND r = 0.1
----
SELECT id FROM f WHERE g = CAST(r AS FLOAT) AND r = 0.1
----
not_equivalent
