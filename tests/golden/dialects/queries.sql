# LATERAL, INTERSECT ALL and the current time.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, at TIMESTAMP);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t, b INTEGER);

# One aggregated row for each row beside is a subquery in the list.
decide
SELECT t.id, z.n FROM t CROSS JOIN LATERAL (SELECT COUNT(*) AS n FROM u WHERE u.t_id = t.id) z
----
SELECT t.id, (SELECT COUNT(*) FROM u WHERE u.t_id = t.id) FROM t
----
equivalent

# Rows that a condition chooses are a join.
decide
SELECT t.id, z.b FROM t LEFT JOIN LATERAL (SELECT b FROM u WHERE u.t_id = t.id) z ON true
----
SELECT t.id, u.b FROM t LEFT JOIN u ON u.t_id = t.id
----
equivalent

# CROSS JOIN LATERAL loses the rows without a partner.
decide
SELECT t.id, z.b FROM t CROSS JOIN LATERAL (SELECT b FROM u WHERE u.t_id = t.id) z
----
SELECT t.id, u.b FROM t LEFT JOIN u ON u.t_id = t.id
----
not_equivalent

# INTERSECT ALL keeps a row as often as both have it.
decide
SELECT a FROM t INTERSECT ALL SELECT b FROM u
----
SELECT a FROM t INTERSECT SELECT b FROM u
----
not_equivalent

# EXCEPT ALL takes one away for each.
decide
SELECT a FROM t EXCEPT ALL SELECT b FROM u
----
SELECT a FROM t EXCEPT SELECT b FROM u
----
not_equivalent

# now() has a fraction of a second.
decide
SELECT id FROM t WHERE date_trunc('second', now()) = now()
----
SELECT id FROM t
----
not_equivalent

# Of grouping sets that are one DISTINCT leaves no others.
decide
SELECT a FROM t GROUP BY DISTINCT GROUPING SETS ((a), (a))
----
SELECT a FROM t GROUP BY a
----
equivalent

decide
SELECT a FROM t GROUP BY DISTINCT GROUPING SETS ((a), (a))
----
SELECT a FROM t GROUP BY GROUPING SETS ((a), (a))
----
not_equivalent

# Functions of constants in FROM are their rows.
schema dialect=postgres
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);

decide
SELECT id, g FROM t JOIN generate_series(1, 3) AS g ON g = a
----
SELECT id, a FROM t WHERE a BETWEEN 1 AND 3
----
equivalent

# Its first value is one of them.
decide
SELECT id FROM t WHERE a IN (SELECT * FROM generate_series(1, 4))
----
SELECT id FROM t WHERE a IN (SELECT * FROM generate_series(2, 4))
----
not_equivalent

decide
SELECT x FROM unnest(ARRAY['a', 'b', 'a']) AS x
----
VALUES ('a'), ('b'), ('a')
----
equivalent

decide
SELECT x FROM unnest(ARRAY['a', 'b', 'a']) AS x
----
VALUES ('a'), ('b')
----
not_equivalent

# What depends on rows is not read, and still told apart.
decide
SELECT id FROM t, generate_series(1, a) AS g
----
SELECT id FROM t
----
not_equivalent

# CURRENT_TIMESTAMP is now(), and its date the current one: in the zone of the session, which is to be stated.
schema dialect=postgres assume="setting(TimeZone = 'UTC')"
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, at TIMESTAMP)

decide names="setting(TimeZone = 'UTC')"
SELECT id FROM t WHERE at < CURRENT_TIMESTAMP AND at::date < now()::date
----
SELECT id FROM t WHERE now() > at AND CAST(at AS date) < CURRENT_DATE
----
equivalent
