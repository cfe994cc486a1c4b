# Names that DuckDB's catalogue calls aliases, of aggregates too, are one symbol.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, s VARCHAR);

decide
SELECT s, max_by(a, b) FROM t GROUP BY s
----
SELECT s, arg_max(a, b) FROM t GROUP BY s
----
equivalent

decide
SELECT argmin(a, b ORDER BY id) FROM t
----
SELECT min_by(a, b ORDER BY id) FROM t
----
equivalent

# The least is not the greatest.
decide
SELECT max_by(a, b) FROM t
----
SELECT arg_min(a, b) FROM t
----
not_equivalent

# What is returned is not that by which it is chosen.
decide
SELECT max_by(a, b) FROM t
----
SELECT arg_max(b, a) FROM t
----
not_equivalent

decide
SELECT quantile(a, 0.5) FROM t
----
SELECT quantile_disc(a, 0.5) FROM t
----
equivalent

decide
SELECT quantile(a, 0.5) FROM t
----
SELECT quantile_cont(a, 0.5) FROM t
----
undecided NO_PROOF

# The names that the core has stand for what they are aliases of.
decide
SELECT mean(a), listagg(s, ';' ORDER BY id) FROM t
----
SELECT avg(a), string_agg(s, ';' ORDER BY id) FROM t
----
equivalent

decide
SELECT id FROM t WHERE list_transform([a], lambda x: x + 1) = [b]
----
SELECT id FROM t WHERE list_apply([a], lambda x: x + 1) = [b]
----
equivalent
