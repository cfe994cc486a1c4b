# A column brings its collation to what compares it, a CASE of it does not: 'a' and 'A' are one text or two.
schema
CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, i INTEGER, s TEXT)

# convert_guarded_argument made the one of the other.
decide tiers=rules
SELECT s, COUNT(DISTINCT CASE WHEN i = 8123 THEN n END) FROM t GROUP BY s
----
SELECT s, COUNT(DISTINCT n) FILTER (WHERE i = 8123) FROM t GROUP BY s
----
undecided NO_PROOF

decide tiers=rules
SELECT s, COUNT(DISTINCT IIF(i = 8123, n, NULL)) FROM t GROUP BY s
----
SELECT s, COUNT(DISTINCT n) FILTER (WHERE i = 8123) FROM t GROUP BY s
----
undecided NO_PROOF

# With the one collation counted elsewhere in the query, too.
decide tiers=rules
SELECT n, COUNT(DISTINCT CASE WHEN i = 8123 THEN n END) FROM t GROUP BY n
----
SELECT n, COUNT(DISTINCT n) FILTER (WHERE i = 8123) FROM t GROUP BY n
----
undecided NO_PROOF

# The other rules that replaced a CASE by its value.
decide
SELECT COUNT(DISTINCT CASE WHEN 1 THEN n END) FROM t
----
SELECT COUNT(DISTINCT n) FROM t
----
not_equivalent

decide tiers=rules
SELECT COUNT(DISTINCT CASE WHEN 1 THEN n END) FROM t
----
SELECT COUNT(*) FROM (SELECT DISTINCT n FROM t WHERE n IS NOT NULL)
----
undecided NO_PROOF

decide tiers=rules
SELECT id FROM t WHERE CASE WHEN 1 THEN n END = 'x'
----
SELECT id FROM t WHERE n = 'x'
----
undecided NO_PROOF

# So with affinity: an INTEGER column makes a number of the text, a CASE of it does not.
decide tiers=rules
SELECT id FROM t WHERE CASE WHEN 1 THEN i END = '5'
----
SELECT id FROM t WHERE i = '5'
----
undecided NO_PROOF

decide tiers=rules
SELECT id FROM t WHERE COALESCE(i, i) = '5'
----
SELECT id FROM t WHERE i = '5'
----
undecided NO_PROOF

# What compares as before may be rewritten.
decide tiers=rules
SELECT s, COUNT(DISTINCT CASE WHEN i = 8123 THEN s END) FROM t GROUP BY s
----
SELECT s, COUNT(DISTINCT s) FILTER (WHERE i = 8123) FROM t GROUP BY s
----
equivalent by=rules

decide tiers=rules
SELECT s, COUNT(CASE WHEN i = 8123 THEN n END) FROM t GROUP BY s
----
SELECT s, COUNT(n) FILTER (WHERE i = 8123) FROM t GROUP BY s
----
equivalent by=rules
