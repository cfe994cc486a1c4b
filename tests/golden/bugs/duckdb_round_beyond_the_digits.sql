# ROUND of a DECIMAL to more tens than it has digits before the point is a constant of DuckDB's plan: 0, of NULL too.
schema dialect=duckdb
CREATE TABLE t (id INTEGER PRIMARY KEY, n DECIMAL(6, 2));

decide
SELECT id FROM t WHERE ROUND(n, -5) IS NULL
----
SELECT id FROM t WHERE n IS NULL
----
not_equivalent

# Within its digits it is a function of the core, of which nothing is known but that it is one.
decide
SELECT id FROM t WHERE ROUND(n, -4) IS NULL
----
SELECT id FROM t WHERE n IS NULL
----
undecided NO_PROOF
