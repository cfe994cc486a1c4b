# What a query chooses where DuckDB alone runs it: differences count where no choice of either text shows.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s VARCHAR, i INTERVAL);
----

# A list keeps NULL.
decide
SELECT b, list(a ORDER BY id) FROM t GROUP BY b
----
SELECT b, list(a ORDER BY id) FILTER (WHERE a IS NOT NULL) FROM t GROUP BY b
----
not_equivalent by=generate

# DISTINCT in a list.
decide tiers=generate
SELECT b, list(DISTINCT a ORDER BY a) FROM t GROUP BY ALL
----
SELECT b, list(a ORDER BY a) FROM t GROUP BY ALL
----
not_equivalent by=generate

# The order of a list.
decide tiers=generate
SELECT list(a ORDER BY id) FROM t
----
SELECT list(a ORDER BY id DESC) FROM t
----
not_equivalent by=generate

# Fields of a struct.
decide tiers=generate
SELECT list({'a': a, 'b': b} ORDER BY id) FROM t
----
SELECT list({'a': b, 'b': a} ORDER BY id) FROM t
----
not_equivalent by=generate

# What stands beside the greatest value.
decide tiers=generate
SELECT b, arg_max(a, id) FROM t GROUP BY b
----
SELECT b, arg_min(a, id) FROM t GROUP BY b
----
not_equivalent by=generate

# The last row of an order.
decide tiers=generate
SELECT last(s ORDER BY id) FROM t
----
SELECT first(s ORDER BY id) FROM t
----
not_equivalent by=generate

# Rows that LIMIT, DISTINCT ON and QUALIFY keep in a total order.
decide tiers=generate
SELECT [a] FROM t ORDER BY id LIMIT 1
----
SELECT [a] FROM t ORDER BY id DESC LIMIT 1
----
not_equivalent by=generate

decide tiers=generate
SELECT DISTINCT ON (b) [a] FROM t ORDER BY id
----
SELECT DISTINCT ON (b) [a] FROM t ORDER BY id DESC
----
not_equivalent by=generate

decide tiers=generate
SELECT [a] FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY id) = 1
----
SELECT [a] FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY id DESC) = 1
----
not_equivalent by=generate

# DISTINCT of one column in the order of another, which is no order of its rows.
decide tiers=generate
SELECT DISTINCT [a] FROM t ORDER BY id LIMIT 1
----
SELECT DISTINCT [a] FROM t ORDER BY id DESC LIMIT 1
----
undecided NO_PROOF

# 30 days equal one month: which of them a group shows is a choice, but not that it shows NULL.
decide tiers=generate
SELECT [i] FROM t GROUP BY i
----
SELECT DISTINCT [i] FROM t WHERE i IS NOT NULL
----
not_equivalent by=generate

# A key that all rows of a group share sorts none of them, nor does one that stands before.
decide
SELECT b, first(a ORDER BY b, a, b DESC, a DESC) FROM t GROUP BY b
----
SELECT b, first(a ORDER BY a) FROM t GROUP BY b
----
equivalent

decide
SELECT b, list(a ORDER BY s, a) FROM t GROUP BY b
----
SELECT b, list(a ORDER BY a, s) FROM t GROUP BY b
----
not_equivalent by=generate

# To these a row without a value is as if it were not there; to a list it is not.
decide
SELECT b, bit_and(a), median(a), corr(a, id), string_agg(s, ',' ORDER BY id) FROM t GROUP BY b
----
SELECT b, bit_and(a) FILTER (WHERE a IS NOT NULL), median(a) FILTER (WHERE a IS NOT NULL), corr(a, id) FILTER (WHERE NOT a IS NULL), string_agg(s, ',' ORDER BY id) FILTER (WHERE s IS NOT NULL) FROM t GROUP BY b
----
equivalent

# The middle of two values, as a cut at a half takes it; a value that is there, of texts.
decide
SELECT b, median(a) FROM t GROUP BY b
----
SELECT b, quantile_cont(a, 0.5) FROM t GROUP BY b
----
equivalent

decide
SELECT b, median(a) FROM t GROUP BY b
----
SELECT b, quantile_disc(a, 0.5) FROM t GROUP BY b
----
undecided

decide
SELECT b, median(a) FROM t GROUP BY b
----
SELECT b, quantile_cont(a, 0.25) FROM t GROUP BY b
----
undecided

decide
SELECT b, string_agg(s, ',' ORDER BY id) FROM t GROUP BY b
----
SELECT b, string_agg(s, ',' ORDER BY id) FILTER (WHERE a IS NOT NULL) FROM t GROUP BY b
----
not_equivalent by=generate
