# A function of the schema's own is one of its arguments if its label says so: verdicts name the label, a promise of the schema's.
schema dialect=postgres
CREATE TABLE t (id INT PRIMARY KEY, x INT NOT NULL, y INT, s TEXT);
CREATE FUNCTION twice(INT) RETURNS INT LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 2 * $1; END';
CREATE FUNCTION low(INT) RETURNS INT LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN CASE WHEN $1 < 2 THEN $1 END; END $$;
CREATE FUNCTION named(k INT) RETURNS TEXT LANGUAGE plpgsql STABLE AS 'BEGIN RETURN (SELECT s FROM t WHERE id = k); END';
CREATE FUNCTION free(INT) RETURNS INT LANGUAGE plpgsql AS 'BEGIN RETURN $1; END'

decide names="immutable(twice)"
SELECT id FROM t WHERE twice(x) > 4 AND y = 1
----
SELECT id FROM (SELECT id, twice(x) AS z FROM t WHERE 1 = y) w WHERE 4 < z
----
equivalent

decide names="stable(named)"
SELECT id, named(y) FROM t WHERE named(y) IN ('a', 'b')
----
SELECT id, named(y) FROM t WHERE named(y) = 'b' OR named(y) = 'a'
----
equivalent

# A witness is of the function as the schema makes it.
decide
SELECT id FROM t WHERE low(x) IS NULL
----
SELECT id FROM t WHERE x IS NULL
----
not_equivalent

# Without a label each call may give anything.
decide
SELECT free(x) FROM t WHERE y > 1
----
SELECT free(x) FROM t WHERE 1 < y
----
undecided UNSUPPORTED

# What is called for its side effect answers nothing: the same calls, however they are spelt, do the same.
decide
SELECT pg_notify('c', s) FROM t WHERE x = $1
----
SELECT PG_NOTIFY('c', q.s) FROM t AS q WHERE q.x = $1
----
equivalent

decide
SELECT pg_notify('c', s) FROM t WHERE x = 1
----
SELECT pg_notify('d', s) FROM t WHERE x = 1
----
undecided UNSUPPORTED

decide
SELECT pg_notify('c', s || random()::text) FROM t
----
SELECT PG_NOTIFY('c', s || random()::text) FROM t
----
undecided UNSUPPORTED
