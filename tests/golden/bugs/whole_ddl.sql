# Unique indexes that are partial, on an expression, or under another collation bind every row of a witness.
schema
CREATE TABLE a (k INTEGER PRIMARY KEY, y TEXT, z INT);
CREATE UNIQUE INDEX folded ON a (y COLLATE NOCASE);
CREATE UNIQUE INDEX sizes ON a (abs(k)) WHERE y IS NOT NULL;
CREATE UNIQUE INDEX exact ON a (z) WHERE z > 10

decide
SELECT COUNT(DISTINCT UPPER(y)) FROM a
----
SELECT COUNT(y) FROM a
----
undecided NO_PROOF

decide
SELECT COUNT(DISTINCT ABS(k)) FROM a WHERE y IS NOT NULL
----
SELECT COUNT(*) FROM a WHERE y IS NOT NULL
----
undecided NO_PROOF

decide
SELECT DISTINCT z FROM a WHERE z >= 11
----
SELECT z FROM a WHERE z >= 11
----
undecided NO_PROOF

# What they leave open is still found.
decide
SELECT DISTINCT z FROM a WHERE z >= 10
----
SELECT z FROM a WHERE z >= 10
----
not_equivalent

decide
SELECT COUNT(DISTINCT ABS(k)) FROM a
----
SELECT COUNT(*) FROM a
----
not_equivalent

# Constraints of the table itself, and of a key.
schema
CREATE TABLE a (y TEXT COLLATE RTRIM PRIMARY KEY, z TEXT, UNIQUE (z COLLATE NOCASE))

decide
SELECT COUNT(DISTINCT RTRIM(y)) FROM a
----
SELECT COUNT(y) FROM a
----
undecided NO_PROOF

decide
SELECT COUNT(DISTINCT UPPER(z)) FROM a
----
SELECT COUNT(z) FROM a
----
undecided NO_PROOF

decide
SELECT COUNT(DISTINCT z) FROM a
----
SELECT COUNT(*) FROM a
----
not_equivalent

# An index on an expression refuses the rows on which the expression fails, unique or not.
schema
CREATE TABLE a (k INTEGER PRIMARY KEY, y TEXT);
CREATE INDEX parsed ON a (json_extract(y, '$.a'))

decide
SELECT k FROM a WHERE y = 'x'
----
SELECT k FROM a WHERE y = 'z'
----
undecided NO_PROOF

# Values are unique here as they are computed.
schema
CREATE TABLE a (k INTEGER PRIMARY KEY, x INT, g INT AS (x / 2) UNIQUE, h INT AS (x) NOT NULL, CHECK (g <> 7))

decide
SELECT COUNT(DISTINCT x / 2) FROM a
----
SELECT COUNT(x) FROM a
----
undecided NO_PROOF

decide
SELECT COUNT(*) FROM a WHERE x = 14
----
SELECT COUNT(*) FROM a WHERE x = 15
----
equivalent

decide
SELECT COUNT(*) FROM a WHERE g = 5
----
SELECT COUNT(*) FROM a WHERE g = 6
----
not_equivalent

# Columns that no query reads may need values.
schema
CREATE TABLE a (k INTEGER PRIMARY KEY, x INT, o INT CHECK (o IS NOT NULL), p INT, q INT, CHECK (p > 3 OR q IS NOT NULL AND p IS NOT NULL))

decide
SELECT k FROM a WHERE x > 0
----
SELECT k FROM a WHERE x >= 0
----
not_equivalent by=generate
