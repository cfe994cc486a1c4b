# Exact arithmetic was assumed where the engine's own rounding makes rows appear or vanish: a third of 1, three times,
# is 0.999… in a numeric, and such pairs were called equivalent, whatever the engine returned.
schema dialect=postgres
CREATE TABLE t (id int PRIMARY KEY, g text, a int, b int, n2 numeric(10,2), n numeric, r double precision);

decide
SELECT id FROM t WHERE n2 / 3 * 3 = 1
----
SELECT id FROM t WHERE n2 = 1
----
not_equivalent by=generate

# The core rounded on a database on which the engine does not, and no other was tried.
decide
SELECT id FROM t WHERE n2 / 3 * 3 = n2
----
SELECT id FROM t WHERE n2 = n2
----
not_equivalent by=generate

decide
SELECT id FROM t WHERE n2 / 7 * 7 >= n2
----
SELECT id FROM t WHERE n2 <= n2
----
not_equivalent by=generate

# A quarter has an end.
decide names=exact_arithmetic
SELECT id FROM t WHERE n2 / 4 * 4 = 1
----
SELECT id FROM t WHERE n2 = 1
----
equivalent

decide
SELECT id FROM t WHERE r * 0.1 = 0.3
----
SELECT id FROM t WHERE r = 3
----
not_equivalent by=generate

decide
SELECT g FROM t GROUP BY g HAVING AVG(n2) * 3 >= 1
----
SELECT g FROM t GROUP BY g HAVING AVG(n2 * 3) >= 1
----
not_equivalent by=generate

decide
SELECT COUNT(*) FROM t GROUP BY n2 / 3 + n / 3
----
SELECT COUNT(*) FROM t GROUP BY (n2 + n) / 3
----
not_equivalent by=generate

# In the select list last digits alone differ.
decide names=exact_arithmetic
SELECT g, 100.0 * SUM(a) / COUNT(*) FROM t GROUP BY g
----
SELECT g, 1.0 * SUM(a) / COUNT(*) * 100.0 FROM t GROUP BY g
----
equivalent

schema dialect=postgres rounding=ignore
CREATE TABLE t (id int PRIMARY KEY, n2 numeric(10,2));

decide names=exact_arithmetic
SELECT id FROM t WHERE n2 / 3 * 3 = 1
----
SELECT id FROM t WHERE n2 = 1
----
equivalent

schema dialect=postgres rounding=strict
CREATE TABLE t (id int PRIMARY KEY, a int, b int, n2 numeric(10,2), r double precision);

decide
SELECT id FROM t WHERE n2 / 4 * 4 = 1
----
SELECT id FROM t WHERE n2 = 1
----
undecided NO_PROOF

decide
SELECT CAST(a AS double precision) / b FROM t WHERE a > 1
----
SELECT CAST(a AS double precision) / b FROM t WHERE NOT a <= 1
----
undecided NO_PROOF

# An integer that overflows raises an error.
decide names=no_error
SELECT id FROM t WHERE a + 1 > b AND a > 1
----
SELECT id FROM t WHERE a + 1 > b AND NOT a <= 1
----
equivalent

schema
CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT, a INTEGER, b INTEGER, r REAL);

decide
SELECT CAST(r * 100 AS INTEGER) FROM t
----
SELECT CAST(r * 10 * 10 AS INTEGER) FROM t
----
not_equivalent by=generate

# 0.58 + 0.42 is 1, and 1 - 0.42 is not 0.58.
decide
SELECT id FROM t WHERE r + 0.42 = 1
----
SELECT id FROM t WHERE r = 1 - 0.42
----
not_equivalent by=generate

decide
SELECT id FROM t ORDER BY a * 0.1 + b * 0.1, id LIMIT 1
----
SELECT id FROM t ORDER BY (a + b) * 0.1, id LIMIT 1
----
not_equivalent by=generate

decide
SELECT COUNT(*) FROM t GROUP BY a * 0.1 + b * 0.1
----
SELECT COUNT(*) FROM t GROUP BY (a + b) * 0.1
----
not_equivalent by=generate

decide names=exact_arithmetic
SELECT g, 100.0 * SUM(a) / COUNT(*) FROM t GROUP BY g
----
SELECT g, 1.0 * SUM(a) / COUNT(*) * 100.0 FROM t GROUP BY g
----
equivalent

# Whether 0.1 + 0.2 + 0.3 is 0.6 hangs on the order in which they are added, which neither query fixes.
decide names=exact_arithmetic
SELECT g FROM t GROUP BY g HAVING SUM(r) = 0.6
----
SELECT g FROM t GROUP BY g HAVING SUM(r + 0) = 0.6
----
equivalent

decide relation=bird names=exact_arithmetic
SELECT id FROM t WHERE r * 0.1 = 0.3
----
SELECT id FROM t WHERE r = 3
----
equivalent

schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, n2 DECIMAL(10,2), r DOUBLE);

decide
SELECT id FROM t WHERE r * 0.1 = 0.3
----
SELECT id FROM t WHERE r = 3
----
not_equivalent by=generate

decide
SELECT COUNT(DISTINCT n2 / 3 + a / 3) FROM t
----
SELECT COUNT(DISTINCT (n2 + a) / 3) FROM t
----
not_equivalent by=generate

schema dialect=sqlite/postgres rounding=strict
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, r DOUBLE PRECISION);

decide
SELECT r * 2 FROM t
----
SELECT r * 2 FROM t
----
undecided NO_PROOF

decide
SELECT id FROM t WHERE a > 1
----
SELECT id FROM t WHERE NOT a <= 1
----
equivalent
