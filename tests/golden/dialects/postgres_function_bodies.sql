# The body of a function in SQL stands in the place of its calls, whatever its label promises, and no verdict rests on that.
schema dialect=postgres
CREATE TABLE t (id INT PRIMARY KEY, x INT, s TEXT, n NUMERIC(6, 2));
CREATE TABLE u (id INT PRIMARY KEY, t_id INT REFERENCES t (id), k INT, w TEXT);
CREATE FUNCTION adult(x INT) RETURNS BOOLEAN LANGUAGE sql AS $$ SELECT x >= 18 $$;
CREATE FUNCTION grown(x INT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT coalesce(x, 20) >= 18 $$;
CREATE FUNCTION s_of(k INT) RETURNS TEXT LANGUAGE sql STABLE AS $$ SELECT s FROM t WHERE id = k $$;
CREATE FUNCTION last(t INT) RETURNS TEXT LANGUAGE sql AS $$ SELECT w FROM u WHERE t_id = t ORDER BY id DESC $$;
CREATE FUNCTION rows_of(id INT) RETURNS BIGINT BEGIN ATOMIC SELECT count(*) FROM u WHERE t_id = id; END;
CREATE FUNCTION rows_at(id INT) RETURNS BIGINT LANGUAGE sql AS $$ SELECT count(*) FROM u WHERE t_id = rows_at.id $$;
CREATE FUNCTION signed(x INT, low INT DEFAULT 0) RETURNS TEXT RETURN CASE WHEN x > low THEN 'p' ELSE 'n' END;
CREATE FUNCTION two(INT) RETURNS INT LANGUAGE sql AS $$ SELECT $1 + $1 $$;
CREATE FUNCTION four(x INT) RETURNS INT LANGUAGE sql AS $$ SELECT two(two(x)) $$;
CREATE FUNCTION whole(x NUMERIC) RETURNS INT LANGUAGE sql IMMUTABLE AS $$ SELECT x::int $$;
CREATE FUNCTION any_x(x INT) RETURNS INT LANGUAGE sql AS $$ SELECT (x + 10 * random())::int $$;
CREATE FUNCTION down(n INT) RETURNS INT LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN n <= 0 THEN 0 ELSE down(n - 1) END $$

decide
SELECT id FROM t WHERE adult(x)
----
SELECT id FROM t WHERE NOT x < 18
----
equivalent

decide
SELECT id FROM t WHERE adult(x)
----
SELECT id FROM t WHERE x > 18
----
not_equivalent

# STRICT: of NULL it is NULL, whatever the body makes of it.
decide
SELECT id FROM t WHERE grown(x)
----
SELECT id FROM t WHERE x >= 18
----
equivalent

decide
SELECT id FROM t WHERE grown(x)
----
SELECT id FROM t WHERE coalesce(x, 20) >= 18
----
not_equivalent

decide
SELECT u.id, s_of(u.t_id) FROM u
----
SELECT u.id, t.s FROM u LEFT JOIN t ON t.id = u.t_id
----
equivalent

# Of several rows the first, and no error.
decide
SELECT id, last(id) FROM t
----
SELECT t.id, (SELECT w FROM u WHERE t_id = t.id ORDER BY id DESC LIMIT 1) FROM t
----
equivalent

decide
SELECT id, last(id) FROM t
----
SELECT t.id, (SELECT w FROM u WHERE t_id = t.id ORDER BY id LIMIT 1) FROM t
----
not_equivalent

# A name is a column before it is a parameter.
decide
SELECT rows_of(x) FROM t
----
SELECT (SELECT count(*) FROM u WHERE t_id = t.x) FROM t
----
not_equivalent

decide
SELECT rows_of(x) FROM t
----
SELECT (SELECT count(*) FROM u WHERE t_id = id) FROM t
----
equivalent

decide
SELECT rows_at(x) FROM t
----
SELECT (SELECT count(*) FROM u WHERE t_id = t.x) FROM t
----
equivalent

decide
SELECT signed(x) FROM t
----
SELECT CASE WHEN x <= 0 OR x IS NULL THEN 'n' ELSE 'p' END FROM t
----
equivalent

decide
SELECT signed(x) FROM t
----
SELECT signed(x, 1) FROM t
----
not_equivalent

decide
SELECT four(x), whole(n) FROM t
----
SELECT 4 * x, n::int FROM t
----
equivalent

decide
SELECT whole(n) FROM t
----
SELECT trunc(n)::int FROM t
----
not_equivalent

decide
SELECT t.id, y FROM t, two(t.x) AS y WHERE y = $1
----
SELECT id, x + x FROM t WHERE 2 * x = $1
----
equivalent

# Where an argument chooses, each place of a parameter would choose for itself.
decide
SELECT two((SELECT x FROM t LIMIT 1))
----
SELECT 2 * (SELECT x FROM t LIMIT 1)
----
undecided UNSUPPORTED

decide
SELECT any_x(x) FROM t WHERE id > 1
----
SELECT any_x(x) FROM t WHERE 1 < id
----
undecided UNSUPPORTED

# What calls itself stays a call, of which its label speaks.
decide names="immutable(down)"
SELECT down(x) FROM t WHERE id > 1
----
SELECT down(x) FROM t WHERE 1 < id
----
equivalent

# A function that is SECURITY DEFINER sees the rows of its owner, which row-level security may hide from the query.
schema dialect=postgres
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE FUNCTION owned(x int) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT count(*) FROM t WHERE a = x'

decide
SELECT owned(id) FROM t
----
SELECT (SELECT count(*) FROM t AS u WHERE u.a = t.id) FROM t
----
undecided
